import { beforeAll, describe, expect, test } from '@jest/globals';
import { sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';
import { hostName } from './host.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());

test.each([
  ['St-Mary.localhost', 'st-mary.localhost'],
  ['st-mary.localhost.', 'st-mary.localhost'],
  ['st-mary.localhost:8000', 'st-mary.localhost'],
  ['st-mary.localhost.:8000', 'st-mary.localhost'],
  ['st-mary.localhost:', 'st-mary.localhost'],
  ['st-mary.localhost:x', 'st-mary.localhost'],
  ['127.0.0.1:8000', '127.0.0.1'],
  ['[::1]:8000', '[::1]'],
  ['[::1]', '[::1]'],
  ['st-mary.localhost..', undefined],
  ['st-mary..localhost', undefined],
  ['st-mary.localhost/', undefined],
  ['st-mary.localhost\t', undefined],
  ['.', undefined],
  [':8000', undefined],
  ['', undefined],
])('the host of %j is %s', (authority, name) => {
  expect(hostName(authority)).toBe(name);
});

describe('a hospital’s own hosts', () => {
  beforeAll(async () => {
    await gateway.make('PUT', '/services/hospital', { host: '127.0.0.1', port: 1 });
    await gateway.make('PUT', '/routes/hospital', {
      hosts: ['st-mary.localhost'],
      paths: ['/'],
      service: { name: 'hospital' },
    });
    await gateway.make('POST', '/routes/hospital/plugins', { name: 'acl', config: { allow: ['st-mary'] } });
  });

  test.each([
    'st-mary.localhost',
    'ST-MARY.localhost.',
    'st-mary.localhost.:8000',
    'st-mary.localhost:x',
    'st-mary.localhost..',
    'st-mary.localhost/',
    '',
  ])('%j does not bypass their acl', async (host) => {
    const upstream = await serve();
    const answer = await sendRaw(gateway.proxy, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (401 Unauthorized|400 Bad Request)\r\n/);
    expect(upstream.requests).toEqual([]);
  });

  test('two Host headers are refused', async () => {
    const upstream = await serve();
    const hosts = 'Host: other\r\nHost: st-mary.localhost';
    const answer = await sendRaw(gateway.proxy, `GET / HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(upstream.requests).toEqual([]);
  });

  test('also apply to an absolute target', async () => {
    const upstream = await serve();
    const answer = await sendRaw(
      gateway.proxy,
      'GET http://st-mary.localhost./ HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(upstream.requests).toEqual([]);
  });
});

test('HTTP/1.0 may omit the host', async () => {
  await serve();
  expect(await sendRaw(gateway.proxy, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});
