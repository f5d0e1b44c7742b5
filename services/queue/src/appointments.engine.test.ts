/** Slots, and appointments in every state: booked once, moved, missed, and in step with the queue. */

import { createAbsence } from '@hms/domain/absences';
import type { RefusedTime, ShownAppointment, ShownSlot, SlotDay } from '@hms/domain/appointments';
import { bookSeries, missIfAbsent, reschedule } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import { type Employee, employees } from '@hms/domain/employees';
import { mergePatient } from '@hms/domain/patients';
import type { ShownEntry } from '@hms/domain/queue';
import { createSchedule } from '@hms/domain/schedules';
import { newId, records, workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { until } from '../../../test/support/until.ts';
import {
  aClinic,
  aDoctor,
  aPatient,
  aRoom,
  at,
  call,
  callNext,
  day,
  hours,
  join,
  line,
  mary,
  outcome,
  queue,
  take,
  tasksNamed,
  useQueue,
  within,
} from './testing.ts';

useQueue();

const APPOINTMENTS = 'appointments';
interface BookedSeries {
  readonly seriesId: string;
  readonly booked: readonly ShownAppointment[];
  readonly refused: readonly RefusedTime[];
}

let ent: Clinic;
let doctor: Employee;
let patientId: string;
let owner: string;

beforeEach(async () => {
  [ent, doctor, patientId] = [await aClinic('ENT', { tokenPrefix: 'A' }), await aDoctor(), await aPatient()];
  owner = await mary.token(['OWNER']);
});

const slots = async (query: string) => (await call('GET', `slots?${query}`)).data<ShownSlot[]>();
const booking = (startsAt: string, changes: object = {}) =>
  call('POST', APPOINTMENTS, { patientId, doctorId: doctor.id, startsAt, ...changes });
async function booked(startsAt: string, changes: object = {}): Promise<ShownAppointment> {
  const answer = await booking(startsAt, changes);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<ShownAppointment>();
}
const code = async (startsAt: string, changes: object = {}) => {
  const { status, error } = await booking(startsAt, changes);
  return status < 300 ? status : error.code;
};
const step = (one: { readonly id: string }, verb: string, body: Readonly<Record<string, unknown>> = {}) =>
  outcome('POST', `${APPOINTMENTS}/${one.id}/${verb}`, body);
const state = async ({ id }: { readonly id: string }) =>
  (await call('GET', `${APPOINTMENTS}/${id}`)).data<ShownAppointment>().status;
/** As if an appointment were now. */
const now = ({ id }: { readonly id: string }) =>
  within(({ trx }) =>
    trx.query(`UPDATE appointments SET starts_at = now(), ends_at = now() + interval '20 minutes' WHERE id = $1`, [id]),
  );

describe('slots', () => {
  it('follow from the schedule, with the offset of the hospital', async () => {
    const roomId = await aRoom(ent, 'Room 1');
    await hours(doctor, ent, 1, { roomId });
    const all = await slots(`doctorId=${doctor.id}&date=${day(1)}`);
    expect(all).toHaveLength(9);
    expect(all[0]).toEqual({
      ...{ doctorId: doctor.id, doctorName: 'Gregory House', clinicId: ent.id, clinicName: 'Clinic ENT' },
      ...{ roomId, roomName: 'Room 1', startsAt: at(1, '09:00'), endsAt: at(1, '09:20'), capacity: 1, free: 1 },
      heldUntil: null,
      scheduleId: expect.any(String),
    });
    expect(await slots(`clinicId=${ent.id}&date=${day(0)}&days=3`)).toEqual(all);
    expect(await slots(`clinicId=${ent.id}&date=${day(0)}`)).toEqual([]);
  });

  it('stay where they are when the doctor is away for a part of the hours', async () => {
    await hours(doctor, ent, 1);
    await within((work) =>
      createAbsence(work, {
        ...{ doctorId: doctor.id, kind: 'other' },
        from: { day: day(1), time: '09:30' },
        to: { day: day(1), time: '10:10' },
      } as never),
    );
    const begins = (await slots(`doctorId=${doctor.id}&date=${day(1)}`)).map(({ startsAt }) => startsAt.slice(11, 16));
    expect(begins).toEqual(['09:00', '10:20', '10:40', '11:00', '11:20', '11:40']);
  });

  it('are free until they are booked', async () => {
    await hours(doctor, ent, 1, { capacity: 2 });
    await booked(at(1, '09:00'));
    await booked(at(1, '09:00'), { patientId: await aPatient('Seán') });
    const free = await slots(`doctorId=${doctor.id}&date=${day(1)}&onlyFree=true`);
    expect(free.map(({ startsAt, free: left }) => [startsAt.slice(11, 16), left])[0]).toEqual(['09:20', 2]);
    expect(free).toHaveLength(8);
  });

  it('name what is wrong in a query', async () => {
    expect(await outcome('GET', `slots?doctorId=${newId()}`)).toBe('EMPLOYEE_NOT_FOUND');
    expect(await outcome('GET', `slots?clinicId=${newId()}`)).toBe('CLINIC_NOT_FOUND');
    const wrong = ['date=x', 'days=0', 'days=32', 'doctorId=x', 'onlyFree=yes', `days=8&clinicId=${ent.id}`];
    for (const query of [...wrong, `date=${day(400)}&clinicId=${ent.id}`, `doctorId=&days=1`])
      expect(await call('GET', `slots?${query}`)).toMatchObject({
        error: { details: { fields: [{ field: query.split('=')[0] }] } },
      });
  });
});

describe('the days on which doctors have places', () => {
  const days = async (query: string) => (await call('GET', `slots/days?${query}`)).data<SlotDay[]>();

  it('are those of a clinic, with what is left of each', async () => {
    const other = await aDoctor('Wilson');
    await hours(doctor, ent, 1);
    await hours(doctor, ent, 3, { capacity: 2 });
    await hours(other, ent, 1);
    await booked(at(1, '09:00'));
    // A type of visit that takes two slots, and one that somebody else is about to book.
    const { id: visitTypeId } = (
      await call('POST', 'visit-types', { code: 'L', name: 'Long', minutes: 40 }, owner)
    ).data<{
      id: string;
    }>();
    await booked(at(3, '09:20'), { visitTypeId });
    expect(
      (await call('POST', 'appointments/holds', { doctorId: other.id, startsAt: at(1, '09:00') }, owner)).status,
    ).toBe(201);
    const house = { doctorId: doctor.id, doctorName: 'Gregory House' };
    const wilson = { doctorId: other.id, doctorName: 'Gregory Wilson' };
    const found = await days(`clinicId=${ent.id}&date=${day(0)}`);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        { ...house, day: day(1), places: 9, free: 8, firstFree: at(1, '09:20') },
        { ...wilson, day: day(1), places: 9, free: 8, firstFree: at(1, '09:20') },
        { ...house, day: day(3), places: 18, free: 16, firstFree: at(3, '09:00') },
      ]),
    );
    expect(found.at(-1)?.day).toBe(day(3));
    expect(await days(`doctorId=${other.id}&date=${day(2)}`)).toEqual([]);
    // A long visit begins in any slot but the last one, and before what is booked.
    expect(await days(`doctorId=${doctor.id}&date=${day(1)}&days=1&visitTypeId=${visitTypeId}`)).toEqual([
      { ...house, day: day(1), places: 8, free: 7, firstFree: at(1, '09:20') },
    ]);
  });

  it('agree with the slots, whatever is taken of them', async () => {
    await hours(doctor, ent, 1, { capacity: 3 });
    for (const [minutes, seats] of [20, 40, 60].entries()) {
      const type = await call(
        'POST',
        'visit-types',
        { code: `V${seats}`, name: `Visit of ${seats}`, minutes: seats },
        owner,
      );
      const { id: visitTypeId } = type.data<{ id: string }>();
      for (const time of ['09:00', '09:40', '10:20'].slice(minutes))
        await booked(at(1, time), { visitTypeId, patientId: await aPatient(`P${seats}`) });
    }
    const all = await slots(`doctorId=${doctor.id}&date=${day(1)}`);
    const [found] = await days(`doctorId=${doctor.id}&date=${day(1)}&days=1`);
    const naive = await within(async ({ trx }) => {
      const rows = await trx.query<{ startsAt: Date; endsAt: Date; seat: number }>(
        'SELECT starts_at AS "startsAt", ends_at AS "endsAt", seat FROM appointments',
      );
      return all.map(({ startsAt, endsAt }) => {
        const [from, to] = [new Date(startsAt), new Date(endsAt)];
        return 3 - new Set(rows.filter((row) => row.startsAt < to && row.endsAt > from).map(({ seat }) => seat)).size;
      });
    });
    expect(all.map(({ free }) => free)).toEqual(naive);
    expect(new Set(naive).size).toBeGreaterThan(2);
    expect(found).toMatchObject({ places: 27, free: naive.reduce((sum, free) => sum + free, 0) });
  });

  it('are free as far ahead as people can book', async () => {
    for (const ahead of [365, 367]) await hours(doctor, ent, ahead);
    const query = `doctorId=${doctor.id}&date=${day(365)}`;
    expect((await days(query)).map(({ day: on, free }) => [on, free])).toEqual([
      [day(365), 9],
      [day(367), 0],
    ]);
    expect(await code(at(365, '09:00'))).toBe(201);
    expect(await code(at(367, '09:00'))).toBe('TOO_FAR_AHEAD');
  });

  it('name what is wrong in a query', async () => {
    expect(await outcome('GET', `slots/days?doctorId=${newId()}`)).toBe('EMPLOYEE_NOT_FOUND');
    for (const query of ['days=32', 'doctorId=x', `date=${day(400)}&clinicId=${ent.id}`, 'doctorId='])
      expect(await call('GET', `slots/days?${query}`)).toMatchObject({
        error: { details: { fields: [{ field: query.split('=')[0] }] } },
      });
  });
});

