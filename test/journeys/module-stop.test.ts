/** Stops one of a module's two processes while requests arrive through the gateway. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { moduleEnv } from '@hms/local';
import { createIssuer, type Issuer } from '@hms/service/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { type TestGateway, testGateway } from '../../services/gateway/src/testing/harness.ts';
import { platform } from '../platform.ts';

const HMS = fileURLToPath(new URL('../../services/hms/src/main.ts', import.meta.url));
let issuer: Issuer;
let gateway: TestGateway;
const clients = new Agent({ connections: 16 });
const modules = new Map<ChildProcess, number>();

beforeAll(async () => {
  issuer = await createIssuer();
  gateway = await testGateway();
  await gateway.make('PUT', '/upstreams/hms-upstream', { healthchecks: { active: CHECKS } });
  await gateway.make('PUT', '/services/hms', { host: 'hms-upstream' });
  await gateway.make('PUT', '/routes/hms', { paths: ['/api/hms'], strip_path: false, service: { name: 'hms' } });
});
afterAll(async () => {
  for (const child of modules.keys()) child.kill('SIGKILL');
  await clients.destroy();
  await gateway.stop();
  await issuer.close();
});

/** The gateway's health checks, ten times as fast. */
const CHECKS = {
  http_path: '/health',
  timeout: 2,
  healthy: { interval: 0.5, successes: 2, http_statuses: [200] },
  unhealthy: { interval: 0.5, http_failures: 3, tcp_failures: 3, timeouts: 3 },
};

/** Starts a process of the module and adds it to the gateway's targets. */
async function startModule(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HMS], {
    env: {
      PORT: '0',
      ...moduleEnv(platform()),
      BASE_URL: issuer.baseUrl,
      KEYCLOAK_URL: issuer.keycloakUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await portOf(child);
  modules.set(child, port);
  await gateway.make('POST', '/upstreams/hms-upstream/targets', { target: `127.0.0.1:${port}` });
  return child;
}

/** The port in a module's log. */
function portOf({ stdout }: ChildProcessByStdio<null, Readable, null>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let log = '';
  stdout.on('data', (chunk) => {
    log += chunk;
    const listening = /"port":(\d+),"msg":"listening"/.exec(log);
    if (listening) resolve(Number(listening[1]));
  });
  stdout.on('end', () => reject(new Error(`The module ended: ${log}`)));
  return promise;
}

/** Sends parallel requests until it is stopped. Returns the count of each status. */
function load() {
  const statuses: Record<string, number> = {};
  let going = true;
  const sendLoop = async (method: 'GET' | 'POST') => {
    const { statusCode, body } = await request(`http://127.0.0.1:${gateway.proxy}/api/hms/patients`, {
      dispatcher: clients,
      method,
      ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    await body.dump();
    const key = `${method} ${statusCode}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  };
  const loops = Array.from({ length: 16 }, async (_, index) => {
    while (going) await sendLoop(index % 2 === 0 ? 'POST' : 'GET');
  });
  return {
    statuses,
    stop: async () => {
      going = false;
      await Promise.all(loops);
    },
  };
}

test('no request fails, neither a POST nor a GET, however often a process is stopped', async () => {
  await startModule();
  let stopped = await startModule();
  const requests = load();
  for (let round = 0; round < 5; round += 1) {
    const port = modules.get(stopped) ?? 0;
    stopped.kill('SIGTERM');
    expect(await once(stopped, 'exit')).toEqual([0, null]);
    modules.delete(stopped);
    await gateway.make('DELETE', `/upstreams/hms-upstream/targets/127.0.0.1:${port}`);
    stopped = await startModule();
  }
  await requests.stop();
  // Without a token, the module itself answers 401, so each request has reached one.
  expect(requests.statuses).toEqual({ 'GET 401': expect.any(Number), 'POST 401': expect.any(Number) });
}, 180_000);
