/** Impersonation by the platform, with a real Keycloak, PostgreSQL, mail server and all modules: what works, and each attack. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Schemas } from '@hms/api-client';
import { demonstrationSession, demonstrationUser, layout, type PortName } from '@hms/local';
import { createMailer } from '@hms/mail';
import { type RequestOptions, send, startTestModule, type TestAnswer, type TestModule } from '@hms/service/testing';
import { CONSOLE_REALM, type HospitalRole } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { pino } from 'pino';
import { createAccounts } from '../services/auth/src/accounts.ts';
import { KeyWatch } from '../services/auth/src/key-watch.ts';
import { createKeycloak } from '../services/auth/src/keycloak.ts';
import { authModule } from '../services/auth/src/module.ts';
import { mailQueue } from '../services/auth/src/outgoing-mail.ts';
import { codeLimits, displayLimits, loginLimits } from '../services/auth/src/sessions/login-limits.ts';
import { readSigningKey } from '../services/auth/src/signing-key.ts';
import { platform } from './platform.ts';
import { type ConsolePerson, consolePerson, consoleSession, consoleToken } from './support/console-people.ts';
import { Engines } from './support/engines.ts';
import { call } from './support/gateway.ts';
import { applyHospital, freshHospital, whenCondition } from './support/hospitals.ts';
import { asKeycloakAdmin } from './support/keycloak-admin.ts';
import { mailsTo } from './support/mails.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;
const REASON = 'Ticket 4711: the list of patients stays empty';
const IMPERSONATIONS = '/api/auth/impersonations';
const state = platform();
const engines = new Engines(state);
const NETWORK = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.3` };

let hospital: string;
let other: string;
let support: ConsolePerson;
let admin: ConsolePerson;
let supportToken: string;
let adminToken: string;
let owner: string;
/** Another auth process, whose impersonations are short. */
let short: TestModule;

beforeAll(async () => {
  [hospital, other, support, admin] = await Promise.all([
    freshHospital().then(({ metadata }) => metadata.name),
    freshHospital().then(({ metadata }) => metadata.name),
    consolePerson('PLATFORM_SUPPORT'),
    consolePerson('PLATFORM_ADMIN'),
  ]);
  for (const role of ['DOCTOR', 'RECEPTION', 'ADMIN', 'OWNER', 'DISPLAY'] as const)
    await demonstrationUser(state, hospital, role);
  await demonstrationUser(state, other, 'DOCTOR');
  short = await shortAuth();
}, SLOW);
beforeAll(async () => {
  supportToken = await consoleToken(support);
  adminToken = await consoleToken(admin);
  owner = (await demonstrationSession(state, hospital, 'OWNER')).accessToken;
}, SLOW);
afterAll(async () => {
  await short?.close();
  await engines.close();
}, SLOW);

/** Seconds. */
const SHORT = 8;

async function shortAuth(): Promise<TestModule> {
  const { baseUrl, keycloakUrl, databaseUrls, ports } = state;
  const key = await readSigningKey(layout(state.dataDir).signingKey);
  const keycloak = createKeycloak({ baseUrl, keycloakUrl }, key);
  const log = pino({ level: 'silent' });
  const mailer = createMailer({ host: '127.0.0.1', port: ports.smtp, tls: 'none', from: 'test@example.org' });
  return startTestModule({
    databaseUrls,
    databaseRole: 'auth',
    identity: { baseUrl, keycloakUrl },
    define: (context) =>
      authModule({
        platform: context,
        registry: context.registry,
        ...{ baseUrl, key, keycloak, log, mailer },
        accounts: createAccounts(keycloak, keycloakUrl),
        limits: loginLimits(context.db),
        codeLimits: codeLimits(context.db),
        displayLimits: displayLimits(context.db),
        mails: mailQueue(mailer, log),
        keys: new KeyWatch({ onNewKey: async () => undefined, onError: () => undefined }),
        impersonationSeconds: SHORT,
      }),
  });
}

/** Directly at a process: the gateway would limit the requests. */
const at = (process: PortName, method: string, path: string, options: RequestOptions = {}) =>
  send(`http://127.0.0.1:${state.ports[process]}`, method, path, { headers: NETWORK, ...options });
