/** Types of visits, and appointments that are as long as theirs. */
import { createAbsence } from '@hms/domain/absences';
import type { ShownAppointment, ShownSlot } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import type { VisitType } from '@hms/domain/visit-types';
import { offerFreed, type ShownWaitingEntry } from '@hms/domain/waiting-list';
import { newId } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { aClinic, aDoctor, aPatient, at, call, day, hours, mary, outcome, queue, useQueue, within } from './testing.ts';

type Body = Readonly<Record<string, unknown>>;

useQueue();

const TYPES = 'visit-types';
let admin: string;
let ent: Clinic;
let doctor: Employee;
let first: VisitType;

beforeEach(async () => {
  admin = await mary.token(['ADMIN']);
  [ent, doctor] = [await aClinic('ENT'), await aDoctor()];
  first = await aType('FIRST', 40);
});

async function aType(code: string, minutes: number, changes: Body = {}): Promise<VisitType> {
  const answer = await call('POST', TYPES, { code, name: `Visit ${code}`, minutes, ...changes }, admin);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<VisitType>();
}
async function success<Answer>(method: string, path: string, body?: Body): Promise<Answer> {
  const answer = await call(method, path, body);
  expect([answer.error, answer.status < 300]).toEqual([undefined, true]);
  return answer.data<Answer>();
}
const slots = async (query = `&visitTypeId=${first.id}`) => {
  const all = await success<ShownSlot[]>('GET', `slots?doctorId=${doctor.id}&date=${day(3)}${query}`);
  return all.map(({ startsAt, endsAt, free }) => `${startsAt.slice(11, 16)} ${endsAt.slice(11, 16)} ${free}`);
};
const bodyOf = async (time: string, changes: Body = {}) => {
  return { patientId: await aPatient(), doctorId: doctor.id, startsAt: at(3, time), ...changes };
};
const book = async (time: string, changes: Body = {}) =>
  success<ShownAppointment>('POST', 'appointments', await bodyOf(time, changes));
const visit = (time: string, { id: visitTypeId }: VisitType = first) => book(time, { visitTypeId });
const code = async (time: string, changes: Body) => outcome('POST', 'appointments', await bodyOf(time, changes));

describe('a type of visit', () => {
  it('is kept with its code, by administrators of this hospital', async () => {
    expect(first).toMatchObject({ code: 'FIRST', minutes: 40, clinicId: null, status: 'active' });
    const body = { code: 'first', name: 'Again', minutes: 20 };
    expect(await outcome('POST', TYPES, body, admin)).toBe('VISIT_TYPE_CODE_TAKEN');
    expect(await outcome('POST', TYPES, { ...body, code: 'X' })).toBe('FORBIDDEN');
    for (const minutes of [4, 481, 7.5])
      expect(await outcome('POST', TYPES, { ...body, code: 'X', minutes }, admin)).toBe('VALIDATION_FAILED');
    expect(await outcome('POST', TYPES, { ...body, code: 'X', clinicId: newId() }, admin)).toBe('INVALID_REFERENCE');
    const theirs = await (await createTestHospital(queue.operator, queue.issuer)).token(['ADMIN']);
    expect(await outcome('GET', `${TYPES}/${first.id}`, undefined, theirs)).toBe('VISIT_TYPE_NOT_FOUND');
    expect(await outcome('GET', `slots?clinicId=${ent.id}&visitTypeId=${newId()}`)).toBe('VISIT_TYPE_NOT_FOUND');
  });

  it('is not deleted once it is used, and takes nothing new when it is out of use', async () => {
    await hours(doctor, ent, 3);
    const unused = await aType('X', 10);
    expect(await outcome('DELETE', `${TYPES}/${unused.id}`, undefined, admin)).toBe(200);
    expect(await code('09:00', { visitTypeId: unused.id })).toBe('VISIT_TYPE_NOT_FOUND');
    const one = await visit('09:00');
    expect(await outcome('DELETE', `${TYPES}/${first.id}`, undefined, admin)).toBe('VISIT_TYPE_IN_USE');
    expect(await outcome('POST', `${TYPES}/${first.id}/deactivate`, {}, admin)).toBe(200);
    expect(await code('10:00', { visitTypeId: first.id })).toBe('VISIT_TYPE_INACTIVE');
    const waiting = { patientId: await aPatient(), doctorId: doctor.id, visitTypeId: first.id };
    expect(await outcome('POST', 'waiting-list', waiting)).toBe('VISIT_TYPE_INACTIVE');
    // What has it keeps it.
    const moved = { startsAt: at(3, '10:00') };
    expect(await success('POST', `appointments/${one.id}/reschedule`, moved)).toMatchObject({ visitTypeId: first.id });
  });
});

