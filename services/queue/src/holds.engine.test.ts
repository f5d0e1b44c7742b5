/** Places that somebody keeps for two minutes, while they look for the patient. */
import { book, expireHold, type ShownAppointment, type ShownSlot } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import { offerFreed } from '@hms/domain/waiting-list';
import type { Work } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  aClinic,
  aDoctor,
  aPatient,
  at,
  call,
  day,
  hours,
  mary,
  outcome,
  queue,
  tasksNamed,
  useQueue,
  within,
} from './testing.ts';

type Body = Readonly<Record<string, unknown>>;
interface Hold {
  readonly id: string;
  readonly startsAt: string;
  readonly heldUntil: string;
}

useQueue();

const HOLDS = 'appointments/holds';
const SECOND = 1_000;
let ent: Clinic;
let doctor: Employee;
let other: string;

beforeEach(async () => {
  other = await mary.token(['NURSE']);
  [ent, doctor] = [await aClinic('ENT'), await aDoctor()];
  await hours(doctor, ent, 3);
});

const holding = (time: string, token?: string, changes: Body = {}) =>
  call('POST', HOLDS, { doctorId: doctor.id, startsAt: at(3, time), ...changes }, token);
async function held(time: string, token?: string, changes: Body = {}): Promise<Hold> {
  const answer = await holding(time, token, changes);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<Hold>();
}
const booking = async (time: string, token?: string) =>
  call('POST', 'appointments', { patientId: await aPatient(), doctorId: doctor.id, startsAt: at(3, time) }, token);
const code = async (time: string, token?: string) => {
  const { status, error } = await booking(time, token);
  return status < 300 ? status : error.code;
};
const slotAt = async (time: string, token?: string) => {
  const all = (await call('GET', `slots?doctorId=${doctor.id}&date=${day(3)}`, undefined, token)).data<ShownSlot[]>();
  return all.find(({ startsAt }) => startsAt === at(3, time));
};
const rows = () => within(({ trx }) => trx.query<{ id: string }>("SELECT id FROM appointments WHERE status = 'held'"));
/** Does something as if two minutes had passed. */
const later = <Result>(work: (work: Work) => Promise<Result>) =>
  within(async (now) => {
    await now.trx.setMoment(new Date(Date.now() + 121 * SECOND));
    return work(now);
  });

