/** Television displays, on the platform: pairing, tokens, and what a display may not do. */
import { randomInt } from 'node:crypto';
import { listTasks } from '@hms/database';
import type { PortName } from '@hms/local';
import type { RequestOptions } from '@hms/service/testing';
import { BUILT_MODULES, hospitalNames, processNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { claimsOf, DISPLAYS, type Display, displaysOf, newClinic, outcome, request } from '../support/displays.ts';
import { Engines } from '../support/engines.ts';
import { tokenOf } from '../support/gateway.ts';
import { applyHospital, freshHospital, freshPrefix, whenCondition, whenReady } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { HOSPITAL_PROCESSES } from '../support/processes.ts';
import { Television } from '../support/television.ts';
import { until } from '../support/until.ts';

const SLOW = 90_000;
const CLINICS = '/api/hms/clinics';
/** One of each module. */
const PROCESSES = BUILT_MODULES.flatMap((module) => processNames(module).slice(0, 1));

const engines = new Engines(platform());
let hospital: string;
let other: string;
let admin: string;
let otherAdmin: string;
let clinic: string;

beforeAll(async () => {
  const [one, two] = await Promise.all([freshHospital(), freshHospital()]);
  [hospital, other] = [one.metadata.name, two.metadata.name];
  admin = await tokenOf(hospital, 'ADMIN');
  clinic = await newClinic('ENT-1', admin);
}, SLOW);
afterAll(() => engines.close());
beforeEach(async () => {
  [admin, otherAdmin] = [await tokenOf(hospital, 'ADMIN'), await tokenOf(other, 'ADMIN')];
}, SLOW);

const at = (process: PortName, method: string, path: string, options: RequestOptions = {}) =>
  request(`http://127.0.0.1:${platform().ports[process]}`, method, path, options);
const auth = (method: string, path: string, options: RequestOptions = {}) => at('auth', method, path, options);

const begin = (prefix = hospital) => displaysOf(prefix).begin();
const ask = (deviceCode: string, prefix = hospital) => displaysOf(prefix).ask(deviceCode);
const pair = (code: string, token = admin, changes: object = {}) =>
  displaysOf(hospital).pair(code, token, clinic, changes);
const unpair = (id: string) => displaysOf(hospital).unpair(id, admin);
const read = async (id: string) => (await auth('GET', `${DISPLAYS}/${id}`, { token: admin })).data<Display>();
const me = (token: string) => displaysOf(hospital).me(token);
const tokenFor = (deviceCode: string, prefix = hospital) => displaysOf(prefix).tokenFor(deviceCode);

interface Paired {
  readonly id: string;
  readonly deviceCode: string;
  readonly token: string;
}

async function paired(): Promise<Paired> {
  const { deviceCode, userCode } = await begin();
  const { id } = (await pair(userCode)).data<Display>();
  return { id, deviceCode, token: (await tokenFor(deviceCode)).accessToken };
}

/** The body of the only request that every token may make. */
const PASSWORDS = { currentPassword: 'a long passphrase', newPassword: 'another long passphrase' };

/** Runs a statement in a hospital's schema. */
const sql = (text: string, values: readonly string[], prefix = hospital) =>
  engines.db.raw(text.replaceAll('$schema', `"${hospitalNames(prefix).schema}"`), [...values]);

/** Lets days pass in which a display and its hospital did nothing. */
async function passDays(days: number, id: string, prefix = hospital): Promise<void> {
  const ago = `now() - interval '${days} days'`;
  await sql(`UPDATE $schema.displays SET last_seen_at = ${ago}, created_at = ${ago} WHERE id = ?`, [id], prefix);
  await sql(`UPDATE $schema.display_secrets SET since = ${ago} WHERE display_id = ?`, [id], prefix);
  await engines.db.raw(`UPDATE platform.hospitals SET updated_at = ${ago} WHERE prefix = ?`, [prefix]);
}

async function accountOf(displayId: string) {
  const { users } = await asKeycloakAdmin();
  return (await users.find({ realm: hospital, username: displayId, exact: true }))[0];
}

describe('a display', () => {
  it('gets a token once an administrator has entered its code, which names it and carries DISPLAY only', async () => {
    const { deviceCode, userCode, ...started } = await begin();
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(started).toMatchObject({ expiresIn: 600, interval: 5 });
    expect(started.verificationUriComplete).toBe(`${started.verificationUri}#${userCode}`);
    expect(started.verificationUri).toContain(`${hospital}.`);
    expect(outcome(await ask(deviceCode))).toBe('AUTHORIZATION_PENDING');
    // As people type it.
    const answer = await pair(` ${userCode.toLowerCase().replace('-', ' ')} `, admin, { name: 'Ground floor' });
    expect(answer).toMatchObject({ status: 201 });
    const { id, accountId } = answer.data<Display>();
    expect(accountId).toBeNull();
    const { accessToken, expiresIn, deviceCode: next } = await tokenFor(deviceCode);
    expect(expiresIn).toBeLessThanOrEqual(300);
    expect(next).toBeNull();
    const display = await read(id);
    const claims = claimsOf(accessToken);
    expect(claims).toMatchObject({ display_id: id, sub: display.accountId, hospital_prefix: hospital });
    expect(claims.realm_access).toEqual({ roles: ['DISPLAY'] });
    expect((await me(accessToken)).data()).toMatchObject({
      ...{ id, name: 'Ground floor', clinics: [{ id: clinic, code: 'ENT-1', name: 'Clinic ENT-1' }] },
      hospital: { name: `Hospital ${hospital}` },
    });
  });

  it('is renamed, shows other clinics, and is seen without a change of its version', async () => {
    const { id, token, deviceCode } = await paired();
    const before = await read(id);
    const second = await newClinic('ENT-2', admin);
    const changes = { name: 'First floor', clinicIds: [second, clinic], version: before.version };
    expect(await auth('PUT', `${DISPLAYS}/${id}`, { token: admin, body: changes })).toMatchObject({ status: 200 });
    expect((await me(token)).data()).toMatchObject({
      name: 'First floor',
      clinics: [{ code: 'ENT-2' }, { code: 'ENT-1' }],
    });
    await ask(deviceCode);
    const after = await read(id);
    expect(after.version).toBe(before.version + 1);
    expect(Date.parse(after.lastSeenAt ?? '')).toBeGreaterThan(Date.parse(before.lastSeenAt ?? ''));
    // What it reads is not a sign of life that is written.
    await me(token);
    expect((await read(id)).lastSeenAt).toBe(after.lastSeenAt);
  });

  it(
    'signs in again after the hospital was suspended for months and resumed, at any of its hosts',
    async () => {
      const host = `${freshPrefix()}.example`;
      const { name } = (await freshHospital({ gateway: { hosts: [host] } })).metadata;
      const owner = await tokenOf(name, 'OWNER');
      const television = new Television(host);
      const own = await newClinic('A', owner);
      const answer = await displaysOf(name).pair(await television.start(), owner, own);
      expect(answer).toMatchObject({ status: 201 });
      /** The code of the answer, or the token. */
      const told = async () => {
        const { body, headers } = await television.ask();
        const data = body?.data as { readonly accessToken: string } | undefined;
        return { what: body?.error?.code ?? data?.accessToken, isKept: headers['set-cookie'] !== undefined };
      };
      await until('a token', told, ({ what }) => what?.includes('.') === true);
      await passDays(120, answer.data<Display>().id, name);
      await applyHospital(name, { state: 'Suspended', gateway: { hosts: [host] } });
      await whenCondition(name, 'Suspended', ({ status }) => status === 'True');
      expect(await until('a refusal', told, ({ what }) => what?.includes('.') === false)).toEqual({
        what: 'HOSPITAL_SUSPENDED',
        isKept: true,
      });
      // The server of the pages no longer knows the prefix after some seconds.
      for (const known of [name, host]) {
        expect(outcome(await ask('A'.repeat(43), known))).toBe('HOSPITAL_SUSPENDED');
        const started = await auth('POST', `${DISPLAYS}/start`, { body: { hospital: known } });
        expect(outcome(started)).toBe('HOSPITAL_SUSPENDED');
      }
      await applyHospital(name, { state: 'Active', gateway: { hosts: [host] } });
      await whenReady(name);
      const { what = '' } = await until('a token', told, (one) => one.what?.includes('.') === true);
      expect(await me(what)).toMatchObject({ status: 200 });
    },
    SLOW,
  );

  it('signs in after it was off for three weeks, again and again', async () => {
    const { id, deviceCode } = await paired();
    let secret = deviceCode;
    for (let times = 1; times <= 3; times += 1) {
      await passDays(21, id);
      const { accessToken, deviceCode: next } = await tokenFor(secret);
      expect(await me(accessToken)).toMatchObject({ status: 200 });
      secret = next ?? '';
      expect((await tokenFor(secret)).deviceCode).toBeNull();
    }
    expect(secret).not.toBe(deviceCode);
  });

  it('gets another secret after a week, and stays paired if that answer is lost', async () => {
    const { id, deviceCode } = await paired();
    await sql(`UPDATE $schema.display_secrets SET since = since - interval '8 days' WHERE display_id = ?`, [id]);
    const { deviceCode: next } = await tokenFor(deviceCode);
    expect(next).not.toBeNull();
    // The answer is lost, and then two tabs ask at a time.
    const again = await Promise.all([tokenFor(deviceCode), tokenFor(deviceCode)]);
    expect(again.map((token) => token.deviceCode)).toEqual([next, next]);
    expect((await tokenFor(next ?? '')).deviceCode).toBeNull();
    // A copy of the former secret is worth nothing.
    expect(outcome(await ask(deviceCode))).toBe('EXPIRED_TOKEN');
    expect((await tokenFor(next ?? '')).deviceCode).toBeNull();
  });

  it('has to be paired again after three months without a sign of it', async () => {
    const { id, deviceCode } = await paired();
    await passDays(89, id);
    expect(await ask(deviceCode)).toMatchObject({ status: 200 });
    const asked = async () => {
      await passDays(91, id);
      return outcome(await ask(deviceCode));
    };
    // The module knows the row of the hospital for some seconds.
    await until('a refusal', asked, (told) => told === 'EXPIRED_TOKEN');
  });

  it('gets another account if Keycloak has lost it', async () => {
    const { id, deviceCode } = await paired();
    const account = await accountOf(id);
    await (await asKeycloakAdmin()).users.del({ realm: hospital, id: account?.id ?? '' });
    expect(outcome(await ask(deviceCode))).toBe('DISPLAY_NOT_READY');
    const { accessToken } = await tokenFor(deviceCode);
    expect(claimsOf(accessToken).sub).not.toBe(account?.id);
    expect(await me(accessToken)).toMatchObject({ status: 200 });
  });
});

describe('an account', () => {
  it('that a crash has left half made is completed', async () => {
    const { id, deviceCode } = await paired();
    const realm = hospital;
    const { users } = await asKeycloakAdmin();
    const account = (await accountOf(id))?.id ?? '';
    const roles = (await users.listRealmRoleMappings({ realm, id: account })).filter(({ name }) => name === 'DISPLAY');
    await users.delRealmRoleMappings({ realm, id: account, roles: roles as { id: string; name: string }[] });
    await users.delFromFederatedIdentity({ realm, id: account, federatedIdentityId: 'hms-displays' });
    await users.update({ realm, id: account }, { enabled: false });
    expect(outcome(await ask(deviceCode))).toBe('DISPLAY_NOT_READY');
    const claims = claimsOf((await tokenFor(deviceCode)).accessToken);
    expect(claims).toMatchObject({ sub: account, realm_access: { roles: ['DISPLAY'] } });
  });

  it('carries no role that somebody else gave it', async () => {
    const { id, deviceCode } = await paired();
    const realm = hospital;
    const { users, roles } = await asKeycloakAdmin();
    const account = (await accountOf(id))?.id ?? '';
    const owner = await roles.findOneByName({ realm, name: 'OWNER' });
    await users.addRealmRoleMappings({ realm, id: account, roles: [{ id: owner?.id ?? '', name: 'OWNER' }] });
    const claims = claimsOf((await tokenFor(deviceCode)).accessToken);
    expect(claims.realm_access).toEqual({ roles: ['DISPLAY'] });
  });
});

describe('an unpaired display', () => {
  it('is refused everywhere at once, for good', async () => {
    const { id, deviceCode, token } = await paired();
    expect(await me(token)).toMatchObject({ status: 200 });
    expect(await unpair(id)).toMatchObject({ status: 200 });
    expect(outcome(await ask(deviceCode))).toBe('EXPIRED_TOKEN');
    for (const [process, path] of HOSPITAL_PROCESSES)
      await until(
        `a refusal by ${process}`,
        () => at(process, 'GET', path, { token }),
        ({ status }) => status === 401,
      );
    await until(
      'no account',
      () => accountOf(id),
      (account) => account === undefined,
    );
    expect(outcome(await unpair(id))).toBe('DISPLAY_NOT_FOUND');
    expect(outcome(await ask(deviceCode))).toBe('EXPIRED_TOKEN');
  });

  it('leaves no account if it is unpaired while its account is made', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { userCode } = await begin();
        const { id } = (await pair(userCode)).data<Display>();
        expect(await unpair(id)).toMatchObject({ status: 200 });
        return id;
      }),
    );
    await until(
      'no task',
      () => listTasks(engines.db, { hospital }),
      (tasks) => tasks.length === 0,
    );
    for (const id of ids) expect(await accountOf(id)).toBeUndefined();
  });
});

