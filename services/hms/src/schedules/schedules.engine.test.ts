/** Rules of schedules, as clients meet them. */
import type { Room } from '@hms/domain/rooms';
import type { Schedule } from '@hms/domain/schedules';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import {
  admin,
  after,
  begun,
  CLINICS,
  call,
  clinic,
  day,
  desk,
  doctor,
  EMPLOYEES,
  hms,
  hours,
  made,
  mary,
  newClinic,
  newDoctor,
  newSchedule,
  next,
  nurse,
  outcome,
  ROOMS,
  room,
  SCHEDULES,
  wrongFields,
} from './testing.ts';

const UNKNOWN = '0198a5a0-0000-7000-8000-000000000000';
const post = (changes: Parameters<typeof hours>[0], token = admin) => outcome('POST', SCHEDULES, hours(changes), token);
const shown = (at: string) => `${at}T00:00:00.000Z`;

describe('a new schedule', () => {
  it('takes its slots from the clinic, and begins today', async () => {
    const schedule = await newSchedule({ roomId: room.id });
    expect(schedule).toMatchObject({
      ...{ doctorId: doctor.id, clinicId: clinic.id, roomId: room.id, weekday: 1, capacity: 1, slotMinutes: 15 },
      ...{ startTime: '08:00', endTime: '12:00', validFrom: shown(day()), validTo: null },
    });
    const quick = await newClinic('QUICK', { slotMinutes: 5 });
    expect(await newSchedule({ clinicId: quick.id, weekday: 2 })).toMatchObject({ slotMinutes: 5 });
    expect(await newSchedule({ clinicId: quick.id, weekday: 3, slotMinutes: 30 })).toMatchObject({ slotMinutes: 30 });
  });

  it('may last until midnight, for a single day', async () => {
    const only = next(5, 1);
    const schedule = await newSchedule({
      weekday: 5,
      startTime: '20:00',
      endTime: '24:00',
      validFrom: only,
      validTo: only,
    });
    expect(schedule).toMatchObject({ endTime: '24:00', validFrom: shown(only), validTo: shown(only) });
  });

  it.each([
    [{ endTime: '08:00' }, ['endTime']],
    [{ startTime: '24:00' }, ['startTime']],
    [{ endTime: '24:01' }, ['endTime']],
    [{ startTime: '8:00' }, ['startTime']],
    [{ startTime: 800 }, ['startTime']],
    [{ slotMinutes: 241 }, ['slotMinutes']],
    [{ slotMinutes: 4 }, ['slotMinutes']],
    [{ capacity: 0 }, ['capacity']],
    [{ weekday: 0 }, ['weekday']],
    [{ weekday: 8 }, ['weekday']],
    [{ validFrom: '2020-01-01' }, ['validFrom']],
    [{ validFrom: '2126-01-01', validTo: '2125-12-31' }, ['validTo']],
    [{ doctorId: 'x' }, ['doctorId']],
  ])('is refused with %o', async (changes, fields) => {
    expect(await wrongFields('POST', SCHEDULES, hours(changes))).toEqual(fields);
  });

  it('needs its weekday between its first and its last day', async () => {
    const monday = next(1, 1);
    expect(await wrongFields('POST', SCHEDULES, hours({ weekday: 2, validFrom: monday, validTo: monday }))).toEqual([
      'validTo',
    ]);
  });

  it('needs a doctor, a clinic and a room of this hospital', async () => {
    expect(await post({ doctorId: UNKNOWN })).toBe('EMPLOYEE_NOT_FOUND');
    expect(await post({ clinicId: UNKNOWN })).toBe('CLINIC_NOT_FOUND');
    expect(await post({ roomId: UNKNOWN })).toBe('ROOM_NOT_FOUND');
    const other = await createTestHospital(hms.operator, hms.issuer);
    const token = await other.token(['ADMIN']);
    const foreign = (path: string, body: object) =>
      hms.send('POST', path, { token, body }).then((answer) => answer.data<{ id: string }>().id);
    const clinicId = await foreign(CLINICS, { code: 'X', name: 'X' });
    const roomId = await foreign(ROOMS, { code: 'X', name: 'X', clinicId });
    const doctorId = await foreign(EMPLOYEES, {
      ...{ firstName: 'X', lastName: 'Y', email: 'x@example.org', roles: ['DOCTOR'] },
    });
    expect(await post({ doctorId })).toBe('EMPLOYEE_NOT_FOUND');
    expect(await post({ clinicId })).toBe('CLINIC_NOT_FOUND');
    expect(await post({ roomId })).toBe('ROOM_NOT_FOUND');
    const { id } = await newSchedule();
    expect((await hms.send('GET', `${SCHEDULES}/${id}`, { token })).error.code).toBe('SCHEDULE_NOT_FOUND');
    expect((await hms.send('DELETE', `${SCHEDULES}/${id}`, { token })).error.code).toBe('SCHEDULE_NOT_FOUND');
    const body = { endTime: '13:00' };
    expect((await hms.send('PUT', `${SCHEDULES}/${id}`, { token, body })).error.code).toBe('SCHEDULE_NOT_FOUND');
  });

  it('needs places that are in use, and a room of the clinic', async () => {
    const other = await newClinic('EYE');
    expect(await post({ clinicId: other.id, roomId: room.id })).toBe('ROOM_OF_OTHER_CLINIC');
    await call('POST', `${CLINICS}/${other.id}/deactivate`, {});
    expect(await post({ clinicId: other.id })).toBe('CLINIC_INACTIVE');
    await call('DELETE', `${CLINICS}/${other.id}`);
    expect(await post({ clinicId: other.id })).toBe('CLINIC_NOT_FOUND');
    await call('DELETE', `${ROOMS}/${room.id}`);
    expect(await post({ roomId: room.id })).toBe('ROOM_NOT_FOUND');
  });

  it('needs somebody with the role DOCTOR, who works here', async () => {
    const { id } = await newDoctor(['NURSE']);
    const answer = await call('POST', SCHEDULES, hours({ doctorId: id }));
    expect(answer).toMatchObject({
      status: 422,
      error: { code: 'NOT_A_DOCTOR', details: { status: 'invited', roles: ['NURSE'] } },
    });
    await call('POST', `${EMPLOYEES}/${doctor.id}/terminate`, {});
    expect(await post({})).toBe('NOT_A_DOCTOR');
  });

  it('is made by reception, and read by all', async () => {
    expect(await post({}, desk)).toBe(201);
    expect(await post({ weekday: 2 }, nurse)).toBe('FORBIDDEN');
    expect(await outcome('GET', SCHEDULES, undefined, nurse)).toBe(200);
  });
});

