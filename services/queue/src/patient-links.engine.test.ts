/** Links of patients: what they show, and what they answer, once. */
import {
  appointmentMail,
  appointmentReminder,
  cancelAppointment,
  cancellationMail,
  confirmAndRemind,
  type ShownAppointment,
} from '@hms/domain/appointments';
import { type Clinic, clinics } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import {
  answerVisit,
  readCancellationMail,
  readNewsMail,
  readReminder,
  readVisit,
  type Visit,
} from '@hms/domain/patient-links';
import { mergePatient, patients } from '@hms/domain/patients';
import { offerPlace, type ShownWaitingEntry } from '@hms/domain/waiting-list';
import { newId, Problem, records, type Work, workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readCalendar } from '../../../packages/domain/src/calendars/testing/reader.ts';
import { linkTo } from '../../../packages/domain/src/patient-links/signature.ts';
import {
  aClinic,
  aDoctor,
  aPatient,
  aRoom,
  at,
  call,
  callNext,
  hours,
  join,
  mary,
  outcome,
  queue,
  setSettings,
  take,
  tasksNamed,
  useQueue,
  within,
} from './testing.ts';

useQueue();

let ent: Clinic;
let doctor: Employee;
let nora: string;

beforeEach(async () => {
  [ent, doctor, nora] = [await aClinic('ENT'), await aDoctor(), await withAddress('Nora')];
  await hours(doctor, ent, 3);
});

function withAddress(firstName: string, email: string | null = `${firstName.toLowerCase()}@example.org`) {
  const values = { firstName, lastName: 'Quinn', phone: '+353861234567', dateOfBirth: '1990-05-17', email };
  return within(async (work) => (await records(work, patients).insert(values, newId())).id);
}

async function book(patientId = nora, time = '09:00'): Promise<ShownAppointment> {
  const body = { patientId, doctorId: doctor.id, startsAt: at(3, time) };
  const answer = await call('POST', 'appointments', body);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<ShownAppointment>();
}

const FROM = 'no-reply@hms.example';
const readMail = async (work: Work, { id }: { readonly id: string }) => {
  const mail = await readNewsMail(work, [id], FROM);
  if (mail && 'visits' in mail) throw new Error('a mail about one appointment is a list');
  return mail;
};
const mailOf = (one: { readonly id: string }) => within((work) => readMail(work, one));
const reminderOf = ({ id }: { readonly id: string }) => within((work) => readReminder(work, id));
const cancellationOf = ({ id }: { readonly id: string }) => within((work) => readCancellationMail(work, [id], FROM));
/** What the calendar of the patient gets. */
function entryIn(mail: Awaited<ReturnType<typeof mailOf | typeof cancellationOf>>) {
  const { method, events } = readCalendar(mail?.invitation?.content ?? '');
  return { method, ...events[0] };
}
async function linkOf(one: { readonly id: string }): Promise<string> {
  const [, link = ''] = (await mailOf(one))?.link.split('#') ?? [];
  return link;
}
/** What a step adds as background tasks. The platform of the tests runs those that are due. */
async function tasksOf(step: (work: Work) => unknown): Promise<readonly unknown[]> {
  const added: unknown[] = [];
  await within(async (work) => step({ ...work, addTask: (...task) => void added.push(task) }));
  return added;
}
const open = (link: string) => within((work) => readVisit(work, link));
const say = (link: string, answer: 'yes' | 'no') => within((work) => answerVisit(work, link, answer));
const codeOf = (refused: Promise<Visit>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Problem ? error.kind.code : error),
  );
const utc = (time: string) => new Date(at(3, time)).toISOString();
const statusOf = async ({ id }: { readonly id: string }) =>
  (await call('GET', `appointments/${id}`)).data<ShownAppointment>().status;
const shift = ({ id }: { readonly id: string }, days: number) =>
  within(({ trx }) =>
    trx.query(
      `UPDATE appointments SET starts_at = starts_at + $2 * interval '1 day', ends_at = ends_at + $2 * interval '1 day'
       WHERE id = $1`,
      [id, days],
    ),
  );

