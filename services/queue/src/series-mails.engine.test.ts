/** Mails about the appointments of a series: one for all of them, and what calendars make of it. */
import {
  appointmentMail,
  appointmentReminder,
  bookSeries,
  cancelFollowing,
  cancellationMail,
  newSeries,
  type SeriesBooking,
  type ShownAppointment,
} from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import { readCancellationMail, readNewsMail } from '@hms/domain/patient-links';
import { mergePatient, patients, unmergePatient } from '@hms/domain/patients';
import { createSchedule, weekdayOf } from '@hms/domain/schedules';
import { newId, records, type Work, workFor } from '@hms/service';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { readCalendar } from '../../../packages/domain/src/calendars/testing/reader.ts';
import { aClinic, aDoctor, at, call, day, hours, mary, queue, useQueue, within } from './testing.ts';

useQueue();

const FROM = 'no-reply@hms.example';
type Identified = Pick<ShownAppointment, 'id'>;
type Task = readonly [task: object, input: object, options?: object];

let ent: Clinic;
let doctor: Employee;
let nora: string;

beforeEach(async () => {
  [ent, doctor, nora] = [await aClinic('ENT'), await aDoctor(), await withAddress('Nora')];
});

function withAddress(firstName: string): Promise<string> {
  const values = { firstName, lastName: 'Quinn', phone: '+353861234567', dateOfBirth: '1990-05-17' };
  const email = `${firstName.toLowerCase()}@example.org`;
  return within(async (work) => (await records(work, patients).insert({ ...values, email }, newId())).id);
}

/** Books a series in a transaction. */
function book(work: Work, changes: object = {}): Promise<SeriesBooking> {
  const body = { patientId: nora, doctorId: doctor.id, startsAt: at(3, '09:00'), times: 3, ...changes };
  return bookSeries(work, newSeries.parse(body));
}
/** Three appointments, in days 3, 10 and 17. */
async function threeWeeks() {
  for (const days of [3, 10, 17]) await hours(doctor, ent, days);
  const { booked } = await within(book);
  const [first, second, third] = booked;
  if (!first || !second || !third) throw new Error('the series was not booked');
  return [first, second, third] as const;
}
/** What a step adds as background tasks that mail. */
async function mailsOf(step: (work: Work) => unknown): Promise<readonly Task[]> {
  const added: Task[] = [];
  const addTask = (...task: Task) => void added.push(task);
  await within(async (work) => step({ ...work, addTask: addTask as Work['addTask'] }));
  const names: readonly object[] = [appointmentMail, appointmentReminder, cancellationMail];
  return added.filter(([name]) => names.includes(name));
}
const ids = (all: readonly Identified[]) => all.map(({ id }) => id);
const newsOf = (...all: readonly Identified[]) => within((work) => readNewsMail(work, ids(all), FROM));
const cancellationOf = (...all: readonly Identified[]) => within((work) => readCancellationMail(work, ids(all), FROM));
const timesIn = (mail: Awaited<ReturnType<typeof newsOf | typeof cancellationOf>>) =>
  mail && 'visits' in mail ? mail.visits.map(({ startsAt }) => startsAt) : 'no list';
const calendarIn = (mail: Awaited<ReturnType<typeof newsOf | typeof cancellationOf>>) =>
  readCalendar(mail?.invitation?.content ?? '');
async function step({ id }: Identified, verb: string, body: Readonly<Record<string, unknown>> = {}) {
  const answer = await call('POST', `appointments/${id}/${verb}`, body);
  expect([answer.error, answer.status]).toEqual([undefined, 200]);
  return answer.data<ShownAppointment>();
}

