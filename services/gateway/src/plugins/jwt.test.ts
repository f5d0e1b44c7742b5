import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  inSeconds,
  publicPem,
  rsa,
  type TestGateway,
  type TestUpstream,
  testGateway,
  testUpstream,
  token,
} from '../testing/harness.ts';

const issuer = 'http://localhost:8000/auth/realms/st-mary';
const valid = () => token({ iss: issuer, exp: inSeconds(60), nbf: 0 });
let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await testGateway();
  upstream = await testUpstream();
  await gateway.make('PUT', '/services/hms', { url: `http://127.0.0.1:${upstream.port}` });
  await gateway.make('PUT', '/routes/hms', {
    paths: ['/api'],
    strip_path: false,
    service: { name: 'hms' },
  });
  await gateway.make('POST', '/routes/hms/plugins', { name: 'jwt', config: { claims_to_verify: ['exp', 'nbf'] } });
  await gateway.make('PUT', '/consumers/st-mary', { custom_id: 'h-1' });
  await gateway.make('POST', '/consumers/st-mary/jwt', { key: issuer, algorithm: 'RS256', rsa_public_key: publicPem });
  await gateway.make('POST', '/consumers/st-mary/jwt', { key: 'hs', algorithm: 'HS256', secret: 'shared' });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } });
const hs256 = (claims: object, secret: string | Buffer) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

describe('admitted', () => {
  test.each([
    ['the header', () => gateway.get('/api/x', bearer(valid()))],
    ['the query', () => gateway.get(`/api/x?jwt=${valid()}`)],
    ['lower case', () => gateway.get('/api/x', { headers: { authorization: `bearer ${valid()}` } })],
    [
      'the same token twice',
      () => {
        const text = valid();
        return gateway.get(`/api/x?jwt=${text}`, bearer(text));
      },
    ],
  ])('a token in %s', async (_name, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(upstream.requests.at(-1)?.headers).toMatchObject({
      'x-consumer-username': 'st-mary',
      'x-consumer-custom-id': 'h-1',
      'x-consumer-id': expect.any(String),
      'x-credential-identifier': issuer,
    });
  });

  test('forwards the token, but not the identity headers of the client', async () => {
    const text = valid();
    await gateway.get(`/api/x?jwt=${text}`, {
      headers: { 'x-consumer-username': 'root', 'x-anonymous-consumer': 'true' },
    });
    const request = upstream.requests.at(-1);
    expect(request?.url).toBe(`/api/x?jwt=${text}`);
    expect(request?.headers['x-consumer-username']).toBe('st-mary');
    expect(request?.headers['x-anonymous-consumer']).toBeUndefined();
  });
});

