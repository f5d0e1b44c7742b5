import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Pair, pair } from '../testing/certificates.ts';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();
let own: Pair;
let other: Pair;
let authority: Pair;

beforeAll(async () => {
  [own, other, authority] = await Promise.all([pair('a.example'), pair('b.example'), pair('ca.example', true)]);
});

describe('certificates', () => {
  test('are created with their SNIs and found by them', async () => {
    const created = await gateway.admin('POST', '/certificates', {
      ...own,
      snis: ['b.example', 'a.example'],
      tags: ['x'],
    });
    expect([created.status, created.json()]).toEqual([
      201,
      {
        id: expect.any(String),
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        cert: own.cert,
        key: own.key,
        cert_alt: null,
        key_alt: null,
        tags: ['x'],
        snis: ['a.example', 'b.example'],
      },
    ]);
    expect((await gateway.admin('GET', '/certificates/a.example')).json()).toEqual(created.json());
    expect((await gateway.admin('GET', '/certificates')).json()).toEqual({ data: [created.json()], next: null });
    expect((await gateway.admin('GET', '/certificates/a.example/snis')).json()).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ name: 'b.example', certificate: { id: created.json().id } }),
      ]),
    });
    expect((await gateway.admin('GET', '/snis/a.example/certificate')).json()).toMatchObject({ id: created.json().id });
  });

  test('replace their SNIs, and keep them when none are sent', async () => {
    await gateway.make('POST', '/certificates', { ...own, snis: ['a.example', 'b.example'] });
    const patched = await gateway.make('PATCH', '/certificates/a.example', { tags: ['y'] });
    expect(patched).toMatchObject({ snis: ['a.example', 'b.example'], tags: ['y'] });
    expect(
      await gateway.make('PATCH', `/certificates/${patched.id}`, { snis: ['b.example', 'c.example'] }),
    ).toMatchObject({
      snis: ['b.example', 'c.example'],
    });
    expect((await gateway.admin('GET', '/snis/a.example')).status).toBe(404);
  });

  test('are created by PUT with an SNI', async () => {
    const created = await gateway.make('PUT', '/certificates/new.example', { ...own });
    expect(created).toMatchObject({ snis: ['new.example'] });
    expect(await gateway.make('PUT', '/certificates/new.example', { ...other })).toMatchObject({
      id: created.id,
      cert: other.cert,
    });
  });

  test('delete their SNIs with them', async () => {
    await gateway.make('POST', '/certificates', { ...own, snis: ['a.example'] });
    expect((await gateway.admin('DELETE', '/certificates/a.example')).status).toBe(204);
    expect((await gateway.admin('GET', '/snis')).json()).toEqual({ data: [], next: null });
  });

  test('share no SNI', async () => {
    const { id } = await gateway.make('POST', '/certificates', { ...own, snis: ['a.example'] });
    const refused = await gateway.admin('POST', '/certificates', { ...other, snis: ['b.example', 'a.example'] });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: 2, fields: { snis: `a.example already associated with existing certificate '${id}'` } },
    ]);
    expect((await gateway.admin('GET', '/snis/b.example')).status).toBe(404);
    const sni = await gateway.admin('POST', '/snis', { name: 'a.example', certificate: { id } });
    expect([sni.status, sni.json()]).toMatchObject([409, { code: 5, fields: { name: 'a.example' } }]);
  });

  test('leave nothing behind when an SNI is invalid', async () => {
    const refused = await gateway.admin('POST', '/certificates', { ...own, snis: ['a.example', '*.*.example'] });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { fields: { name: 'invalid wildcard: must have at most one wildcard' } },
    ]);
    expect((await gateway.admin('GET', '/certificates')).json()).toEqual({ data: [], next: null });
  });

  test.each<[string, object]>([
    ['an invalid name', { snis: ['new.example', 'bad name!'] }],
    ['an invalid name with another field', { tags: ['y'], snis: ['bad name!'] }],
    ['a number', { tags: ['y'], snis: ['new.example', 1] }],
    ['another’s name', { tags: ['y'], snis: ['new.example', 'b.example'] }],
  ])('%s is refused, and changes nothing', async (_name, body) => {
    const created = await gateway.make('POST', '/certificates', {
      ...own,
      tags: ['x'],
      snis: ['a.example', 'c.example'],
    });
    await gateway.make('POST', '/certificates', { ...other, snis: ['b.example'] });
    for (const method of ['PATCH', 'PUT']) {
      expect((await gateway.admin(method, '/certificates/a.example', { ...own, ...body })).status).toBe(400);
      expect((await gateway.admin('GET', `/certificates/${created.id}`)).json()).toEqual(created);
    }
    expect((await gateway.admin('GET', '/snis/new.example')).status).toBe(404);
  });

  test('replace their SNIs when addressed by one of them', async () => {
    await gateway.make('POST', '/certificates', { ...own, snis: ['a.example', 'b.example'] });
    const changed = await gateway.make('PATCH', '/certificates/a.example', { snis: ['b.example', 'c.example'] });
    expect(changed).toMatchObject({ snis: ['b.example', 'c.example'] });
  });

  test.each<[string, () => object, object]>([
    ['no certificate', () => ({ cert: 'x', key: own.key }), { cert: expect.stringMatching(/^invalid certificate/) }],
    ['no key', () => ({ cert: own.cert, key: 'x' }), { key: expect.stringMatching(/^invalid key/) }],
    [
      'the key of another certificate',
      () => ({ cert: own.cert, key: other.key }),
      { '@entity': ['certificate does not match key'] },
    ],
    [
      'half a second pair',
      () => ({ ...own, cert_alt: other.cert }),
      { '@entity': ["all or none of these fields must be set: 'cert_alt', 'key_alt'"] },
    ],
  ])('%s is refused', async (_name, body, fields) => {
    const answer = await gateway.admin('POST', '/certificates', body());
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 2, fields }]);
  });
});