describe('a code', () => {
  it('works once, and for one display, even if two administrators enter it at a time', async () => {
    const [one, two] = [await begin(), await begin()];
    const answers = await Promise.all(Array.from({ length: 4 }, () => pair(one.userCode)));
    expect(answers.map(outcome).sort()).toEqual([201, ...Array(3).fill('DISPLAY_CODE_UNKNOWN')]);
    await tokenFor(one.deviceCode);
    expect(outcome(await ask(two.deviceCode))).toBe('AUTHORIZATION_PENDING');
  });

  it('expires', async () => {
    const { userCode, deviceCode } = await begin();
    await sql('UPDATE $schema.display_pairings SET expires_at = now()', []);
    expect(outcome(await pair(userCode))).toBe('DISPLAY_CODE_UNKNOWN');
    expect(outcome(await ask(deviceCode))).toBe('EXPIRED_TOKEN');
  });

  it('can be entered again after a mistake in the form, and not guessed', async () => {
    const doctorAndAdmin = await tokenOf(hospital, 'OWNER');
    const { userCode } = await begin();
    expect(outcome(await pair(userCode, doctorAndAdmin, { clinicIds: [] }))).toBe('VALIDATION_FAILED');
    for (let tries = 1; tries <= 10; tries += 1)
      expect(outcome(await pair('BBBB-BBBB', doctorAndAdmin))).toBe('DISPLAY_CODE_UNKNOWN');
    const refused = await pair(userCode, doctorAndAdmin);
    expect(outcome(refused)).toBe('TOO_MANY_DISPLAY_CODES');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await pair(userCode)).toMatchObject({ status: 201 });
  });

  it('is given to an address a limited number of times', async () => {
    const headers = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.1` };
    const start = () => auth('POST', `${DISPLAYS}/start`, { body: { hospital: other }, headers });
    for (let starts = 1; starts <= 60; starts += 1) expect(await start()).toMatchObject({ status: 200 });
    expect(outcome(await start())).toBe('TOO_MANY_DISPLAY_CODES');
  });

  it('stores nothing with which a display could sign in', async () => {
    const { userCode, deviceCode } = await begin();
    const { rows } = await sql('SELECT * FROM $schema.display_pairings', []);
    const stored = JSON.stringify(rows, (_key, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value,
    );
    expect(stored).not.toContain(userCode.replace('-', ''));
    expect(stored).not.toContain(deviceCode);
  });
});

describe('an attack', () => {
  it('by somebody who is no administrator approves nothing', async () => {
    const { userCode, deviceCode } = await begin();
    const { token: display } = await paired();
    for (const role of ['DOCTOR', 'NURSE', 'RECEPTION'] as const)
      expect(outcome(await pair(userCode, await tokenOf(hospital, role)))).toBe('FORBIDDEN');
    // A display does not approve itself, nor another one.
    expect(outcome(await pair(userCode, display))).toBe('FORBIDDEN');
    expect(outcome(await auth('POST', DISPLAYS, { body: { code: userCode } }))).toBe('UNAUTHENTICATED');
    expect(outcome(await ask(deviceCode))).toBe('AUTHORIZATION_PENDING');
  });

  it('by the administrator of another hospital finds neither code, display nor clinic', async () => {
    const { userCode, deviceCode } = await begin();
    const foreign = await newClinic('B', otherAdmin);
    expect(outcome(await pair(userCode, otherAdmin, { clinicIds: [foreign] }))).toBe('DISPLAY_CODE_UNKNOWN');
    expect(outcome(await pair(userCode, admin, { clinicIds: [foreign] }))).toBe('CLINIC_NOT_FOUND');
    expect(outcome(await ask(deviceCode, other))).toBe('EXPIRED_TOKEN');
    expect(outcome(await ask(deviceCode, 'no-such-hospital'))).toBe('HOSPITAL_UNKNOWN');
    // The code that was refused with a wrong clinic is not used up.
    const { id } = (await pair(userCode)).data<Display>();
    await tokenFor(deviceCode);
    expect(outcome(await ask(deviceCode, other))).toBe('EXPIRED_TOKEN');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { body: { name: 'Mine' } } : {};
      expect(outcome(await auth(method, `${DISPLAYS}/${id}`, { token: otherAdmin, ...body }))).toBe(
        'DISPLAY_NOT_FOUND',
      );
    }
  });

  it('with a display’s token opens nothing but what displays may read', async () => {
    const { token } = await paired();
    const others = new Map<string, number>();
    let tried = 0;
    for (const process of PROCESSES) {
      const document = await (await fetch(`http://127.0.0.1:${platform().ports[process]}/openapi.json`)).json();
      const { paths } = document as { readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>> };
      for (const [path, methods] of Object.entries(paths)) {
        const address = path.replaceAll(/\{[^}]+\}/g, '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e');
        for (const [method, operation] of Object.entries(methods)) {
          if ('security' in operation && Array.isArray(operation.security) && operation.security.length === 0) continue;
          const body = method === 'get' || method === 'delete' ? {} : { body: PASSWORDS };
          const answer = await at(process, method.toUpperCase(), address, { token, ...body });
          tried += 1;
          if (answer.status !== 403) others.set(`${method} ${path}`, answer.status);
        }
      }
    }
    expect(tried).toBeGreaterThan(30);
    expect(Object.fromEntries(others)).toEqual({
      'get /api/auth/displays/me': 200,
      'put /api/auth/displays/me/report': 400,
      // What every token may: to be checked, and to say whom it is for.
      ...{ 'get /api/auth/check': 200, 'get /api/hms/check': 200, 'get /api/crm/check': 200, 'get /api/auth/me': 200 },
      ...{ 'get /api/queue/check': 200, 'get /api/payment/check': 200 },
      // Its own purpose: the queues of clinics, of which it has none of this id.
      ...{ 'get /api/queue/{clinicId}/board': 404, 'get /api/queue/{clinicId}/stream': 404 },
      'get /api/queue/display': 400,
      // A display has no password that it could change.
      'put /api/auth/password': 400,
      // Nobody acts as a display, so it finds nothing to end.
      'post /api/auth/impersonations/{id}/end': 404,
    });
  });

  it('with the token of a person reads no display', async () => {
    expect(outcome(await me(admin))).toBe('FORBIDDEN');
    // Somebody whom an administrator of Keycloak has given the role is no display either.
    expect(outcome(await me(await tokenOf(hospital, 'DISPLAY')))).toBe('DISPLAY_NOT_FOUND');
  });

  it('with a secret that no display has gets nothing', async () => {
    expect(outcome(await ask('A'.repeat(43)))).toBe('EXPIRED_TOKEN');
    expect(outcome(await ask('short'))).toBe('VALIDATION_FAILED');
    expect(outcome(await auth('POST', `${DISPLAYS}/start`, { body: { hospital: 'no-such-hospital' } }))).toBe(
      'HOSPITAL_UNKNOWN',
    );
  });
});