describe('refused', () => {
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const forged = () => {
    const [head, body] = valid().split('.');
    return `${head}.${body}.${sign('sha256', Buffer.from(`${head}.${body}`), otherKey).toString('base64url')}`;
  };
  const raw = (header: string, claims: string) =>
    `${Buffer.from(header).toString('base64url')}.${Buffer.from(claims).toString('base64url')}.AAAA`;

  test.each<[string, () => string, object]>([
    ['no token at all', () => 'x', { message: 'Bad token; invalid JSON' }],
    ['two dots and nothing', () => '..', { message: 'Bad token; invalid JSON' }],
    [
      'alg none',
      () => token({ iss: issuer, exp: inSeconds(60) }, { alg: 'none' }, ''),
      { message: 'Bad token; invalid alg' },
    ],
    [
      'alg of the prototype',
      () => token({ iss: issuer }, { alg: 'constructor' }),
      { message: 'Bad token; invalid alg' },
    ],
    ['alg missing', () => token({ iss: issuer }, { typ: 'JWT' }), { message: 'Bad token; invalid alg' }],
    ['claims that are not an object', () => raw('{"alg":"RS256"}', '5'), { message: 'Bad token; invalid claims' }],
    ['no signature', () => token({ iss: issuer }, { alg: 'RS256' }, ''), { message: 'Bad token; invalid signature' }],
    ['no issuer', () => token({ exp: inSeconds(60) }), { message: "No mandatory 'iss' in claims" }],
    ['an empty issuer', () => token({ iss: '' }), { message: "Invalid 'iss' in claims" }],
    ['an unknown issuer', () => token({ iss: 'other' }), { message: "No credentials found for given 'iss'" }],
    ['an issuer that is a list', () => token({ iss: [issuer] }), { message: "No credentials found for given 'iss'" }],
    [
      'HS256 with the public key as its secret',
      () => hs256({ iss: issuer, exp: inSeconds(60) }, publicPem),
      { message: 'Invalid algorithm' },
    ],
    ['another key', forged, { message: 'Invalid signature' }],
    ['another secret', () => hs256({ iss: 'hs', exp: inSeconds(60) }, 'guess'), { message: 'Invalid signature' }],
    [
      'claims changed afterwards',
      () =>
        valid().replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify({ iss: issuer, exp: inSeconds(90) })).toString('base64url')}.`,
        ),
      { message: 'Invalid signature' },
    ],
    ['an expired token', () => token({ iss: issuer, exp: inSeconds(-1) }), { exp: 'token expired' }],
    [
      'a token that is not valid yet',
      () => token({ iss: issuer, exp: inSeconds(60), nbf: inSeconds(30) }),
      { nbf: 'token not valid yet' },
    ],
    ['exp as text', () => token({ iss: issuer, exp: '9999999999', nbf: 0 }), { exp: 'must be a number' }],
  ])('%s', async (_name, make, body) => {
    const answer = await gateway.get('/api/x', bearer(make()));
    const expected = 'exp' in body || 'nbf' in body ? expect.objectContaining(body) : body;
    expect([answer.status, answer.json()]).toEqual([401, expected]);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('a request without a token', async () => {
    const answer = await gateway.get('/api/x', { headers: { accept: 'text/html' } });
    expect([answer.status, answer.body]).toEqual([401, '{"message":"Unauthorized"}']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('two different tokens', async () => {
    const answer = await gateway.get(`/api/x?jwt=${token({ iss: issuer, exp: inSeconds(61) })}`, bearer(valid()));
    expect([answer.status, answer.json()]).toEqual([401, { message: 'Multiple tokens provided' }]);
  });

  test('OPTIONS without a token', async () => {
    expect((await gateway.get('/api/x', { method: 'OPTIONS' })).status).toBe(401);
  });

  test('a deleted credential, immediately', async () => {
    await gateway.make('PUT', '/consumers/gone', {});
    await gateway.make('POST', '/consumers/gone/jwt', { key: 'gone', algorithm: 'RS256', rsa_public_key: publicPem });
    const text = token({ iss: 'gone', exp: inSeconds(60), nbf: 0 });
    expect((await gateway.get('/api/x', bearer(text))).status).toBe(200);
    await gateway.make('DELETE', '/consumers/gone');
    expect((await gateway.get('/api/x', bearer(text))).json()).toEqual({
      message: "No credentials found for given 'iss'",
    });
  });

  test('a changed key, immediately', async () => {
    await gateway.make('PUT', '/consumers/rotated', {});
    await gateway.make('POST', '/consumers/rotated/jwt', {
      key: 'rotated',
      algorithm: 'RS256',
      rsa_public_key: publicPem,
    });
    const text = token({ iss: 'rotated', exp: inSeconds(60), nbf: 0 });
    expect((await gateway.get('/api/x', bearer(text))).status).toBe(200);
    const next = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
    await gateway.make('PATCH', '/consumers/rotated/jwt/rotated', { rsa_public_key: next });
    expect((await gateway.get('/api/x', bearer(text))).json()).toEqual({ message: 'Invalid signature' });
  });
});

describe('algorithms', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const pem = (key: typeof ec.publicKey) => key.export({ type: 'spki', format: 'pem' }).toString();
  const pss = { key: rsa.privateKey, padding: 6, saltLength: 32 };

  test.each([
    ['RS512', publicPem, (data: Buffer) => sign('sha512', data, rsa.privateKey), 200],
    ['PS256', publicPem, (data: Buffer) => sign('sha256', data, pss), 200],
    [
      'ES256',
      pem(ec.publicKey),
      (data: Buffer) => sign('sha256', data, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
      200,
    ],
    ['EdDSA', pem(ed.publicKey), (data: Buffer) => sign(null, data, ed.privateKey), 200],
    ['RS256 with the key of a curve', pem(ec.publicKey), (data: Buffer) => sign('sha256', data, ec.privateKey), 401],
    ['ES256 with an RSA key', publicPem, (data: Buffer) => sign('sha256', data, rsa.privateKey), 401],
    ['ES256 with no key', 'nonsense', (data: Buffer) => sign('sha256', data, rsa.privateKey), 401],
  ])('%s', async (name, key, make, status) => {
    const alg = name.split(' ')[0] ?? '';
    const iss = name;
    await gateway.make('POST', '/consumers/st-mary/jwt', { key: iss, algorithm: alg, rsa_public_key: key });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg })}.${part({ iss, exp: inSeconds(60), nbf: 0 })}`;
    const answer = await gateway.get('/api/x', bearer(`${signed}.${make(Buffer.from(signed)).toString('base64url')}`));
    expect([answer.status, status === 401 && answer.json()]).toMatchObject([
      status,
      status === 401 && { message: expect.stringMatching(/^Invalid (signature|key\/secret)$/) },
    ]);
  });
});

test.each([
  ['c2hhcmVk', 'shared', 200, undefined],
  ['-_8=', Buffer.from('fbff', 'hex'), 200, undefined],
  ['+/8', Buffer.from('fbff', 'hex'), 200, undefined],
  ['!!!!', '', 401, 'Invalid key/secret'],
  ['c2hh!!', 'sha', 401, 'Invalid key/secret'],
  ['c2hhc', 'sha', 401, 'Invalid key/secret'],
  ['====', '', 401, 'Invalid key/secret'],
  ['c2hhcmVk', 'other', 401, 'Invalid signature'],
])('the secret %s in base64', async (secret, signedWith, status, message) => {
  await gateway.make('PUT', '/routes/encoded', { paths: ['/encoded'], service: { name: 'hms' } });
  const { id } = await gateway.make('POST', '/routes/encoded/plugins', {
    name: 'jwt',
    config: { secret_is_base64: true },
  });
  await gateway.make('PUT', '/consumers/st-mary/jwt/encoded', { algorithm: 'HS256', secret });
  const answer = await gateway.get('/encoded', bearer(hs256({ iss: 'encoded' }, signedWith)));
  expect([answer.status, message && answer.json()]).toEqual([status, message && { message }]);
  await gateway.make('DELETE', `/plugins/${id}`);
});

test('anonymous callers', async () => {
  await gateway.make('PUT', '/consumers/guest', {});
  await gateway.make('POST', '/routes', { name: 'open', paths: ['/open'], service: { name: 'hms' } });
  await gateway.make('POST', '/routes/open/plugins', { name: 'jwt', config: { anonymous: 'guest' } });
  expect((await gateway.get('/open')).status).toBe(200);
  expect(upstream.requests.at(-1)?.headers).toMatchObject({
    'x-consumer-username': 'guest',
    'x-anonymous-consumer': 'true',
  });
  await gateway.make('DELETE', '/consumers/guest');
  expect((await gateway.get('/open')).status).toBe(500);
});