describe('two schedules', () => {
  it.each([
    ['the same time', {}, true],
    ['a part of it', { startTime: '11:59', endTime: '13:00' }, true],
    ['the time after it', { startTime: '12:00', endTime: '13:00' }, false],
    ['another weekday', { weekday: 2 }, false],
    ['another doctor', { doctorId: 'other' }, false],
    ['another doctor in the same room', { doctorId: 'other', roomId: 'same' }, true],
    ['the same doctor in another clinic', { clinicId: 'other' }, true],
  ])('at %s', async (_, changes: Record<string, unknown>, overlaps) => {
    const first = await newSchedule({ roomId: room.id });
    const body = { ...changes };
    if (body.doctorId) body.doctorId = (await newDoctor()).id;
    if (body.clinicId) body.clinicId = (await newClinic('EYE')).id;
    if (body.roomId) body.roomId = room.id;
    const answer = await call('POST', SCHEDULES, hours(body));
    if (!overlaps) expect(answer.status).toBe(201);
    else
      expect(answer).toMatchObject({
        status: 422,
        error: { code: 'SCHEDULE_OVERLAP', details: { schedule: { id: first.id, startTime: '08:00' } } },
      });
  });

  it('may follow each other from one day to the next', async () => {
    await newSchedule({ validTo: next(1, 2) });
    expect(await post({ validFrom: next(1, 2) })).toBe('SCHEDULE_OVERLAP');
    expect(await post({ validFrom: after(next(1, 2), 1) })).toBe(201);
  });

  it('of 20 requests at a time, exactly one', async () => {
    const starts = Array.from({ length: 20 }, (_, n) => `08:${String(n + 10)}`);
    const answers = await Promise.all(starts.map((startTime) => post({ startTime })));
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'SCHEDULE_OVERLAP')).toHaveLength(19);
  });

  it('of 20 doctors in one room at a time, exactly one', async () => {
    const doctors = await Promise.all(Array.from({ length: 20 }, () => newDoctor()));
    const answers = await Promise.all(doctors.map(({ id }) => post({ doctorId: id, roomId: room.id })));
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'SCHEDULE_OVERLAP')).toHaveLength(19);
  });

  it('are impossible in the database itself', async () => {
    await newSchedule({ roomId: room.id });
    const copy = (column: string, value: string) =>
      hms.platform.tenants.inTenant(mary.hospital, (trx) =>
        trx.query(
          `INSERT INTO schedules (id, doctor_id, clinic_id, room_id, weekday, start_time, end_time, slot_minutes,
             capacity, valid_from, created_by, updated_by)
           SELECT gen_random_uuid(), doctor_id, clinic_id, room_id, weekday, start_time, end_time, slot_minutes,
             capacity, valid_from, created_by, updated_by
           FROM (SELECT * FROM schedules) s WHERE ${column} IS DISTINCT FROM $1`,
          [value],
        ),
      );
    await expect(copy('start_time::text', '')).rejects.toMatchObject({ code: '23P01', constraint: 'schedules_doctor' });
  });
});