describe('a clinic', () => {
  it('has a code of its own, and is kept while a display shows it', async () => {
    const id = await newClinic('EYE', admin);
    const taken = await at('hms-1', 'POST', CLINICS, { token: admin, body: { code: 'eye', name: 'Eyes' } });
    expect(outcome(taken)).toBe('CLINIC_CODE_TAKEN');
    const { userCode } = await begin();
    const display = (await pair(userCode, admin, { clinicIds: [id] })).data<Display>();
    const remove = () => at('hms-1', 'DELETE', `${CLINICS}/${id}`, { token: admin });
    expect(outcome(await remove())).toBe('CLINIC_IN_USE');
    await unpair(display.id);
    expect(await remove()).toMatchObject({ status: 200 });
    const next = await begin();
    expect(outcome(await pair(next.userCode, admin, { clinicIds: [id] }))).toBe('CLINIC_NOT_FOUND');
  });

  it('belongs to a department, which is kept for it', async () => {
    const hms = (method: string, path: string, body?: object) =>
      at('hms-1', method, path, { token: admin, ...(body ? { body } : {}) });
    const department = (await hms('POST', '/api/hms/departments', { code: 'SKIN', name: 'Skin' })).data<Display>();
    const id = await newClinic('SKIN-1', admin);
    const changed = await hms('PUT', `${CLINICS}/${id}`, { departmentId: department.id });
    expect(changed.data()).toMatchObject({ departmentId: department.id });
    expect(outcome(await hms('DELETE', `/api/hms/departments/${department.id}`))).toBe('DEPARTMENT_IN_USE');
    expect(outcome(await hms('PUT', `${CLINICS}/${id}`, { departmentId: id }))).toBe('INVALID_REFERENCE');
    expect(await hms('PUT', `${CLINICS}/${id}`, { departmentId: null })).toMatchObject({ status: 200 });
    expect(await hms('DELETE', `/api/hms/departments/${department.id}`)).toMatchObject({ status: 200 });
  });

  it('is read by everybody who works there, and written by administrators', async () => {
    const nurse = await tokenOf(hospital, 'NURSE');
    expect(await at('hms-1', 'GET', CLINICS, { token: nurse })).toMatchObject({ status: 200 });
    const body = { code: 'X', name: 'X' };
    expect(outcome(await at('hms-1', 'POST', CLINICS, { token: nurse, body }))).toBe('FORBIDDEN');
  });
});
