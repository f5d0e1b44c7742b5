/** Logins that require the code from an e-mail, with a real Keycloak, PostgreSQL and mail server. */
import { apiClient, type Schemas } from '@hms/api-client';
import { updateHospital } from '@hms/database';
import type { ReceivedMail } from '@hms/mail/testing';
import type { TestAnswer, TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CODE_LIMITS } from '../../services/auth/src/sessions/login-limits.ts';
import { type AuthScene, authScene, newKey, PASSWORD } from '../support/auth-scene.ts';
import { until } from '../support/until.ts';

const SLOW = 60_000;
/** Each test logs in somebody else, since e-mails are limited by account. */
const PEOPLE = Array.from({ length: 32 }, (_, n) => `person${n}`);
let scene: AuthScene;
let auth: TestModule;

beforeAll(async () => {
  scene = await authScene('Email', Object.fromEntries(PEOPLE.map((name) => [name, {}])));
  ({ auth } = scene);
}, SLOW);
afterAll(() => scene.end(), SLOW);

interface Person {
  readonly email: string;
}

interface Opened {
  readonly challenge: string;
  readonly code: string;
}

function newPerson(): Person {
  const name = PEOPLE.pop();
  if (name === undefined) throw new Error('add people to the scene');
  return { email: `${name}@example.org` };
}

const login = ({ email }: Person, at = auth, password = PASSWORD) =>
  at.send('POST', '/api/auth/login', { body: { hospital: scene.hospital.prefix, email, password } });
const verify = ({ challenge, code }: Opened, at = auth) =>
  at.send('POST', '/api/auth/verify', { body: { challenge, code } });
const resend = ({ challenge }: Pick<Opened, 'challenge'>, at = auth) =>
  at.send('POST', '/api/auth/resend', { body: { challenge } });

const mailsTo = ({ email }: Person): ReceivedMail[] =>
  scene.mail.received.filter(({ recipients }) => recipients.includes(email));

/** The code in the n-th e-mail to a person. */
async function codeTo(person: Person, n = 1): Promise<string> {
  const mails = await until(
    'the code',
    async () => mailsTo(person),
    ({ length }) => length >= n,
    10_000,
  );
  const raw = mails[n - 1]?.raw ?? '';
  const [, code] = /^Subject: (\d{6}) is your code/m.exec(raw) ?? [];
  if (code === undefined) throw new Error(`no code in ${raw}`);
  return code;
}

/** A login with the right password, and the code that was sent. */
async function opened(person: Person, at = auth): Promise<Opened> {
  const before = mailsTo(person).length;
  const { challenge } = (await login(person, at)).data<Schemas['Challenge']>();
  return { challenge, code: await codeTo(person, before + 1) };
}

/** Another code than the right one. */
const wrong = ({ challenge, code }: Opened): Opened => ({ challenge, code: code === '123456' ? '654321' : '123456' });

const outcome = ({ status, success, error }: TestAnswer) => (success ? status : error.code);

const row = ({ challenge }: Pick<Opened, 'challenge'>) =>
  auth.operator
    .withSchema('platform')
    .from('login_challenges')
    .whereRaw(`token_hash = sha256(convert_to(?, 'UTF8'))`, [challenge]);

/** Sessions of a person in Keycloak. */
async function sessionsOf({ email }: Person): Promise<number> {
  const realm = scene.hospital.prefix;
  const { users } = await scene.admin();
  const [user] = await users.find({ realm, email, exact: true });
  return (await users.listSessions({ realm, id: user?.id ?? '' })).length;
}

