/** Keycloak's events in the audit log of the hospital, from real logins and changes. */
import { randomInt } from 'node:crypto';
import { dataOf } from '@hms/api-client';
import { type Hospital, openTenantPool } from '@hms/database';
import { demonstrationSession, demonstrationUser, layout } from '@hms/local';
import { send } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Sealer } from '../../packages/service/src/audit/sealer.ts';
import { createAccounts } from '../../services/auth/src/accounts.ts';
import { type CollectorOptions, EventCollector } from '../../services/auth/src/identity-events/collector.ts';
import { createKeycloak } from '../../services/auth/src/keycloak.ts';
import { LIMITS } from '../../services/auth/src/sessions/login-limits.ts';
import { readSigningKey } from '../../services/auth/src/signing-key.ts';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { api, call } from '../support/gateway.ts';
import { applyHospital, freshHospital, whenCondition, whenReady } from '../support/hospitals.ts';
import { FaultProxy } from '../support/proxy.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const state = platform();
const engines = new Engines(state);
const tenants = openTenantPool(state.databaseUrls.auth, { poolSize: 4 });
const log = pino({ level: 'silent' });
let name = '';
let hospital: Hospital;
let owner = '';

beforeAll(async () => {
  name = (await freshHospital()).metadata.name;
  owner = (await demonstrationSession(state, name, 'OWNER')).accessToken;
  const found = await engines.row(name);
  if (!found) throw new Error('there is no hospital');
  hospital = found;
}, SLOW);
afterAll(async () => {
  await tenants.end();
  await engines.close();
});

/** Another process of the auth module that reads events. @param inTenant its transactions. */
async function collector(
  inTenant = tenants.inTenant,
  keycloakUrl = state.keycloakUrl,
  options: Pick<CollectorOptions, 'keptFailures'> = {},
): Promise<EventCollector> {
  const { signingKey } = layout(state.dataDir);
  const keycloak = createKeycloak({ ...state, keycloakUrl }, await readSigningKey(signingKey));
  const sealer = new Sealer({ db: engines.db, tenants, log });
  return new EventCollector({
    platform: { db: engines.db, tenants: { ...tenants, inTenant }, sealer, log },
    accounts: createAccounts(keycloak, keycloakUrl),
    ...options,
  });
}

interface Row {
  readonly actor: string;
  readonly actor_email: string | null;
  readonly action: string;
  readonly record: string;
  readonly address: string | null;
  readonly at: Date;
  readonly details: Readonly<Record<string, string>>;
}

const rows = () =>
  tenants.inTenant(hospital, (trx) =>
    trx.query<Row>("SELECT * FROM audit_events WHERE details ->> 'keycloakEvent' IS NOT NULL ORDER BY at, seq"),
  );
/** When a realm was last taken for a reading. */
const claim = (at: string, realm = name) =>
  engines.db.withSchema('platform').from('identity_collections').where({ realm }).update({ claimed_at: at });
/** With the hospitals of all the suites, its turn may be minutes away. */
const makeNext = (realm?: string) => claim('-infinity', realm);
const email = (role: string) => `${role}@${name}.example`;
const login = (password: string, address = email('doctor')) =>
  call('POST', '/api/auth/login', { body: { hospital: name, email: address, password } });

