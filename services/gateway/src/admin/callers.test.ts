import { describe, expect, test } from '@jest/globals';
import { send, sendRaw, type TestGateway, testGateway } from '../testing/harness.ts';
import { useClosing } from '../testing/setup.ts';
import { refusalOf } from './callers.ts';

const closeLater = useClosing();

async function start(own: Parameters<typeof testGateway>[0] = {}): Promise<TestGateway> {
  const gateway = await testGateway({ adminHosts: ['gateway-admin.hms.svc'], ...own });
  closeLater(gateway.stop);
  return gateway;
}

const FOREIGN_HOST = { message: expect.stringContaining('GATEWAY_ADMIN_HOSTS') };
const FOREIGN_PAGE = { message: expect.stringContaining('web pages may not call the Admin API') };

describe('the Admin API', () => {
  test('refuses every call from a web page of another site and changes nothing', async () => {
    const { gateway, admin } = await start();
    const port = gateway.ports.admin;
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://localhost:${port + 1}` },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: `https://127.0.0.1:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      const posted = await send(port, '/services', {
        method: 'POST',
        headers: form,
        body: 'name=evil&host=evil.example',
      });
      expect([headers, posted.status, posted.json()]).toEqual([headers, 403, FOREIGN_PAGE]);
      for (const path of ['/services', '/metrics', '/status', '/nothing']) {
        for (const method of ['GET', 'OPTIONS', 'HEAD']) {
          const answer = await send(port, path, { method, headers });
          expect([headers, method, path, answer.status]).toEqual([headers, method, path, 403]);
          expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
      }
    }
    expect((await admin('GET', '/services')).json()).toMatchObject({ data: [] });
  });

  test('refuses a Host that is not its own, which protects against DNS rebinding', async () => {
    const { gateway } = await start();
    const port = gateway.ports.admin;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      'evil-localhost',
      'evil.127.0.0.1',
      '10.9.8.7',
    ]) {
      for (const path of ['/services', '/metrics', '/']) {
        const answer = await send(port, path, { headers: { host } });
        expect([host, answer.status, answer.json()]).toEqual([host, 403, FOREIGN_HOST]);
      }
    }
  });

  test('refuses two Hosts, one of which is its own', async () => {
    const { gateway } = await start();
    for (const hosts of ['Host: localhost\r\nHost: evil.example', 'Host: localhost\r\nHost: localhost']) {
      const request = `GET /services HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(gateway.ports.admin, Buffer.from(request))).toMatch(/^HTTP\/1\.1 40[03] /);
    }
  });

  test('accepts programs under each of its own names, and its own pages', async () => {
    const { gateway } = await start();
    const port = gateway.ports.admin;
    const own = ['localhost', 'LOCALHOST:1', 'admin.localhost', '127.0.0.1', `127.8.9.1:${port}`, '[::1]:8001'];
    for (const host of [...own, 'gateway-admin.hms.svc:8001', 'Gateway-Admin.hms.svc.']) {
      expect([host, (await send(port, '/services', { headers: { host } })).status]).toEqual([host, 200]);
    }
    const page = { host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' };
    const answer = await send(port, '/services', { headers: page });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await send(port, '/services', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await send(port, '/services', { method: 'POST', headers: form, body: 'host=x' });
    expect(posted.status).toBe(201);
    expect(await sendRaw(port, 'GET /services HTTP/1.0\r\n\r\n')).toContain('HTTP/1.1 200 OK');
  });
});

describe('the address that it listens on is its name', () => {
  test.each([
    ['10.0.0.7:8001', '10.0.0.7', true],
    ['10.0.0.7:8001', '::ffff:10.0.0.7', true],
    ['10.0.0.7:8001', '10.0.0.8', false],
    ['[fd00::7]:8001', 'fd00::7', true],
    ['[fd00::7]:8001', 'fd00::8', false],
  ])('%s on a connection to %s: %s', (host, localAddress, isOwn) => {
    const refusal = refusalOf({ host, origin: undefined, site: undefined, localAddress }, new Set());
    expect(refusal === undefined).toBe(isOwn);
  });

  test('as it is configured', async () => {
    const { gateway } = await start({ admin: { host: '0.0.0.0', port: 0 } });
    const headers = { host: `0.0.0.0:${gateway.ports.admin}` };
    expect((await send(gateway.ports.admin, '/services', { headers })).status).toBe(200);
  });
});

test('the status listener follows the same rules', async () => {
  const { gateway } = await start({ status: { host: '127.0.0.1', port: 0 } });
  const port = gateway.ports.status ?? 0;
  expect((await send(port, '/metrics')).status).toBe(200);
  expect((await send(port, '/metrics', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await send(port, '/status/ready', { headers: { host: 'evil.example' } })).status).toBe(403);
});
