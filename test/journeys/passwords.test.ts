/** People choose new passwords, with a real Keycloak, PostgreSQL and mail server. */
import type { Schemas } from '@hms/api-client';
import { updateHospital } from '@hms/database';
import type { TestAnswer, TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CODE_LIMITS, LIMITS } from '../../services/auth/src/sessions/login-limits.ts';
import { type AuthScene, authScene, PASSWORD } from '../support/auth-scene.ts';
import { until } from '../support/until.ts';

const SLOW = 60_000;
const NEW = 'another long passphrase';
const PEOPLE = Array.from({ length: 20 }, (_, n) => `person${n}`);
let scene: AuthScene;
let auth: TestModule;

beforeAll(async () => {
  scene = await authScene('None', {
    ...Object.fromEntries(PEOPLE.map((name) => [name, {}])),
    disabled: { enabled: false },
    invited: { requiredActions: ['UPDATE_PASSWORD', 'VERIFY_EMAIL'], emailVerified: false },
  });
  ({ auth } = scene);
}, SLOW);
afterAll(() => scene.end(), SLOW);

function newPerson(): string {
  const name = PEOPLE.pop();
  if (name === undefined) throw new Error('add people to the scene');
  return `${name}@example.org`;
}

const outcome = ({ status, success, error }: TestAnswer) => (success ? status : error.code);

const login = (email: string, password = PASSWORD, at = auth) =>
  at.send('POST', '/api/auth/login', { body: { hospital: scene.hospital.prefix, email, password } });
/** Logs in with a wrong password until Keycloak locks the account, which counts after it has answered. */
async function lock(email: string, at: typeof auth): Promise<void> {
  const realm = scene.hospital.prefix;
  const { users, attackDetection } = await scene.admin();
  const [user] = await users.find({ realm, email, exact: true });
  const isLocked = async () => (await attackDetection.findOne({ realm, id: user?.id ?? '' }))?.disabled === true;
  for (let failures = 0; !(await isLocked()); failures += 1) {
    if (failures === 20) throw new Error('20 wrong passwords lock no account');
    await login(email, 'wrong', at);
  }
}
const loggedIn = async (email: string) => (await login(email)).data<Schemas['Session']>();
const refresh = ({ refreshToken }: Schemas['Session']) =>
  auth.send('POST', '/api/auth/refresh', { body: { refreshToken } });
const change = (token: string, body: object, at = auth) => at.send('PUT', '/api/auth/password', { token, body });
const forgotten = (email: string, at = auth, hospital = scene.hospital.prefix) =>
  at.send('POST', '/api/auth/password/forgotten', { body: { hospital, email } });
const reset = (challenge: string, code: string, newPassword = NEW, at = auth) =>
  at.send('POST', '/api/auth/password/reset', { body: { challenge, code, newPassword } });

const subjectsTo = (email: string): readonly string[] =>
  scene.mail.received
    .filter(({ recipients }) => recipients.includes(email))
    .map(({ raw }) => /^Subject: ([^\r\n]*)/m.exec(raw)?.[1] ?? '');

async function mailTo(email: string, pattern: RegExp): Promise<string> {
  const subjects = await until(
    `a mail to ${email}`,
    async () => subjectsTo(email),
    (all) => all.some((subject) => pattern.test(subject)),
  );
  return subjects.findLast((subject) => pattern.test(subject)) ?? '';
}

/** A challenge for a new password, and its code. */
async function opened(email: string, at = auth): Promise<{ readonly challenge: string; readonly code: string }> {
  const { challenge } = (await forgotten(email, at)).data<Schemas['Challenge']>();
  const code = (await mailTo(email, /is your code for a new password/)).slice(0, 6);
  return { challenge, code };
}