describe('a booking', () => {
  it('has its number, the names, and the end of the slot', async () => {
    await hours(doctor, ent, 1);
    expect(await booked(at(1, '09:20'), { reason: 'Cough' })).toMatchObject({
      ...{ appointmentNo: 'APT-000001', status: 'booked', reason: 'Cough', seat: 1, clinicName: 'Clinic ENT' },
      ...{ patientName: 'Nora Quinn', doctorName: 'Gregory House' },
      ...{ startsAt: new Date(at(1, '09:20')).toISOString(), endsAt: new Date(at(1, '09:40')).toISOString() },
    });
    const found = await call(
      'GET',
      `${APPOINTMENTS}?q=quinn&doctorId=${doctor.id}&startsFrom=${new Date().toISOString()}`,
    );
    expect(found.data<ShownAppointment[]>()).toMatchObject([{ appointmentNo: 'APT-000001' }]);
  });

  it('is refused outside of the hours, in the past and far ahead', async () => {
    await hours(doctor, ent, 1);
    expect(await code(at(1, '09:10'))).toBe('OUTSIDE_SCHEDULE');
    expect(await code(at(1, '12:00'))).toBe('OUTSIDE_SCHEDULE');
    expect(await code(at(2, '09:00'))).toBe('OUTSIDE_SCHEDULE');
    expect(await code(at(-1, '09:00'))).toBe('IN_THE_PAST');
    expect(await code(at(400, '09:00'))).toBe('TOO_FAR_AHEAD');
    expect(await code(at(1, '09:00'), { patientId: newId() })).toBe('PATIENT_NOT_FOUND');
    expect(await code(at(1, '09:00'), { doctorId: newId() })).toBe('EMPLOYEE_NOT_FOUND');
    const nurse = await within((work) =>
      records(work, employees).insert({
        ...{ firstName: 'Ann', lastName: 'Byrne', email: 'ann@example.org', roles: ['NURSE'], employedFrom: day() },
      }),
    );
    expect(await code(at(1, '09:00'), { doctorId: nurse.id })).toBe('NOT_A_DOCTOR');
  });

  it('of one slot succeeds once, for 30 people at once', async () => {
    await hours(doctor, ent, 1);
    const people = await Promise.all(Array.from({ length: 30 }, (_, index) => aPatient(`P${index}`)));
    const codes = await Promise.all(people.map((id) => code(at(1, '09:00'), { patientId: id })));
    expect(codes.filter((one) => one === 201)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([201, 'SLOT_TAKEN']));
  });

  it('of a slot for three succeeds three times, each with a seat', async () => {
    await hours(doctor, ent, 1, { capacity: 3 });
    const people = await Promise.all(Array.from({ length: 10 }, (_, index) => aPatient(`P${index}`)));
    const answers = await Promise.all(people.map((id) => booking(at(1, '09:00'), { patientId: id })));
    const seats = answers.filter(({ status }) => status === 201).map((one) => one.data<ShownAppointment>().seat);
    expect(seats.toSorted()).toEqual([1, 2, 3]);
  });

  it('of one patient with two doctors at one time succeeds once, also at the same moment', async () => {
    const other = await aDoctor('Wilson');
    await Promise.all([hours(doctor, ent, 1), hours(other, ent, 1)]);
    const codes = await Promise.all([code(at(1, '09:00')), code(at(1, '09:00'), { doctorId: other.id })]);
    expect(codes.toSorted()).toEqual([201, 'PATIENT_DOUBLE_BOOKED']);
    expect(await code(at(1, '09:20'), { doctorId: other.id })).toBe(201);
  });

  it('is not possible in another hospital', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    const theirs = await (await createTestHospital(queue.operator, queue.issuer)).token(['RECEPTION']);
    expect(await outcome('GET', `${APPOINTMENTS}/${one.id}`, undefined, theirs)).toBe('APPOINTMENT_NOT_FOUND');
    expect(await outcome('POST', `${APPOINTMENTS}/${one.id}/cancel`, {}, theirs)).toBe('APPOINTMENT_NOT_FOUND');
    const body = { patientId, doctorId: doctor.id, startsAt: at(1, '09:20') };
    expect(await outcome('POST', APPOINTMENTS, body, theirs)).toBe('PATIENT_NOT_FOUND');
    expect(await outcome('POST', APPOINTMENTS, body, await mary.token(['CASHIER']))).toBe('FORBIDDEN');
  });
});

