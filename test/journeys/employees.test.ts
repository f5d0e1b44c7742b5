/** Employees and their accounts, on the platform: hms, auth, Keycloak, PostgreSQL and the mail catcher. */
import { randomInt } from 'node:crypto';
import type { Schemas } from '@hms/api-client';
import { listTasks } from '@hms/database';
import type { PortName } from '@hms/local';
import { type RequestOptions, send, type TestAnswer } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { tokenOf } from '../support/gateway.ts';
import { applyHospital, freshHospital, resync } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { codesTo, mailsTo } from '../support/mails.ts';
import { HOSPITAL_PROCESSES } from '../support/processes.ts';
import { until } from '../support/until.ts';

type Employee = Schemas['Employee'];

const SLOW = 90_000;
const EMPLOYEES = '/api/hms/employees';
const PASSWORD = 'a long passphrase';
/** Logins are limited by the client's network, which other suites share. */
const NETWORK = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.1` };

const engines = new Engines(platform());
let hospital: string;
let portal: string;
/** Tokens of an OWNER and of an ADMIN, who are no employees. */
let owner: string;
let admin: string;

beforeAll(async () => {
  const { metadata, status } = await freshHospital();
  hospital = metadata.name;
  portal = status?.endpoints?.portal ?? '';
}, SLOW);
afterAll(() => engines.close());
beforeEach(async () => {
  owner = await tokenOf(hospital, 'OWNER');
  admin = await tokenOf(hospital, 'ADMIN');
}, SLOW);

/** Directly at a process: the gateway would limit the requests. */
const at = (process: PortName, method: string, path: string, options: RequestOptions = {}) =>
  send(`http://127.0.0.1:${platform().ports[process]}`, method, path, { ...options, headers: NETWORK });
const hms = (method: string, path: string, options: RequestOptions = {}) => at('hms-1', method, path, options);
const auth = (path: string, body: object) => at('auth', 'POST', path, { body });

const outcome = ({ status, success, error }: TestAnswer) => (success ? status : error.code);
const login = (email: string, password = PASSWORD) => auth('/api/auth/login', { hospital, email, password });
const post = (path: string, token: string, body: object = {}) => hms('POST', path, { token, body });
const put = (id: string, token: string, body: object) => hms('PUT', `${EMPLOYEES}/${id}`, { token, body });
const step = (id: string, name: string, token = owner) => post(`${EMPLOYEES}/${id}/${name}`, token);
const read = async (id: string) => (await hms('GET', `${EMPLOYEES}/${id}`, { token: owner })).data<Employee>();

let people = 0;
const newPerson = (changes: object = {}) => {
  people += 1;
  return {
    firstName: 'Nora',
    lastName: `Night ${people}`,
    email: `nora${people}@example.org`,
    roles: ['NURSE'],
    ...changes,
  };
};

/** The account in Keycloak as an administrator sees it. */
async function accountOf(id: string) {
  const { users } = await asKeycloakAdmin();
  const realm = hospital;
  const user = id === '' ? undefined : await users.findOne({ realm, id });
  if (!user) return undefined;
  const roles = (await users.listRealmRoleMappings({ realm, id })).map(({ name = '' }) => name);
  return { ...user, roles: roles.filter((name) => /^[A-Z_]+$/.test(name)).sort() };
}

async function hired(changes: object = {}): Promise<Employee> {
  const answer = await post(EMPLOYEES, owner, newPerson(changes));
  expect(answer).toMatchObject({ status: 201 });
  const { id } = answer.data<Employee>();
  return until(
    'an account',
    () => read(id),
    ({ accountId }) => accountId !== null,
  );
}