describe('changing a password', () => {
  it('needs the current one, ends all other sessions, and tells the person', async () => {
    const email = newPerson();
    const [here, elsewhere] = [await loggedIn(email), await loggedIn(email)];
    const body = { currentPassword: PASSWORD, newPassword: NEW };
    expect(outcome(await change(here.accessToken, { ...body, currentPassword: 'wrong' }))).toBe('WRONG_PASSWORD');
    expect(subjectsTo(email)).toEqual([]);

    expect((await change(here.accessToken, body)).data()).toEqual({ changed: true });
    await mailTo(email, /has been changed/);
    expect(outcome(await refresh(here))).toBe(200);
    expect(outcome(await refresh(elsewhere))).toBe('INVALID_REFRESH_TOKEN');
    expect(outcome(await login(email))).toBe('INVALID_CREDENTIALS');
    expect(outcome(await login(email, NEW))).toBe(200);
  });

  it('leaves one session: that of the caller', async () => {
    const email = newPerson();
    const here = await loggedIn(email);
    await change(here.accessToken, { currentPassword: PASSWORD, newPassword: NEW });
    const realm = scene.hospital.prefix;
    const { users } = await scene.admin();
    const [user] = await users.find({ realm, email, exact: true });
    expect(await users.listSessions({ realm, id: user?.id ?? '' })).toHaveLength(1);
  });

  it('leaves the sessions as they were when the new password is refused', async () => {
    const email = newPerson();
    const { accessToken } = await loggedIn(email);
    const refused = await change(accessToken, { currentPassword: PASSWORD, newPassword: 'short' });
    expect(outcome(refused)).toBe('WEAK_PASSWORD');
    const realm = scene.hospital.prefix;
    const { users } = await scene.admin();
    const [user] = await users.find({ realm, email, exact: true });
    expect(await users.listSessions({ realm, id: user?.id ?? '' })).toHaveLength(1);
  });

  it("names the rule that the new password breaks, in Keycloak's words", async () => {
    const email = newPerson();
    const { accessToken } = await loggedIn(email);
    const attempt = async (newPassword: string) => {
      const { status, error } = await change(accessToken, { currentPassword: PASSWORD, newPassword });
      return { status, code: error.code, message: error.message };
    };
    expect(await attempt('short')).toEqual({
      status: 400,
      code: 'WEAK_PASSWORD',
      message: 'newPassword is refused: Invalid password: minimum length 10.',
    });
    expect(await attempt(email)).toMatchObject({ code: 'WEAK_PASSWORD' });
    expect(await attempt(PASSWORD)).toMatchObject({ message: 'newPassword must differ from the current password' });
    expect(outcome(await login(email))).toBe(200);
  });

  it('does not let a stolen token guess the password', async () => {
    const limited = await scene.start({ limits: { ...LIMITS, account: { failures: 2, window: 600 } } });
    const email = newPerson();
    const { accessToken } = await loggedIn(email);
    const guess = (currentPassword: string) => change(accessToken, { currentPassword, newPassword: NEW }, limited);
    const outcomes = [await guess('one'), await guess('two'), await guess(PASSWORD)].map(outcome);
    expect(outcomes).toEqual(['WRONG_PASSWORD', 'WRONG_PASSWORD', 'TOO_MANY_LOGINS']);
    expect(outcome(await change('x.y.z', { currentPassword: PASSWORD, newPassword: NEW }))).toBe('UNAUTHENTICATED');
  });
});

