/** What nginx answers before Kong sees it: a page chosen by Accept, and the end of the connection. */
import { beforeAll, expect, test } from '@jest/globals';
import { sendRaw } from '../testing/harness.ts';
import { useGateway } from '../testing/setup.ts';

const gateway = useGateway();

beforeAll(async () => {
  await gateway.make('PUT', '/routes/r', { paths: ['/'] });
});

const bad = '400 Bad Request';
const html = 'Accept: text/html\r\n';
test.each<[string, string, string, 'plain' | 'html' | 'json', string]>([
  ['no host', 'GET / HTTP/1.1\r\n\r\n', bad, 'plain', 'Bad request'],
  ['no host, from a browser', `GET / HTTP/1.1\r\n${html}\r\n`, bad, 'html', 'Bad request'],
  ['no host, with a type', 'GET / HTTP/1.1\r\nContent-Type: application/json\r\n\r\n', bad, 'json', 'Bad request'],
  ['a host only in the target', 'GET http://a/ HTTP/1.1\r\n\r\n', bad, 'plain', 'Bad request'],
  ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', bad, 'plain', 'Bad request'],
  ['an empty host in HTTP/1.0', 'GET / HTTP/1.0\r\nHost:\r\n\r\n', bad, 'plain', 'Bad request'],
  ['an invalid host', `GET / HTTP/1.1\r\nHost: a b\r\n${html}\r\n`, bad, 'html', 'Bad request'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nAccept: */*\r\n\r\n', bad, 'json', 'Bad request'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', '405 Method Not Allowed', 'plain', 'Method not allowed'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', '405 Method Not Allowed', 'plain', 'Method not allowed'],
  ...[
    'Authorization',
    'Content-Range',
    'Expect',
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'If-Range',
    'If-Unmodified-Since',
  ].map((name): [string, string, string, 'plain', string] => [
    `two headers ${name}`,
    `GET / HTTP/1.1\r\nHost: a\r\n${name}: a\r\n${name.toLowerCase()}: a\r\n\r\n`,
    bad,
    'plain',
    'Bad request',
  ]),
  [
    'two headers Transfer-Encoding',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    bad,
    'plain',
    'Bad request',
  ],
  [
    'compressed chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    '501 Not Implemented',
    'plain',
    'Not implemented',
  ],
  [
    'chunks in HTTP/1.0',
    'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    bad,
    'plain',
    'Bad request',
  ],
  ...['/api/%zz', '/%', '/%2', '/a%00b', '/../api', '/a/../../api', '/%2e%2E/api', '/./..', 'http://a/../b'].map(
    (path): [string, string, string, 'plain', string] => [
      `the path ${path}`,
      `GET ${path}?x=%zz HTTP/1.1\r\nHost: a\r\n\r\n`,
      bad,
      'plain',
      'Bad request',
    ],
  ),
  ['no HTTP', 'hello\r\n\r\n', bad, 'plain', 'Bad request'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', bad, 'plain', 'Bad request'],
  ['no length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', bad, 'plain', 'Bad request'],
  [
    'endless headers',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    '494 Request header or cookie too large',
    'plain',
    'Request header or cookie too large',
  ],
])('%s', async (_name, bytes, status, type, message) => {
  // None of these requests closes the connection: the gateway must, or there is no response.
  const [head = '', body = ''] = (await sendRaw(gateway.proxy, bytes))?.split('\r\n\r\n') ?? [];
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
  expect(head).toMatch(new RegExp(`^Content-Type: (text|application)/${type}; charset=utf-8$`, 'm'));
  for (const header of [
    'Server: kong/3\\.9\\.3',
    'Connection: close',
    'Date: .* GMT',
    `Content-Length: ${body.length}`,
  ])
    expect(head).toMatch(new RegExp(`^${header}\r?$`, 'm'));
  expect(body).toContain(message);
  expect(body).toContain(`${/^X-Kong-Request-Id: ([0-9a-f-]{36})$/m.exec(head)?.[1]}`);
});

test('HTTP/1.0 may omit the host', async () => {
  expect(await sendRaw(gateway.proxy, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 /);
});

test.each(['/a/../b', '/a/b/../..', '/..a', '/%2fa', '/?x=%zz&y=/../..'])('%s is a valid path', async (path) => {
  const answer = await sendRaw(gateway.proxy, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
});

test('list headers may be repeated', async () => {
  const twice = 'Accept: */*\r\nAccept: */*\r\nCookie: a=b\r\nCookie: c=d\r\nX-A: a\r\nX-A: b\r\n';
  const answer = await sendRaw(gateway.proxy, `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${twice}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
});