describe('login', () => {
  it('answers the right password with a challenge, and the code with tokens', async () => {
    const person = newPerson();
    const answer = await login(person);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.data<Schemas['LoginOutcome']>()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      sentTo: 'p•••@example.org',
      expiresIn: 300,
      resendIn: 30,
    });
    const { challenge } = answer.data<Schemas['Challenge']>();
    const completed = await verify({ challenge, code: await codeTo(person) });
    expect(completed.headers.get('Cache-Control')).toBe('no-store');
    const { accessToken } = completed.data<Schemas['Session']>();
    const me = await apiClient(auth.url, accessToken).GET('/api/auth/me');
    expect(me.data?.data).toMatchObject({ email: person.email, hospitalId: scene.hospital.id });
    expect(await sessionsOf(person)).toBe(1);
  });

  it('sends no code for a wrong password', async () => {
    const person = newPerson();
    expect(outcome(await login(person, auth, 'wrong'))).toBe('INVALID_CREDENTIALS');
    const other = newPerson();
    await opened(other);
    expect(mailsTo(person)).toEqual([]);
  });

  it('names the hospital in the e-mail, and follows no address in the request', async () => {
    const person = newPerson();
    await auth.send('POST', '/api/auth/login', {
      body: { hospital: scene.hospital.prefix, email: person.email, password: PASSWORD },
      headers: { 'X-Forwarded-Host': 'evil.example', Origin: 'https://evil.example', Referer: 'https://evil.example' },
    });
    await codeTo(person);
    const [{ raw } = { raw: '' }] = mailsTo(person);
    expect(raw).toContain(scene.hospital.displayName);
    expect(raw).not.toContain('evil.example');
  });

  it('answers while the mail server is down, and sends the code when it is back', async () => {
    const person = newPerson();
    const without = await scene.start({ mailPort: 9 });
    const { challenge } = (await login(person, without)).data<Schemas['Challenge']>();
    await row({ challenge }).update({ mailed_at: auth.operator.raw(`now() - interval '31 seconds'`) });
    expect(outcome(await resend({ challenge }))).toBe(200);
    expect(outcome(await verify({ challenge, code: await codeTo(person) }))).toBe(200);
  });
});