const invitationsTo = async (email: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Your account at'));

/** What is behind # in the links of the invitations to an address, oldest first. */
const linksTo = async (email: string) =>
  (await invitationsTo(email)).map(({ html }) => /\/invitation#([\w.-]+)"/.exec(html)?.[1] ?? '');
const readLink = (invitation: string) => auth('/api/auth/invitations/read', { hospital, invitation });
const accept = (invitation: string, newPassword = PASSWORD) =>
  auth('/api/auth/invitations/accept', { hospital, invitation, newPassword });

/** The link of the latest of `count` invitations. */
async function invitationOf({ email }: Pick<Employee, 'email'>, count = 1): Promise<string> {
  const links = await until(
    'an invitation',
    () => linksTo(email),
    ({ length }) => length >= count,
  );
  expect(links).toHaveLength(count);
  return links.at(-1) ?? '';
}

/** Chooses a password with the link of the invitation, as its reader does. @returns a session. */
async function joined(employee: Employee, password = PASSWORD): Promise<Schemas['Session']> {
  const { email } = employee;
  // Somebody who comes back has former ones too.
  const { link } = await until(
    'an invitation',
    async () => {
      const link = (await linksTo(email)).at(-1) ?? '';
      return { link, isOpen: outcome(await readLink(link)) === 200 };
    },
    ({ isOpen }) => isOpen,
  );
  expect(outcome(await accept(link, password))).toBe(200);
  expect(await read(employee.id)).toMatchObject({ status: 'active' });
  return (await login(email, password)).data<Schemas['Session']>();
}

/** Chooses a password with a code. @returns a session. */
async function joinedWithCode({ id, email }: Employee): Promise<Schemas['Session']> {
  const codes = () => codesTo(email);
  const before = (await codes()).length;
  const asked = await auth('/api/auth/password/forgotten', { hospital, email });
  const { challenge } = asked.data<Schemas['Challenge']>();
  const [code] = (await until('a code', codes, (all) => all.length > before)).slice(before);
  await auth('/api/auth/password/reset', { challenge, code, newPassword: PASSWORD });
  await until(
    'an active employee',
    () => read(id),
    ({ status }) => status === 'active',
  );
  return (await login(email)).data<Schemas['Session']>();
}

const list = (token: string) => hms('GET', '/api/hms/patients', { token });
const me = (token: string) => at('auth', 'GET', '/api/auth/me', { token });

/** Refreshes a session as a client does whose token is refused. @returns the first access token that is accepted. */
async function servedToken(session: Schemas['Session']): Promise<string> {
  let { accessToken, refreshToken } = session;
  await until(
    'a served request',
    async () => {
      const answer = await list(accessToken);
      if (answer.status === 401)
        ({ accessToken, refreshToken } = (await auth('/api/auth/refresh', { refreshToken })).data<
          Schemas['Session']
        >());
      return answer;
    },
    ({ status }) => status === 200,
  );
  return accessToken;
}

async function refusedEverywhere(token: string): Promise<void> {
  const answers = () =>
    Promise.all(HOSPITAL_PROCESSES.map(async ([process, path]) => (await at(process, 'GET', path, { token })).status));
  await until('a refusal everywhere', answers, (all) => all.every((status) => status === 401), 2_000);
}

it(
  'gets a role back that somebody deleted or renamed in Keycloak',
  async () => {
    const { accountId: doctor } = await hired({ roles: ['DOCTOR'] });
    const { accountId: pharmacist } = await hired({ roles: ['NURSE', 'PHARMACIST'] });
    const { roles } = await asKeycloakAdmin();
    const realm = hospital;
    await roles.delByName({ realm, name: 'DOCTOR' });
    await roles.updateByName({ realm, name: 'PHARMACIST' }, { name: 'CHEMIST' });
    await resync(hospital);
    const rolesOf = async (id: string | null) => (await accountOf(id ?? ''))?.roles;
    await until(
      'the role DOCTOR',
      () => rolesOf(doctor),
      (held) => held?.join() === 'DOCTOR',
    );
    await until(
      'the role PHARMACIST',
      () => rolesOf(pharmacist),
      (held) => held?.join() === 'NURSE,PHARMACIST',
    );
  },
  SLOW,
);

describe('an employee', () => {
  it(
    'gets an account with their roles and an invitation, and is active once they have a password',
    async () => {
      const employee = await hired({ firstName: 'Zoë <b>', roles: ['DOCTOR', 'LAB_TECH'] });
      expect(employee).toMatchObject({
        status: 'invited',
        employeeCode: expect.stringMatching(/^EMP-\d{6}$/),
        version: 1,
      });
      expect(await accountOf(employee.accountId ?? '')).toMatchObject({
        email: employee.email,
        username: employee.employeeCode.toLowerCase(),
        enabled: true,
        roles: ['DOCTOR', 'LAB_TECH'],
      });
      const [mail] = await until(
        'an invitation',
        () => invitationsTo(employee.email),
        (all) => all.length > 0,
      );
      expect(mail?.html).toContain('Hello Zoë &lt;b&gt;,');
      expect(mail?.html).toContain(`${portal}/invitation#`);
      expect(outcome(await login(employee.email))).toBe('INVALID_CREDENTIALS');
      const { accessToken } = await joined(employee);
      expect(outcome(await list(accessToken))).toBe(200);
      expect((await me(accessToken)).data()).toMatchObject({ roles: ['DOCTOR', 'LAB_TECH'] });
      const byCode = { hospital, username: employee.employeeCode, password: PASSWORD };
      expect(outcome(await auth('/api/auth/login', byCode))).toBe(200);
      // One mail is all that it takes.
      expect(await mailsTo(employee.email)).toHaveLength(1);
    },
    SLOW,
  );

  it(
    'who is suspended is refused by every module, and served again after a new login',
    async () => {
      const employee = await hired();
      const session = await joined(employee);
      expect(outcome(await step(employee.id, 'suspend'))).toBe(200);
      await refusedEverywhere(session.accessToken);
      await until(
        'a closed account',
        () => accountOf(employee.accountId ?? ''),
        (account) => account?.enabled === false,
      );
      expect((await accountOf(employee.accountId ?? ''))?.roles).toEqual([]);
      const refreshed = await auth('/api/auth/refresh', { refreshToken: session.refreshToken });
      expect(outcome(refreshed)).toBe('INVALID_REFRESH_TOKEN');
      expect(outcome(await login(employee.email))).toBe('ACCOUNT_DISABLED');
      expect(outcome(await step(employee.id, 'suspend'))).toBe('INVALID_STATE');

      expect(outcome(await step(employee.id, 'activate'))).toBe(200);
      const again = await until(
        'a login',
        () => login(employee.email),
        ({ status }) => status === 200,
      );
      const { accessToken } = again.data<Schemas['Session']>();
      await until(
        'a served request',
        () => list(accessToken),
        ({ status }) => status === 200,
      );
      expect((await accountOf(employee.accountId ?? ''))?.roles).toEqual(['NURSE']);
      expect(outcome(await list(session.accessToken))).toBe('UNAUTHENTICATED');
    },
    SLOW,
  );

  it(
    'who loses a role can not use it with the old token, and a refresh gives one without it',
    async () => {
      const employee = await hired({ roles: ['ADMIN', 'NURSE'] });
      const session = await joined(employee);
      expect(outcome(await post(EMPLOYEES, session.accessToken, newPerson()))).toBe(201);
      expect(outcome(await put(employee.id, owner, { roles: ['NURSE'] }))).toBe(200);
      await until(
        'a refusal',
        () => list(session.accessToken),
        ({ status }) => status === 401,
      );
      // Refused until the account in Keycloak has lost the role.
      expect(outcome(await post(EMPLOYEES, await servedToken(session), newPerson()))).toBe('FORBIDDEN');
    },
    SLOW,
  );

  it(
    'who left and comes back has the same account, and the old password does not open it',
    async () => {
      const left = await hired();
      await joined(left, 'the former long passphrase');
      expect((await step(left.id, 'terminate')).data()).toMatchObject({
        status: 'terminated',
        employedTo: expect.any(String),
      });
      expect(outcome(await put(left.id, owner, { title: 'x' }))).toBe('EMPLOYEE_TERMINATED');
      const back = await hired({ email: left.email.toUpperCase(), roles: ['RECEPTION'] });
      expect(back.accountId).toBe(left.accountId);
      await until(
        'the role',
        () => accountOf(back.accountId ?? ''),
        (account) => account?.roles[0] === 'RECEPTION',
      );
      expect(outcome(await login(left.email, 'the former long passphrase'))).toBe('INVALID_CREDENTIALS');
      // Refused if it was issued before the account was done.
      await servedToken(await joined(back));
    },
    SLOW,
  );

  it(
    'stays when Keycloak refuses their account, and gets it after a change',
    async () => {
      const { users } = await asKeycloakAdmin();
      const profile = await users.getProfile({ realm: hospital });
      const attributes = profile.attributes?.map((attribute) =>
        attribute.name === 'lastName'
          ? { ...attribute, validations: { ...attribute.validations, length: { max: 20 } } }
          : attribute,
      );
      await users.updateProfile({ ...profile, attributes, realm: hospital } as typeof profile);
      const long = newPerson({ lastName: 'Night-of-the-long-name' });
      const { id } = (await post(EMPLOYEES, owner, long)).data<Employee>();
      const refused = async () => (await listTasks(engines.db, { hospital })).map(({ lastError }) => lastError ?? '');
      await until('a refusal', refused, (errors) => errors.some((error) => error.includes('Keycloak refuses')));
      expect(await read(id)).toMatchObject({ status: 'invited', accountId: null });
      expect(outcome(await put(id, owner, { lastName: 'Night' }))).toBe(200);
      await until(
        'an account',
        () => read(id),
        ({ accountId }) => accountId !== null,
      );
      await users.updateProfile({ ...profile, realm: hospital } as typeof profile);
    },
    SLOW,
  );

  it(
    'who is terminated while the account is being created has no open account',
    async () => {
      const people = await Promise.all(
        [0, 40, 80, 120, 160, 200].map(async (pause) => {
          const { id, email } = (await post(EMPLOYEES, owner, newPerson())).data<Employee>();
          await new Promise((resolve) => setTimeout(resolve, pause));
          expect(outcome(await step(id, 'terminate'))).toBe(200);
          return email;
        }),
      );
      const settled = async () => (await listTasks(engines.db, { hospital })).length;
      await until('the tasks to end', settled, (left) => left === 0);
      const { users } = await asKeycloakAdmin();
      for (const email of people) {
        const [account] = await users.find({ realm: hospital, email, exact: true });
        expect(account?.enabled ?? false).toBe(false);
        if (account) expect((await accountOf(account.id ?? ''))?.roles).toEqual([]);
      }
    },
    SLOW,
  );

  it(
    'has an address of their own, also in the moment in which it changes hands',
    async () => {
      const first = await hired();
      expect(outcome(await post(EMPLOYEES, owner, newPerson({ email: first.email.toUpperCase() })))).toBe(
        'EMPLOYEE_EMAIL_TAKEN',
      );
      const [changed, created] = await Promise.all([
        put(first.id, owner, { email: `moved-${first.email}` }),
        post(EMPLOYEES, owner, newPerson({ email: `second-${first.email}` })),
      ]);
      expect([changed.status, created.status]).toEqual([200, 201]);
      const second = await put(created.data<Employee>().id, owner, { email: first.email });
      expect(outcome(second)).toBe(200);
      const account = async (id: string) => accountOf((await read(id)).accountId ?? '');
      await until(
        'both addresses',
        async () => [await account(first.id), await account(created.data<Employee>().id)],
        ([one, two]) => one?.email === `moved-${first.email}` && two?.email === first.email && one.id !== two.id,
      );
    },
    SLOW,
  );

  it(
    'gets another invitation only while they are invited',
    async () => {
      const employee = await hired();
      await until(
        'an invitation',
        () => invitationsTo(employee.email),
        (all) => all.length === 1,
      );
      expect(outcome(await step(employee.id, 'resend-invite', admin))).toBe(200);
      await until(
        'another one',
        () => invitationsTo(employee.email),
        (all) => all.length === 2,
      );
      await joined(employee);
      expect(outcome(await step(employee.id, 'resend-invite'))).toBe('INVALID_STATE');
    },
    SLOW,
  );
});

describe('an invitation', () => {
  it(
    'works once, also when it is used twice at the same time',
    async () => {
      const employee = await hired();
      const link = await invitationOf(employee);
      expect((await readLink(link)).data()).toEqual({ email: employee.email, until: expect.any(String) });
      const refused = await accept(link, 'short');
      expect(refused.error).toMatchObject({
        code: 'WEAK_PASSWORD',
        message: 'newPassword is refused: Invalid password: minimum length 10.',
      });
      const passwords = [PASSWORD, 'another long passphrase'] as const;
      const answers = await Promise.all(passwords.map((password) => accept(link, password)));
      expect(answers.map(outcome).sort()).toEqual([200, 'INVITATION_ENDED']);
      const logins = await Promise.all(passwords.map((password) => login(employee.email, password)));
      expect(logins.map(({ status }) => status === 200)).toEqual(answers.map(({ status }) => status === 200));
      for (const later of [await readLink(link), await accept(link, 'a third long passphrase')]) {
        expect([later.status, later.error]).toMatchObject([
          401,
          { code: 'INVITATION_ENDED', details: { email: employee.email } },
        ]);
      }
      expect(await mailsTo(employee.email)).toHaveLength(1);
    },
    SLOW,
  );

  it(
    'ends with the next one, which works',
    async () => {
      const employee = await hired();
      const first = await invitationOf(employee);
      expect(outcome(await step(employee.id, 'resend-invite'))).toBe(200);
      expect(outcome(await accept(first))).toBe('INVITATION_ENDED');
      const second = await invitationOf(employee, 2);
      expect([outcome(await accept(first)), outcome(await accept(second))]).toEqual(['INVITATION_ENDED', 200]);
    },
    SLOW,
  );

  it(
    'opens nothing when the employment has ended or the address has changed meanwhile',
    async () => {
      const [left, moved] = [await hired(), await hired()];
      const links = [await invitationOf(left), await invitationOf(moved)] as const;
      expect(outcome(await step(left.id, 'terminate'))).toBe(200);
      const email = `moved-${moved.email}`;
      expect(outcome(await put(moved.id, owner, { email }))).toBe(200);
      for (const link of links) expect(outcome(await accept(link))).toBe('INVITATION_ENDED');
      for (const person of [left, moved]) expect(outcome(await login(person.email))).toBe('INVALID_CREDENTIALS');
      expect(outcome(await accept(await invitationOf({ email })))).toBe(200);
      expect(outcome(await login(email))).toBe(200);
    },
    SLOW,
  );

  it(
    'does not replace a password that the account has already',
    async () => {
      const employee = await hired();
      const link = await invitationOf(employee);
      const { users } = await asKeycloakAdmin();
      const credential = { type: 'password', value: 'the password of before', temporary: false };
      await users.resetPassword({ realm: hospital, id: employee.accountId ?? '', credential });
      expect(outcome(await readLink(link))).toBe('INVITATION_ENDED');
      expect(outcome(await accept(link))).toBe('INVITATION_ENDED');
      expect(outcome(await login(employee.email, 'the password of before'))).toBe(200);
    },
    SLOW,
  );

  it('that nobody has signed gets the same answer at every hospital, and none where there is no hospital', async () => {
    const [unknown, elsewhere] = await Promise.all([
      accept('no.such.invitation'),
      auth('/api/auth/invitations/accept', { hospital: 'console', invitation: 'x', newPassword: PASSWORD }),
    ]);
    expect(unknown).toMatchObject({ status: 401, error: { code: 'INVITATION_ENDED' } });
    expect(outcome(elsewhere)).toBe('HOSPITAL_UNKNOWN');
  });
});

describe('an owner', () => {
  it(
    'is appointed, changed and removed by an owner only, and nobody decides about themselves',
    async () => {
      expect(outcome(await post(EMPLOYEES, admin, newPerson({ roles: ['OWNER'] })))).toBe('OWNER_REQUIRED');
      const nurse = await hired();
      expect(outcome(await put(nurse.id, admin, { roles: ['OWNER'] }))).toBe('OWNER_REQUIRED');
      const boss = await hired({ roles: ['OWNER', 'DOCTOR'] });
      for (const name of ['suspend', 'terminate', 'resend-invite']) {
        expect(outcome(await step(boss.id, name, admin))).toBe('OWNER_REQUIRED');
      }
      expect(outcome(await put(boss.id, admin, { email: 'thief@example.org' }))).toBe('OWNER_REQUIRED');
      const { accessToken } = await joined(boss);
      expect(outcome(await step(boss.id, 'suspend', accessToken))).toBe('OWN_EMPLOYMENT');
      expect(outcome(await put(boss.id, accessToken, { roles: ['DOCTOR'] }))).toBe('OWN_EMPLOYMENT');
      expect(outcome(await put(boss.id, accessToken, { title: 'Head' }))).toBe(200);
      expect(outcome(await step(boss.id, 'terminate'))).toBe('LAST_OWNER');
      expect(outcome(await put(boss.id, owner, { roles: ['DOCTOR'] }))).toBe('LAST_OWNER');
    },
    SLOW,
  );

  it(
    'stays when the last two are removed at once',
    async () => {
      const two = await Promise.all([hired({ roles: ['OWNER'] }), hired({ roles: ['OWNER'] })]);
      for (const one of two) await joined(one);
      const active = await hms('GET', `${EMPLOYEES}?role=OWNER&status=active&limit=100`, { token: owner });
      for (const other of active.data<Employee[]>().filter(({ id }) => !two.some((one) => one.id === id))) {
        expect(outcome(await step(other.id, 'terminate'))).toBe(200);
      }
      const removed = await Promise.all(
        two.map(({ id }, n) => (n === 0 ? step(id, 'terminate') : step(id, 'suspend'))),
      );
      expect(removed.map(outcome).sort()).toEqual([200, 'LAST_OWNER']);
    },
    SLOW,
  );
});

describe('the owner of a Hospital object', () => {
  it(
    'is an employee, and the next one takes their place',
    async () => {
      const person = (name: string) => ({ email: `${name}@${hospital}.example`, firstName: name, lastName: 'Byrne' });
      const [first, next] = [person('ann'), person('carl')];
      const named = async (owned: typeof first, status: string) => {
        await applyHospital(hospital, { owner: owned });
        return until(
          `${owned.email} to be ${status}`,
          async () => (await hms('GET', `${EMPLOYEES}?email=${owned.email}`, { token: owner })).data<Employee[]>()[0],
          (employee) => employee?.status === status,
        );
      };
      const ann = await named(first, 'invited');
      expect(ann).toMatchObject({ ...first, roles: ['OWNER'] });
      expect(await accountOf(ann?.accountId ?? '')).toMatchObject({ email: first.email, roles: ['OWNER'] });
      expect(await named(next, 'invited')).toMatchObject({ roles: ['OWNER'] });
      const dismissed = () => read(ann?.id ?? '');
      await until('the former owner to leave', dismissed, ({ status }) => status === 'terminated');
      await until(
        'a closed account',
        () => accountOf(ann?.accountId ?? ''),
        (account) => account?.enabled === false,
      );
      const back = await named(first, 'invited');
      expect(back).toMatchObject({ accountId: ann?.accountId, roles: ['OWNER'] });
      const isOpen = (account: Awaited<ReturnType<typeof accountOf>>) =>
        account?.enabled === true && account.roles[0] === 'OWNER';
      await until('an open account', () => accountOf(ann?.accountId ?? ''), isOpen);
      await joinedWithCode(back as Employee);
      const served = async () => list((await login(first.email)).data<Schemas['Session']>().accessToken);
      await until('a served request', served, ({ status }) => status === 200);
    },
    SLOW,
  );
});

it(
  'a role OWNER that the operator gives while an account is being closed stays, for the appointment that follows',
  async () => {
    const { id, accountId } = await hired({ roles: ['NURSE'] });
    const { users, roles } = await asKeycloakAdmin();
    const of = { realm: hospital, id: accountId ?? '' };
    const { id: roleId = '' } = (await roles.findOneByName({ realm: hospital, name: 'OWNER' })) ?? {};
    await users.addRealmRoleMappings({ ...of, roles: [{ id: roleId, name: 'OWNER' }] });
    expect(outcome(await step(id, 'terminate'))).toBe(200);
    const closed = await until(
      'a closed account',
      () => accountOf(accountId ?? ''),
      (account) => account?.enabled === false,
    );
    expect(closed?.roles).toEqual(['OWNER']);
  },
  SLOW,
);

describe('a department', () => {
  it(
    'is given to employees, and stays while people work in it',
    async () => {
      const created = await post('/api/hms/departments', admin, { code: 'ENT', name: 'Ear, nose and throat' });
      const { id } = created.data<Schemas['Department']>();
      const second = await post('/api/hms/departments', admin, { code: 'ent', name: 'x' });
      expect(outcome(second)).toBe('DEPARTMENT_CODE_TAKEN');
      expect(second.error).toMatchObject({ details: { fields: [{ field: 'code' }] } });
      const employee = await hired({ departmentId: id });
      const remove = () => hms('DELETE', `/api/hms/departments/${id}`, { token: admin });
      expect(outcome(await remove())).toBe('DEPARTMENT_IN_USE');
      expect(outcome(await put(employee.id, owner, { departmentId: null }))).toBe(200);
      expect(outcome(await remove())).toBe(200);
      expect(outcome(await put(employee.id, owner, { departmentId: id }))).toBe('INVALID_REFERENCE');
    },
    SLOW,
  );
});
