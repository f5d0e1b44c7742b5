/** What a display says about itself, and what it is told. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { updateHospital } from '@hms/database';
import { clinics } from '@hms/domain/clinics';
import { type Display, reported, settleDisplay } from '@hms/domain/displays';
import { notices } from '@hms/domain/notices';
import { records, type Work, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { platform } from '../../../../test/platform.ts';
import { deriveSecrets } from '../secrets.ts';
import { displayLimits } from '../sessions/login-limits.ts';
import { displayRoutes } from './displays.routes.ts';
import type { shownDisplay, started } from './displays.schema.ts';
import { displayService } from './displays.service.ts';

type Shown = z.output<typeof shownDisplay>;
type Body = Readonly<Record<string, unknown>>;

const DISPLAYS = '/api/auth/displays';
const REPORT = { build: 'a1b2c3d4e5f6', sound: 'on', boardAt: '2026-11-26T08:00:00.000Z' } as const;
let auth: TestModule;
let mary: TestHospital;
let admin: string;
let clinicId: string;

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  auth = await startTestModule({
    databaseUrls: platform().databaseUrls,
    databaseRole: 'auth',
    define: (own) => {
      const service = displayService({
        platform: own,
        keycloak: { displayToken: async () => undefined },
        secrets: deriveSecrets(privateKey),
        limits: displayLimits(own.db),
        keys: { saw: () => undefined },
      });
      return { name: 'auth', version: '1', title: 'Auth', routes: displayRoutes(service) };
    },
    ttl: 0,
  });
});
afterAll(() => auth.close());

beforeEach(async () => {
  mary = await createTestHospital(auth.operator, auth.issuer);
  admin = await mary.token(['ADMIN']);
  const clinic = clinics.create.parse({ code: 'ENT', name: 'Ear, nose and throat' });
  clinicId = (await within((work) => records(work, clinics).insert(clinic))).id;
});

const within = <T>(work: (work: Work) => Promise<T>) => workFor(auth.platform, mary.hospital, 'test', work);
const call = (method: string, path: string, token: string, body?: unknown) =>
  auth.send(method, `${DISPLAYS}${path}`, { token, ...(body === undefined ? {} : { body }) });
const outcome = async (method: string, path: string, token: string, body?: unknown) => {
  const { success, status, error } = await call(method, path, token, body);
  return success ? status : error.code;
};
const read = async (id: string) => (await call('GET', `/${id}`, admin)).data<Display>();
const me = async (token: string) => (await call('GET', '/me', token)).data<Shown>();

interface Television {
  readonly id: string;
  readonly accountId: string;
  readonly token: string;
}

async function paired(changes: Body = {}): Promise<Television> {
  const begun = await auth.send('POST', `${DISPLAYS}/start`, {
    body: { hospital: mary.hospital.prefix },
    // A network of its own, because a network's requests are limited.
    headers: { 'X-Forwarded-For': `10.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}.1` },
  });
  const { userCode } = begun.data<z.output<typeof started>>();
  const body = { code: userCode, name: 'Waiting room', clinicIds: [clinicId], ...changes };
  const answer = await call('POST', '', admin, body);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  const { id } = answer.data<Display>();
  const accountId = randomUUID();
  await within((work) => settleDisplay(work, id, accountId));
  return { id, accountId, token: await mary.token(['DISPLAY'], { claims: { sub: accountId } }) };
}

describe('a report', () => {
  it('is stored, without a new version and without an event', async () => {
    const { id, token } = await paired();
    const before = await read(id);
    expect(before).toMatchObject({ reportedBuild: null, sound: null, boardAt: null, lastSeenAt: null });
    const events = () =>
      within(({ trx }) => trx.query('SELECT FROM audit_events WHERE record_id = $1', [id])).then(
        ({ length }) => length,
      );
    const recorded = await events();
    const answer = await call('PUT', '/me/report', token, REPORT);
    expect(answer.data()).toEqual(await me(token));
    const { lastSeenAt, ...after } = await read(id);
    expect(after).toEqual({
      ...{ ...before, lastSeenAt: undefined },
      ...{ reportedBuild: REPORT.build, sound: 'on', boardAt: REPORT.boardAt },
    });
    expect(Math.abs(Date.parse(lastSeenAt ?? '') - Date.now())).toBeLessThan(60_000);
    await call('PUT', '/me/report', token, { ...REPORT, sound: 'off', boardAt: null });
    expect(await read(id)).toMatchObject({ sound: 'off', boardAt: null, version: before.version });
    expect(await events()).toBe(recorded);
  });

  it('is told to people if it has news, or after a silence', async () => {
    const { id, accountId } = await paired();
    const told: string[] = [];
    const send = (changes: Partial<Parameters<typeof reported>[2]>) =>
      within(async (work) => {
        await reported({ ...work, changed: (record, one) => void told.push(`${record} ${one}`) }, accountId, {
          ...REPORT,
          ...changes,
        });
        return told.splice(0);
      });
    const news = [`displays ${id}`];
    expect(await send({})).toEqual(news);
    expect(await send({ boardAt: null })).toEqual([]);
    expect(await send({ build: 'other' })).toEqual(news);
    expect(await send({ build: 'other', sound: 'off' })).toEqual(news);
    expect(await send({ build: 'other', sound: 'off' })).toEqual([]);
    await within(({ trx }) => trx.query("UPDATE displays SET last_seen_at = last_seen_at - interval '4 minutes'"));
    expect(await send({ build: 'other', sound: 'off' })).toEqual(news);
  });

  it.each<[string, Body, string]>([
    ['no build', { build: undefined }, 'build'],
    ['an empty build', { build: ' ' }, 'build'],
    ['a long build', { build: 'a'.repeat(65) }, 'build'],
    ['a build of two lines', { build: 'a\nb' }, 'build'],
    ['a build that is a list', { build: ['a'] }, 'build'],
    ['another sound', { sound: 'loud' }, 'sound'],
    ['no sound', { sound: null }, 'sound'],
    ['a moment that is none', { boardAt: 'yesterday' }, 'boardAt'],
    ['a moment without a zone', { boardAt: '2026-11-26T08:00:00' }, 'boardAt'],
    ['a moment that is left out', { boardAt: undefined }, 'boardAt'],
  ])('with %s is refused', async (_what, changes, field) => {
    const { id, token } = await paired();
    const answer = await call('PUT', '/me/report', token, { ...REPORT, ...changes });
    expect(answer).toMatchObject({ status: 400, error: { details: { fields: [{ field }] } } });
    expect(await read(id)).toMatchObject({ reportedBuild: null, lastSeenAt: null });
  });

  it('that is large is refused', async () => {
    const { token } = await paired();
    const answer = await call('PUT', '/me/report', token, { ...REPORT, more: 'a'.repeat(2000) });
    expect(answer.status).toBe(413);
  });

  it('of a display that was unpaired is refused, and so is that of a person', async () => {
    const { id, token, accountId } = await paired();
    expect(await outcome('DELETE', `/${id}`, admin)).toBe(200);
    expect(await outcome('PUT', '/me/report', token, REPORT)).toBe('UNAUTHENTICATED');
    // Also if its token were accepted for a moment longer.
    await expect(within((work) => reported(work, accountId, REPORT))).rejects.toThrow('No display of this hospital');
    expect(await outcome('PUT', '/me/report', await mary.token(['DISPLAY']), REPORT)).toBe('DISPLAY_NOT_FOUND');
    expect(await outcome('PUT', '/me/report', admin, REPORT)).toBe('FORBIDDEN');
  });
});

describe('the languages of a display', () => {
  it.each([
    ['en', ['en']],
    ['ar-EG', ['ar']],
    ['AR', ['ar']],
    ['ga', []],
    ['arn', []],
  ])('are those of the hospital, if nobody chooses: %s', async (language, voices) => {
    await updateHospital(auth.operator, mary.hospital.prefix, { settings: { ...DEFAULT_SETTINGS, language } });
    const { id, token } = await paired();
    expect([(await me(token)).voices, (await read(id)).voices]).toEqual([voices, voices]);
  });

  it('are what somebody chooses, in this order, and can be none', async () => {
    const { id, token } = await paired({ voices: ['ar', 'en'] });
    expect((await me(token)).voices).toEqual(['ar', 'en']);
    expect(await outcome('PUT', `/${id}`, admin, { voices: [] })).toBe(200);
    expect((await me(token)).voices).toEqual([]);
    expect(await outcome('PUT', `/${id}`, admin, { name: 'First floor' })).toBe(200);
    expect(await me(token)).toMatchObject({ name: 'First floor', voices: [] });
  });

  it.each([[['en', 'en']], [['fr']], [['en', 'ar', 'en']], ['en'], [null]])('are refused: %j', async (voices) => {
    const { id } = await paired();
    const answer = await call('PUT', `/${id}`, admin, { voices });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    const { fields } = answer.error.details as { readonly fields: readonly { readonly field: string }[] };
    expect(fields[0]?.field).toMatch(/^voices/);
  });
});

describe('notices on a display', () => {
  const add = (text: string, days: Body = {}) =>
    within((work) => records(work, notices).insert(notices.create.parse({ text, ...days })));

  it('are those of the day in the zone of the hospital, the first and the last day included', async () => {
    const { token } = await paired();
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format();
    // 25 hours apart: never on the same day.
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    await add('always');
    await add('until in the west', { validTo: dayIn(west) });
    await add('from in the east', { validFrom: dayIn(east) });
    await add('on the day in the east', { validFrom: dayIn(east), validTo: dayIn(east) });
    await add('over', { validTo: '2020-01-01' });
    const deleted = await add('deleted');
    await within(async (work) => {
      const own = records(work, notices);
      await own.remove(await own.lock(deleted.id));
    });
    const shownIn = async (timezone: string) => {
      await updateHospital(auth.operator, mary.hospital.prefix, { timezone });
      const shown = await me(token);
      expect((await call('PUT', '/me/report', token, REPORT)).data<Shown>()).toEqual(shown);
      return shown.notices;
    };
    expect(await shownIn(east)).toEqual(['always', 'from in the east', 'on the day in the east']);
    expect(await shownIn(west)).toEqual(['always', 'until in the west']);
  });

  it('are ten at most, the oldest ones', async () => {
    const { token } = await paired();
    for (let number = 1; number <= 12; number += 1) await add(`notice ${number}`);
    expect((await me(token)).notices).toEqual(Array.from({ length: 10 }, (_, index) => `notice ${index + 1}`));
  });
});

describe('a display that somebody identifies', () => {
  it('shows its name for 30 seconds, and no other display does', async () => {
    const [one, other] = [await paired(), await paired()];
    expect((await me(one.token)).identifyMs).toBe(0);
    const before = await read(one.id);
    const answer = await call('POST', `/${one.id}/identify`, admin);
    expect([answer.status, answer.data()]).toEqual([200, before]);
    const { identifyMs } = await me(one.token);
    expect(identifyMs).toBeGreaterThan(20_000);
    expect(identifyMs).toBeLessThanOrEqual(30_000);
    expect((await call('PUT', '/me/report', one.token, REPORT)).data<Shown>().identifyMs).toBeGreaterThan(0);
    expect((await me(other.token)).identifyMs).toBe(0);
    await within(({ trx }) => trx.query("UPDATE displays SET identify_until = identify_until - interval '30 seconds'"));
    expect((await me(one.token)).identifyMs).toBe(0);
    expect((await read(one.id)).version).toBe(before.version);
    const events = await within(({ trx }) =>
      trx.query("SELECT after FROM audit_events WHERE record_id = $1 AND after ? 'identifyUntil'", [one.id]),
    );
    expect(events).toHaveLength(1);
  });

  it('is identified by administrators of its hospital alone', async () => {
    const { id, token } = await paired();
    for (const role of ['DOCTOR', 'NURSE', 'RECEPTION'])
      expect(await outcome('POST', `/${id}/identify`, await mary.token([role]))).toBe('FORBIDDEN');
    expect(await outcome('POST', `/${id}/identify`, token)).toBe('FORBIDDEN');
    const other = await createTestHospital(auth.operator, auth.issuer);
    expect(await outcome('POST', `/${id}/identify`, await other.token(['OWNER']))).toBe('DISPLAY_NOT_FOUND');
    expect((await me(token)).identifyMs).toBe(0);
    expect(await outcome('POST', '/x/identify', admin)).toBe('INVALID_ID');
    await call('DELETE', `/${id}`, admin);
    expect(await outcome('POST', `/${id}/identify`, admin)).toBe('DISPLAY_NOT_FOUND');
  });
});
