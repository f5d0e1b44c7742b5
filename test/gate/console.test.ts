/** Hospitals through the module console, as its pages use them. */

import type { Schemas } from '@hms/api-client';
import { PLATFORM_NAME, PLATFORMS_PATH, type PlatformObject } from '@hms/hospitals/platform';
import { send } from '@hms/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readEvents } from '../../web/kit/live/event-stream.ts';
import { platform } from '../platform.ts';
import { consolePerson, consoleToken } from '../support/console-people.ts';
import { freshPrefix, kubernetes, readHospital, whenDeleted } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

type Managed = Schemas['ManagedHospital'];

const HOSPITALS = '/api/console/hospitals';
let admin: string;
let support: string;
/** A hospital that is there. */
const known = freshPrefix();

beforeAll(async () => {
  admin = await consoleToken(await consolePerson('PLATFORM_ADMIN'));
  support = await consoleToken(await consolePerson('PLATFORM_SUPPORT'));
  expect(await ask('POST', '', { prefix: known, name: 'Hospital of the Known' })).toMatchObject({ status: 201 });
});

function ask(method: string, path: string, body?: unknown, token = admin) {
  const { proxy } = platform().gateway;
  return send(proxy, method, `${HOSPITALS}${path}`, { token, ...(body === undefined ? {} : { body }) });
}

/** What a stream of the hospital has said, and goes on to say. */
function follow(path: string, token = admin) {
  const heard: { event: string | undefined; data: never }[] = [];
  const stop = new AbortController();
  const open = (signal: AbortSignal) =>
    fetch(`${platform().gateway.proxy}${path}`, { headers: { authorization: `Bearer ${token}` }, signal });
  const end = readEvents(open, stop.signal, ({ event, data }) =>
    heard.push({ event, data: JSON.parse(data) as never }),
  );
  end.catch(() => undefined);
  return { heard, stop: () => stop.abort() };
}

const read = async (prefix: string, token = admin) =>
  (await ask('GET', `/${prefix}`, undefined, token)).data<Managed>();