describe('the mail of a series', () => {
  it('is one, and each appointment keeps its reminder', async () => {
    for (const days of [3, 10, 17]) await hours(doctor, ent, days);
    let booked: SeriesBooking['booked'] = [];
    const tasks = await mailsOf(async (work) => {
      ({ booked } = await book(work));
    });
    expect(tasks).toHaveLength(4);
    expect(tasks.filter(([name]) => name === appointmentMail)).toEqual([
      [appointmentMail, { appointmentIds: ids(booked) }],
    ]);
    for (const { id, startsAt } of booked) {
      const runAt = new Date(Date.parse(startsAt) - 24 * 3_600_000);
      expect(tasks).toContainEqual([appointmentReminder, { appointmentId: id }, { key: id, runAt }]);
    }
  });

  it('lists all times in order, and adds an event for each to a calendar, also when clocks have changed', async () => {
    const timezone = 'Europe/Dublin';
    const inDublin = <Result>(work: (work: Work) => Promise<Result>) =>
      workFor(queue.platform, { ...mary.hospital, timezone }, 'test', work);
    const first = Temporal.PlainDate.from(day(3));
    // Nowhere do clocks stay as they are for nine months, if they change at all.
    const begins = [0, 13, 26, 39].map((weeks) =>
      first.add({ weeks }).toZonedDateTime({ timeZone: timezone, plainTime: '09:00' }),
    );
    expect(new Set(begins.map(({ offset }) => offset)).size).toBe(2);
    const booked = await inDublin(async (work) => {
      const plan = { weekday: weekdayOf(day(3)), startTime: '09:00', endTime: '12:00', validFrom: day(3) };
      await createSchedule(work, { ...plan, capacity: 1, slotMinutes: 20, doctorId: doctor.id, clinicId: ent.id });
      const startsAt = begins[0]?.toInstant().toString();
      return (await book(work, { startsAt, times: 4, everyWeeks: 13 })).booked;
    });
    const mail = await inDublin((work) => readNewsMail(work, ids(booked).reverse(), FROM));
    const times = begins.map((begin) => new Date(begin.epochMilliseconds).toISOString());
    expect(mail).toEqual({
      ...{ to: 'nora@example.org', language: 'en', firstName: 'Nora' },
      visits: times.map((startsAt) => ({ startsAt, doctorName: 'Gregory House', clinicName: 'Clinic ENT' })),
      invitation: { method: 'publish', content: expect.any(String) },
      isReminded: true,
    });
    const { method, events } = calendarIn(mail);
    expect(method).toBe('PUBLISH');
    expect(events).toMatchObject(
      booked.map(({ id }, index) => ({
        ...{ uid: `${id}@hms.dev`, sequence: 0, status: 'CONFIRMED', organizer: FROM, attendee: null },
        ...{ startsAt: times[index], zone: timezone, location: expect.stringContaining('Clinic ENT') },
      })),
    );
  });

  it('promises no reminder if none comes', async () => {
    const all = await threeWeeks();
    const isReminded = (reminderHours: number) => {
      const settings = { ...mary.hospital.settings, reminderHours };
      const mail = (work: Work) => readNewsMail(work, ids(all.slice(0, 2)), FROM);
      return workFor(queue.platform, { ...mary.hospital, settings }, 'test', mail);
    };
    // The second one begins in ten days.
    expect(await isReminded(200)).toMatchObject({ isReminded: true });
    for (const hours of [0, 336]) expect(await isReminded(hours)).toMatchObject({ isReminded: false });
  });

  it('leaves out what was cancelled, has moved or has begun meanwhile', async () => {
    for (const days of [3, 10, 17, 24, 31]) await hours(doctor, ent, days);
    const { booked } = await within((work) => book(work, { times: 5 }));
    const [cancelled, moved, begun, confirmed, last] = booked;
    if (!cancelled || !moved || !begun || !confirmed || !last) throw new Error('the series was not booked');
    await step(cancelled, 'cancel');
    await step(moved, 'reschedule', { startsAt: at(10, '10:00') });
    await step(confirmed, 'confirm');
    const past = `UPDATE appointments SET starts_at = now() - interval '1 minute', ends_at = now() WHERE id = $1`;
    await within(({ trx }) => trx.query(past, [begun.id]));
    const mail = await newsOf(...booked);
    expect(timesIn(mail)).toEqual([24, 31].map((days) => new Date(at(days, '09:00')).toISOString()));
    expect(calendarIn(mail).events.map(({ uid }) => uid)).toEqual([confirmed, last].map((one) => `${one.id}@hms.dev`));
  });

  it('is that of an appointment, with a link, if one is left, and none is sent for none', async () => {
    const [first, second, third] = await threeWeeks();
    await step(first, 'cancel');
    await step(third, 'cancel');
    const mail = await newsOf(first, second, third);
    expect(mail).toMatchObject({ startsAt: second.startsAt, link: expect.stringMatching(/\/visit#/), isMoved: false });
    expect(calendarIn(mail)).toMatchObject({ method: 'REQUEST', events: [{ attendee: 'nora@example.org' }] });
    await step(second, 'cancel');
    expect(await newsOf(first, second, third)).toBeUndefined();
  });

  it('is that of an appointment if only one time was possible', async () => {
    await hours(doctor, ent, 10);
    const { booked, refused } = await within((work) => book(work, { skipRefused: true }));
    expect([booked.length, refused.length]).toEqual([1, 2]);
    expect(await newsOf(...booked)).toMatchObject({ startsAt: booked[0]?.startsAt, link: expect.any(String) });
  });

  it('is followed by mails that move and cancel the event of one appointment', async () => {
    const all = await threeWeeks();
    const { uid, sequence } = calendarIn(await newsOf(...all)).events[1] ?? {};
    expect([uid, sequence]).toEqual([`${all[1].id}@hms.dev`, 0]);
    const moved = await step(all[1], 'reschedule', { startsAt: at(10, '10:00') });
    const startsAt = new Date(at(10, '10:00')).toISOString();
    expect(calendarIn(await newsOf(moved))).toMatchObject({
      method: 'REQUEST',
      events: [{ uid, sequence: 1, startsAt }],
    });
    await step(moved, 'cancel');
    const cancelled = calendarIn(await cancellationOf(moved));
    expect(cancelled).toMatchObject({ method: 'CANCEL', events: [{ uid, sequence: 2, status: 'CANCELLED' }] });
  });
});

describe('the mail about a cancelled rest of a series', () => {
  it('is one, and cancels all their events', async () => {
    const [first, second, third] = await threeWeeks();
    const moved = await step(third, 'reschedule', { startsAt: at(17, '10:00') });
    expect(await mailsOf((work) => cancelFollowing(work, second.id, {}))).toEqual([
      [cancellationMail, { appointmentIds: [second.id, moved.id] }],
    ]);
    const mail = await cancellationOf(first, second, moved);
    expect(timesIn(mail)).toEqual([second.startsAt, moved.startsAt]);
    expect(calendarIn(mail)).toMatchObject({
      method: 'PUBLISH',
      events: [
        { uid: `${second.id}@hms.dev`, sequence: 1, status: 'CANCELLED', startsAt: second.startsAt, attendee: null },
        { uid: `${third.id}@hms.dev`, sequence: 2, status: 'CANCELLED', startsAt: moved.startsAt },
      ],
    });
    // Nothing is left to cancel, and nothing to say.
    expect(await mailsOf((work) => cancelFollowing(work, second.id, {}))).toEqual([]);
    const mailOfLast = [cancellationMail, { appointmentIds: [first.id] }];
    expect(await mailsOf((work) => cancelFollowing(work, first.id, {}))).toEqual([mailOfLast]);
    expect(calendarIn(await cancellationOf(first))).toMatchObject({ method: 'CANCEL', events: [{ sequence: 1 }] });
  });

  it('has nothing of another person with whom the patient was merged for a while', async () => {
    const all = await threeWeeks();
    const other = await withAddress('Norah');
    await within((work) => mergePatient(work, nora, other));
    const moved = await step(all[2], 'reschedule', { startsAt: at(17, '10:00') });
    expect(timesIn(await newsOf(all[0], all[1], moved))).toHaveLength(3);
    await within((work) => unmergePatient(work, nora));
    expect(await newsOf(all[0], all[1], moved)).toMatchObject({ to: 'nora@example.org', visits: [{}, {}] });
    const cancelled = await within((work) => cancelFollowing(work, all[0].id, {}));
    expect(ids(cancelled)).toEqual([all[0].id, all[1].id]);
    expect(await newsOf(moved)).toMatchObject({ to: 'norah@example.org' });
  });
});
