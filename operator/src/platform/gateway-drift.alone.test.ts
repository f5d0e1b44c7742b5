/**
 * Manual changes in the gateway over its Admin API. One comparison must find each of them,
 * and one reconcile after all of them must restore everything of the platform and the hospitals.
 */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { operatorEnv } from '@hms/local';
import { gatewayId } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { platform } from '../../../test/platform.ts';
import { type Change, describe as describeChange } from '../backends/backend.ts';
import { CallMetrics } from '../backends/calls.ts';
import { GatewayBackend } from '../backends/gateway/backend.ts';
import { entity } from '../backends/gateway/entities.ts';
import { applyEntities, entityChanges } from '../backends/gateway/sync.ts';
import { readConfig } from '../config.ts';
import { connectEngines, type Engines } from '../engines.ts';
import { tenantOf } from '../hospital/tenant.ts';
import { hospitalObject } from '../hospital/testing.ts';
import { NO_TRACING } from '../runtime/tracing.ts';
import type { Foreign } from './foreign.ts';
import { ForeignReport } from './foreign-report.ts';
import { sharedGateway } from './pieces.ts';

const SLOW = 60_000;
const state = platform();
const { admin, proxy } = state.gateway;
const config = readConfig(operatorEnv(state, state.ports));
const SETTINGS = { baseUrl: config.BASE_URL, domain: config.PLATFORM_DOMAIN };
const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const KEY = { id: 'key', name: 'rsa-generated', priority: 100, active: true, createdAt: new Date(), pem: PEM };
const KEYS = { read: async () => ({ current: KEY, others: [] }), apply: async () => undefined };

const tenants = [0, 1].map(() => {
  const name = `g${randomBytes(5).toString('hex')}`;
  const spec = { gateway: { hosts: [], origins: [], rateLimits: { hms: { minute: 5, hour: 50 } } } };
  return tenantOf(hospitalObject({ name, uid: randomUUID(), spec }), randomUUID(), SETTINGS);
});
const [mary, anne] = tenants as [(typeof tenants)[0], (typeof tenants)[0]];
const STRANGER = `stranger-${mary.names.prefix}`;

let engines: Engines;
let backend: GatewayBackend;
let requests = 0;
let foreign: readonly Foreign[] = [];
let paused = new Set<string>();
const metrics = new Registry();
const events: string[] = [];

/** Reconciles the platform's shared parts. */
const reconcilePlatform = (settings = config): Promise<readonly Change[]> =>
  sharedGateway(settings, engines, {
    mayChange: (prefix) => !paused.has(prefix),
    isHospital: (prefix) => prefix !== 'spy',
    fileOrigins: () => [],
    keyRequest: () => undefined,
    onRefused: () => undefined,
    onTuned: () => undefined,
    needed: async () => undefined,
    onForeign: (found) => {
      foreign = found;
    },
  })(() => undefined);

/** Reconciles a hospital. @returns the differences, which are corrected. */
async function reconcile(of = mary): Promise<readonly string[]> {
  const changes = backend.diff(of, await backend.observe(of));
  if (changes.length > 0) await backend.apply(of, changes);
  return changes.map(describeChange);
}

async function checkAll(): Promise<readonly string[]> {
  const own = await reconcile();
  return [...own, ...(await reconcile(anne)), ...(await reconcilePlatform()).map(describeChange)];
}

/** Sends a change. @returns what was corrected, unless the platform's own operator was faster three times. */
async function restored(method: string, path: string, body: object): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    await send(method, path, body);
    const changes = await checkAll();
    if (changes.length > 0 || attempt === 3) return changes;
  }
}