describe('a change', () => {
  const put = (id: string, body: Record<string, unknown>) => call('PUT', `${SCHEDULES}/${id}`, body);

  it('of a schedule that has begun ends it, and begins another one', async () => {
    const old = await begun(await newSchedule({ roomId: room.id, capacity: 2 }));
    const from = next(1, 1);
    const answer = await put(old.id, { from, startTime: '09:00', endTime: '13:00', version: old.version });
    const changed = answer.data<Schedule>();
    expect(changed.id).not.toBe(old.id);
    expect(changed).toMatchObject({
      ...{ startTime: '09:00', endTime: '13:00', validFrom: shown(from), validTo: null },
      ...{ doctorId: doctor.id, clinicId: clinic.id, roomId: room.id, capacity: 2 },
    });
    expect((await call('GET', `${SCHEDULES}/${old.id}`)).data()).toMatchObject({
      ...{ startTime: '08:00', validTo: shown(after(from, -1)) },
    });
    const list = await call('GET', `${SCHEDULES}?doctorId=${doctor.id}&since=${from}`);
    expect(list.data<Schedule[]>().map(({ id }) => id)).toEqual([changed.id]);
  });

  it('of one by which nobody has worked changes it', async () => {
    const schedule = await newSchedule({ validFrom: next(1, 1) });
    const answer = await put(schedule.id, { startTime: '09:00', capacity: 3 });
    expect(answer.data()).toMatchObject({ id: schedule.id, startTime: '09:00', capacity: 3, version: 2 });
    expect((await call('GET', SCHEDULES)).meta?.total).toBe(1);
  });

  it('of the last day ends it, prolongs it, and takes the end back', async () => {
    const schedule = await begun(await newSchedule());
    for (const validTo of [next(1, 2), next(1, 8), null]) {
      const answer = await put(schedule.id, { validTo });
      expect(answer.data()).toMatchObject({ id: schedule.id, validTo: validTo && shown(validTo) });
    }
    await put(schedule.id, { validTo: day() });
    await newSchedule({ validFrom: day(1) });
    expect((await put(schedule.id, { validTo: null })).error.code).toBe('SCHEDULE_OVERLAP');
  });

  it('keeps the past', async () => {
    const schedule = await begun(await newSchedule());
    const path = `${SCHEDULES}/${schedule.id}`;
    expect(await wrongFields('PUT', path, { from: day(-1), startTime: '09:00' })).toEqual(['from']);
    expect(await wrongFields('PUT', path, { validTo: day(-2) })).toEqual(['validTo']);
    expect(await outcome('DELETE', path)).toBe('SCHEDULE_BEGUN');
    expect(await outcome('PUT', path, { validTo: day(-1) })).toBe(200);
    expect(await outcome('PUT', path, { validTo: null })).toBe('SCHEDULE_ENDED');
    expect(await outcome('PUT', path, { startTime: '09:00' })).toBe('SCHEDULE_ENDED');
  });

  it('never overlaps another schedule, and changes nothing then', async () => {
    const schedule = await begun(await newSchedule());
    await newSchedule({ startTime: '14:00', endTime: '18:00' });
    const answer = await put(schedule.id, { from: next(1, 1), endTime: '15:00' });
    expect(answer.error.code).toBe('SCHEDULE_OVERLAP');
    expect((await call('GET', `${SCHEDULES}/${schedule.id}`)).data()).toMatchObject({ validTo: null, version: 1 });
    expect((await call('GET', SCHEDULES)).meta?.total).toBe(2);
  });

  it('checks the fields together, and the version', async () => {
    const schedule = await newSchedule();
    const path = `${SCHEDULES}/${schedule.id}`;
    expect(await wrongFields('PUT', path, { endTime: '07:00' })).toEqual(['endTime']);
    expect(await wrongFields('PUT', path, { slotMinutes: 300 })).toEqual(['slotMinutes']);
    expect(await outcome('PUT', path, { endTime: '13:00', version: 7 })).toBe('STALE_VERSION');
    expect(await outcome('PUT', path, { endTime: '13:00' }, nurse)).toBe('FORBIDDEN');
    expect(await outcome('PUT', `${SCHEDULES}/${UNKNOWN}`, { endTime: '13:00' })).toBe('SCHEDULE_NOT_FOUND');
  });

  it('moves to another place of the hospital', async () => {
    const schedule = await newSchedule({ roomId: room.id });
    const path = `${SCHEDULES}/${schedule.id}`;
    const other = await newClinic('EYE');
    expect(await outcome('PUT', path, { clinicId: other.id })).toBe('ROOM_OF_OTHER_CLINIC');
    expect(await outcome('PUT', path, { clinicId: other.id, roomId: null })).toBe(200);
    expect(await outcome('PUT', path, { roomId: UNKNOWN })).toBe('ROOM_NOT_FOUND');
  });

  it('of 20 requests at a time with the same version, exactly one', async () => {
    const { id, version } = await begun(await newSchedule());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        outcome('PUT', `${SCHEDULES}/${id}`, { from: next(1, 1), endTime: `13:${n + 10}`, version }),
      ),
    );
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'STALE_VERSION')).toHaveLength(19);
    expect((await call('GET', SCHEDULES)).meta?.total).toBe(2);
  });
});