const outcome = ({ status, success, error }: TestAnswer) => (success ? status : error.code);
const email = (role: HospitalRole, at = hospital) => `${role.toLowerCase()}@${at}.example`;

interface Chosen {
  readonly token?: string;
  readonly role?: HospitalRole;
  readonly body?: object;
  readonly at?: TestModule;
}

/** A request to begin one. */
function begin({ token = supportToken, role = 'DOCTOR', body = {}, at: module }: Chosen = {}): Promise<TestAnswer> {
  const request = { token, body: { hospital, email: email(role), reason: REASON, ...body } };
  return module ? module.send('POST', IMPERSONATIONS, request) : at('auth', 'POST', IMPERSONATIONS, request);
}

const secretFor = (id: string, body: object, module?: TestModule) => {
  const path = `${IMPERSONATIONS}/${id}/token`;
  return module ? module.send('POST', path, { body }) : at('auth', 'POST', path, { body });
};

interface Live {
  readonly id: string;
  readonly token: string;
  readonly key: string;
  readonly code: string;
}

/** An impersonation with its first token. */
async function acting(chosen: Chosen = {}): Promise<Live> {
  const begun = await begin(chosen);
  expect(outcome(begun)).toBe(201);
  const { impersonation, code } = begun.data<Schemas['StartedImpersonation']>();
  const first = await secretFor(impersonation.id, { hospital, code }, chosen.at);
  expect(outcome(first)).toBe(200);
  const { accessToken, key } = first.data<Schemas['ImpersonationToken']>();
  return { id: impersonation.id, token: accessToken, key, code };
}

const renew = ({ id, key }: Pick<Live, 'id' | 'key'>, module?: TestModule) => secretFor(id, { hospital, key }, module);
const end = (id: string, token: string) => at('auth', 'POST', `${IMPERSONATIONS}/${id}/end`, { token });
const patients = (token: string) => at('hms-1', 'GET', '/api/hms/patients', { token });
const PATIENT = { firstName: 'Ann', lastName: 'Lee', phone: '+353861234567', dateOfBirth: '1988-02-29' };
const create = (token: string) => at('hms-1', 'POST', '/api/hms/patients', { token, body: PATIENT });

/** Every module, with a request that any employee may make. */
const PROCESSES: readonly (readonly [PortName, string])[] = [
  ['hms-1', '/api/hms/patients'],
  ['hms-2', '/api/hms/patients'],
  ['crm', '/api/crm/families'],
  ['auth', '/api/auth/me'],
];
const everywhere = (token: string) =>
  Promise.all(PROCESSES.map(async ([process, path]) => outcome(await at(process, 'GET', path, { token }))));

/** All modules refuse the token within two seconds. */
async function expectRefused(token: string): Promise<void> {
  const answers = () => everywhere(token);
  await until('the token to be refused', answers, (all) => all.every((one) => one === 'UNAUTHENTICATED'), 2_000);
}

async function audit(query: string): Promise<readonly Schemas['AuditEvent'][]> {
  return (await at('auth', 'GET', `/api/auth/audit?${query}`, { token: owner })).data();
}

async function accountOf(address: string, realm = hospital): Promise<string> {
  const [user] = await (await asKeycloakAdmin()).users.find({ realm, email: address, exact: true });
  return user?.id ?? '';
}