describe('a mail', () => {
  const task = (name: object, { id }: { readonly id: string }) => [name, { appointmentIds: [id] }, { key: id }];

  it('comes at once, and a reminder some hours before the appointment, unless the hospital wants none', async () => {
    const one = await book();
    const reminder = { input: { appointmentId: one.id }, runAt: Date.parse(one.startsAt) - 24 * 3_600_000 };
    expect(await tasksNamed('appointment-reminder')).toEqual([reminder]);
    await setSettings({ reminderHours: 0 });
    await book(await withAddress('Ann'), '09:20');
    expect(await tasksNamed('appointment-reminder')).toEqual([reminder]);
    expect(await tasksOf((work) => confirmAndRemind(work, one))).toContainEqual(task(appointmentMail, one));
    // One that is planned already is not sent.
    const settings = { ...mary.hospital.settings, reminderHours: 0 };
    const unwanted = (work: Work) => readReminder({ ...work, hospital: { ...work.hospital, settings } }, one.id);
    expect([await reminderOf(one), await within(unwanted)]).toEqual([expect.anything(), undefined]);
  });

  it('is the only one for an appointment that is nearer than the reminder', async () => {
    const one = await book();
    const tasksBefore = (hours: number) => {
      const startsAt = new Date(Date.now() + hours * 3_600_000).toISOString();
      return tasksOf((work) => confirmAndRemind(work, { ...one, startsAt }));
    };
    expect(await tasksBefore(23)).toEqual([task(appointmentMail, one)]);
    expect(await tasksBefore(25)).toEqual([
      task(appointmentMail, one),
      [appointmentReminder, { appointmentId: one.id }, { key: one.id, runAt: expect.any(Date) }],
    ]);
  });

  it('comes when an appointment is cancelled', async () => {
    const one = await book();
    const mail = [cancellationMail, { appointmentIds: [one.id] }];
    expect(await tasksOf((work) => cancelAppointment(work, one.id, {}))).toContainEqual(mail);
  });

  it('says with whom, where and when, and has a link to a page of the hospital', async () => {
    const one = await book();
    expect(await mailOf(one)).toEqual({
      to: 'nora@example.org',
      language: 'en',
      firstName: 'Nora',
      startsAt: expect.any(String),
      doctorName: 'Gregory House',
      clinicName: 'Clinic ENT',
      status: 'booked',
      offerExpiresAt: null,
      isMoved: false,
      invitation: { method: 'request', content: expect.stringMatching(/^BEGIN:VCALENDAR\r\n/) },
      link: expect.stringMatching(/^https?:\/\/\S+\/visit#[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  });

  it('goes to the one with whom a patient was merged', async () => {
    const one = await book();
    const other = await withAddress('Norah', 'norah@example.org');
    await within((work) => mergePatient(work, nora, other));
    expect(await mailOf(one)).toMatchObject({ to: 'norah@example.org', firstName: 'Norah' });
  });

  it('goes to nobody without an address, and is not sent for what is over', async () => {
    expect(await mailOf(await book(await withAddress('Bob', null), '09:20'))).toBeUndefined();
    const one = await book();
    await call('POST', `appointments/${one.id}/cancel`);
    expect(await mailOf(one)).toBeUndefined();
    const begun = await book(await withAddress('Cleo'), '10:00');
    await shift(begun, -4);
    expect(await mailOf(begun)).toBeUndefined();
    await call('POST', `appointments/${begun.id}/cancel`);
    expect(await cancellationOf(begun)).toBeUndefined();
  });

  it('adds the appointment to a calendar, moves it there, and cancels it', async () => {
    const first = await book();
    const uid = `${first.id}@hms.dev`;
    expect(entryIn(await mailOf(first))).toMatchObject({
      ...{ method: 'REQUEST', uid, sequence: 0, status: 'CONFIRMED', startsAt: utc('09:00') },
      ...{ organizer: FROM, attendee: 'nora@example.org' },
    });
    const moved = await call('POST', `appointments/${first.id}/reschedule`, { startsAt: at(3, '10:00') });
    const next = moved.data<ShownAppointment>();
    expect(await mailOf(next)).toMatchObject({ isMoved: true });
    expect(entryIn(await mailOf(next))).toMatchObject({ method: 'REQUEST', uid, sequence: 1, startsAt: utc('10:00') });
    expect(await cancellationOf(next)).toBeUndefined();
    await call('POST', `appointments/${next.id}/cancel`);
    expect(entryIn(await cancellationOf(next))).toMatchObject({
      ...{ method: 'CANCEL', uid, sequence: 2, status: 'CANCELLED', startsAt: utc('10:00') },
    });
  });

  it('is not sent any more for what was moved or cancelled before, whatever was planned', async () => {
    const first = await book();
    expect(await reminderOf(first)).toMatchObject({ status: 'booked' });
    const moved = await call('POST', `appointments/${first.id}/reschedule`, { startsAt: at(3, '10:00') });
    const next = moved.data<ShownAppointment>();
    for (const mail of [mailOf, reminderOf, cancellationOf]) expect(await mail(first)).toBeUndefined();
    expect(await reminderOf(next)).toMatchObject({ startsAt: next.startsAt });
    await call('POST', `appointments/${next.id}/cancel`);
    for (const mail of [mailOf, reminderOf]) expect(await mail(next)).toBeUndefined();
  });

  it('is in the language of the patient, or else in that of the hospital', async () => {
    const one = await book();
    const settings = { ...mary.hospital.settings, language: 'ar-EG' };
    const inArabic = <Result>(work: (work: Work) => Promise<Result>) =>
      workFor(queue.platform, { ...mary.hospital, settings }, 'test', work);
    const link = await linkOf(one);
    const mail = () => inArabic((work) => readMail(work, one));
    const languages = async () => [
      (await mail())?.language,
      (await inArabic((work) => readVisit(work, link))).language,
    ];
    expect(await languages()).toEqual(['ar-EG', 'ar-EG']);
    expect((await mail())?.invitation?.content).toContain('SUMMARY:موعد');
    const chosen = { en: 'en', ar: 'ar-EG' } as const;
    for (const language of ['ar', 'en'] as const) {
      await within(async (work) => {
        const own = records(work, patients);
        await own.update(await own.lock(nora), { language });
      });
      expect(await languages()).toEqual([chosen[language], chosen[language]]);
    }
    expect((await mail())?.invitation?.content).toContain('SUMMARY:Appointment');
  });

  it('repeats the same link when its task runs again', async () => {
    const one = await book();
    expect(await linkOf(one)).toBe(await linkOf(one));
  });
});

describe('the link of an appointment', () => {
  it('shows it, and confirms it once', async () => {
    const one = await book();
    const link = await linkOf(one);
    expect(await open(link)).toEqual({
      hospital: { name: mary.hospital.displayName, timezone: 'Asia/Jakarta', phone: null },
      language: 'en',
      firstName: 'Nora',
      appointment: {
        startsAt: utc('09:00'),
        endsAt: utc('09:20'),
        doctorName: 'Gregory House',
        clinicName: 'Clinic ENT',
        status: 'booked',
        offerExpiresAt: null,
      },
      answers: ['yes', 'no'],
      queue: null,
    });
    expect(await say(link, 'yes')).toMatchObject({ appointment: { status: 'confirmed' }, answers: [] });
    expect(await statusOf(one)).toBe('confirmed');
    for (const answer of ['yes', 'no'] as const) expect(await codeOf(say(link, answer))).toBe('LINK_USED');
    expect(await statusOf(one)).toBe('confirmed');
  });

  it('is followed by another one, which cancels and confirms nothing', async () => {
    const one = await book();
    const link = await linkOf(one);
    const mail = [appointmentMail, { appointmentIds: [one.id] }, { key: one.id }];
    expect(await tasksOf((work) => answerVisit(work, link, 'yes'))).toEqual([mail]);
    const next = await linkOf(one);
    expect((await open(next)).answers).toEqual(['no']);
    expect(await codeOf(say(next, 'yes'))).toBe('LINK_USED');
    expect(await say(next, 'no')).toMatchObject({ appointment: { status: 'cancelled' }, answers: [] });
    expect(await codeOf(say(next, 'no'))).toBe('LINK_USED');
  });

  it('cancels, so that the time can be booked again', async () => {
    const one = await book();
    await say(await linkOf(one), 'no');
    expect(await statusOf(one)).toBe('cancelled');
    await book(await aPatient('Ivy', 'Last'));
  });

  it('answers once when two answers come at the same time', async () => {
    const one = await book();
    const link = await linkOf(one);
    const codes = await Promise.all([say(link, 'yes'), say(link, 'no'), say(link, 'yes'), say(link, 'no')].map(codeOf));
    expect(codes.filter((code) => code === 'LINK_USED')).toHaveLength(3);
  });

  it('shows that the appointment has another time, and answers nothing', async () => {
    const one = await book();
    const link = await linkOf(one);
    await call('POST', `appointments/${one.id}/reschedule`, { startsAt: at(3, '10:00') });
    expect(await open(link)).toMatchObject({ appointment: { status: 'rescheduled' }, answers: [] });
    expect(await codeOf(say(link, 'yes'))).toBe('LINK_USED');
  });

  it('answers nothing once the appointment has begun, and shows nothing once the day is over', async () => {
    const one = await book();
    const link = await linkOf(one);
    await shift(one, -3);
    await within(({ trx }) =>
      trx.query(
        "UPDATE appointments SET starts_at = now() - interval '1 second', ends_at = now() + interval '1 second'",
      ),
    );
    expect(await codeOf(say(link, 'yes'))).toBe('TOO_LATE_TO_ANSWER');
    expect((await open(link)).answers).toEqual([]);
    const subject = { kind: 'appointment', id: one.id, from: 'booked' } as const;
    const ended = await within((work) => linkTo(work, subject, new Date(Date.now() - 2_000)));
    expect(await codeOf(open(ended.split('#')[1] ?? ''))).toBe('LINK_EXPIRED');
  });

  it('of another hospital, with a changed letter, or signed in another way, opens nothing', async () => {
    const link = await linkOf(await book());
    const other = await createTestHospital(queue.operator, queue.issuer);
    const elsewhere = () => workFor(queue.platform, other.hospital, 'test', (work) => readVisit(work, link));
    expect(await codeOf(elsewhere())).toBe('LINK_INVALID');
    // With a key of its own by now.
    expect(await codeOf(elsewhere())).toBe('LINK_INVALID');
    const [head = '', body = '', signature = ''] = link.split('.');
    const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = [
      `${head}.${coded({ ...claims, sub: newId() })}.${signature}`,
      `${head}.${coded({ ...claims, exp: claims.exp + 60 })}.${signature}`,
      `${head}.${coded({ ...claims, from: 'confirmed' })}.${signature}`,
      `${coded({ alg: 'none' })}.${body}.`,
      `${coded({ alg: 'none' })}.${body}.${signature}`,
      'a.b.c',
      '',
    ];
    for (const one of forged) expect(await codeOf(open(one))).toBe('LINK_INVALID');
  });

  it('opens nothing after its patient was deleted with the appointment', async () => {
    const one = await book();
    const link = await linkOf(one);
    await within(({ trx }) => trx.query('UPDATE appointments SET deleted_at = now() WHERE id = $1', [one.id]));
    expect(await codeOf(open(link))).toBe('LINK_INVALID');
    expect(await codeOf(say(link, 'yes'))).toBe('LINK_INVALID');
  });
});

describe('the link of an offer', () => {
  async function offered(): Promise<{ readonly entry: ShownWaitingEntry; readonly id: string }> {
    const added = await call('POST', 'waiting-list', { patientId: nora, doctorId: doctor.id });
    const freed = await book(await aPatient('Ivy', 'Last'));
    await call('POST', `appointments/${freed.id}/cancel`);
    // The task of the cancellation may have offered it already: any module of the platform runs it.
    await within((work) => offerPlace(work, freed));
    const { id } = added.data<ShownWaitingEntry>();
    const entry = (await call('GET', `waiting-list/${id}`)).data<ShownWaitingEntry>();
    expect(entry.status).toBe('offered');
    return { entry, id: entry.appointmentId ?? '' };
  }

  it('comes at once, and takes the time', async () => {
    const { id } = await offered();
    const offer = { status: 'offered', offerExpiresAt: expect.any(String), invitation: undefined };
    expect(await mailOf({ id })).toMatchObject(offer);
    expect(await reminderOf({ id })).toBeUndefined();
    const link = await linkOf({ id });
    expect((await open(link)).answers).toEqual(['yes', 'no']);
    expect(await say(link, 'yes')).toMatchObject({ appointment: { status: 'booked' }, answers: [] });
    expect(await codeOf(say(link, 'no'))).toBe('LINK_USED');
    expect(await outcome('GET', `appointments/${id}`)).toBe(200);
    // The reminder comes later, with a link that confirms.
    expect((await open(await linkOf({ id }))).answers).toEqual(['yes', 'no']);
  });

  it('declines it, so that the patient waits again', async () => {
    const { entry, id } = await offered();
    expect(await say(await linkOf({ id }), 'no')).toMatchObject({ appointment: { status: 'cancelled' } });
    expect((await call('GET', `waiting-list/${entry.id}`)).data()).toMatchObject({ status: 'waiting' });
  });
});

describe('the turn of somebody', () => {
  const turnLink = async ({ id }: { readonly id: string }) => {
    const answer = await call('POST', `entries/${id}/link`);
    expect([answer.error, answer.status]).toEqual([undefined, 200]);
    const { link, qr } = answer.data<{ readonly link: string; readonly qr: string }>();
    expect(qr).toMatch(/^<svg /);
    return link.split('#')[1] ?? '';
  };
  const turn = async (link: string) => (await open(link)).queue;

  it('is shown with those who are before, and nothing about them', async () => {
    const [first, second, third] = [await join(ent, { patientId: nora }), await join(ent), await join(ent)];
    const link = await turnLink(third);
    expect(await turn(link)).toMatchObject({ label: third.label, status: 'waiting', ahead: 2, roomName: null });
    expect((await turn(await turnLink(first)))?.ahead).toBe(0);
    const shown = await open(link);
    expect([shown.firstName, shown.appointment, shown.answers]).toEqual([null, null, []]);
    expect(JSON.stringify(shown)).not.toMatch(/Nora|Quinn/);
    // Whoever is urgent comes before.
    await take(third, 'priority', { priority: 2 });
    expect((await turn(link))?.ahead).toBe(0);
    expect((await turn(await turnLink(second)))?.ahead).toBe(2);
  });

  it('follows the call to a room, and to another clinic', async () => {
    const room = await aRoom(ent, 'R2');
    const other = await aClinic('EYE');
    const one = await join(ent, { patientId: nora });
    const link = await turnLink(one);
    expect((await open(link)).firstName).toBe('Nora');
    await callNext(ent, { roomId: room });
    expect(await turn(link)).toMatchObject({ status: 'called', roomName: 'R2', ahead: null, etaP50: null });
    await take(one, 'transfer', { clinicId: other.id });
    expect(await turn(link)).toMatchObject({ status: 'waiting', clinicName: 'Clinic EYE', ahead: 0, roomName: null });
    await take(one, 'cancel');
    expect(await turn(link)).toMatchObject({ status: 'cancelled' });
  });

  it('is behind the link of the appointment after a check-in, and answers nothing', async () => {
    const one = await book();
    const link = await linkOf(one);
    await within(({ trx }) =>
      trx.query("UPDATE appointments SET starts_at = now(), ends_at = now() + interval '20 minutes'"),
    );
    await call('POST', `appointments/${one.id}/check-in`);
    expect(await open(link)).toMatchObject({
      appointment: { status: 'checked_in' },
      answers: [],
      queue: { status: 'waiting', ahead: 0 },
    });
    expect(await codeOf(say(link, 'no'))).toBe('TOO_LATE_TO_ANSWER');
  });

  it('can’t be answered', async () => {
    const link = await turnLink(await join(ent));
    for (const answer of ['yes', 'no'] as const) expect(await codeOf(say(link, answer))).toBe('LINK_USED');
  });

  it('is shown until its day is over', async () => {
    const link = await turnLink(await join(ent));
    const [, claims = ''] = link.split('.');
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(exp * 1000).toBe(Date.parse(at(1, '00:00')));
  });

  it('of a clinic that is gone has no name and no place', async () => {
    const link = await turnLink(await join(ent));
    await within(async (work) => records(work, clinics).remove(await records(work, clinics).lock(ent.id)));
    expect(await turn(link)).toMatchObject({ status: 'waiting' });
  });
});
