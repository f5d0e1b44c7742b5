/** Random and hostile input over real sockets: it is answered or refused, stops nothing and opens nothing. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bounded } from './fuzzing.ts';
import { inSeconds, publicPem, send, sendRaw, type TestUpstream, testUpstream, token } from './harness.ts';
import { useGateway } from './setup.ts';

const gateway = useGateway();
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await testUpstream();
  await gateway.make('PUT', '/services/hms', { host: '127.0.0.1', port: upstream.port, retries: 0 });
  for (const name of ['open', 'closed']) {
    await gateway.make('PUT', `/routes/${name}`, { paths: [`/${name}`], strip_path: false, service: { name: 'hms' } });
  }
  await gateway.make('POST', '/routes/closed/plugins', { name: 'jwt', config: { claims_to_verify: ['exp'] } });
  for (const name of ['st-mary', 'city-general']) {
    await gateway.make('PUT', `/consumers/${name}`, {});
    await gateway.make('POST', `/consumers/${name}/acls`, { group: name });
  }
  const credential = { algorithm: 'RS256', rsa_public_key: publicPem };
  await gateway.make('POST', '/consumers/st-mary/jwt', { key: 'st-mary', ...credential });
  const other = { key: 'city-general', algorithm: 'HS256', secret: 'not known to the tests’ clients' };
  await gateway.make('POST', '/consumers/city-general/jwt', other);
});
afterAll(() => upstream.stop());
beforeEach(() => {
  upstream.requests.length = 0;
});

const statuses = (received: string | undefined) =>
  [...(received ?? '').matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

async function expectAlive(): Promise<void> {
  expect((await gateway.get('/open')).status).toBe(200);
  expect((await gateway.admin('GET', '/status')).status).toBe(200);
}

test('request smuggling: bytes behind a body are never a request', async () => {
  const lengths = fc.constantFrom(
    '0',
    '5',
    '05',
    '+5',
    '-1',
    '5, 5',
    '5,6',
    '0x5',
    ' 5',
    '5 ',
    '1e1',
    '',
    '99999999999999999999',
  );
  const encodings = fc.constantFrom(
    'chunked',
    'Chunked',
    'xchunked',
    'chunked, chunked',
    'identity',
    'gzip, chunked',
    'chunked\t',
    '\x0bchunked',
    '"chunked"',
    '',
  );
  const headers = fc.array(
    fc.oneof(
      lengths.map((value) => `Content-Length: ${value}`),
      encodings.map((value) => `Transfer-Encoding: ${value}`),
      encodings.map((value) => `Transfer-Encoding : ${value}`),
      encodings.map((value) => `Transfer-Encoding:\r\n ${value}`),
      fc.constantFrom(
        'Connection: content-length',
        'Connection: transfer-encoding',
        'Expect: 100-continue',
        'X: a\nContent-Length: 3',
      ),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const smuggled = 'GET /closed HTTP/1.1\r\nHost: a\r\n\r\n';
  const body = fc.constantFrom(
    smuggled,
    `0\r\n\r\n${smuggled}`,
    `5\r\nhello\r\n0\r\n\r\n${smuggled}`,
    `hello${smuggled}`,
    `1;x=\n\r\nX\r\n0\r\n${smuggled}`,
    `5\n${smuggled}`,
  );
  await fc.assert(
    fc.asyncProperty(headers, body, async (lines, rest) => {
      upstream.requests.length = 0;
      const text = `POST /open HTTP/1.1\r\nHost: a\r\n${lines.join('\r\n')}\r\n\r\n${rest}`;
      const received = await sendRaw(gateway.proxy, text, 300);
      // The token check refuses anything that was parsed as a separate request.
      expect(upstream.requests.every(({ url }) => url === '/open')).toBe(true);
      expect(upstream.requests.length).toBeLessThan(2);
      for (const status of statuses(received)) expect([100, 200, 400, 401, 408, 501]).toContain(status);
    }),
    bounded(150),
  );
  await expectAlive();
});

test('chunked bodies arrive unchanged, however they are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ minLength: 1, maxLength: 3000 }), { maxLength: 8 }), async (parts) => {
      upstream.requests.length = 0;
      const chunks = parts.map((part) => `${Buffer.byteLength(part).toString(16)};x=y\r\n${part}\r\n`).join('');
      const head = 'POST /open HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
      expect(statuses(await sendRaw(gateway.proxy, `${head}${chunks}0\r\nTrailer: x\r\n\r\n`))).toEqual([200]);
      expect(upstream.requests[0]?.body).toBe(parts.join(''));
    }),
    bounded(150),
  );
});

test('pipelined requests are answered in order, or the connection ends', async () => {
  const request = fc.record({ path: fc.constantFrom('open', 'closed', 'none'), body: fc.string({ maxLength: 50 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
      const text = requests.map(({ path, body }, index) => {
        const last = index === requests.length - 1 ? 'Connection: close\r\n' : '';
        return `POST /${path} HTTP/1.1\r\nHost: a\r\n${last}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
      });
      const expected = requests.map(({ path }) => ({ open: 200, closed: 401, none: 404 })[path]);
      expect(statuses(await sendRaw(gateway.proxy, text.join('')))).toEqual(expected);
    }),
    bounded(150),
  );
});

test('header lines of any bytes get no 500, and inject no line into a response', async () => {
  const line = fc.oneof(
    fc
      .tuple(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 40 }))
      .map(([name, value]) => `${name}: ${value}`),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'Connection: host',
      'Connection: authorization',
      'Host: b',
      'Via: \x7f',
      'Cookie: ;;;=',
      'X-Forwarded-For: a\r\nX-Real-IP: b',
      'Accept: ;q=,,,',
      'Expect: x',
      'Upgrade: h2c',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
      const text = `GET /open HTTP/1.1\r\nHost: a\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
      for (const status of statuses(await sendRaw(gateway.proxy, Buffer.from(text), 1000)))
        expect([200, 400, 417]).toContain(status);
    }),
    bounded(300),
  );
  await expectAlive();
});

test('only an authentic token authenticates, and only for its own hospital', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = fc.record(
    {
      iss: fc.constantFrom('st-mary', 'city-general', '', 'none', 5, null, ['st-mary'], { toString: 'st-mary' }),
      exp: fc.constantFrom(inSeconds(600), 1, -1, '9999999999', 1e308, null, true),
      hospital_id: fc.string(),
      large: fc.constantFrom('', 'x'.repeat(4_000)),
      nested: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: ['iss', 'exp'] },
  );
  const header = fc.record(
    {
      alg: fc.constantFrom(
        'RS256',
        'HS256',
        'none',
        'None',
        'ES256',
        'PS256',
        'RS512',
        'EdDSA',
        '__proto__',
        'constructor',
      ),
      iss: fc.constantFrom('st-mary', 'city-general'),
      kid: fc.constantFrom('../../etc/passwd', "' or 1=1", 'st-mary'),
      crit: fc.constant(['exp']),
    },
    { requiredKeys: ['alg'] },
  );
  const signing = fc.constantFrom('rsa', 'public key as secret', 'empty', 'garbage', 'none');
  await fc.assert(
    fc.asyncProperty(claims, header, signing, async (body, head, how) => {
      upstream.requests.length = 0;
      const signed = `${part(head)}.${part(body)}`;
      const signatures: Record<string, string | undefined> = {
        rsa: undefined,
        'public key as secret': createHmac('sha256', publicPem).update(signed).digest('base64url'),
        empty: createHmac('sha256', '').update(signed).digest('base64url'),
        garbage: 'AAAA',
        none: '',
      };
      const text = token(body, head, signatures[how]);
      const answer = await gateway.get('/closed', { headers: { authorization: `Bearer ${text}` } });
      const isAuthentic =
        how === 'rsa' &&
        head.alg === 'RS256' &&
        body.iss === 'st-mary' &&
        typeof body.exp === 'number' &&
        body.exp > inSeconds(0);
      // The issuer may be in the header if the claims have none.
      const byHeader =
        how === 'rsa' &&
        head.alg === 'RS256' &&
        body.iss === null &&
        head.iss === 'st-mary' &&
        typeof body.exp === 'number' &&
        body.exp > inSeconds(0);
      expect(answer.status).toBe(isAuthentic || byHeader ? 200 : 401);
      expect(upstream.requests.map(({ headers }) => headers['x-consumer-username'])).toEqual(
        answer.status === 200 ? ['st-mary'] : [],
      );
      if (answer.status === 401) expect(answer.body).not.toMatch(/city-general|not known to/);
    }),
    bounded(400),
  );
  await expectAlive();
});

test('calls of the Admin API of any method, path and body get no 500', async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'services',
      'routes',
      'plugins',
      'consumers',
      'upstreams',
      'certificates',
      'snis',
      'ca_certificates',
      'targets',
      'jwt',
      'acls',
      'health',
      'schemas',
      'validate',
      'tags',
      'service',
      'healthy',
      'hms',
      'open',
      '..',
      '%2e%2e',
      '%',
      '%00',
      '__proto__',
      'constructor',
      'x'.repeat(300),
    ),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const path = fc.array(segment, { maxLength: 6 }).map((segments) => `/x${segments.join('/')}`.replace('/x', '/'));
  const query = fc.constantFrom(
    '',
    '?size=1e9',
    '?offset=%00',
    '?tags=,',
    '?tags=/',
    '?custom_id=',
    '?balancer_health=1',
    '?__proto__=1',
  );
  const content = fc.oneof(
    fc.tuple(
      fc.constant('application/json'),
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.constantFrom(
          '{"__proto__":{"a":1}}',
          '['.repeat(5000),
          '{"snis":[null,{}]}',
          '{"cert":"-----BEGIN","key":"-----BEGIN"}',
        ),
      ),
    ),
    fc.tuple(fc.constant('application/x-www-form-urlencoded'), fc.string()),
    fc.tuple(
      fc.constantFrom('multipart/form-data; boundary=x', 'multipart/form-data'),
      fc.constantFrom('--x\r\n\r\n--x--', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n', ''),
    ),
    fc.tuple(fc.constantFrom('text/plain', 'application/xml'), fc.string()),
  );
  // Keep the entities that the other tests need.
  const method = fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'TRACE', 'PROPFIND');
  await fc.assert(
    fc.asyncProperty(method, path, query, content, async (verb, where, what, [type, body]) => {
      const answer = await send(gateway.gateway.ports.admin, where + what, {
        method: verb,
        headers: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
        body,
      });
      expect(`${verb} ${where}: ${answer.status}`).toMatch(/: (200|201|204|400|404|405|409|415)$/);
    }),
    bounded(500),
  );
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});