describe('ca_certificates', () => {
  test('get the digest of their certificate', async () => {
    const created = await gateway.make('POST', '/ca_certificates', { cert: authority.cert });
    expect(created).toMatchObject({
      cert: authority.cert,
      cert_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      tags: null,
    });
    const again = await gateway.admin('POST', '/ca_certificates', { cert: authority.cert });
    expect([again.status, again.json()]).toMatchObject([
      409,
      { code: 5, fields: { cert_digest: created.cert_digest } },
    ]);
  });

  const someId = '11111111-2222-4333-8444-555555555555';
  test.each<[string, (id: string) => string[], 'PATCH' | 'DELETE', object | undefined]>([
    ['lists another', (id) => [id], 'PATCH', { ca_certificates: [someId] }],
    ['lists none', (id) => [someId, id], 'PATCH', { ca_certificates: null }],
    ['is deleted', (id) => [id, someId], 'DELETE', undefined],
  ])('one that a service references can’t be deleted until the service %s', async (_name, list, method, body) => {
    const { id } = await gateway.make('POST', '/ca_certificates', { cert: authority.cert });
    const url = 'https://secure.example';
    const service = await gateway.make('POST', '/services', { url, ca_certificates: list(id) });
    const refused = await gateway.admin('DELETE', `/ca_certificates/${id}`);
    const message = `ca certificate ${id} is still referenced by services (id = ${service.id})`;
    expect([refused.status, refused.json()]).toEqual([400, { code: 19, name: 'referenced by others', message }]);
    expect((await gateway.admin('GET', `/ca_certificates/${id}`)).status).toBe(200);
    await gateway.make(method, `/services/${service.id}`, body);
    expect((await gateway.admin('DELETE', `/ca_certificates/${id}`)).status).toBe(204);
    expect((await gateway.admin('GET', `/ca_certificates/${id}`)).status).toBe(404);
  });

  test.each<[string, () => string, string]>([
    [
      'one that is not a CA',
      () => own.cert,
      'certificate does not appear to be a CA because it is missing the "CA" basic constraint',
    ],
    ['two at a time', () => `${authority.cert}\n${authority.cert}`, 'please submit only one certificate at a time'],
  ])('%s is refused', async (_name, cert, message) => {
    const answer = await gateway.admin('POST', '/ca_certificates', { cert: cert() });
    expect([answer.status, answer.json()]).toMatchObject([400, { fields: { '@entity': [message] } }]);
  });
});