describe('a forgotten password', () => {
  it('is replaced with the code from an e-mail, which ends all sessions', async () => {
    const email = newPerson();
    const session = await loggedIn(email);
    const { challenge, code } = await opened(email);
    expect((await reset(challenge, code)).data()).toEqual({ changed: true });
    await mailTo(email, /has been changed/);
    expect(outcome(await refresh(session))).toBe('INVALID_REFRESH_TOKEN');
    expect(outcome(await login(email))).toBe('INVALID_CREDENTIALS');
    expect(outcome(await login(email, NEW))).toBe(200);
    expect(outcome(await reset(challenge, code, 'a third long passphrase'))).toBe('CHALLENGE_ENDED');
  });

  it('answers the same for people who do not exist or are disabled, and sends them nothing', async () => {
    const emails = [newPerson(), 'nobody@example.org', 'disabled@example.org'];
    const answers = await Promise.all(emails.map((email) => forgotten(email)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.data<Schemas['Challenge']>()).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        sentTo: expect.stringContaining('•••@example.org'),
        expiresIn: 300,
        resendIn: 30,
      });
    }
    await mailTo(emails[0] ?? '', /is your code/);
    const ends = await Promise.all(
      answers.map(async (answer) => {
        const { challenge } = answer.data<Schemas['Challenge']>();
        const { error } = await reset(challenge, '000000');
        return { code: error.code, details: error.details };
      }),
    );
    expect(ends).toEqual(Array(3).fill({ code: 'INVALID_CODE', details: { attemptsLeft: 4 } }));
    expect([...subjectsTo('nobody@example.org'), ...subjectsTo('disabled@example.org')]).toEqual([]);
  });

  it('keeps the code when the new password is refused, and when Keycloak is unavailable', async () => {
    const { challenge, code } = await opened(newPerson());
    for (let n = 0; n < 6; n += 1) expect(outcome(await reset(challenge, code, 'short'))).toBe('WEAK_PASSWORD');
    const cutOff = await scene.start({ keycloakUrl: 'http://127.0.0.1:9/auth' });
    expect(outcome(await reset(challenge, code, NEW, cutOff))).toBe('IDENTITY_UNAVAILABLE');
    expect(outcome(await reset(challenge, code))).toBe(200);
  });

  it('completes an invitation', async () => {
    const email = 'invited@example.org';
    expect(outcome(await login(email))).toBe('ACCOUNT_NOT_READY');
    const { challenge, code } = await opened(email);
    expect(outcome(await reset(challenge, code))).toBe(200);
    expect(outcome(await login(email, NEW))).toBe(200);
  });

  it('lifts the lock after wrong passwords', async () => {
    const email = newPerson();
    const patient = await scene.start({ limits: { ...LIMITS, account: { failures: 100, window: 600 } } });
    await lock(email, patient);
    expect(outcome(await login(email, PASSWORD, patient))).toBe('INVALID_CREDENTIALS');
    const { challenge, code } = await opened(email);
    expect(outcome(await reset(challenge, code))).toBe(200);
    expect(outcome(await login(email, NEW, patient))).toBe(200);
  });

  it('lets a person who was refused after too many wrong passwords log in, by address and by username', async () => {
    const limited = await scene.start({ limits: { ...LIMITS, account: { failures: 2, window: 600 } } });
    const email = newPerson();
    const { hospital } = scene;
    const [username] = email.split('@');
    const byUsername = (password: string) =>
      limited.send('POST', '/api/auth/login', { body: { hospital: hospital.prefix, username, password } });
    for (let n = 0; n < 2; n += 1) await Promise.all([login(email, 'wrong', limited), byUsername('wrong')]);
    const before = [await login(email, PASSWORD, limited), await byUsername(PASSWORD)];
    expect(before.map(outcome)).toEqual(['TOO_MANY_LOGINS', 'TOO_MANY_LOGINS']);
    const { challenge, code } = await opened(email, limited);
    expect(outcome(await reset(challenge, code, NEW, limited))).toBe(200);
    const after = [await login(email, NEW, limited), await byUsername(NEW)];
    expect(after.map(outcome)).toEqual([200, 200]);
  });

  it('goes to the address of the account, however the request spells it', async () => {
    const email = newPerson();
    expect(outcome(await forgotten(email.toUpperCase()))).toBe(200);
    await mailTo(email, /is your code for a new password/);
    expect(subjectsTo(email.toUpperCase())).toEqual([]);
  });

  it('ends after five wrong codes', async () => {
    const email = newPerson();
    const { challenge, code } = await opened(email);
    const wrong = code === '123456' ? '654321' : '123456';
    const outcomes: unknown[] = [];
    for (let n = 0; n < 6; n += 1) outcomes.push(outcome(await reset(challenge, n < 5 ? wrong : code)));
    expect(outcomes).toEqual([...Array(4).fill('INVALID_CODE'), 'CHALLENGE_ENDED', 'CHALLENGE_ENDED']);
    expect(outcome(await login(email))).toBe(200);
  });

  it('can not be completed with the code of a login, nor a login with this one', async () => {
    await updateHospital(auth.operator, scene.hospital.prefix, { secondFactor: 'Email' });
    try {
      const email = newPerson();
      const waiting = (await login(email)).data<Schemas['Challenge']>();
      const loginCode = (await mailTo(email, /is your code for (?!a new)/)).slice(0, 6);
      expect(outcome(await reset(waiting.challenge, loginCode))).toBe('CHALLENGE_ENDED');
      const { challenge, code } = await opened(email);
      expect(outcome(await auth.send('POST', '/api/auth/verify', { body: { challenge, code } }))).toBe(
        'CHALLENGE_ENDED',
      );
      // Neither attempt was counted.
      const verified = await auth.send('POST', '/api/auth/verify', {
        body: { challenge: waiting.challenge, code: loginCode },
      });
      expect([outcome(verified), outcome(await reset(challenge, code))]).toEqual([200, 200]);
    } finally {
      await updateHospital(auth.operator, scene.hospital.prefix, { secondFactor: 'None' });
    }
  });

  it('sends an account a limited number of e-mails, whether it exists or not', async () => {
    const limited = await scene.start({ codeLimits: { ...CODE_LIMITS, mails: { failures: 2, window: 600 } } });
    const email = newPerson();
    for (const address of [email, `nobody-${scene.hospital.prefix}@example.org`]) {
      const outcomes: unknown[] = [];
      for (let n = 0; n < 3; n += 1) outcomes.push(outcome(await forgotten(address, limited)));
      expect(outcomes).toEqual([200, 200, 'TOO_MANY_CODES']);
    }
    // Somebody else's requests must not keep a person from logging in.
    expect(outcome(await login(email, PASSWORD, limited))).toBe(200);
  });

  it('sends an address a limited number of codes for all accounts', async () => {
    const limited = await scene.start({ codeLimits: { ...CODE_LIMITS, requests: { failures: 3, window: 600 } } });
    const request = (n: number, address: string) =>
      limited.send('POST', '/api/auth/password/forgotten', {
        body: { hospital: scene.hospital.prefix, email: `nobody-${n}@example.org` },
        headers: { 'X-Forwarded-For': address },
      });
    const outcomes: unknown[] = [];
    for (let n = 0; n < 4; n += 1) outcomes.push(outcome(await request(n, '10.9.2.1')));
    expect(outcomes).toEqual([200, 200, 200, 'TOO_MANY_CODES']);
    expect(outcome(await request(4, '10.9.2.2'))).toBe(200);
  });

  it('sends another code on request', async () => {
    const email = newPerson();
    const { challenge, code } = await opened(email);
    await auth.operator
      .withSchema('platform')
      .from('login_challenges')
      .whereRaw(`token_hash = sha256(convert_to(?, 'UTF8'))`, [challenge])
      .update({ mailed_at: auth.operator.raw(`now() - interval '31 seconds'`) });
    expect(outcome(await auth.send('POST', '/api/auth/resend', { body: { challenge } }))).toBe(200);
    const [, second] = await until(
      'two mails',
      async () => subjectsTo(email),
      ({ length }) => length === 2,
    );
    if (second?.slice(0, 6) !== code) expect(outcome(await reset(challenge, code))).toBe('INVALID_CODE');
    expect(outcome(await reset(challenge, second?.slice(0, 6) ?? ''))).toBe(200);
  });

  it('names an unknown hospital and a suspended one', async () => {
    expect(outcome(await forgotten('a@example.org', auth, 'no-such'))).toBe('HOSPITAL_UNKNOWN');
    await updateHospital(auth.operator, scene.hospital.prefix, { state: 'Suspended' });
    const answer = await forgotten('a@example.org');
    await updateHospital(auth.operator, scene.hospital.prefix, { state: 'Active' });
    expect(outcome(answer)).toBe('HOSPITAL_SUSPENDED');
  });
});