describe('an impersonation', () => {
  it('gives a short token of the person that names its actor, through the gateway', async () => {
    const { id, token } = await acting();
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      sub: await accountOf(email('DOCTOR')),
      email: email('DOCTOR'),
      azp: 'hms-impersonation',
      act: { sub: 'hms-impersonation' },
      aud: 'hms-api',
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeLessThanOrEqual(120);
    const me = await call('GET', '/api/auth/me', { token });
    expect(me.body?.data).toMatchObject({
      email: email('DOCTOR'),
      roles: ['DOCTOR'],
      impersonation: { id, actorEmail: support.email, mode: 'read' },
    });
    expect((await call('GET', '/api/hms/patients', { token })).status).toBe(200);
    expect(await everywhere(token)).toEqual([200, 200, 200, 200]);
  });

  it('is renewed until it ends, by any process', async () => {
    const live = await acting();
    const answers = [await renew(live), await renew(live, short)];
    expect(answers.map(outcome)).toEqual([200, 200]);
    const [one, two] = answers.map((answer) => answer.data<Schemas['ImpersonationToken']>().accessToken);
    expect(one).not.toBe(two);
    for (const token of [live.token, one ?? '', two ?? '']) expect(outcome(await patients(token))).toBe(200);
  });

  it('may only read', async () => {
    const { token } = await acting({ role: 'RECEPTION' });
    expect(outcome(await patients(token))).toBe(200);
    const refused = await create(token);
    expect([refused.status, outcome(refused)]).toEqual([403, 'IMPERSONATION_READ_ONLY']);
    const families = await at('crm', 'POST', '/api/crm/families', { token, body: {} });
    expect(outcome(families)).toBe('IMPERSONATION_READ_ONLY');
  });

  it('may write for an administrator of the platform who asks for it, and for nobody else', async () => {
    expect(outcome(await create((await acting({ token: adminToken, role: 'RECEPTION' })).token))).toBe(
      'IMPERSONATION_READ_ONLY',
    );
    const live = await acting({ token: adminToken, role: 'RECEPTION', body: { mode: 'write' } });
    expect(outcome(await create(live.token))).toBe(201);
    const refused = await begin({ body: { mode: 'write' } });
    expect([refused.status, outcome(refused)]).toEqual([403, 'FORBIDDEN']);
  });

  it('never does what only the person may do', async () => {
    const { token } = await acting({ token: adminToken, role: 'ADMIN', body: { mode: 'write' } });
    const id = '0198a5a0-0000-7000-8000-000000000000';
    const requests: readonly (readonly [PortName, string, string, object])[] = [
      ['auth', 'PUT', '/api/auth/password', { currentPassword: 'a', newPassword: 'b' }],
      ['auth', 'POST', '/api/auth/displays', { code: 'BBBB-BBBB', name: 'A', clinicIds: [id] }],
      ['auth', 'PUT', `/api/auth/displays/${id}`, {}],
      ['auth', 'DELETE', `/api/auth/displays/${id}`, {}],
      ['hms-1', 'POST', '/api/hms/employees', {}],
      ['hms-1', 'PUT', `/api/hms/employees/${id}`, {}],
      ...['suspend', 'activate', 'terminate', 'resend-invite'].map(
        (step) => ['hms-1', 'POST', `/api/hms/employees/${id}/${step}`, {}] as const,
      ),
    ];
    for (const [process, method, path, body] of requests) {
      const answer = await at(process, method, path, { token, body });
      expect([path, answer.status, outcome(answer)]).toEqual([path, 403, 'IMPERSONATION_FORBIDDEN']);
    }
    // Nor another impersonation: nobody of a hospital may begin one at all.
    expect(outcome(await begin({ token }))).toBe('FORBIDDEN');
    expect(outcome(await at('hms-1', 'GET', '/api/hms/employees', { token }))).toBe(200);
  });

  it('is refused by every module within two seconds after its end, and can not be renewed', async () => {
    const live = await acting();
    expect(await everywhere(live.token)).toEqual([200, 200, 200, 200]);
    const ended = await end(live.id, supportToken);
    expect(ended.data<Schemas['Impersonation']>()).toMatchObject({ isLive: false, endedBy: support.email });
    await expectRefused(live.token);
    expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
    expect(outcome(await end(live.id, supportToken))).toBe(200);
  });

  it('ends with its own token, also if it may only read, and ends no other with it', async () => {
    const [live, foreign] = [await acting(), await acting({ token: adminToken, role: 'RECEPTION' })];
    expect(outcome(await end(foreign.id, live.token))).toBe('IMPERSONATION_UNKNOWN');
    expect(outcome(await end(live.id, live.token))).toBe(200);
    await expectRefused(live.token);
    expect(outcome(await patients(foreign.token))).toBe(200);
  });

  it('ends when its actor begins another one, even if many begin at once', async () => {
    const former = await acting();
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin()));
    expect(answers.map(outcome)).toEqual(answers.map(() => 201));
    await expectRefused(former.token);
    const begun = answers.map((answer) => answer.data<Schemas['StartedImpersonation']>());
    const redeemed = await Promise.all(
      begun.map(({ impersonation, code }) => secretFor(impersonation.id, { hospital, code })),
    );
    expect(redeemed.map(outcome).sort()).toEqual([200, ...answers.slice(1).map(() => 'IMPERSONATION_ENDED')]);
  });

  it('ends when its actor logs out of the console, or has no session there any more', async () => {
    const person = await consolePerson('PLATFORM_SUPPORT');
    const [first, second] = [await consoleSession(person), await consoleSession(person)];
    const logOut = (refreshToken: string) => at('auth', 'POST', '/api/auth/logout', { body: { refreshToken } });
    const live = await acting({ token: first.accessToken });
    // Another browser of the same person is still logged in.
    expect(outcome(await logOut(second.refreshToken))).toBe(200);
    expect(outcome(await renew(live))).toBe(200);
    expect(outcome(await logOut(first.refreshToken))).toBe(200);
    await expectRefused(live.token);
    const again = await consoleSession(person);
    const next = await acting({ token: again.accessToken });
    await (await asKeycloakAdmin()).users.logout({ realm: CONSOLE_REALM, id: person.id });
    expect(outcome(await renew(next))).toBe('FORBIDDEN');
    expect(outcome(await renew(next))).toBe('IMPERSONATION_ENDED');
  });

  it('of one person by two people at once keeps them apart', async () => {
    const [one, two] = [await acting(), await acting({ token: adminToken })];
    const actors = await Promise.all(
      [one, two].map(async ({ token }) => (await at('auth', 'GET', '/api/auth/me', { token })).data<Schemas['Me']>()),
    );
    expect(actors.map(({ impersonation }) => impersonation?.actorEmail)).toEqual([support.email, admin.email]);
    await end(one.id, supportToken);
    await expectRefused(one.token);
    expect(outcome(await renew(two))).toBe(200);
  });

  it(
    'lasts no longer than its time, whatever its tokens say',
    async () => {
      const started = Date.now();
      const live = await acting({ at: short });
      const { exp = 0 } = decodeJwt(live.token);
      expect(exp * 1000).toBeLessThanOrEqual(started + (SHORT + 2) * 1000);
      expect(outcome(await patients(live.token))).toBe(200);
      await delay(started + SHORT * 1000 + 1_000 - Date.now());
      expect(await everywhere(live.token)).toEqual(Array(4).fill('UNAUTHENTICATED'));
      expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
      expect(outcome(await renew(live, short))).toBe('IMPERSONATION_ENDED');
      // PostgreSQL itself keeps no longer one.
      const longer = engines.db.raw(
        `UPDATE platform.impersonations SET ends_at = started_at + interval '16 minutes' WHERE id = ?`,
        [live.id],
      );
      await expect(longer).rejects.toMatchObject({ code: '23514' });
      const ends = () => audit(`impersonationId=${live.id}&action=impersonate.end`);
      const [event] = await until('the end in the audit log', ends, ({ length }) => length === 1, 20_000);
      expect(event).toMatchObject({ details: { endedBy: null } });
    },
    SLOW,
  );

  it('has token and event stream end with it', async () => {
    const live = await acting();
    const stream = await fetch(`http://127.0.0.1:${state.ports['hms-1']}/api/hms/patients/changes`, {
      headers: { Authorization: `Bearer ${live.token}` },
    });
    expect(stream.status).toBe(200);
    await end(live.id, supportToken);
    const text = await stream.text();
    expect(text).toContain('event: reset');
  });
});