describe('a schedule by which nobody has worked', () => {
  it('can be deleted, and is free for another one', async () => {
    const { id } = await newSchedule({ validFrom: next(1) });
    expect(await outcome('DELETE', `${SCHEDULES}/${id}`, undefined, nurse)).toBe('FORBIDDEN');
    expect(await outcome('DELETE', `${SCHEDULES}/${id}`, undefined, desk)).toBe(200);
    expect(await outcome('DELETE', `${SCHEDULES}/${id}`)).toBe('SCHEDULE_NOT_FOUND');
    await newSchedule();
  });

  it('can be deleted after its first day of validity, as long as its weekday has not come', async () => {
    // Valid since yesterday, for the weekday of the day after tomorrow.
    const weekday = new Date(`${day(2)}T00:00:00Z`).getUTCDay() || 7;
    const { id } = await newSchedule({ weekday });
    await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query('UPDATE schedules SET valid_from = valid_from - 1 WHERE id = $1', [id]),
    );
    expect(await outcome('DELETE', `${SCHEDULES}/${id}`)).toBe(200);
  });
});

describe('a doctor who leaves', () => {
  it('keeps what has been, and leaves rooms to others', async () => {
    const old = await begun(await newSchedule({ roomId: room.id }));
    const future = await newSchedule({ weekday: 2, validFrom: next(2, 2), roomId: room.id });
    expect(await outcome('POST', `${EMPLOYEES}/${doctor.id}/terminate`, {})).toBe(200);
    expect((await call('GET', `${SCHEDULES}/${old.id}`)).data()).toMatchObject({ validTo: shown(day()) });
    expect(await outcome('GET', `${SCHEDULES}/${future.id}`)).toBe('SCHEDULE_NOT_FOUND');
    const { id } = await newDoctor();
    await newSchedule({ doctorId: id, roomId: room.id, validFrom: day(1) });
  });

  it('and a change of their schedule at the same time wait for each other', async () => {
    const { id } = await begun(await newSchedule());
    const answers = await Promise.all([
      outcome('POST', `${EMPLOYEES}/${doctor.id}/terminate`, {}),
      ...Array.from({ length: 5 }, () => outcome('PUT', `${SCHEDULES}/${id}`, { from: day(7), endTime: '13:00' })),
    ]);
    expect(answers[0]).toBe(200);
    const left = (await call('GET', `${SCHEDULES}?doctorId=${doctor.id}&since=${day(1)}`)).data<Schedule[]>();
    // A change that came later is refused for the schedule that has ended, or splits one that ends today.
    expect(left.every(({ validFrom }) => String(validFrom) > shown(day()))).toBe(true);
  });
});

it('a room that is used while it is deleted is kept, or the schedule is refused', async () => {
  const other = await made<Room>(ROOMS, { code: 'ENT-2', name: 'Room 2', clinicId: clinic.id });
  const [created, removed] = await Promise.all([post({ roomId: other.id }), outcome('DELETE', `${ROOMS}/${other.id}`)]);
  expect([
    [201, 'ROOM_IN_USE'],
    ['ROOM_NOT_FOUND', 200],
  ]).toContainEqual([created, removed]);
});