describe('a challenge', () => {
  it('is no token', async () => {
    const { challenge } = await opened(newPerson());
    const refreshed = await auth.send('POST', '/api/auth/refresh', { body: { refreshToken: challenge } });
    expect(outcome(refreshed)).toBe('INVALID_REFRESH_TOKEN');
    expect(outcome(await auth.send('GET', '/api/auth/me', { token: challenge }))).toBe('UNAUTHENTICATED');
  });

  it('works once', async () => {
    const one = await opened(newPerson());
    expect(outcome(await verify(one))).toBe(200);
    expect(outcome(await verify(one))).toBe('CHALLENGE_ENDED');
    expect(await row(one)).toEqual([]);
  });

  it('works once for parallel requests', async () => {
    const one = await opened(newPerson());
    const outcomes = (await Promise.all(Array.from({ length: 5 }, () => verify(one)))).map(outcome);
    expect(outcomes.sort()).toEqual([200, ...Array(4).fill('CHALLENGE_ENDED')]);
  });

  it('takes only its own code', async () => {
    const [one, other] = [await opened(newPerson()), await opened(newPerson())];
    expect(outcome(await verify({ challenge: one.challenge, code: other.code }))).toBe('INVALID_CODE');
    expect(outcome(await verify({ challenge: `${'A'.repeat(42)}A`, code: one.code }))).toBe('CHALLENGE_ENDED');
    expect(outcome(await verify(one))).toBe(200);
  });

  it('ends after five wrong codes, and with it the session in Keycloak', async () => {
    const person = newPerson();
    const one = await opened(person);
    expect(await sessionsOf(person)).toBe(1);
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect((await verify(wrong(one))).error).toMatchObject({ code: 'INVALID_CODE', details: { attemptsLeft } });
    }
    expect(outcome(await verify(wrong(one)))).toBe('CHALLENGE_ENDED');
    expect(outcome(await verify(one))).toBe('CHALLENGE_ENDED');
    expect(await sessionsOf(person)).toBe(0);
  });

  it('counts parallel guesses like sequential ones', async () => {
    const one = await opened(newPerson());
    const outcomes = (await Promise.all(Array.from({ length: 20 }, () => verify(wrong(one))))).map(outcome);
    expect(outcomes.sort()).toEqual([...Array(16).fill('CHALLENGE_ENDED'), ...Array(4).fill('INVALID_CODE')]);
    expect(outcome(await verify(one))).toBe('CHALLENGE_ENDED');
  });

  it('ends when it expires, and with it the session in Keycloak', async () => {
    const person = newPerson();
    const one = await opened(person);
    await row(one).update({ expires_at: auth.operator.raw(`now() - interval '1 second'`) });
    expect(outcome(await verify(one))).toBe('CHALLENGE_ENDED');
    expect(outcome(await resend(one))).toBe('CHALLENGE_ENDED');
    await scene.start({ sweepInterval: 50 });
    await until(
      'the sweep',
      () => sessionsOf(person),
      (sessions) => sessions === 0,
    );
    expect(await row(one)).toEqual([]);
  });

  it('is not ended by a sweep while its right code is being redeemed', async () => {
    const [person, other] = [newPerson(), newPerson()];
    const [claimed, expired] = [await opened(person), await opened(other)];
    const expires_at = auth.operator.raw(`now() - interval '1 second'`);
    await row(claimed).update({ expires_at, claimed_at: auth.operator.fn.now() });
    await row(expired).update({ expires_at });
    await scene.start({ sweepInterval: 50 });
    await until(
      'the sweep',
      () => sessionsOf(other),
      (sessions) => sessions === 0,
    );
    expect(await sessionsOf(person)).toBe(1);
    // The process that redeemed it has ended.
    await row(claimed).update({ claimed_at: auth.operator.raw(`now() - interval '61 seconds'`) });
    await until(
      'the sweep',
      () => sessionsOf(person),
      (sessions) => sessions === 0,
    );
  });

  it('is stored without anything that opens a session', async () => {
    const person = newPerson();
    const one = await opened(person);
    const stored = JSON.stringify(await row(one));
    for (const secret of [one.challenge, one.code, person.email, 'eyJhbGciOiJIUzUxMiIs']) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    }
  });

  it('can be completed by another process with the same key, and by none with another key', async () => {
    const one = await opened(newPerson());
    const stranger = await scene.start({ key: newKey() });
    expect(outcome(await verify(one, stranger))).toBe('CHALLENGE_ENDED');
    expect(outcome(await verify(one, await scene.start()))).toBe(200);
  });

  it('survives an outage of Keycloak', async () => {
    const one = await opened(newPerson());
    const cutOff = await scene.start({ keycloakUrl: 'http://127.0.0.1:9/auth' });
    for (let n = 0; n < 6; n += 1) expect(outcome(await verify(one, cutOff))).toBe('IDENTITY_UNAVAILABLE');
    expect(outcome(await verify(one))).toBe(200);
  });

  it('opens nothing for an account that was disabled meanwhile', async () => {
    const person = newPerson();
    const one = await opened(person);
    const realm = scene.hospital.prefix;
    const { users } = await scene.admin();
    const [user] = await users.find({ realm, email: person.email, exact: true });
    await users.update({ realm, id: user?.id ?? '' }, { enabled: false });
    expect((await verify(one)).success).toBe(false);
    await users.update({ realm, id: user?.id ?? '' }, { enabled: true });
    expect(outcome(await verify(one))).toBe('CHALLENGE_ENDED');
  });

  it('opens nothing while the hospital is suspended', async () => {
    const one = await opened(newPerson());
    await updateHospital(auth.operator, scene.hospital.prefix, { state: 'Suspended' });
    const answers = [await verify(one), await login(newPerson())].map(outcome);
    await updateHospital(auth.operator, scene.hospital.prefix, { state: 'Active' });
    expect(answers).toEqual(['HOSPITAL_SUSPENDED', 'HOSPITAL_SUSPENDED']);
    expect(outcome(await verify(one))).toBe(200);
  });
});