/** One pixel. */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a hospital from the console', () => {
  it('is created, followed until it is ready, changed, suspended, resumed and deleted', async () => {
    const prefix = freshPrefix();
    const given = { prefix, name: 'Clinic of the Console', timezone: 'Europe/Dublin', settings: { language: 'ar' } };
    const preview = await ask('POST', '/preview', given);
    expect(preview.data<Schemas['HospitalPreview']>()).toEqual({
      manifest: `apiVersion: hms.dev/v1\nkind: Hospital\nmetadata:\n  name: ${prefix}\nspec:\n  displayName: Clinic of the Console\n  timezone: Europe/Dublin\n  settings:\n    language: ar\n`,
      returns: false,
    });
    await expect(readHospital(prefix)).rejects.toMatchObject({ status: 404 });

    const created = await ask('POST', '', given);
    expect(created).toMatchObject({ status: 201 });
    const { heard, stop } = follow(`${HOSPITALS}/${prefix}/stream`);
    await until(
      'the stream to tell that it is ready',
      async () => heard.filter(({ event }) => event === 'hospital').at(-1)?.data as Managed | undefined,
      (latest) => latest?.status === 'Active',
      60_000,
    );
    await until(
      'the event of the creation',
      async () => heard.filter(({ event }) => event === 'note').map(({ data }) => (data as { reason: string }).reason),
      (reasons) => reasons.includes('Created'),
    );

    const before = await read(prefix);
    expect(before).toMatchObject({ name: given.name, status: 'Active', spec: { settings: { language: 'ar' } } });
    expect(before.id).toMatch(/^[0-9a-f-]{36}$/);
    // By its id too.
    expect((await ask('GET', `/${before.id}`)).data<Managed>().prefix).toBe(prefix);
    const change = { name: 'Another name', settings: { slotMinutes: 20 }, version: before.version };
    const changed = (await ask('PUT', `/${prefix}`, change)).data<Managed>();
    expect(changed).toMatchObject({ name: 'Another name', spec: { settings: { language: 'ar', slotMinutes: 20 } } });
    const stale = { status: 409, error: { code: 'STALE_VERSION' } };
    expect(await ask('PUT', `/${prefix}`, change)).toMatchObject(stale);
    const older = { headers: { 'If-Match': `"${before.version}"` }, token: admin };
    const at = `${HOSPITALS}/${prefix}`;
    const { proxy } = platform().gateway;
    const logo = { ...older, body: { content: LOGO } };
    expect(await send(proxy, 'PUT', `${at}/logo`, logo)).toMatchObject(stale);
    expect(await send(proxy, 'DELETE', `${at}?confirm=${prefix}`, older)).toMatchObject(stale);

    const suspended = await ask('POST', `/${prefix}/suspend`, { reason: 'Unpaid bills' });
    expect(suspended.data<Managed>()).toMatchObject({ state: 'Suspended' });
    await until(
      'the suspension',
      () => read(prefix),
      ({ status }) => status === 'Suspended',
      60_000,
    );
    await ask('POST', `/${prefix}/resume`, {});
    await until(
      'the end of the suspension',
      () => read(prefix),
      ({ status }) => status === 'Active',
      60_000,
    );

    expect(await ask('DELETE', `/${prefix}?deletionPolicy=Delete`)).toMatchObject({
      status: 400,
      error: { code: 'DELETION_NOT_CONFIRMED' },
    });
    expect(await ask('DELETE', `/${prefix}?deletionPolicy=Delete&confirm=${prefix}`)).toMatchObject({ status: 202 });
    await whenDeleted(prefix);
    await until(
      'the stream to tell the end',
      async () => heard.map(({ event }) => event),
      (events) => events.includes('removed'),
    );
    stop();
    expect(await ask('GET', `/${prefix}`)).toMatchObject({ status: 404, error: { code: 'HOSPITAL_NOT_FOUND' } });

    const events = await send(platform().gateway.proxy, 'GET', '/api/console/audit?record=hospitals&limit=100', {
      token: admin,
    });
    const own = events
      .data<{ action: string; details: { prefix: string; reason?: string } }[]>()
      .filter(({ details }) => details.prefix === prefix);
    expect(own.map(({ action }) => action)).toEqual(['delete', 'transition', 'transition', 'update', 'create']);
    expect(own[2]?.details.reason).toBe('Unpaid bills');
  });

  it('names the field that is wrong, in the words of the definition', async () => {
    const wrong = { prefix: freshPrefix(), name: 'Clinic', timezone: 'Europe/Dubln', theme: { primaryColor: 'red' } };
    const { status, error } = await ask('POST', '', wrong);
    expect(status).toBe(400);
    expect(error?.details?.fields).toEqual(
      expect.arrayContaining([
        {
          field: 'timezone',
          in: 'body',
          message:
            'is refused: "Europe/Dubln" is not a time zone: write an IANA name, like Europe/Dublin, Asia/Kolkata or UTC',
        },
        {
          field: 'theme.primaryColor',
          in: 'body',
          message: 'is refused: the colour is not valid: write # and six hexadecimal digits, like "#0b7285"',
        },
      ]),
    );
    const all = { ...wrong, prefix: 'St Mary', settings: { country: 'ie' } };
    for (const path of ['', '/preview']) {
      const fields = (await ask('POST', path, all)).error?.details?.fields as { field: string; message: string }[];
      expect(fields.map(({ field }) => field).sort()).toEqual([
        ...['prefix', 'settings.country', 'theme.primaryColor', 'timezone'],
      ]);
      expect(fields[0]?.message).toMatch(/"St Mary" can't be .*3 to 32 lower-case letters/);
    }
    const address = { prefix: freshPrefix(), name: 'Clinic', settings: { address: '1 Road\n\u0000Town' } };
    expect((await ask('POST', '', address)).error?.details?.fields).toEqual([
      { field: 'settings.address', in: 'body', message: 'has the control character U+0000: leave it out' },
    ]);
    expect(await ask('POST', '', { prefix: 'keycloak', name: 'Clinic' })).toMatchObject({
      status: 422,
      error: { code: 'PREFIX_RESERVED' },
    });
    expect(await ask('POST', '', { prefix: known, name: 'Clinic' })).toMatchObject({
      status: 409,
      error: { code: 'PREFIX_TAKEN' },
    });
    expect(await ask('POST', '', { prefix: freshPrefix(), name: 'Clinic', colour: '#fff' })).toMatchObject({
      status: 400,
    });
    for (const host of ['console.localhost', `${known}.localhost`]) {
      const hosts = { gateway: { hosts: [host] } };
      const refused = { status: 400, error: { details: { fields: [{ field: 'gateway.hosts', in: 'body' }] } } };
      const fresh = { prefix: freshPrefix(), name: 'Clinic' };
      for (const path of ['', '/preview'])
        expect(await ask('POST', path, { ...fresh, ...hosts })).toMatchObject(refused);
    }
    const content = Buffer.from('\x89PNG\r\n\x1a\n<script>', 'latin1').toString('base64');
    expect(await ask('PUT', `/${known}/logo`, { content })).toMatchObject({
      status: 400,
      error: { code: 'NOT_AN_IMAGE' },
    });
  });

  it('can be seen and not changed by support', async () => {
    const { status, data } = await ask('GET', `?q=${known}`, undefined, support);
    expect(status).toBe(200);
    expect(data<Schemas['HospitalSummary'][]>().map(({ prefix }) => prefix)).toEqual([known]);
    for (const [method, path, body] of [
      ['POST', '', { prefix: freshPrefix(), name: 'Clinic' }],
      ['PUT', `/${known}`, { name: 'Mine' }],
      ['POST', `/${known}/suspend`, {}],
      ['POST', `/${known}/retry`, {}],
      ['DELETE', `/${known}?confirm=${known}`, undefined],
    ] as const)
      expect(await ask(method, path, body, support)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  });
});