/** A wrong login at the login page of Keycloak. */
async function failAtPage(username: string): Promise<void> {
  const query = new URLSearchParams({
    client_id: 'hms-portal',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `http://${name}.${state.domain}:${state.ports.gateway}/`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const page = await fetch(`${state.keycloakUrl}/realms/${name}/protocol/openid-connect/auth?${query}`);
  const [, action = ''] = /action="([^"]*login-actions[^"]*)"/.exec(await page.text()) ?? [];
  const cookie = page.headers.getSetCookie().map((one) => one.split(';')[0]);
  await fetch(action.replaceAll('&amp;', '&'), {
    method: 'POST',
    headers: { cookie: cookie.join('; ') },
    body: new URLSearchParams({ username, password: 'a wrong passphrase' }),
  });
}

/** Keycloak's own list of events that are recorded. */
async function reported(): Promise<readonly string[]> {
  const admin = await engines.keycloak();
  const logins = await admin.realms.findEvents({ realm: name, max: 10_000, type: ['LOGIN', 'LOGIN_ERROR', 'LOGOUT'] });
  const changes = await admin.realms.findAdminEvents({ realm: name, max: 10_000 });
  return [...logins, ...changes].map((event) => (event as unknown as { readonly id: string }).id).sort();
}

describe("Keycloak's events", () => {
  it(
    'are in the audit log: who logged in, who failed and from where, and who changed what',
    async () => {
      const { password } = await demonstrationUser(state, name, 'DOCTOR');
      await login('a wrong passphrase');
      await login('a wrong passphrase', 'nobody@elsewhere.example');
      await login(password, 'not an address but perhaps a password');
      const session = await dataOf(
        api().POST('/api/auth/login', { body: { hospital: name, email: email('doctor'), password } }),
      );
      if (!('refreshToken' in session)) throw new Error('a second factor is required');
      await api().POST('/api/auth/logout', { body: { refreshToken: session.refreshToken } });
      await makeNext();
      const deeds = async () => {
        const list = await dataOf(
          api(owner).GET('/api/auth/audit', { params: { query: { record: 'accounts', limit: 100 } } }),
        );
        return list.map(({ action, actorEmail, details }) => [action, actorEmail, (details as Row['details']).error]);
      };
      const found = await until(
        'the logout and the created account in the audit log',
        deeds,
        (list) => ['logout', 'create'].every((wanted) => list.some(([action]) => action === wanted)),
        60_000,
      );
      expect(found).toEqual(
        expect.arrayContaining([
          ['login', email('owner'), undefined],
          ['login', email('doctor'), undefined],
          ['login.failed', email('doctor'), 'invalid_user_credentials'],
          ['login.failed', 'nobody@elsewhere.example', 'user_not_found'],
          ['login.failed', null, 'user_not_found'],
          ['logout', email('doctor'), undefined],
          ['create', null, undefined],
        ]),
      );
      const failed = (await rows()).find(({ action }) => action === 'login.failed');
      expect(failed).toMatchObject({ address: '127.0.0.1', details: { event: 'LOGIN_ERROR', client: 'hms-auth' } });
      expect(Date.parse(failed?.details.recordedAt ?? '')).toBeGreaterThan(failed?.at.getTime() ?? Number.NaN);
      const text = JSON.stringify(await rows());
      for (const secret of [password, 'perhaps a password', 'token', 'assertion']) expect(text).not.toContain(secret);
    },
    SLOW,
  );

  it(
    'are recorded once each, by three processes at the same time, one of which fails again and again',
    async () => {
      const { password } = await demonstrationUser(state, name, 'NURSE');
      await Promise.all(Array.from({ length: 12 }, () => login(password, email('nurse'))));
      // The beginning is read again, as after a crash before the cursor was moved.
      await engines.db.raw('DELETE FROM ??.identity_cursors', [`h_${name.replaceAll('-', '_')}`]);
      const [one, other, crashing] = await Promise.all([
        collector(),
        collector(),
        collector((whose, work) =>
          tenants.inTenant(whose, async (trx) => {
            await work(trx);
            throw new Error('the process ends before the commit');
          }),
        ),
      ]);
      const results = await Promise.allSettled([one, other, crashing].map((each) => each.collect(name, hospital)));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      const ids = (await rows()).map(({ details }) => details.keycloakEvent);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining([...(await reported())]));
    },
    SLOW,
  );

  it.each(['Keycloak', 'PostgreSQL'])(
    'are recorded once each, when %s fails at any point of a reading',
    async (engine) => {
      const { password } = await demonstrationUser(state, name, 'LAB_TECH');
      const url = new URL(engine === 'Keycloak' ? state.keycloakUrl : state.databaseUrls.auth);
      const proxy = await FaultProxy.before(url.host);
      url.host = proxy.address;
      const pool = openTenantPool(engine === 'Keycloak' ? state.databaseUrls.auth : url.href, { poolSize: 2 });
      const read = async () => {
        const reader = await collector(pool.inTenant, engine === 'Keycloak' ? url.href : state.keycloakUrl);
        return reader.collect(name, hospital);
      };
      // The platform's own processes leave this realm to the test.
      await claim('infinity');
      try {
        let outages = 0;
        for (let isRead = false; !isRead; outages += 1) {
          await login(password, email('lab-tech'));
          void proxy.failAfter(outages + 1, 'refuse');
          isRead = await read().catch(() => false);
          await proxy.set('pass');
        }
        expect(outages).toBeGreaterThan(4);
        const ids = (await rows()).map(({ details }) => details.keycloakEvent);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining([...(await reported())]));
      } finally {
        await makeNext();
        await pool.end();
        await proxy.close();
      }
    },
    SLOW,
  );

  it(
    'of a suspended hospital follow when it is active again',
    async () => {
      const { password } = await demonstrationUser(state, name, 'PHARMACIST');
      await login(password, email('pharmacist'));
      await applyHospital(name, { state: 'Suspended' });
      await whenCondition(name, 'Suspended', ({ status }) => status === 'True');
      await applyHospital(name, { state: 'Active' });
      await whenReady(name);
      const isRecorded = (list: readonly Row[]) =>
        list.some(({ action, actor_email }) => action === 'login' && actor_email === email('pharmacist')) &&
        list.some(({ record, details }) => record === 'realm' && details.operation === 'UPDATE');
      await makeNext();
      await until('the events', rows, isRecorded, 60_000);
    },
    SLOW,
  );

  it(
    "of the platform's own users are in the platform's table",
    async () => {
      await demonstrationSession(state, 'console', 'PLATFORM_SUPPORT');
      await makeNext('console');
      const found = () =>
        engines.db
          .withSchema('platform')
          .from('console_events')
          .where({ action: 'login', actor_email: 'platform-support@console.example' })
          .select<Row[]>('*');
      const [row] = await until('a login', found, ({ length }) => length > 0, 60_000);
      expect(row).toMatchObject({ record: 'accounts', address: '127.0.0.1', actor_name: expect.stringMatching(/\S/) });
    },
    SLOW,
  );

  it(
    'are read every few seconds, and the metric says how old they are',
    async () => {
      const url = `http://127.0.0.1:${state.ports.auth}/metrics`;
      const lag = async () =>
        Number(/^hms_identity_events_lag_seconds\S* (\S+)$/m.exec(await (await fetch(url)).text())?.[1]);
      // Other suites have hospitals without a realm, which lag for ever.
      expect(await lag()).toBeGreaterThanOrEqual(0);
      const age = async () => {
        const row = await engines.db.withSchema('platform').from('identity_collections').where({ realm: name }).first();
        return Date.now() - (row as { readonly collected_at: Date }).collected_at.getTime();
      };
      await makeNext();
      await until('a recent reading', age, (milliseconds) => milliseconds < 30_000, 60_000);
    },
    SLOW,
  );

  it(
    'of failed logins in the auth module are as many as it lets through',
    async () => {
      const body = { hospital: name, email: 'guessed@elsewhere.example', password: 'a wrong passphrase' };
      const headers = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.3` };
      const url = `http://127.0.0.1:${state.ports.auth}`;
      const statuses: number[] = [];
      for (let n = 0; n < LIMITS.account.failures + 2; n += 1)
        statuses.push((await send(url, 'POST', '/api/auth/login', { body, headers })).status);
      expect(statuses.slice(-3)).toEqual([401, 429, 429]);
      const admin = await engines.keycloak();
      const failures = await admin.realms.findEvents({ realm: name, max: 10_000, type: ['LOGIN_ERROR'] });
      const guesses = failures.filter(({ details }) => details?.username === body.email);
      expect(guesses).toHaveLength(LIMITS.account.failures);
    },
    SLOW,
  );

  it(
    "of failed logins at Keycloak's own page, which nothing limits, are recorded up to a limit",
    async () => {
      await claim('infinity');
      for (let n = 0; n < 5; n += 1) await failAtPage(`stranger${n}@elsewhere.example`);
      const reader = await collector(tenants.inTenant, state.keycloakUrl, { keptFailures: 3 });
      const kept = async () => {
        await reader.collect(name, hospital);
        return (await rows()).filter(({ details }) => details.client === 'hms-portal');
      };
      const first = await kept();
      expect(first.map(({ actor_email }) => actor_email)).toEqual(
        [0, 1, 2].map((n) => `stranger${n}@elsewhere.example`),
      );
      expect(first.map(({ details }) => details.noMoreUntil !== undefined)).toEqual([false, false, true]);
      await failAtPage('stranger5@elsewhere.example');
      expect(await kept()).toEqual(first);
      await makeNext();
    },
    SLOW,
  );
});