describe('slots of a type', () => {
  it('are as long as the visit, and free over their whole length', async () => {
    await hours(doctor, ent, 3, { endTime: '10:20' });
    expect(await slots()).toEqual(['09:00 09:40 1', '09:20 10:00 1', '09:40 10:20 1']);
    await book('09:40');
    expect(await slots()).toEqual(['09:00 09:40 1', '09:20 10:00 0', '09:40 10:20 0']);
    expect(await slots('')).toEqual(['09:00 09:20 1', '09:20 09:40 1', '09:40 10:00 0', '10:00 10:20 1']);
    await visit('09:00');
    expect(await slots('&onlyFree=true')).toEqual(['10:00 10:20 1']);
    expect(await code('09:20', {})).toBe('SLOT_TAKEN');
  });

  it('count only seats that nobody has at any time of the visit', async () => {
    await hours(doctor, ent, 3, { endTime: '10:00', capacity: 2 });
    // The first seat is taken before, and the second one after 09:20.
    await book('09:00');
    const [keeps, leaves] = [await book('09:20'), await book('09:20')];
    await success('POST', `appointments/${[keeps, leaves].find(({ seat }) => seat === 1)?.id}/cancel`);
    expect((await slots())[0]).toBe('09:00 09:40 0');
    expect(await code('09:00', { visitTypeId: first.id })).toBe('SLOT_TAKEN');
    expect(await code('09:00', {})).toBe(201);
  });

  it('are none in another clinic, and none that an absence cuts short', async () => {
    const eye = await aType('EYE', 20, { clinicId: (await aClinic('EYE')).id });
    await hours(doctor, ent, 3, { endTime: '10:20' });
    expect(await slots(`&visitTypeId=${eye.id}`)).toEqual([]);
    expect(await code('09:00', { visitTypeId: eye.id })).toBe('OUTSIDE_SCHEDULE');
    await within((work) =>
      createAbsence(work, {
        ...{ doctorId: doctor.id, kind: 'other' },
        from: { day: day(3), time: '09:50' },
        to: { day: day(3), time: '10:00' },
      } as never),
    );
    expect(await slots()).toEqual(['09:00 09:40 1']);
    expect(await code('09:20', { visitTypeId: first.id })).toBe('OUTSIDE_SCHEDULE');
  });
});

describe('an appointment with a type', () => {
  it('has its length and its name, and of the day when it is moved', async () => {
    await hours(doctor, ent, 3);
    const one = await visit('09:00');
    expect(one).toMatchObject({
      ...{ visitTypeId: first.id, visitTypeName: 'Visit FIRST' },
      endsAt: new Date(at(3, '09:40')).toISOString(),
    });
    expect(await outcome('PUT', `${TYPES}/${first.id}`, { minutes: 60 }, admin)).toBe(200);
    expect((await success<ShownAppointment>('GET', `appointments/${one.id}`)).endsAt).toBe(one.endsAt);
    const moved = { startsAt: at(3, '09:20') };
    expect(await success('POST', `appointments/${one.id}/reschedule`, moved)).toMatchObject({
      ...{ visitTypeName: 'Visit FIRST', endsAt: new Date(at(3, '10:20')).toISOString() },
    });
  });

  it('is in a series', async () => {
    for (const days of [3, 10]) await hours(doctor, ent, days);
    const series = await bodyOf('09:00', { times: 2, visitTypeId: first.id });
    const { booked } = await success<{ booked: ShownAppointment[] }>('POST', 'appointments/series', series);
    expect(booked.map(({ endsAt, visitTypeId }) => [endsAt, visitTypeId])).toEqual(
      [3, 10].map((days) => [new Date(at(days, '09:40')).toISOString(), first.id]),
    );
  });

  it('is broken when no slot of its own length begins then, and not when its type changes', async () => {
    const schedule = await hours(doctor, ent, 3, { endTime: '11:00' });
    const all = [await visit('09:00'), await visit('10:20')] as const;
    await outcome('PUT', `${TYPES}/${first.id}`, { minutes: 90 }, admin);
    const broken = async () => {
      const found = await success<ShownAppointment[]>('GET', `appointments/broken?doctorId=${doctor.id}`);
      return found.map(({ id }) => id);
    };
    expect(await broken()).toEqual([]);
    await within(({ trx }) => trx.query("UPDATE schedules SET end_time = '10:50' WHERE id = $1", [schedule.id]));
    expect(await broken()).toEqual([all[1].id]);
    // One without a type needs a slot of the schedule, whatever another one takes.
    await within(({ trx }) => trx.query('UPDATE appointments SET visit_type_id = NULL WHERE id = $1', [all[0].id]));
    expect(await broken()).toEqual([all[0].id, all[1].id]);
  });
});