describe('the platform in the console', () => {
  const ofPlatform = (method: string, path = '', body?: unknown, token = admin) =>
    send(platform().gateway.proxy, method, `/api/console/platform${path}`, { token, ...(body ? { body } : {}) });

  it('shows engines and migrations as the operator reports them', async () => {
    const state = await until(
      'every engine to answer',
      async () => (await ofPlatform('GET', '', undefined, support)).data<Schemas['PlatformState']>(),
      ({ engines }) => engines.length === 4 && engines.every(({ status }) => status === 'True'),
      60_000,
    );
    expect(state.engines.map(({ name }) => name)).toEqual(['identity', 'storage', 'database', 'gateway']);
    expect(state.migrations).toMatchObject({ state: 'Running', running: [], failed: [] });
    expect(state.migrations.done).toBeGreaterThan(0);
  });

  it('halts and resumes migrations in the Platform object, with a reason in the audit log', async () => {
    const reason = `Before release ${freshPrefix()}`;
    const stream = follow('/api/console/platform/stream', support);
    const halted = await ofPlatform('POST', '/migrations/halt', { reason });
    expect(halted.data<Schemas['PlatformState']>().migrations.state).toBe('Halted');
    const { spec } = await kubernetes().request<PlatformObject>('GET', `${PLATFORMS_PATH}/${PLATFORM_NAME}`);
    expect(spec).toEqual({ migrations: { state: 'Halted' } });
    await until(
      'the stream to tell it',
      async () =>
        stream.heard.filter(({ event }) => event === 'platform').at(-1)?.data as Schemas['PlatformState'] | undefined,
      (latest) => latest?.migrations.state === 'Halted' && latest.migrations.message.includes('later migrations wait'),
    );
    stream.stop();
    expect(await ofPlatform('POST', '/migrations/resume', {}, support)).toMatchObject({ status: 403 });
    const resumed = await ofPlatform('POST', '/migrations/resume', { reason });
    expect(resumed.data<Schemas['PlatformState']>().migrations.state).toBe('Running');
    expect(await ofPlatform('POST', '/migrations/retry', { reason })).toMatchObject({ status: 200 });

    const events = await send(platform().gateway.proxy, 'GET', '/api/console/audit?record=migrations', {
      token: admin,
    });
    const own = events
      .data<{ details: { step: string; reason?: string } }[]>()
      .filter(({ details }) => details.reason === reason);
    expect(own.map(({ details }) => details.step)).toEqual(['retry', 'resume', 'halt']);
  });
});