describe('nobody acts', () => {
  it.each([
    ['an OWNER', 'OWNER', 'owner'],
    ['a television display', 'DISPLAY', 'display'],
  ] as const)('as %s', async (_, role, reason) => {
    for (const token of [supportToken, adminToken]) {
      const refused = await begin({ token, role });
      expect([refused.status, outcome(refused)]).toEqual([403, 'PERSON_NOT_IMPERSONABLE']);
      expect(refused.error.details).toEqual({ reason });
    }
    const byId = await begin({ body: { email: undefined, accountId: await accountOf(email(role)) } });
    expect(outcome(byId)).toBe('PERSON_NOT_IMPERSONABLE');
  });

  it('as somebody who becomes an OWNER meanwhile', async () => {
    const realm = hospital;
    const live = await acting({ role: 'RECEPTION' });
    const { users, roles } = await asKeycloakAdmin();
    const role = await roles.findOneByName({ realm, name: 'OWNER' });
    const mapping = { realm, id: await accountOf(email('RECEPTION')), roles: [{ id: role?.id ?? '', name: 'OWNER' }] };
    await users.addRealmRoleMappings(mapping);
    const refused = await renew(live);
    await users.delRealmRoleMappings(mapping);
    expect(outcome(refused)).toBe('PERSON_NOT_IMPERSONABLE');
    // It has ended for good.
    expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
    await expectRefused(live.token);
  });

  it(
    'as an employee who is suspended, from the moment of the suspension',
    async () => {
      const employee = { firstName: 'Nora', lastName: 'Night', email: `nora@${hospital}.example`, roles: ['NURSE'] };
      const hired = await at('hms-1', 'POST', '/api/hms/employees', { token: owner, body: employee });
      const { id } = hired.data<Schemas['Employee']>();
      const read = async () =>
        (await at('hms-1', 'GET', `/api/hms/employees/${id}`, { token: owner })).data<Schemas['Employee']>();
      const { accountId } = await until('the account', read, (one) => one.accountId !== null);
      const body = { email: undefined, accountId };
      // Who was only invited has never worked here.
      expect((await begin({ body })).error.details).toEqual({ reason: 'suspended' });
      await engines.db.raw(`UPDATE ??.employees SET status = 'active' WHERE id = ?`, [`h_${hospital}`, id]);
      const live = await acting({ body });
      const { version } = await read();
      const suspended = await at('hms-1', 'POST', `/api/hms/employees/${id}/suspend`, {
        token: owner,
        body: { version },
      });
      expect(outcome(suspended)).toBe(200);
      expect(outcome(await renew(live))).toBe('PERSON_NOT_IMPERSONABLE');
      await expectRefused(live.token);
      expect((await begin({ body })).error.details).toEqual({ reason: 'suspended' });
    },
    SLOW,
  );

  it(
    'at a hospital that is suspended or does not exist, or as nobody',
    async () => {
      expect(outcome(await begin({ body: { hospital: 'no-such-hospital' } }))).toBe('HOSPITAL_UNKNOWN');
      expect(outcome(await begin({ body: { hospital: 'console' } }))).toBe('HOSPITAL_UNKNOWN');
      expect(outcome(await begin({ body: { email: 'nobody@example.org' } }))).toBe('PERSON_UNKNOWN');
      expect(outcome(await begin({ body: { email: undefined } }))).toBe('VALIDATION_FAILED');
      expect(outcome(await begin({ body: { reason: 'too short' } }))).toBe('VALIDATION_FAILED');
      const closed = (await freshHospital()).metadata.name;
      await demonstrationUser(state, closed, 'DOCTOR');
      const body = { hospital: closed, email: email('DOCTOR', closed) };
      const begun = (await begin({ body })).data<Schemas['StartedImpersonation']>();
      await applyHospital(closed, { state: 'Suspended' });
      await whenCondition(closed, 'Suspended', ({ status }) => status === 'True');
      const answers = () => Promise.all([begin({ body }), begin({ body })]);
      const [refused] = await until('the suspension', answers, (all) => all.every(({ status }) => status === 403));
      expect(refused && outcome(refused)).toBe('HOSPITAL_SUSPENDED');
      const late = await secretFor(begun.impersonation.id, { hospital: closed, code: begun.code });
      expect(late.success).toBe(false);
    },
    SLOW,
  );

  it('without the role, a token of the platform, or an account that still has it', async () => {
    expect(outcome(await begin({ token: owner }))).toBe('FORBIDDEN');
    expect(outcome(await at('auth', 'POST', IMPERSONATIONS, { body: {} }))).toBe('UNAUTHENTICATED');
    const live = await acting();
    await support.setRole(false);
    expect(outcome(await renew(live))).toBe('FORBIDDEN');
    await support.setRole(true);
    expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
    await expectRefused(live.token);
  });
});