describe('another code', () => {
  const wait = (one: Opened) => row(one).update({ mailed_at: auth.operator.raw(`now() - interval '31 seconds'`) });

  it('is sent after half a minute, and replaces the former one', async () => {
    const person = newPerson();
    const one = await opened(person);
    const early = await resend(one);
    expect([early.status, outcome(early)]).toEqual([429, 'CODE_SENT_RECENTLY']);
    expect(Number(early.headers.get('Retry-After'))).toBeGreaterThan(20);
    expect(Number(early.headers.get('Retry-After'))).toBeLessThanOrEqual(30);

    await wait(one);
    expect((await resend(one)).data<Schemas['Challenge']>()).toMatchObject({
      challenge: one.challenge,
      sentTo: 'p•••@example.org',
      resendIn: 30,
    });
    const code = await codeTo(person, 2);
    if (code !== one.code) expect(outcome(await verify(one))).toBe('INVALID_CODE');
    expect(outcome(await verify({ challenge: one.challenge, code }))).toBe(200);
  });

  it('is sent once for parallel requests', async () => {
    const person = newPerson();
    const one = await opened(person);
    await wait(one);
    const outcomes = (await Promise.all(Array.from({ length: 5 }, () => resend(one)))).map(outcome);
    expect(outcomes.sort()).toEqual([200, ...Array(4).fill('CODE_SENT_RECENTLY')]);
    expect(outcome(await verify({ challenge: one.challenge, code: await codeTo(person, 2) }))).toBe(200);
    expect(mailsTo(person)).toHaveLength(2);
  });

  it('gives no further attempts, and is sent four times', async () => {
    const person = newPerson();
    const one = await opened(person);
    for (let n = 2; n <= 5; n += 1) {
      expect(outcome(await verify(wrong(one)))).toBe('INVALID_CODE');
      await wait(one);
      expect(outcome(await resend(one))).toBe(200);
    }
    await wait(one);
    expect(outcome(await resend(one))).toBe('TOO_MANY_CODES');
    expect(outcome(await verify(wrong(one)))).toBe('CHALLENGE_ENDED');
  });
});

describe('limits of an account', () => {
  it('count wrong codes over several logins, and are cleared by a right one', async () => {
    const limited = await scene.start({ codeLimits: { ...CODE_LIMITS, tries: { failures: 3, window: 600 } } });
    const [person, other] = [newPerson(), newPerson()];
    const first = await opened(person);
    expect(outcome(await verify(wrong(first), limited))).toBe('INVALID_CODE');
    expect(outcome(await verify(first, limited))).toBe(200);
    for (let n = 0; n < 3; n += 1) {
      expect(outcome(await verify(wrong(await opened(person)), limited))).toBe('INVALID_CODE');
    }
    const last = await opened(person);
    const refused = await verify(last, limited);
    expect([refused.status, outcome(refused)]).toEqual([429, 'TOO_MANY_CODES']);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(500);
    expect(outcome(await verify(await opened(other), limited))).toBe(200);
  });

  it('end a login that would need one e-mail too many, and its session in Keycloak', async () => {
    const limited = await scene.start({ codeLimits: { ...CODE_LIMITS, mails: { failures: 2, window: 600 } } });
    const person = newPerson();
    for (let n = 0; n < 2; n += 1) await opened(person, limited);
    expect(outcome(await login(person, limited))).toBe('TOO_MANY_CODES');
    expect(await sessionsOf(person)).toBe(2);
    expect(mailsTo(person)).toHaveLength(2);
  });
});

describe('bad input', () => {
  it.each([
    [{ code: '123456' }, 'challenge is required'],
    [{ challenge: 'short', code: '123456' }, 'challenge is not the challenge of a login'],
    [{ challenge: 'A'.repeat(43), code: '12345' }, 'code must be the six digits in the e-mail, like 012345'],
    [{ challenge: 'A'.repeat(43), code: 123456 }, 'code must be a text'],
  ])('is named: %j', async (body, message) => {
    expect(await auth.send('POST', '/api/auth/verify', { body })).toMatchObject({ status: 400, error: { message } });
  });
});
