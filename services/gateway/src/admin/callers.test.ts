import { describe, expect, test } from '@jest/globals';
import { send, sendRaw, type TestGateway, testGateway } from '../testing/harness.ts';
import { useClosing } from '../testing/setup.ts';

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
      '10.9.8.7',
    ]) {
      for (const path of ['/services', '/metrics', '/']) {
        const answer = await send(port, path, { headers: { host } });
        expect([host, answer.status, answer.json()]).toEqual([host, 403, FOREIGN_HOST]);
      }
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
    expect((await send(port, '/services', { headers: page })).status).toBe(200);
    expect((await send(port, '/services', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await send(port, '/services', { method: 'POST', headers: form, body: 'host=x' });
    expect(posted.status).toBe(201);
    expect(await sendRaw(port, 'GET /services HTTP/1.0\r\n\r\n')).toContain('HTTP/1.1 200 OK');
  });
});

test('the status listener follows the same rules', async () => {
  const { gateway } = await start({ status: { host: '127.0.0.1', port: 0 } });
  const port = gateway.ports.status ?? 0;
  expect((await send(port, '/metrics')).status).toBe(200);
  expect((await send(port, '/metrics', { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await send(port, '/status/ready', { headers: { host: 'evil.example' } })).status).toBe(403);
});