describe('an appointment', () => {
  it('is confirmed and cancelled, and its slot is free again', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    expect(await step(one, 'confirm')).toBe(200);
    expect(await step(one, 'confirm')).toBe('INVALID_STATE');
    expect(await step(one, 'cancel', { reason: 'Feels better', version: 1 })).toBe('STALE_VERSION');
    expect(await step(one, 'cancel', { reason: 'Feels better' })).toBe(200);
    expect(await step(one, 'cancel')).toBe('INVALID_STATE');
    expect(await code(at(1, '09:00'))).toBe(201);
  });

  it('is moved to another time, which may overlap, or not at all', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'), { reason: 'Cough' });
    const moved = await call('POST', `${APPOINTMENTS}/${one.id}/reschedule`, { startsAt: at(1, '09:20') });
    expect(moved.data()).toMatchObject({ appointmentNo: 'APT-000002', rescheduledFromId: one.id, reason: 'Cough' });
    expect(await state(one)).toBe('rescheduled');
    expect(await code(at(1, '09:00'), { patientId: await aPatient('Seán') })).toBe(201);
    const other = moved.data<ShownAppointment>();
    expect(await step(other, 'reschedule', { startsAt: at(1, '09:00') })).toBe('SLOT_TAKEN');
    expect(await step(other, 'reschedule', { startsAt: at(1, '09:05') })).toBe('OUTSIDE_SCHEDULE');
    expect(await state(other)).toBe('booked');
    expect(await step(one, 'reschedule', { startsAt: at(1, '10:00') })).toBe('INVALID_STATE');
  });

  it('is missed when nobody has come, unless somebody has', async () => {
    await hours(doctor, ent, 1);
    const [one, other] = [await booked(at(1, '09:00')), await booked(at(1, '09:20'))];
    await step(other, 'cancel');
    // The hospital says when it begins how long it waits.
    const planned = async () =>
      (await tasksNamed<{ appointmentId: string }>('appointment-no-show'))
        .filter(({ input }) => input.appointmentId === one.id)
        .map(({ runAt }) => runAt);
    expect(await planned()).toEqual([Date.parse(at(1, '09:00'))]);
    // It does not want it.
    await within((work) => missIfAbsent(work, one.id));
    expect(await state(one)).toBe('booked');
    const settings = { ...mary.hospital.settings, noShowAfterMinutes: 15 };
    for (const { id } of [one, other])
      await within((work) => missIfAbsent({ ...work, hospital: { ...work.hospital, settings } }, id));
    expect([await state(one), await state(other)]).toEqual(['booked', 'cancelled']);
    expect(await planned()).toEqual([Date.parse(at(1, '09:15'))]);
    await now(one);
    await within(({ trx }) => trx.query("UPDATE appointments SET starts_at = starts_at - interval '15 minutes'"));
    await within((work) => missIfAbsent({ ...work, hospital: { ...work.hospital, settings } }, one.id));
    expect(await state(one)).toBe('no_show');
  });

  it('that no slot fits any more is listed after a change of the hours', async () => {
    const schedule = await hours(doctor, ent, 1);
    const [one] = [await booked(at(1, '09:00')), await booked(at(1, '11:00'))];
    expect((await call('GET', `${APPOINTMENTS}/broken`)).data()).toEqual([]);
    await within(({ trx }) => trx.query("UPDATE schedules SET start_time = '10:00' WHERE id = $1", [schedule.id]));
    for (const query of ['', `?doctorId=${doctor.id}`])
      expect((await call('GET', `${APPOINTMENTS}/broken${query}`)).data()).toMatchObject([{ id: one.id }]);
    expect((await call('GET', `${APPOINTMENTS}/broken?doctorId=${newId()}`)).data()).toEqual([]);
  });

  it('at which the doctor works in another clinic is listed until it moves there', async () => {
    const [schedule, eye] = [await hours(doctor, ent, 1), await aClinic('EYE')];
    const one = await booked(at(1, '09:00'));
    await within(({ trx }) => trx.query('UPDATE schedules SET clinic_id = $2 WHERE id = $1', [schedule.id, eye.id]));
    expect((await call('GET', `${APPOINTMENTS}/broken`)).data()).toMatchObject([{ id: one.id }]);
    expect(await step(one, 'reschedule', { startsAt: at(1, '09:00') })).toBe(200);
    expect((await call('GET', `${APPOINTMENTS}/broken`)).data()).toEqual([]);
  });
});