describe('a stranger', () => {
  it('of the platform neither sees, renews nor ends what another one began', async () => {
    const live = await acting();
    expect(outcome(await end(live.id, adminToken))).toBe('IMPERSONATION_UNKNOWN');
    const list = await at('auth', 'GET', `${IMPERSONATIONS}/own`, { token: adminToken });
    expect(list.data<Schemas['Impersonation'][]>().map(({ id }) => id)).not.toContain(live.id);
    const key = `${'A'.repeat(42)}A`;
    expect(outcome(await renew({ id: live.id, key }))).toBe('IMPERSONATION_ENDED');
    expect(outcome(await patients(live.token))).toBe(200);
  });

  it('of another hospital neither uses the token there nor redeems the code', async () => {
    const begun = (await begin()).data<Schemas['StartedImpersonation']>();
    const { id } = begun.impersonation;
    expect(outcome(await secretFor(id, { hospital: other, code: begun.code }))).toBe('IMPERSONATION_ENDED');
    const first = await secretFor(id, { hospital, code: begun.code });
    const { accessToken: token } = first.data<Schemas['ImpersonationToken']>();
    const host = `${other}.${state.domain}`;
    expect((await call('GET', '/api/hms/patients', { token, host })).status).toBe(403);
    const foreignOwner = (await demonstrationSession(state, other, 'OWNER')).accessToken;
    expect(outcome(await end(id, foreignOwner))).toBe('IMPERSONATION_UNKNOWN');
  });

  it('redeems a code once, even in parallel, and not after a minute', async () => {
    const begun = (await begin()).data<Schemas['StartedImpersonation']>();
    const { id } = begun.impersonation;
    const redeem = (code: string, one = id) => secretFor(one, { hospital, code });
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(begun.code)));
    expect(answers.map(outcome).sort()).toEqual([200, ...Array(4).fill('IMPERSONATION_ENDED')]);
    expect(outcome(await redeem(begun.code))).toBe('IMPERSONATION_ENDED');
    const late = (await begin()).data<Schemas['StartedImpersonation']>();
    const expired = engines.db.raw(`UPDATE platform.impersonations SET code_expires_at = now() WHERE id = ?`, [
      late.impersonation.id,
    ]);
    await expired;
    expect(outcome(await redeem(late.code, late.impersonation.id))).toBe('IMPERSONATION_ENDED');
    // A code is no key, and a key no code.
    const { code: fresh, impersonation } = (await begin()).data<Schemas['StartedImpersonation']>();
    expect(outcome(await secretFor(impersonation.id, { hospital, key: fresh }))).toBe('IMPERSONATION_ENDED');
  });

  it('finds no code and no key in the database', async () => {
    const live = await acting();
    const stored = JSON.stringify(
      await engines.db.raw('SELECT * FROM platform.impersonations WHERE id = ?', [live.id]),
    );
    for (const secret of [live.code, live.key, live.token]) expect(stored).not.toContain(secret);
  });

  it('with a token of the client that the registry does not know is refused by every module', async () => {
    const { token, id } = await acting();
    await engines.db.raw('DELETE FROM platform.impersonation_tokens WHERE impersonation_id = ?', [id]);
    await expectRefused(token);
  });
});