async function send(method: string, path: string, body?: object): Promise<{ readonly id: string }> {
  const response = await fetch(admin + path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} is ${response.status}: ${text}`);
  return JSON.parse(text || '{"id":""}');
}

beforeAll(async () => {
  engines = connectEngines(config, {
    metrics: new CallMetrics(new Registry()),
    tracing: NO_TRACING,
    fence: () => {
      requests += 1;
    },
  });
  backend = new GatewayBackend(engines.kong, proxy, KEYS);
  await reconcilePlatform();
  for (const tenant of tenants) await reconcile(tenant);
  await send('PUT', `/consumers/${STRANGER}`, {});
  expect(await checkAll()).toEqual([]);
}, SLOW);

afterAll(async () => {
  for (const tenant of tenants) await backend.remove(tenant, 'Delete');
  await send('DELETE', `/consumers/${STRANGER}`);
  await engines.postgres.close();
}, SLOW);

const at = (collection: string, label: string) => `/${collection}/${gatewayId(collection, label)}`;
const hms = `${mary.names.prefix}-hms`;
const ROUTE = at('routes', hms);
const SERVICE = '/services/hms';
const UPSTREAM = '/upstreams/hms-upstream';
const CONSUMER = at('consumers', mary.names.consumer);
const LIMIT = at('plugins', `rate-limiting of ${hms}`);
const CORS = at('plugins', `cors of ${hms}`);
const ACL = at('plugins', `acl of ${hms}`);
const JWT = at('plugins', 'jwt of hms');
const SECRET = `${CONSUMER}/jwt/${gatewayId('jwts', mary.names.consumer)}`;
const CONSOLE = at('consumers', 'console');
const CONSOLE_SECRET = `${CONSOLE}/jwt/${gatewayId('jwts', 'console')}`;

const CHANGED: readonly (readonly [string, object, string])[] = [
  [ROUTE, { methods: ['GET'] }, 'methods'],
  [ROUTE, { protocols: ['https'] }, 'protocols'],
  [ROUTE, { headers: { 'x-spy': ['1'] } }, 'headers'],
  [ROUTE, { protocols: ['https'], snis: ['spy.example'] }, 'snis'],
  [ROUTE, { regex_priority: 7 }, 'regex_priority'],
  [ROUTE, { path_handling: 'v1' }, 'path_handling'],
  [ROUTE, { preserve_host: true }, 'preserve_host'],
  [ROUTE, { strip_path: true }, 'strip_path'],
  [ROUTE, { https_redirect_status_code: 301 }, 'https_redirect_status_code'],
  [ROUTE, { request_buffering: false }, 'request_buffering'],
  [ROUTE, { paths: ['/api/hms', '/api/spy'] }, 'paths'],
  [ROUTE, { tags: [mary.names.tag, 'spy'] }, 'tags'],
  [ROUTE, { name: `${hms}-spy` }, 'name'],
  [ROUTE, { service: { id: gatewayId('services', 'crm') } }, 'service'],
  ['/routes/hms', { methods: ['GET'] }, 'methods'],
  ['/routes/identity', { hosts: ['spy.example'] }, 'hosts'],
  [SERVICE, { path: '/spy' }, 'path'],
  [SERVICE, { enabled: false }, 'enabled'],
  [SERVICE, { retries: 0 }, 'retries'],
  [SERVICE, { read_timeout: 1 }, 'read_timeout'],
  [SERVICE, { write_timeout: 1 }, 'write_timeout'],
  [SERVICE, { connect_timeout: 1 }, 'connect_timeout'],
  [SERVICE, { port: 81 }, 'port'],
  [SERVICE, { protocol: 'https', tls_verify: false }, 'tls_verify'],
  [UPSTREAM, { algorithm: 'least-connections' }, 'algorithm'],
  [UPSTREAM, { hash_on: 'ip', hash_fallback: 'none' }, 'hash_on'],
  [UPSTREAM, { slots: 10 }, 'slots'],
  [UPSTREAM, { host_header: 'spy.example' }, 'host_header'],
  [UPSTREAM, { healthchecks: { threshold: 90 } }, 'healthchecks.threshold'],
  [UPSTREAM, { healthchecks: { passive: { unhealthy: { http_failures: 1 } } } }, 'healthchecks.passive.unhealthy'],
  [UPSTREAM, { healthchecks: { active: { concurrency: 1 } } }, 'healthchecks.active.concurrency'],
  [UPSTREAM, { healthchecks: { active: { headers: { 'x-spy': ['1'] } } } }, 'healthchecks.active.headers'],
  [CONSUMER, { custom_id: randomUUID() }, 'custom_id'],
  [SECRET, { algorithm: 'RS512' }, 'algorithm'],
  [CONSOLE, { custom_id: randomUUID() }, 'custom_id'],
  [CONSOLE, { username: STRANGER.replace('stranger', 'console') }, 'username'],
  [CONSOLE_SECRET, { rsa_public_key: PEM }, 'rsa_public_key'],
  [CONSOLE_SECRET, { key: 'spy' }, 'key'],
  [CONSOLE_SECRET, { tags: ['hms-platform', 'spy'] }, 'tags'],
  [LIMIT, { enabled: false }, 'enabled'],
  [LIMIT, { protocols: ['https'] }, 'protocols'],
  [LIMIT, { config: { hide_client_headers: true } }, 'config.hide_client_headers'],
  [LIMIT, { config: { error_code: 200 } }, 'config.error_code'],
  [LIMIT, { config: { day: 100 } }, 'config.day'],
  [CORS, { config: { preflight_continue: true } }, 'config.preflight_continue'],
  [CORS, { config: { private_network: true } }, 'config.private_network'],
  [ACL, { config: { always_use_authenticated_groups: true } }, 'config.always_use_authenticated_groups'],
  [ACL, { instance_name: 'spy' }, 'instance_name'],
  [JWT, { config: { anonymous: STRANGER } }, 'config.anonymous'],
  [JWT, { config: { cookie_names: ['spy'] } }, 'config.cookie_names'],
  [JWT, { config: { maximum_expiration: 1 } }, 'config.maximum_expiration'],
  [JWT, { config: { secret_is_base64: true } }, 'config.secret_is_base64'],
];

const TERMINATION = { name: 'request-termination', config: { status_code: 200 } };
const ADDED: readonly (readonly [what: string, path: string, body: object, describeChange: RegExp])[] = [
  ['a second credential', `${CONSUMER}/jwt`, { key: 'spy', algorithm: 'HS256' }, /foreign jwt .* of consumer g/],
  ['a credential with the tag of the hospital', `${CONSUMER}/jwt`, { tags: [mary.names.tag] }, /delete credential/],
  ["another hospital's group", `${CONSUMER}/acls`, { group: anne.names.group }, /foreign acls g.* of consumer g/],
  [
    "a foreign consumer in the hospital's group",
    `/consumers/${STRANGER}/acls`,
    { group: mary.names.group },
    /of consumer strang/,
  ],
  [
    "a second credential of the platform's people",
    `${CONSOLE}/jwt`,
    { key: 'spy' },
    /foreign jwt .* of consumer console/,
  ],
  ["a group of the platform's people", `${CONSOLE}/acls`, { group: mary.names.group }, /of consumer console/],
  ["a group with the platform's tag", `${CONSOLE}/acls`, { group: 'spy', tags: ['hms-platform'] }, /delete acl group/],
  ['a plugin on the route', `${ROUTE}/plugins`, TERMINATION, /foreign plugin request-termination/],
  ['a plugin on the consumer', `${CONSUMER}/plugins`, TERMINATION, /foreign plugin request-termination/],
  ["a plugin on the platform's service", `${SERVICE}/plugins`, TERMINATION, /foreign plugin request-termination/],
  ["a plugin on the platform's route", '/routes/identity/plugins', TERMINATION, /foreign plugin request-termination/],
  [
    "a plugin on the platform's service for a foreign consumer",
    `${SERVICE}/plugins`,
    { ...TERMINATION, consumer: { username: STRANGER } },
    /foreign plugin/,
  ],
  [
    'a plugin with the tag of another hospital',
    `${ROUTE}/plugins`,
    { ...TERMINATION, tags: [anne.names.tag] },
    /plugin/,
  ],
  ["a plugin with the platform's tag", `${ROUTE}/plugins`, { ...TERMINATION, tags: ['hms-platform'] }, /plugin/],
  ['a plugin with the tag of no hospital', `${ROUTE}/plugins`, { ...TERMINATION, tags: ['hms-tenant-spy'] }, /plugin/],
  ["a route on the platform's service", `${SERVICE}/routes`, { paths: ['/spy'] }, /foreign route .* on service hms/],
  ['a target', `${UPSTREAM}/targets`, { target: '127.0.0.1:9' }, /delete target 127\.0\.0\.1:9/],
];

const ORIGIN = 'http://spy.example';
const REPORTED: readonly (readonly [what: string, collection: string, body: object, kind: string])[] = [
  ['a plugin for every request', 'plugins', { name: 'cors', config: { origins: [ORIGIN] } }, 'plugin'],
  ['a route on a host of the hospital', 'routes', { hosts: [...mary.hosts], service: null }, 'route'],
  ['a route on all hosts of the platform', 'routes', { hosts: [`*.${SETTINGS.domain}`], paths: ['/api'] }, 'route'],
  ["a longer path below the platform's", 'routes', { paths: ['/api/hms/patients'] }, 'route'],
  ["a regular expression on the platform's paths", 'routes', { paths: ['~/api/.*'] }, 'route'],
  [
    'a plugin with the tag of no hospital',
    'plugins',
    { name: 'cors', config: { origins: [ORIGIN] }, tags: ['hms-tenant-spy'] },
    'plugin',
  ],
  [
    'a route with the tag of no hospital',
    'routes',
    { paths: ['/api/hms/patients'], tags: ['hms-tenant-spy'] },
    'route',
  ],
  ['a route with an additional method', 'routes', { paths: ['/auth'], methods: ['POST'] }, 'route'],
];

describe('an entity of the gateway', () => {
  it.each(CHANGED)('%s is restored after %j', async (path, body, field) => {
    expect(await restored('PATCH', path, body)).toEqual([expect.stringContaining(field)]);
  });

  it.each(ADDED)('loses %s', async (_, path, body, pattern) => {
    expect(await restored('POST', path, body)).toEqual([expect.stringMatching(pattern)]);
  });

  it('keeps additions while the hospital is paused', async () => {
    // The platform's own operator does not know of the pause, and may be faster.
    const attempt = async () => {
      const { id } = await send('POST', `${ROUTE}/plugins`, TERMINATION);
      paused = new Set([mary.names.prefix]);
      expect(await reconcilePlatform()).toEqual([]);
      paused = new Set();
      return { id, changes: await reconcilePlatform() };
    };
    let { id, changes } = await attempt();
    for (let again = 0; again < 2 && changes.length === 0; again += 1) ({ id, changes } = await attempt());
    expect(changes).toMatchObject([{ action: 'delete', object: expect.stringContaining(id) }]);
  });

  it('is not written without differences, and needs few reads', async () => {
    expect(await checkAll()).toEqual([]);
    requests = 0;
    expect(await reconcile()).toEqual([]);
    expect(requests).toBe(5);
    requests = 0;
    await reconcilePlatform();
    // 27 to the gateway, and two to Keycloak, one of which counts its token too.
    expect(requests).toBe(30);
  });
});

it('a route whose service somebody has deleted is reported as what is missing, and the others are created', async () => {
  const routes = [randomUUID(), gatewayId('services', 'hms')].map((service, index) =>
    entity('routes', `spy-${index}`, { paths: [`/spy-${index}`], service: { id: service }, tags: [mary.names.tag] }),
  );
  const applied = applyEntities(engines.kong, entityChanges(routes, new Map()));
  await expect(applied).rejects.toMatchObject({
    kind: 'NotFound',
    message: expect.stringMatching(/^the gateway lacks what \/routes\/.* refers to: .*existing 'services' entity/),
  });
  expect((await reconcile()).join()).toMatch(/^delete route [^;,]*$/);
});

describe('an unattached foreign entity', () => {
  it.each(REPORTED)('%s is reported and left in place', async (_, collection, body, kind) => {
    const { id } = await send('POST', `/${collection}`, body);
    const report = new ForeignReport({
      registry: metrics,
      logger: pino({ level: 'silent' }),
      record: (reason, message) => events.push(`${reason} ${message}`),
    });
    expect(await checkAll()).toEqual([]);
    report.update('gateway', foreign);
    report.update('gateway', foreign);
    expect(foreign).toMatchObject([{ kind, message: expect.stringContaining(id) }]);
    expect(await metrics.metrics()).toContain(`hms_platform_foreign{kind="${kind}"} 1`);
    expect(events.filter((event) => event.includes(id))).toHaveLength(1);
    await send('DELETE', `/${collection}/${id}`);
    await checkAll();
    report.update('gateway', foreign);
    expect(await metrics.metrics()).toContain(`hms_platform_foreign{kind="${kind}"} 0`);
    metrics.clear();
  });

  it('a consumer with its own token is reported', async () => {
    const { id } = await send('POST', `/consumers/${STRANGER}/jwt`, { key: `spy-${STRANGER}` });
    await checkAll();
    expect(foreign).toMatchObject([{ kind: 'consumer', message: expect.stringContaining(STRANGER) }]);
    await send('DELETE', `/consumers/${STRANGER}/jwt/${id}`);
  });

  it('an upstream that takes over the host of the metrics is reported', async () => {
    const named = { ...config, KONG_METRICS_ADDRESS: 'metrics.invalid:8100' };
    await reconcilePlatform(named);
    const added = [];
    for (const name of ['metrics.invalid', 'other.invalid']) added.push(await send('POST', '/upstreams', { name }));
    expect(await reconcilePlatform(named)).toEqual([]);
    expect(foreign).toMatchObject([{ kind: 'upstream', message: expect.stringContaining('metrics.invalid') }]);
    for (const { id } of added) await send('DELETE', `/upstreams/${id}`);
    await reconcilePlatform();
    expect(foreign).toEqual([]);
  });

  it('a route at the hosts of the pages, which would share their origin, is reported', async () => {
    const { id } = await send('POST', '/routes', { paths: ['/grafana'] });
    await checkAll();
    expect(foreign).toMatchObject([{ kind: 'route', message: expect.stringContaining(id) }]);
    await send('DELETE', `/routes/${id}`);
  });

  it('a route that can not take precedence over the platform’s is not reported', async () => {
    const routes = ['/', '/api/hms', '/grafana'].map((path) => ({ hosts: ['other.example'], paths: [path] }));
    const created = [];
    for (const body of routes) created.push(await send('POST', '/routes', body));
    await checkAll();
    expect(foreign).toEqual([]);
    for (const { id } of created) await send('DELETE', `/routes/${id}`);
  });
});
