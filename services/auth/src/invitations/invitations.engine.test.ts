/** What ends an invitation before anybody has used it. */

import { randomUUID } from 'node:crypto';
import {
  activate,
  changeEmployee,
  type Employee,
  employees,
  hire,
  INVITATION_DAYS,
  invitationMail,
  inviteAgain,
  openInvitation,
  setAccount,
  suspend,
  terminate,
} from '@hms/domain/employees';
import { Problem, records, type Work, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';

const DAY_MS = 86_400_000;
let auth: TestModule;
let mary: TestHospital;

beforeAll(async () => {
  auth = await startTestModule({
    databaseUrls: platform().databaseUrls,
    databaseRole: 'auth',
    define: () => ({ name: 'auth', version: '1', title: 'Auth', routes: [] }),
    ttl: 0,
  });
  mary = await createTestHospital(auth.operator, auth.issuer);
});
afterAll(() => auth.close());

const within = <T>(work: (work: Work) => Promise<T>, { hospital } = mary) =>
  workFor(auth.platform, hospital, 'test', work);
const mailOf = (id: string) => within((work) => invitationMail(work, id));

/** Somebody whose account exists, and their link. */
async function invited(): Promise<{ readonly id: string; readonly email: string; readonly link: string }> {
  const email = `${randomUUID()}@example.org`;
  const body = employees.create.parse({ firstName: 'Nora', lastName: 'Night', email, roles: ['NURSE'] });
  const { id } = await within((work) => hire(work, body));
  await within((work) => setAccount(work, id, randomUUID()));
  return { id, email, link: await linkOf(id) };
}

async function linkOf(id: string): Promise<string> {
  const mail = await mailOf(id);
  expect(mail?.link).toContain('/invitation#');
  return mail?.link.split('#')[1] ?? '';
}

/** Opens a link after some days. @returns the id of the employee, or what is said instead. */
async function open(link: string, days = 0, hospital = mary): Promise<unknown> {
  const work = async (opened: Work) => {
    await opened.trx.setMoment(new Date(Date.now() + days * DAY_MS));
    return (await openInvitation(opened, link)).id;
  };
  return within(work, hospital).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return { code: error.kind.code, details: error.details };
  });
}

const endedFor = (email?: string) => ({
  code: 'INVITATION_ENDED',
  details: email === undefined ? undefined : { email },
});

it('is valid for seven days, as its mail says', async () => {
  const { id, email, link } = await invited();
  const until = (await mailOf(id))?.until.getTime() ?? 0;
  expect(INVITATION_DAYS).toBe(7);
  expect(Math.abs(until - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
  expect(await open(link, 6.99)).toBe(id);
  expect(await open(link, 7.01)).toEqual(endedFor(email));
});

it('is the same when its mail is sent again after a crash, and another one when somebody invites again', async () => {
  const { id, email, link } = await invited();
  expect(await linkOf(id)).toBe(link);
  await within((work) => inviteAgain(work, id));
  const newer = await linkOf(id);
  expect([await open(link), await open(newer)]).toEqual([endedFor(email), id]);
});

it('begins again when its mail has waited for too long', async () => {
  const { id, email, link } = await invited();
  const later = await within(async (work) => {
    await work.trx.setMoment(new Date(Date.now() + 8 * DAY_MS));
    return invitationMail(work, id);
  });
  expect(await open(later?.link.split('#')[1] ?? '', 9)).toBe(id);
  expect(await open(link, 9)).toEqual(endedFor(email));
});

it('ends when the address changes, also before the mail to the new one', async () => {
  const { id, email, link } = await invited();
  const moved = `moved-${email}`;
  await within((work) => changeEmployee(work, id, { email: moved }, undefined));
  expect(await open(link)).toEqual(endedFor(email));
  expect(await mailOf(id)).toMatchObject({ to: moved });
  expect(await open(await linkOf(id))).toBe(id);
  await within((work) => changeEmployee(work, id, { email }, undefined));
  expect(await open(link)).toEqual(endedFor(email));
});

it('stays when something else of the employee changes', async () => {
  const { id, email, link } = await invited();
  await within((work) => changeEmployee(work, id, { email, title: 'Senior nurse' }, undefined));
  expect(await open(link)).toBe(id);
});

it.each<readonly [string, (work: Work, id: string) => Promise<Employee>]>([
  ['the employment ends', (work, id) => terminate(work, id, undefined)],
  ['the person works', (work, id) => accepted(work, id)],
  [
    'the account is closed and opened',
    async (work, id) => {
      await accepted(work, id);
      await suspend(work, id, undefined);
      return activate(work, id, undefined);
    },
  ],
])('ends when %s', async (_, change) => {
  const { id, email, link } = await invited();
  await within((work) => change(work, id));
  expect(await open(link)).toEqual(endedFor(email));
  expect(await mailOf(id)).toBeUndefined();
});

it('opens nothing when somebody has changed it, or at another hospital', async () => {
  const { id, email, link } = await invited();
  const [header, , signature] = link.split('.');
  const { id: other } = await invited();
  const payload = Buffer.from(JSON.stringify({ sub: other, email, iss: mary.hospital.id, aud: 'invitation' }));
  const forged = `${header}.${payload.toString('base64url')}.${signature}`;
  const cut = link.slice(0, -5);
  for (const wrong of [forged, cut, '', 'x', 'a.b.c']) expect(await open(wrong)).toEqual(endedFor());
  const anne = await createTestHospital(auth.operator, auth.issuer);
  expect(await open(link, 0, anne)).toEqual(endedFor());
  expect(await open(link)).toBe(id);
});

it('needs an account', async () => {
  const { id, email, link } = await invited();
  await within((work) => work.trx.query('UPDATE employees SET account_id = NULL WHERE id = $1', [id]));
  expect(await open(link)).toEqual(endedFor(email));
});

async function accepted(work: Work, id: string): Promise<Employee> {
  const own = records(work, employees);
  return own.moveTo(await own.lock(id), 'active');
}
