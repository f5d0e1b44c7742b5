import { KubernetesError } from '@hms/kubernetes';
import { describe, expect, it } from '@jest/globals';
import { placeholderName, refusalsOf } from './refusals.ts';

type Fields = Readonly<Record<string, string>>;

const refusal = (fields: Fields, status = 422) =>
  new KubernetesError(
    status,
    'Invalid',
    'is not valid',
    Object.entries(fields).map(([field, message]) => ({ field, message })),
  );

/** Gives one answer after the other, and keeps what was asked. */
function server(...answers: readonly (KubernetesError | undefined)[]) {
  const asked: object[] = [];
  const dryRun = async (manifest: object) => {
    const answer = answers[asked.length];
    asked.push(structuredClone(manifest));
    if (answer) throw answer;
  };
  return { asked, dryRun };
}

const NAMELESS = { '<nil>': 'Invalid value: "null": some validation rules were not checked because it was invalid' };

describe('what the API server refuses in a hospital', () => {
  it('is a sentence for each field, without the value and the jargon before it', async () => {
    const { dryRun } = server(
      refusal({
        'spec.identity.secondFactor': 'Unsupported value: "SMS": supported values: "None", "Email"',
        'spec.settings.country': 'Too long: may not be more than 2 bytes',
        'spec.currency': 'Invalid value: "string": "euro" is not a currency: write an ISO 4217 code, like EUR',
        'spec.owner.email': 'Required value',
        'spec.gateway.hosts[0]': 'Invalid value: "a b": the host is not valid: write a hostname',
        ...NAMELESS,
      }),
    );
    const spec = { identity: { secondFactor: 'SMS' }, settings: { country: 'IRL' }, currency: 'euro' };
    expect(await refusalsOf({ metadata: { name: 'hope' }, spec }, dryRun)).toEqual([
      { field: 'spec.identity.secondFactor', message: '"SMS" is not allowed: write "None", "Email".' },
      { field: 'spec.settings.country', message: 'is too long: write at most 2 characters.' },
      { field: 'spec.currency', message: '"euro" is not a currency: write an ISO 4217 code, like EUR' },
      { field: 'spec.owner.email', message: 'is missing.' },
      { field: 'spec.gateway.hosts', message: 'the host is not valid: write a hostname' },
    ]);
  });

  it('is found in each part of an owner, where one is missing', async () => {
    const { asked, dryRun } = server(
      refusal({ 'spec.owner.firstName': 'Required value', ...NAMELESS }),
      refusal({ 'spec.owner.email': 'Invalid value: "string": "notmail" is not an email address' }),
    );
    const manifest = {
      metadata: { name: 'hope' },
      spec: { displayName: 'Hope', owner: { email: 'notmail', lastName: 'Lee' } },
    };
    expect(await refusalsOf(manifest, dryRun)).toEqual([
      { field: 'spec.owner.firstName', message: 'is missing.' },
      { field: 'spec.owner.email', message: '"notmail" is not an email address' },
    ]);
    expect(asked).toHaveLength(3);
  });

  it('is found together, where each answer hides what comes after it', async () => {
    const { asked, dryRun } = server(
      refusal({ 'metadata.name': 'Invalid value: "St Mary": a lowercase RFC 1123 subdomain must', ...NAMELESS }),
      refusal({ 'spec.settings.country': 'Too long: may not be more than 2 bytes', ...NAMELESS }),
      refusal({ 'spec.timezone': 'Invalid value: "string": "Dublin" is not a time zone: write an IANA name' }),
    );
    const manifest = {
      metadata: { name: 'St Mary' },
      spec: { displayName: 'St Mary', timezone: 'Dublin', settings: { country: 'IRL' } },
    };
    const found = await refusalsOf(manifest, dryRun);
    expect(found.map(({ field }) => field)).toEqual(['metadata.name', 'spec.settings.country', 'spec.timezone']);
    expect(found[0]?.message).toMatch(/"St Mary" can't be a hospital's prefix: use 3 to 32 lower-case letters/);
    expect(asked[3]).toEqual({
      metadata: { name: expect.stringMatching(/^dry-run-/) },
      spec: { displayName: 'St Mary', settings: {} },
    });
  });

  it('ends where nothing is left to replace', async () => {
    const same = refusal({ 'spec.gateway.rateLimits.hms.minute': 'Required value' });
    const { asked, dryRun } = server(...Array.from({ length: 20 }, () => same));
    const manifest = { metadata: { name: 'hope' }, spec: { gateway: { rateLimits: { hms: { hour: 5 } } } } };
    expect(await refusalsOf(manifest, dryRun)).toHaveLength(1);
    expect(asked.at(-1)).toEqual({ metadata: { name: 'hope' }, spec: {} });
  });

  it('ends where even a passing name is refused', async () => {
    const { dryRun } = server(
      ...Array.from({ length: 20 }, () => refusal({ 'metadata.name': 'Invalid value: "x": no' })),
    );
    expect(await refusalsOf({ metadata: { name: 'hope' } }, dryRun)).toEqual([
      { field: 'metadata.name', message: 'no' },
    ]);
  });

  it('is the whole message if it names no field', async () => {
    const { dryRun } = server(new KubernetesError(400, 'BadRequest', 'unknown field "spec.beds"'));
    expect(await refusalsOf({}, dryRun)).toEqual([{ field: undefined, message: 'unknown field "spec.beds"' }]);
  });

  it('is nothing of what is about the caller or the server', async () => {
    const first = server(new KubernetesError(403, 'Forbidden', 'no rights, sorry'));
    await expect(refusalsOf({}, first.dryRun)).rejects.toThrow('no rights, sorry');
    const later = server(
      refusal({ 'spec.timezone': 'Invalid value: "x": not a time zone' }),
      new KubernetesError(500, 'InternalError', 'etcd has no leader'),
    );
    expect(await refusalsOf({ spec: { timezone: 'x' } }, later.dryRun)).toHaveLength(1);
  });
});

it('a name for dry runs can be the name of a hospital', () => {
  expect(placeholderName()).toMatch(/^[a-z][a-z0-9-]{1,30}[a-z0-9]$/);
  expect(placeholderName()).not.toBe(placeholderName());
});