describe('a series', () => {
  const series = (startsAt: string, changes: object = {}) =>
    call('POST', `${APPOINTMENTS}/series`, { patientId, doctorId: doctor.id, startsAt, times: 3, ...changes });
  const planned = async () => {
    const all = await call('GET', `${APPOINTMENTS}?status=booked`);
    return all.data<ShownAppointment[]>().map(({ startsAt }) => startsAt);
  };
  const iso = (days: number, time: string) => new Date(at(days, time)).toISOString();

  it('is booked each week at the same time, and cancelled from one appointment on', async () => {
    for (const days of [1, 8, 15]) await hours(doctor, ent, days);
    const answer = await series(at(1, '09:20'), { reason: 'Physiotherapy' });
    expect([answer.error, answer.status]).toEqual([undefined, 201]);
    const { seriesId, booked: all, refused } = answer.data<BookedSeries>();
    expect(all.map(({ startsAt }) => startsAt)).toEqual([1, 8, 15].map((days) => iso(days, '09:20')));
    expect(refused).toEqual([]);
    for (const one of all)
      expect(one).toMatchObject({ seriesId, reason: 'Physiotherapy', status: 'booked', patientId });
    expect((await call('GET', `${APPOINTMENTS}?seriesId=${seriesId}`)).data<ShownAppointment[]>()).toHaveLength(3);

    // The one that is moved stays a part of it.
    const [first, second, third] = all as [ShownAppointment, ShownAppointment, ShownAppointment];
    const moved = await call('POST', `${APPOINTMENTS}/${third.id}/reschedule`, { startsAt: at(15, '10:00') });
    expect(moved.data<ShownAppointment>()).toMatchObject({ seriesId, rescheduledFromId: third.id });
    const path = `${APPOINTMENTS}/${second.id}/cancel-following`;
    expect(await outcome('POST', path, { version: 7 })).toBe('STALE_VERSION');
    const cancelled = await call('POST', path, { reason: 'Is well again', version: 1 });
    expect(
      cancelled.data<ShownAppointment[]>().map(({ startsAt, status, endReason }) => [startsAt, status, endReason]),
    ).toEqual([
      [iso(8, '09:20'), 'cancelled', 'Is well again'],
      [iso(15, '10:00'), 'cancelled', 'Is well again'],
    ]);
    expect(await planned()).toEqual([iso(1, '09:20')]);
    expect((await call('POST', path, {})).data()).toEqual([]);
    expect(await step(first, 'cancel')).toBe(200);
  });

  it('is cancelled with what somebody moves at the same time', async () => {
    for (const days of [1, 8, 15]) await hours(doctor, ent, days);
    const { seriesId, booked: all } = (await series(at(1, '09:20'))).data<BookedSeries>();
    const [first, , third] = all as [ShownAppointment, ShownAppointment, ShownAppointment];
    let cancelling: Promise<unknown> = Promise.resolve();
    await within(async (work) => {
      await reschedule(work, third.id, { startsAt: iso(15, '10:00') });
      cancelling = call('POST', `${APPOINTMENTS}/${first.id}/cancel-following`);
      // It waits for the one that moves.
      await until(
        'the cancellation to wait',
        () => queue.operator.raw<{ rows: unknown[] }>('SELECT pid FROM pg_locks WHERE NOT granted'),
        ({ rows }) => rows.length > 0,
        5_000,
      );
    });
    await cancelling;
    const left = await call('GET', `${APPOINTMENTS}?seriesId=${seriesId}&status=booked`);
    expect(left.data()).toEqual([]);
  });

  it('is booked as a whole or not at all, and the refusal names each time', async () => {
    for (const days of [1, 8, 15]) await hours(doctor, ent, days, days === 8 ? { startTime: '10:00' } : {});
    await booked(at(15, '09:00'), { patientId: await aPatient('Seán') });
    const body = { times: 4 };
    const refused = [
      { startsAt: at(8, '09:00'), code: 'OUTSIDE_SCHEDULE', message: expect.any(String) },
      { startsAt: at(15, '09:00'), code: 'SLOT_TAKEN', message: expect.any(String) },
      { startsAt: at(22, '09:00'), code: 'OUTSIDE_SCHEDULE', message: expect.any(String) },
    ];
    const answer = await series(at(1, '09:00'), body);
    expect(answer).toMatchObject({ status: 409, error: { code: 'SERIES_REFUSED', details: { refused, possible: 1 } } });
    expect(await planned()).toEqual([iso(15, '09:00')]);
    const others = await series(at(1, '09:00'), { ...body, skipRefused: true });
    expect(others).toMatchObject({ status: 201 });
    expect(others.data<BookedSeries>().refused).toEqual(refused);
    expect(await planned()).toEqual([iso(1, '09:00'), iso(15, '09:00')]);
    // Nothing is left, whatever is wanted.
    expect((await series(iso(1, '09:00'), { ...body, skipRefused: true })).error.details).toMatchObject({
      ...{ possible: 0, refused: [{ startsAt: at(1, '09:00') }, ...refused] },
    });
  });

  it('has no time that the clock skips, nor another one instead', async () => {
    // In one of the two zones, clocks are set forward in good time.
    const skips = ['Europe/Dublin', 'Australia/Sydney'].map((timezone) => {
      let at = Temporal.Now.zonedDateTimeISO(timezone).add({ days: 8 });
      for (let from = at.offsetNanoseconds; at.offsetNanoseconds <= from; ) {
        from = at.offsetNanoseconds;
        at = at.getTimeZoneTransition('next') ?? at;
      }
      return at;
    });
    const change = skips.reduce((one, other) => (one.epochMilliseconds < other.epochMilliseconds ? one : other));
    const [timezone, before] = [change.timeZoneId, change.toPlainDate().subtract({ weeks: 1 })];
    // A schedule at this time begins when the clocks have changed.
    const startTime = change.toPlainTime().subtract({ minutes: 30 }).toString().slice(0, 5);
    const refused = await workFor(queue.platform, { ...mary.hospital, timezone }, 'test', async (work) => {
      const plan = { weekday: change.dayOfWeek, startTime, endTime: '05:00', validFrom: day(), slotMinutes: 30 };
      await createSchedule(work, { ...plan, capacity: 1, doctorId: doctor.id, clinicId: ent.id });
      const startsAt = before.toZonedDateTime({ timeZone: timezone, plainTime: startTime }).toInstant().toString();
      const wanted = { patientId, doctorId: doctor.id, startsAt, times: 3, everyWeeks: 1, skipRefused: true };
      return (await bookSeries(work, wanted)).refused;
    });
    expect(refused).toMatchObject([{ startsAt: change.toString({ timeZoneName: 'never' }), code: 'OUTSIDE_SCHEDULE' }]);
  });

  it('names what is wrong', async () => {
    await hours(doctor, ent, 1);
    const wrong = { times: [1, 53, 1.5, 'x'], everyWeeks: [0, 53], skipRefused: ['yes'], startsAt: ['tomorrow'] };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values)
        expect(await series(at(1, '09:00'), { [field]: value })).toMatchObject({
          status: 400,
          error: { details: { fields: [{ field }] } },
        });
    expect(await outcome('POST', `${APPOINTMENTS}/series`, { patientId, startsAt: at(1, '09:00'), times: 2 })).toBe(
      'VALIDATION_FAILED',
    );
    const alone = await booked(at(1, '09:00'));
    expect(await step(alone, 'cancel-following')).toBe('NO_SERIES');
    expect(await step({ id: newId() }, 'cancel-following')).toBe('APPOINTMENT_NOT_FOUND');
    const far = await series(at(1, '09:20'), { times: 3, everyWeeks: 52, skipRefused: true });
    expect(far.data<BookedSeries>().refused.map(({ code: why }) => why)).toEqual(['OUTSIDE_SCHEDULE', 'TOO_FAR_AHEAD']);
  });

  it('of two that want the same times, one is booked, and no other request is held up by a deadlock', async () => {
    for (const days of [1, 8, 15]) await hours(doctor, ent, days);
    const people = await Promise.all(Array.from({ length: 8 }, (_, index) => aPatient(`P${index}`)));
    const answers = await Promise.all(people.map((id) => series(at(1, '09:00'), { patientId: id })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    const [done] = answers.filter(({ status }) => status === 201).map((one) => one.data<BookedSeries>().booked);
    const steps = (done ?? []).flatMap((one) => [
      step(one, 'cancel-following'),
      step(one, 'reschedule', { startsAt: at(1, '11:00') }),
    ]);
    for (const one of await Promise.all(steps))
      expect([200, 'INVALID_STATE', 'SLOT_TAKEN', 'PATIENT_DOUBLE_BOOKED']).toContain(one);
  });
});

describe('whoever comes to an appointment', () => {
  const checkIn = async (one: ShownAppointment) => {
    const answer = await call('POST', `${APPOINTMENTS}/${one.id}/check-in`, {});
    expect([answer.error, answer.status]).toEqual([undefined, 200]);
    return answer.data<{ readonly appointment: ShownAppointment; readonly entry: ShownEntry }>();
  };

  it('gets a token on the day, and only once', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    expect(await step(one, 'check-in')).toBe('NOT_TODAY');
    await now(one);
    const { appointment, entry } = await checkIn(one);
    expect(appointment).toMatchObject({ status: 'checked_in' });
    expect(entry).toMatchObject({ label: 'A-001', appointmentId: one.id, patientId });
    expect(await step(one, 'check-in')).toBe('INVALID_STATE');
  });

  it('goes before those who came without one, when the time has come', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    await now(one);
    const walkIn = await join(ent);
    const { entry } = await checkIn(one);
    expect(await line(ent)).toEqual([entry.label, walkIn.label]);
  });

  it('is seen, and the appointment follows each step and its undoing', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    await now(one);
    const room = await aRoom(ent, 'Room 1');
    const { entry } = await checkIn(one);
    await take(entry, 'call', { roomId: room });
    expect(await state(one)).toBe('checked_in');
    await take(entry, 'serve');
    expect(await state(one)).toBe('in_consultation');
    await take(entry, 'undo');
    expect(await state(one)).toBe('checked_in');
    await take(entry, 'serve');
    expect(await callNext(ent, { roomId: room, finish: true })).toBeNull();
    expect(await state(one)).toBe('completed');
    await take(entry, 'undo');
    expect(await state(one)).toBe('in_consultation');
  });

  it('and goes away again has missed it', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    await now(one);
    const { entry } = await checkIn(one);
    await take(entry, 'no-show');
    expect(await state(one)).toBe('no_show');
    await take(entry, 'come-back');
    expect(await state(one)).toBe('checked_in');
  });

  it('takes further steps in the queue, and the appointment is not cancelled under the token', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    await now(one);
    const { entry } = await checkIn(one);
    for (const verb of ['cancel', 'no-show']) expect(await step(one, verb)).toBe('INVALID_STATE');
    await take(entry, 'cancel');
    expect(await state(one)).toBe('cancelled');
  });

  it('waits without it when somebody else has got the time, and blocks nobody', async () => {
    await hours(doctor, ent, 1);
    const one = await booked(at(1, '09:00'));
    await now(one);
    const { entry } = await checkIn(one);
    await take(entry, 'no-show');
    const other = await booked(at(1, '09:20'), { patientId: await aPatient('Seán') });
    await now(other);
    expect(await step(one, 'check-in')).toBe('SLOT_TAKEN');
    await take(entry, 'come-back');
    expect(await state(one)).toBe('no_show');
    expect(await callNext(ent)).toMatchObject({ id: entry.id });
    expect(await state(one)).toBe('no_show');
  });

  it('has one token for it, in whatever order people check in, come back and send elsewhere', async () => {
    await hours(doctor, ent, 1);
    const eye = await aClinic('EYE');
    const one = await booked(at(1, '09:00'));
    await now(one);
    const { entry } = await checkIn(one);
    await take(entry, 'transfer', { clinicId: eye.id });
    await take(entry, 'no-show');
    const { entry: second } = await checkIn(one);
    expect(await outcome('POST', `entries/${entry.id}/come-back`, {})).toBe('ALREADY_IN_QUEUE');
    for (const verb of ['call', 'serve', 'done']) await take(second, verb);
    expect(await outcome('POST', `entries/${entry.id}/come-back`, {})).toBe('ALREADY_IN_QUEUE');
    expect(await state(one)).toBe('completed');
  });

  it('is checked in or comes back, when two desks do so at once', async () => {
    await hours(doctor, ent, 1);
    for (let round = 0; round < 8; round += 1) {
      const own = await aPatient(`P${round}`);
      const one = await booked(at(1, '09:00'), { patientId: own });
      await now(one);
      const { entry } = await checkIn(one);
      await take(entry, 'no-show');
      const outcomes = await Promise.all([step(one, 'check-in'), outcome('POST', `entries/${entry.id}/come-back`, {})]);
      expect([round, outcomes.filter((one) => one === 200).length]).toEqual([round, 1]);
      expect(outcomes).not.toContain('DATABASE_BUSY');
      const live = (await call('GET', `entries?patientId=${own}&status=waiting`)).data<ShownEntry[]>();
      expect(live).toHaveLength(1);
      for (const { id } of live) await take({ id }, 'cancel');
    }
  });
});