describe("the realm's client", () => {
  const keyOf = async () => readSigningKey(layout(state.dataDir).signingKey);

  const grant = async (realm: string, form: Readonly<Record<string, string>>) => {
    const key = await keyOf();
    const response = await fetch(`${state.keycloakUrl}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...form,
        client_id: 'hms-impersonation',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await key.assertion('hms-impersonation', `${state.baseUrl}/auth/realms/${realm}`),
      }),
    });
    return (await response.json()) as { access_token?: string; error?: string; error_description?: string };
  };
  const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const soon = () => new Date(Date.now() + 60_000);

  it('takes an assertion once, only of the auth module, and only about the realm', async () => {
    await acting();
    const subject = await accountOf(email('DOCTOR'));
    const issuer = `${state.baseUrl}/auth/realms/${hospital}`;
    const assertion = await (await keyOf()).assertionAbout(subject, issuer, soon());
    const first = await grant(hospital, { grant_type: BEARER, assertion });
    expect(decodeJwt(first.access_token ?? '').sub).toBe(subject);
    expect((await grant(hospital, { grant_type: BEARER, assertion })).error_description).toBe('Token reuse detected');
    // Keycloak issued it, and nobody began an impersonation with it.
    expect(outcome(await patients(first.access_token ?? ''))).toBe('UNAUTHENTICATED');

    const elsewhere = await (await keyOf()).assertionAbout(subject, `${state.baseUrl}/auth/realms/${other}`, soon());
    expect((await grant(hospital, { grant_type: BEARER, assertion: elsewhere })).error).toBe('invalid_grant');
    const { privateKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    );
    const forged = await new SignJWT({ jti: 'forged' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer('https://hms-auth.invalid')
      .setSubject(subject)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime('60 s')
      .sign(privateKey);
    expect((await grant(hospital, { grant_type: BEARER, assertion: forged })).error).toBe('invalid_grant');
  });

  it('gives nothing for a password, by itself, or in the realm of the platform', async () => {
    const { password } = await demonstrationUser(state, hospital, 'DOCTOR');
    const tries = [
      await grant(hospital, { grant_type: 'password', username: email('DOCTOR'), password }),
      await grant(hospital, { grant_type: 'client_credentials' }),
    ];
    expect(tries.map(({ error }) => error)).toEqual(['unauthorized_client', 'unauthorized_client']);
    const issuer = `${state.baseUrl}/auth/realms/console`;
    const assertion = await (await keyOf()).assertionAbout(admin.id, issuer, soon());
    expect((await grant('console', { grant_type: BEARER, assertion })).error).toBe('invalid_client');
  });

  it('carries no role of an OWNER, even if Keycloak is asked for one', async () => {
    const realm = hospital;
    const id = await accountOf(email('OWNER'));
    const { users } = await asKeycloakAdmin();
    await users.addToFederatedIdentity({
      ...{ realm, id, federatedIdentityId: 'hms-auth' },
      federatedIdentity: { identityProvider: 'hms-auth', userId: id, userName: id },
    });
    const assertion = await (await keyOf()).assertionAbout(id, `${state.baseUrl}/auth/realms/${realm}`, soon());
    const { access_token: token = '' } = await grant(realm, { grant_type: BEARER, assertion });
    await (await asKeycloakAdmin()).users.delFromFederatedIdentity({ realm, id, federatedIdentityId: 'hms-auth' });
    expect(JSON.stringify(decodeJwt(token).realm_access ?? {})).not.toContain('OWNER');
  });

  it('gives no token of an account that somebody has linked to another one', async () => {
    const realm = hospital;
    const [victim, id] = [await accountOf(email('ADMIN')), await accountOf(email('DOCTOR'))];
    const live = await acting();
    const { users } = await asKeycloakAdmin();
    const link = { realm, federatedIdentityId: 'hms-auth' };
    await users.delFromFederatedIdentity({ ...link, id });
    await users.addToFederatedIdentity({
      ...{ ...link, id: victim },
      federatedIdentity: { identityProvider: 'hms-auth', userId: id, userName: id },
    });
    expect((await renew(live)).status).toBe(500);
    await (await asKeycloakAdmin()).users.delFromFederatedIdentity({ ...link, id: victim });
    // The link is made again on demand.
    expect(outcome(await renew(live))).toBe(200);
  });

  it('leaves no link behind', async () => {
    const live = await acting({ role: 'RECEPTION' });
    const id = await accountOf(email('RECEPTION'));
    const links = async () => (await asKeycloakAdmin()).users.listFederatedIdentities({ realm: hospital, id });
    expect(await links()).toHaveLength(1);
    await end(live.id, supportToken);
    await until('the link to be removed', links, ({ length }) => length === 0, 20_000);
  });
});

describe('the hospital', () => {
  it(
    'sees both people, the reason and the end in its audit log, and who looked at a patient',
    async () => {
      const live = await acting({ token: adminToken, role: 'RECEPTION', body: { mode: 'write' } });
      const { id: patient } = (await create(live.token)).data<{ id: string }>();
      await at('hms-1', 'GET', `/api/hms/patients/${patient}`, { token: live.token });
      await end(live.id, adminToken);
      const both = {
        actor: await accountOf(email('RECEPTION')),
        actorEmail: email('RECEPTION'),
        impersonator: admin.id,
        impersonatorEmail: admin.email,
        impersonationId: live.id,
      };
      const events = await until(
        'the end',
        () => audit(`impersonationId=${live.id}`),
        (all) => all.some(({ action }) => action === 'impersonate.end'),
        20_000,
      );
      expect(events.map(({ action }) => action).sort()).toEqual(
        ['create', 'create', 'create', 'impersonate.end', 'impersonate.start', 'read'].sort(),
      );
      for (const event of events) expect(event).toMatchObject(both);
      const started = events.find(({ action }) => action === 'impersonate.start');
      expect(started).toMatchObject({
        record: 'impersonations',
        recordId: live.id,
        details: { reason: REASON, mode: 'write' },
      });
      const ended = events.find(({ action }) => action === 'impersonate.end');
      expect(ended).toMatchObject({ details: { endedBy: admin.email } });
      const access = await at('hms-1', 'GET', `/api/hms/patients/${patient}/access`, { token: owner });
      expect(access.data<Schemas['AuditEvent'][]>()).toContainEqual(
        expect.objectContaining({ ...both, action: 'read' }),
      );
      const csv = await call('GET', `/api/auth/audit/export?impersonationId=${live.id}`, { token: owner });
      expect(csv.text).toContain(admin.email);
      const { rows } = await engines.db.raw<{ rows: { action: string; actor_email: string }[] }>(
        'SELECT action, actor_email FROM platform.console_events WHERE record_id = ? ORDER BY at',
        [live.id],
      );
      expect(rows).toEqual(
        ['impersonate.start', 'impersonate.end'].map((action) => ({ action, actor_email: admin.email })),
      );
    },
    SLOW,
  );

  it(
    'has its owners told by e-mail who acts as whom, why, and until when',
    async () => {
      const before = (await mailsTo(email('OWNER'))).length;
      const reason = `Ticket <b>${randomInt(1e9)}</b>: nothing is shown`;
      await acting({ token: adminToken, body: { reason, mode: 'write' } });
      const mails = await until(
        'the mail',
        async () => (await mailsTo(email('OWNER'))).slice(before),
        (all) => all.some(({ html }) => html.includes(reason.slice(10, 16))),
        30_000,
      );
      const mail = mails.find(({ html }) => html.includes(reason.slice(10, 16)));
      expect(mail?.subject).toBe(`Platform support acts as ${email('DOCTOR')}`);
      expect(mail?.html).toContain(admin.email);
      expect(mail?.html).toContain('May read and change data.');
      expect(mail?.html).not.toContain('<b>');
      expect(mail?.html).not.toContain('May only read.');
      // Only the owners.
      const others = await mailsTo(email('ADMIN'));
      expect(others.filter(({ subject }) => subject.includes('acts as'))).toEqual([]);
    },
    SLOW,
  );

  it(
    'lists them for owners and administrators, live ones first, and lets an owner end one',
    async () => {
      const [first, live] = [await acting({ token: adminToken }), await acting()];
      await end(first.id, adminToken);
      const hospitalAdmin = (await demonstrationSession(state, hospital, 'ADMIN')).accessToken;
      for (const token of [owner, hospitalAdmin]) {
        const answer = await at('auth', 'GET', `${IMPERSONATIONS}?limit=100`, { token });
        const list = answer.data<Schemas['Impersonation'][]>();
        expect(list[0]).toMatchObject({ id: live.id, isLive: true, reason: REASON, actor: { email: support.email } });
        expect(list.find(({ id }) => id === first.id)).toMatchObject({ isLive: false, endedBy: admin.email });
        expect(answer.meta?.total).toBe(list.length);
      }
      const doctor = (await demonstrationSession(state, hospital, 'DOCTOR')).accessToken;
      expect(outcome(await at('auth', 'GET', IMPERSONATIONS, { token: doctor }))).toBe('FORBIDDEN');
      expect(outcome(await end(live.id, doctor))).toBe('IMPERSONATION_UNKNOWN');
      expect(outcome(await end(live.id, hospitalAdmin))).toBe('FORBIDDEN');
      expect(outcome(await end(live.id, owner))).toBe(200);
      await expectRefused(live.token);
      expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
      const foreign = (await demonstrationSession(state, other, 'OWNER')).accessToken;
      const elsewhere = await at('auth', 'GET', IMPERSONATIONS, { token: foreign });
      expect(elsewhere.data()).toEqual([]);
    },
    SLOW,
  );
});
