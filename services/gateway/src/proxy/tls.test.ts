import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Pair, pair } from '../testing/certificates.ts';
import { eventually, testGateway, testUpstream } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const closeLater = useClosing();
const serve = useServe(gateway, closeLater);

/** The common name of the certificate that is presented for a name. */
async function certificateFor(servername: string): Promise<string | undefined> {
  const socket = connectTls({
    host: '127.0.0.1',
    port: gateway.gateway.ports.proxyTls,
    servername,
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

describe('certificates by name', () => {
  let st: Pair;
  beforeEach(async () => {
    st ??= await pair('st-mary.example');
    const { data } = (await gateway.admin('GET', '/certificates')).json() as { data: { id: string }[] };
    for (const { id } of data) await gateway.make('DELETE', `/certificates/${id}`);
  });

  test.each([
    ['st-mary.example', ['st-mary.example'], true],
    ['ST-MARY.example', ['st-mary.example'], true],
    ['a.st-mary.example', ['*.st-mary.example'], true],
    ['a.b.st-mary.example', ['*.st-mary.example'], false],
    ['st-mary.org', ['st-mary.*'], true],
    ['anything.example', ['*'], true],
    ['other.example', ['st-mary.example'], false],
  ])('%s with SNIs %j', async (name, snis, isPresented) => {
    await gateway.make('POST', '/certificates', { ...st, snis });
    expect(await certificateFor(name)).toBe(isPresented ? 'st-mary.example' : 'localhost');
  });

  test('take effect immediately, and the exact name wins', async () => {
    const other = await pair('other.example');
    expect(await certificateFor('a.example')).toBe('localhost');
    await gateway.make('POST', '/certificates', { ...st, snis: ['*.example'] });
    expect(await certificateFor('a.example')).toBe('st-mary.example');
    const { id } = await gateway.make('POST', '/certificates', { ...other, snis: ['a.example'] });
    expect(await certificateFor('a.example')).toBe('other.example');
    await gateway.make('PATCH', `/certificates/${id}`, { ...st });
    expect(await certificateFor('a.example')).toBe('st-mary.example');
    await gateway.make('DELETE', '/certificates/a.example');
    await gateway.make('DELETE', '/snis/*.example');
    expect(await certificateFor('a.example')).toBe('localhost');
  });
});

test('a service gets the gateway’s client certificate, and is verified against its authorities', async () => {
  const server = await pair('localhost');
  const client = await pair('gateway.example');
  const secure = createTlsServer(
    { cert: server.cert, key: server.key, requestCert: true, rejectUnauthorized: false },
    (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const body = String(socket.getPeerCertificate().subject?.CN);
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
      });
    },
  );
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  closeLater(async () => void secure.close());
  const { port } = secure.address() as { port: number };
  const { id } = await gateway.make('POST', '/certificates', { ...client });
  const authority = await pair('localhost', true);
  const ca = await gateway.make('POST', '/ca_certificates', { cert: authority.cert });
  const https = { protocol: 'https', host: 'localhost', port, retries: 0, client_certificate: { id } };
  await serve(undefined, {}, https);
  expect((await gateway.get('/')).body).toBe('gateway.example');
  await serve(undefined, {}, { ...https, tls_verify: true, ca_certificates: [ca.id] });
  expect((await gateway.get('/')).status).toBe(502);
  const inUse = await gateway.admin('DELETE', `/certificates/${id}`);
  expect([inUse.status, inUse.json()]).toMatchObject([400, { code: 4, fields: { '@referenced_by': 'services' } }]);
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

function http2(port = gateway.gateway.ports.proxyTls): ClientHttp2Session {
  const session = connectHttp2(`https://localhost:${port}`, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  closeLater(async () => session.destroy());
  return session;
}

async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string | string[]>,
  body = '',
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === '' });
  if (body !== '') stream.end(body);
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
  if (!stream.readableEnded) await once(stream, 'end');
  return { status: Number(head[':status']), headers: head, body: text };
}

describe('HTTP/2', () => {
  test('is negotiated by ALPN, with HTTP/1.1 as the fallback', async () => {
    await serve();
    for (const [offered, chosen] of [
      [['h2', 'http/1.1'], 'h2'],
      [['http/1.1'], 'http/1.1'],
      [undefined, false],
    ] as const) {
      const options = { host: '127.0.0.1', port: gateway.gateway.ports.proxyTls, rejectUnauthorized: false };
      const socket = connectTls({ ...options, ...(offered && { ALPNProtocols: [...offered] }) });
      await once(socket, 'secureConnect');
      expect(socket.alpnProtocol).toBe(chosen);
      socket.destroy();
    }
    const request = httpsRequest({
      host: '127.0.0.1',
      port: gateway.gateway.ports.proxyTls,
      rejectUnauthorized: false,
      agent: false,
    }).end();
    const [response] = (await once(request, 'response')) as [
      { statusCode: number; socket: TLSSocket; resume: () => void },
    ];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  test('requests reach the upstream in the form of HTTP/1.1', async () => {
    const upstream = await serve(undefined, { preserve_host: true });
    const answer = await ask(http2(), {
      ':path': '/a//b?c=d',
      ':authority': 'St-Mary.localhost:1',
      cookie: ['a=1', 'b=2'],
      'x-own': 'x',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ via: '1.1 kong/3.9.3', 'x-kong-request-id': expect.any(String) });
    expect(upstream.requests[0]).toMatchObject({
      url: '/a/b?c=d',
      headers: {
        host: 'St-Mary.localhost:1',
        cookie: 'a=1; b=2',
        'x-own': 'x',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'st-mary.localhost',
        via: '2 kong/3.9.3',
      },
    });
    expect(Object.keys(upstream.requests[0]?.headers ?? {}).filter((name) => name.startsWith(':'))).toEqual([]);
  });

  test('bodies with and without a length, in parallel', async () => {
    const upstream = await serve();
    const session = http2();
    const body = 'x'.repeat(300_000);
    const lengths = [{}, { 'content-length': String(body.length) }];
    const answers = await Promise.all(
      [...lengths, ...lengths].map((headers) => ask(session, { ':path': '/', ':method': 'POST', ...headers }, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(upstream.requests.map(({ body }) => body.length)).toEqual([300_000, 300_000, 300_000, 300_000]);
  });

  test('responses keep each of their headers, except hop-by-hop headers', async () => {
    await serve((_request, response) => {
      response.writeHead(200, [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Vary', 'a'],
        ['Vary', 'b'],
        ['Keep-Alive', 'timeout=5'],
      ] as never);
      response.end('streamed');
    });
    const answer = await ask(http2(), { ':path': '/' });
    expect(answer).toMatchObject({
      status: 200,
      body: 'streamed',
      headers: { 'set-cookie': ['a=1', 'b=2'], vary: 'a, b' },
    });
    expect(answer.headers).not.toHaveProperty('keep-alive');
  });

  test('a response with a length, byte by byte', async () => {
    const body = Buffer.from('Siobhán’s, 病院');
    await serve((_request, response) => response.writeHead(200, { 'content-length': body.length }).end(body));
    expect((await ask(http2(), { ':path': '/' })).body).toBe(body.toString());
  });

  test('the gateway’s own refusals', async () => {
    await serve();
    await gateway.make('POST', '/routes/r/plugins', { name: 'jwt' });
    await gateway.make('POST', '/routes/r/plugins', {
      name: 'request-size-limiting',
      config: { allowed_payload_size: 1, size_unit: 'bytes' },
    });
    const session = http2();
    expect(await ask(session, { ':path': '/' })).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}' });
    await gateway.make(
      'DELETE',
      `/plugins/${((await gateway.admin('GET', '/routes/r/plugins')).json() as { data: { id: string; name: string }[] }).data.find(({ name }) => name === 'jwt')?.id}`,
    );
    expect((await ask(session, { ':path': '/', ':method': 'POST' }, 'xx')).status).toBe(413);
    await gateway.make('DELETE', '/routes/r');
    expect((await ask(session, { ':path': '/' })).status).toBe(404);
  });

  test('a client that cancels its request ends it upstream', async () => {
    let isClosed = false;
    const upstream = await serve((_request, response) => {
      response.once('close', () => {
        isClosed = true;
      });
    });
    const stream = http2().request({ ':path': '/' });
    stream.on('error', () => undefined);
    await eventually(
      () => upstream.requests.length,
      (count) => count === 1,
    );
    stream.close(constants.NGHTTP2_CANCEL);
    await eventually(() => isClosed, Boolean);
  });

  test('a gateway that stops ends the requests of a session, then the session', async () => {
    const own = await testGateway();
    let end: () => void = () => undefined;
    const upstream = await testUpstream((_request, response) => {
      end = () => response.end('done');
    });
    closeLater(upstream.stop);
    await own.make('PUT', '/services/s', { host: '127.0.0.1', port: upstream.port });
    await own.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' } });
    const session = http2(own.gateway.ports.proxyTls);
    const pending = ask(session, { ':path': '/' });
    await eventually(
      () => upstream.requests.length,
      (count) => count === 1,
    );
    const stopped = own.stop();
    await eventually(() => session.closed, Boolean);
    end();
    expect(await pending).toMatchObject({ status: 200, body: 'done' });
    await stopped;
  });
});