describe('a merged patient', () => {
  it('is in no two places', async () => {
    const other = await aDoctor('Wilson');
    await Promise.all([hours(doctor, ent, 1), hours(other, ent, 1)]);
    const survivor = await aPatient('Norah');
    await booked(at(1, '09:00'));
    await within((work) => mergePatient(work, patientId, survivor));
    expect(await code(at(1, '09:00'), { patientId: survivor, doctorId: other.id })).toBe('PATIENT_DOUBLE_BOOKED');
  });
});

describe('the audit log', () => {
  it('says whose names were shown', async () => {
    await hours(doctor, ent, 1);
    await booked(at(1, '09:00'));
    for (const path of [APPOINTMENTS, `${APPOINTMENTS}/broken`]) {
      await within(({ trx }) => trx.query("UPDATE schedules SET start_time = '10:00'"));
      const listed = (await call('GET', path)).data<ShownAppointment[]>();
      expect(listed).toHaveLength(1);
      const [last] = await within(({ trx }) =>
        trx.query<{ details: { ids: string[] } }>(
          "SELECT details FROM audit_events WHERE record = 'patients' AND action = 'list' ORDER BY seq DESC LIMIT 1",
        ),
      );
      expect(last?.details.ids).toEqual([patientId]);
    }
  });
});
