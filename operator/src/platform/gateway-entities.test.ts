import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  inSeconds,
  publicPem,
  sendRaw,
  type TestGateway,
  type TestUpstream,
  testGateway,
  testUpstream,
  token,
} from '../../../services/gateway/src/testing/harness.ts';
import { platformEntities } from './gateway-entities.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let web: TestUpstream;

beforeAll(async () => {
  [upstream, web] = await Promise.all([testUpstream(), testUpstream()]);
  gateway = await testGateway();
  const address = `127.0.0.1:${upstream.port}`;
  const entities = platformEntities({
    targets: { auth: [address], hms: [address], crm: [address], queue: [address] },
    webTargets: [`127.0.0.1:${web.port}`],
    keycloakUrl: `http://${address}/auth`,
    metricsAddress: address,
    metricsAllowed: ['127.0.0.1'],
    portalOrigin: 'http://localhost:3000',
    consoleOrigin: 'http://localhost:3001',
  });
  for (const { collection, id, parent, body } of entities) {
    if (parent) await gateway.make('POST', `/upstreams/${parent}/${collection}`, { ...body, id });
    else await gateway.make('PUT', `/${collection}/${id}`, body);
  }
});

afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
  await web.stop();
});

/** The URL that reached a module or Keycloak, `web`, or the status of the gateway's own response. */
async function passed(path: string): Promise<string> {
  const before = upstream.requests.length;
  const pages = web.requests.length;
  const answer = await sendRaw(gateway.proxy, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  if (web.requests.slice(pages).some(({ url }) => url !== '/health')) return 'web';
  return (
    upstream.requests.slice(before).find(({ url }) => url !== '/health')?.url ?? answer?.slice(9, 12) ?? 'no answer'
  );
}

describe('the platform’s body limit in the gateway', () => {
  it.each([{}, { 'transfer-encoding': 'chunked' }])('admits 10 MB and not a byte more: %j', async (headers) => {
    await gateway.make('PUT', '/consumers/st-mary');
    const credential = { key: 'issuer', algorithm: 'RS256', rsa_public_key: publicPem };
    await gateway.admin('POST', '/consumers/st-mary/jwt', credential);
    const authorization = `Bearer ${token({ iss: 'issuer', exp: inSeconds(60) })}`;
    const send = async (bytes: number) => {
      const before = upstream.requests.length;
      const sent = { method: 'POST', headers: { ...headers, authorization }, body: Buffer.alloc(bytes, 'a') };
      const { status } = await gateway.get('/api/hms/patients', sent);
      const passed = upstream.requests.slice(before).find(({ method }) => method === 'POST');
      return [status, passed?.body.length];
    };
    expect(await send(10 * 1024 * 1024)).toEqual([200, 10 * 1024 * 1024]);
    expect(await send(10 * 1024 * 1024 + 1)).toEqual([413, undefined]);
  });
});

describe('the platform’s routes in the gateway', () => {
  it('forward only /metrics to the listener that also has the Admin API', async () => {
    expect(await passed('/metrics')).toBe('/metrics');
    expect(await passed('/metrics?a=b')).toBe('/metrics?a=b');
    expect(await passed('/./metrics')).toBe('/metrics');
    const others = [
      '/metricsx',
      '/metrics/',
      '/metrics/..',
      '/metrics/../services',
      '/metrics//',
      '/metrics%2f',
      '/metrics;a',
    ];
    const encoded = [
      '/metrics/%2e%2e',
      '/metrics%2f..%2fservices',
      '/metrics%0a',
      '/metrics%00',
      '/METRICS',
      '/%6detrics/x',
    ];
    for (const path of [...others, ...encoded])
      expect([path, await passed(path)]).toEqual([path, expect.stringMatching(/^(400|web)$/)]);
  });

  it('forward paths below /auth, but no other path with the same prefix', async () => {
    expect(await passed('/auth/')).toBe('/auth/');
    expect(await passed('/auth/realms/st-mary/protocol/openid-connect/certs')).toContain('/auth/realms/st-mary/');
    for (const path of ['/auth', '/authx', '/auth-admin', '/auth;x', '/auth%2f..', '/auth/..', '/auth/../x'])
      expect([path, await passed(path)]).toEqual([path, 'web']);
  });

  it('forward every other path to the pages', async () => {
    for (const path of ['/', '/patients/1?tab=family', '/session/login', '/session', '/api', '/api/nothing', '/apis'])
      expect([path, await passed(path)]).toEqual([path, 'web']);
  });

  it('block Keycloak’s administration, however the path is written', async () => {
    const hidden = [
      ...['/auth/admin', '/auth/admin/', '/auth/admin/realms', '/auth//admin', '/auth/%61dmin/x', '/auth/x/../admin'],
      ...['/auth/realms/master', '/auth/realms/master/protocol', '/auth/re%61lms/%6daster', '/auth/realms//master/x'],
      ...['/auth/admin;a=b/realms', '/auth/realms;a=b/master', '/auth/realms/master;a=b/x'],
    ];
    for (const path of hidden) expect([path, await passed(path)]).toEqual([path, '404']);
    for (const path of [
      '/auth/realms/master-clinic/x',
      '/auth/realms/st-master',
      '/auth/admins',
      '/auth/realms/x/admin',
    ])
      expect([path, await passed(path)]).toEqual([path, path]);
  });

  it('require no token for a path with a secret, up to a limit for an address', async () => {
    const path = '/api/queue/calendar/st-mary/secret';
    expect(await passed(path)).toBe(path);
    for (const other of ['/api/queue/calendar', '/api/queue/calendar-link', '/api/queue/calendar/../appointments'])
      expect([other, await passed(other)]).toEqual([other, '401']);
    expect((await gateway.get(path, { method: 'POST' })).status).toBe(401);
    const answers = new Set<string>();
    // The limit counts from each full minute, which may begin meanwhile.
    for (let requests = 0; requests < 400 && !answers.has('429'); requests++) answers.add(await passed(path));
    expect([...answers]).toEqual([path, '429']);
  });

  it('require a token for every path with a module’s prefix', async () => {
    for (const path of ['/api/hms', '/api/hms/patients', '/api/hmsX', '/api/hms/../hmsX'])
      expect([path, await passed(path)]).toEqual([path, '401']);
  });
});