describe('a hold', () => {
  it('keeps a place for its owner, and nobody else gets it', async () => {
    const { heldUntil } = await held('09:00');
    const left = Date.parse(heldUntil) - Date.now();
    expect([left > 110 * SECOND, left <= 120 * SECOND]).toEqual([true, true]);
    expect(await slotAt('09:00', other)).toMatchObject({ free: 0, heldUntil });
    expect(await slotAt('09:00')).toMatchObject({ free: 1, heldUntil: null });
    const refusal = { status: 409, error: { code: 'SLOT_TAKEN', details: { heldUntil } } };
    expect(await booking('09:00', other)).toMatchObject(refusal);
    expect(await holding('09:00', other)).toMatchObject(refusal);
    expect(await code('09:20', other)).toBe(201);
    expect(await code('09:00')).toBe(201);
    expect(await rows()).toEqual([]);
    expect((await booking('09:00', other)).error).toEqual({
      ...{ code: 'SLOT_TAKEN', message: expect.any(String), timestamp: expect.any(String) },
    });
  });

  it('of one place is for one of 60 people', async () => {
    const tokens = await Promise.all(Array.from({ length: 60 }, () => mary.token(['NURSE'])));
    const answers = await Promise.all(tokens.map((token) => holding('09:00', token)));
    const codes = answers.map(({ status, error }) => (status < 300 ? status : error.code));
    expect(codes.filter((one) => one === 201)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([201, 'SLOT_TAKEN']));
    expect(await rows()).toHaveLength(1);
  });

  it('is one for each person: another one replaces it, and the same one lasts longer', async () => {
    const one = await held('09:00');
    await within(({ trx }) => trx.query("UPDATE appointments SET held_until = held_until - interval '1 minute'"));
    expect(await held('09:00')).toMatchObject({ id: one.id });
    expect(Date.parse((await slotAt('09:00', other))?.heldUntil ?? '')).toBeGreaterThan(Date.now() + 110 * SECOND);
    const another = await held('09:20');
    expect(await outcome('DELETE', `${HOLDS}/${one.id}`)).toBe('HOLD_NOT_FOUND');
    expect(another.id).not.toBe(one.id);
    expect([(await slotAt('09:00', other))?.free, (await slotAt('09:20', other))?.free]).toEqual([1, 0]);
    const times = ['09:40', '10:00', '10:20', '10:40', '11:00', '11:20'];
    const answers = await Promise.all(times.map((time) => holding(time)));
    expect(answers.map(({ status }) => status)).toEqual(times.map(() => 201));
    expect(await rows()).toHaveLength(1);
  });

  it('can be swapped by two people at the same time', async () => {
    const wilson = await aDoctor('Wilson');
    await hours(wilson, ent, 3);
    for (let round = 0; round < 10; round += 1) {
      await within(({ trx }) => trx.query("DELETE FROM appointments WHERE status = 'held'"));
      await Promise.all([held('09:00', other), held('09:00', undefined, { doctorId: wilson.id })]);
      await within(({ trx }) => trx.query("UPDATE appointments SET held_until = now() - interval '1 second'"));
      await Promise.all([held('09:00'), held('09:00', other, { doctorId: wilson.id })]);
    }
  });

  it('is given back by its owner alone', async () => {
    const { id } = await held('09:00');
    expect(await outcome('DELETE', `${HOLDS}/${id}`, undefined, other)).toBe('HOLD_NOT_FOUND');
    const theirs = await (await createTestHospital(queue.operator, queue.issuer)).token(['NURSE']);
    expect(await outcome('DELETE', `${HOLDS}/${id}`, undefined, theirs)).toBe('HOLD_NOT_FOUND');
    expect(await outcome('DELETE', `${HOLDS}/${id}`)).toBe(200);
    expect(await outcome('DELETE', `${HOLDS}/${id}`)).toBe('HOLD_NOT_FOUND');
    expect(await code('09:00', other)).toBe(201);
  });

  it('ends after two minutes, and leaves nothing', async () => {
    const { id } = await held('09:00');
    const [{ input, runAt } = { input: {}, runAt: 0 }] = await tasksNamed('appointment-hold-expiry');
    expect(input).toEqual({ holdId: id });
    expect(runAt).toBeGreaterThan(Date.now() + 110 * SECOND);
    await within((work) => expireHold(work, id));
    expect(await rows()).toHaveLength(1);
    await later((work) => expireHold(work, id));
    expect(await rows()).toEqual([]);
    expect(await code('09:00', other)).toBe(201);
  });

  it('that has expired keeps nothing, also before it is removed', async () => {
    await held('09:00');
    const patientId = await aPatient();
    const booked = await later((work) => book(work, { patientId, doctorId: doctor.id, startsAt: at(3, '09:00') }));
    expect(booked).toMatchObject({ status: 'booked', seat: 1 });
    expect(await rows()).toEqual([]);
    // Its owner comes too late.
    expect(await code('09:00')).toBe('SLOT_TAKEN');
  });

  it('is refused where nobody can book', async () => {
    const outcomeOf = async (time: string, changes: Body) => (await holding(time, undefined, changes)).error?.code;
    expect(await outcomeOf('09:10', {})).toBe('OUTSIDE_SCHEDULE');
    expect(await outcomeOf('09:00', { startsAt: at(-1, '09:00') })).toBe('IN_THE_PAST');
    expect(await outcomeOf('09:00', { doctorId: ent.id })).toBe('EMPLOYEE_NOT_FOUND');
    expect(await outcome('POST', HOLDS, { startsAt: at(3, '09:00') })).toBe('VALIDATION_FAILED');
    const cashier = await mary.token(['CASHIER']);
    expect((await holding('09:00', cashier)).error.code).toBe('FORBIDDEN');
  });

  it('is no appointment', async () => {
    const { id } = await held('09:00');
    expect((await call('GET', 'appointments?includeDeleted=true')).data()).toEqual([]);
    for (const path of ['', '/confirm', '/cancel', '/reschedule', '/check-in']) {
      const sent = path === '' ? undefined : { startsAt: at(3, '10:00') };
      expect(await outcome(path === '' ? 'GET' : 'POST', `appointments/${id}${path}`, sent)).toBe(
        'APPOINTMENT_NOT_FOUND',
      );
    }
    const events = await within(({ trx }) =>
      trx.query("SELECT record FROM audit_events WHERE record IN ('appointments', 'patients') AND action <> 'list'"),
    );
    expect(events).toEqual([]);
    expect((await booking('09:20')).data<ShownAppointment>().appointmentNo).toBe('APT-000001');
  });

  it('of a slot that is not there any more books nothing', async () => {
    await held('09:00');
    await within(({ trx }) => trx.query("UPDATE schedules SET start_time = '10:00'"));
    expect(await code('09:00')).toBe('OUTSIDE_SCHEDULE');
  });

  it('keeps its place from an appointment that is moved, and one of several places alone', async () => {
    const moved = (await booking('09:20')).data<ShownAppointment>();
    await held('09:00', other);
    const path = `appointments/${moved.id}/reschedule`;
    expect(await outcome('POST', path, { startsAt: at(3, '09:00') })).toBe('SLOT_TAKEN');
    await within(({ trx }) => trx.query('UPDATE schedules SET capacity = 2'));
    expect(await slotAt('09:00')).toMatchObject({ capacity: 2, free: 1 });
    expect(await outcome('POST', path, { startsAt: at(3, '09:00') })).toBe(200);
    expect(await slotAt('09:00', other)).toMatchObject({ free: 1, heldUntil: null });
  });

  it('keeps the time of somebody who has missed it, until it has expired', async () => {
    const { id } = (await booking('09:00')).data<ShownAppointment>();
    await held('09:20', other);
    const now = "starts_at = now(), ends_at = now() + interval '20 minutes'";
    await within(async ({ trx }) => {
      await trx.query(`UPDATE appointments SET ${now}, status = 'no_show' WHERE id = $1`, [id]);
      await trx.query(`UPDATE appointments SET ${now} WHERE status = 'held'`);
    });
    expect(await outcome('POST', `appointments/${id}/check-in`, {})).toBe('SLOT_TAKEN');
    await within(({ trx }) => trx.query("UPDATE appointments SET held_until = now() WHERE status = 'held'"));
    expect(await outcome('POST', `appointments/${id}/check-in`, {})).toBe(200);
  });

  it('lets nobody of the waiting list have its time, until it is left', async () => {
    const entry = await call('POST', 'waiting-list', { patientId: await aPatient('Ann'), doctorId: doctor.id });
    const { id } = entry.data<{ id: string }>();
    const status = async () => (await call('GET', `waiting-list/${id}`)).data<{ status: string }>().status;
    const { heldUntil } = await held('09:00');
    const freed = { doctorId: doctor.id, startsAt: at(3, '09:00') };
    await within((work) => offerFreed(work, freed));
    expect(await status()).toBe('waiting');
    const [again] = await tasksNamed('appointment-place-freed');
    expect(again?.runAt).toBeGreaterThanOrEqual(Date.parse(heldUntil) - SECOND);
    await later((work) => offerFreed(work, freed));
    expect(await status()).toBe('offered');
  });
});