describe('the waiting list', () => {
  const wait = async (name: string, changes: Body = {}) =>
    success<ShownWaitingEntry>('POST', 'waiting-list', {
      ...{ patientId: await aPatient(name), doctorId: doctor.id },
      ...changes,
    });
  const status = async ({ id }: ShownWaitingEntry) =>
    (await success<ShownWaitingEntry>('GET', `waiting-list/${id}`)).status;
  const freed = async (one: ShownAppointment) => {
    await success('POST', `appointments/${one.id}/cancel`);
    await within((work) => offerFreed(work, one));
  };

  it('offers a time only to those whose visit fits', async () => {
    await hours(doctor, ent, 3, { endTime: '10:00' });
    const long = await wait('Ann', { visitTypeId: first.id, priority: 'urgent' });
    const short = await wait('Bob');
    expect([long.visitTypeName, short.visitTypeName]).toEqual(['Visit FIRST', null]);
    const [one, next] = [await book('09:00'), await book('09:20')];
    await freed(one);
    expect([await status(long), await status(short)]).toEqual(['waiting', 'offered']);
    // The whole of 09:20 to 10:00 is free now.
    await freed(next);
    expect(await status(long)).toBe('offered');
    const { appointmentId } = await success<ShownWaitingEntry>('GET', `waiting-list/${long.id}`);
    expect(await success('GET', `appointments/${appointmentId}`)).toMatchObject({
      ...{ visitTypeId: first.id, endsAt: new Date(at(3, '10:00')).toISOString() },
    });
  });

  it('has nobody whose visit another clinic has', async () => {
    const eye = await aType('EYE', 20, { clinicId: (await aClinic('EYE')).id });
    const wishes = { patientId: await aPatient(), clinicId: ent.id, visitTypeId: eye.id };
    expect(await call('POST', 'waiting-list', wishes)).toMatchObject({
      error: { details: { fields: [{ field: 'visitTypeId' }] } },
    });
    const { id } = await wait('Ann', { visitTypeId: eye.id });
    expect(await outcome('PUT', `waiting-list/${id}`, { clinicId: ent.id })).toBe('VALIDATION_FAILED');
  });

  it('offers each slot of a long visit', async () => {
    await hours(doctor, ent, 3, { endTime: '09:40' });
    const later = await wait('Ann', { fromTime: '09:20' });
    const one = await visit('09:00');
    await freed(one);
    expect(await status(later)).toBe('waiting');
    await within((work) => offerFreed(work, { doctorId: doctor.id, startsAt: at(3, '09:20') }));
    expect(await status(later)).toBe('offered');
  });

  it('is booked from, for as long as the visit takes', async () => {
    await hours(doctor, ent, 3);
    const { id } = await wait('Ann', { visitTypeId: first.id });
    const { appointmentId } = await success<ShownWaitingEntry>('POST', `waiting-list/${id}/book`, {
      ...{ doctorId: doctor.id, startsAt: at(3, '09:20') },
    });
    expect(await success('GET', `appointments/${appointmentId}`)).toMatchObject({
      ...{ visitTypeId: first.id, endsAt: new Date(at(3, '10:00')).toISOString() },
    });
  });
});
