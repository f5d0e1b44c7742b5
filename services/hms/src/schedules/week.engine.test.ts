/** The week that follows from schedules and absences, and the absences themselves. */
import { updateHospital } from '@hms/database';
import type { Absence } from '@hms/domain/absences';
import type { Employee } from '@hms/domain/employees';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import {
  ABSENCES,
  admin,
  after,
  CLINICS,
  call,
  clinic,
  desk,
  doctor,
  EMPLOYEES,
  hms,
  made,
  mary,
  newAbsence,
  newClinic,
  newDoctor,
  newSchedule,
  next,
  nurse,
  outcome,
  room,
  SCHEDULES,
  times,
  week,
  wrongFields,
} from './testing.ts';

const UNKNOWN = '0198a5a0-0000-7000-8000-000000000000';
const monday = () => next(1, 1);
const ofDoctor = () => `doctorId=${doctor.id}&from=${monday()}`;
/** Jakarta is 7 hours ahead all year. */
const at = (date: string, time: string) => `${date}T${time}:00+07:00`;

describe('a week', () => {
  it('has the times of a doctor, with names and the offset of the hospital', async () => {
    const { id } = await newSchedule({ roomId: room.id, capacity: 2 });
    expect(await week(ofDoctor())).toEqual({
      from: monday(),
      timezone: 'Asia/Jakarta',
      workingTimes: [
        {
          ...{ scheduleId: id, doctorId: doctor.id, doctorName: `${doctor.firstName} ${doctor.lastName}` },
          ...{ clinicId: clinic.id, clinicName: clinic.name, roomId: room.id, roomName: room.name },
          ...{ day: monday(), startsAt: at(monday(), '08:00'), endsAt: at(monday(), '12:00') },
          ...{ slotMinutes: 15, capacity: 2 },
        },
      ],
      absences: [],
    });
  });

  it('has those of a clinic, by their begin', async () => {
    const other = await newDoctor();
    await newSchedule({ startTime: '09:00' });
    await newSchedule({ doctorId: other.id });
    await newSchedule({ weekday: 2, clinicId: (await newClinic('EYE')).id });
    const { workingTimes } = await week(`clinicId=${clinic.id}&from=${monday()}`);
    expect(workingTimes.map(({ doctorId }) => doctorId)).toEqual([other.id, doctor.id]);
  });

  it('has what holds on each day: what ended, what begins, and hours of a single date', async () => {
    await newSchedule({ validTo: after(monday(), -1) });
    await newSchedule({ startTime: '09:00', validFrom: monday() });
    const saturday = after(monday(), 5);
    await newSchedule({ weekday: 6, startTime: '10:00', validFrom: saturday, validTo: saturday });
    expect(await times(ofDoctor())).toEqual([
      `${at(monday(), '09:00')} ${at(monday(), '12:00')}`,
      `${at(saturday, '10:00')} ${at(saturday, '12:00')}`,
    ]);
    expect(await times(`doctorId=${doctor.id}&from=${after(monday(), 7)}`)).toHaveLength(1);
  });

  it('begins on the Monday of this week, if nothing else is asked for', async () => {
    const { from } = await week(`doctorId=${doctor.id}`);
    expect(new Date(from).getUTCDay()).toBe(1);
    expect([next(1, -1), next(1)]).toContain(from);
  });

  it.each(['', 'doctorId=x', `from=2026-01-05`])('is refused for %j', async (query) => {
    expect(await outcome('GET', `${SCHEDULES}/week?${query}`)).toBe('VALIDATION_FAILED');
  });

  it('is refused for two, for a wrong day, and for somebody unknown', async () => {
    const both = `doctorId=${doctor.id}&clinicId=${clinic.id}`;
    expect(await outcome('GET', `${SCHEDULES}/week?${both}`)).toBe('VALIDATION_FAILED');
    expect(await outcome('GET', `${SCHEDULES}/week?doctorId=${doctor.id}&from=monday`)).toBe('VALIDATION_FAILED');
    expect(await outcome('GET', `${SCHEDULES}/week?doctorId=${UNKNOWN}`)).toBe('EMPLOYEE_NOT_FOUND');
    expect(await outcome('GET', `${SCHEDULES}/week?clinicId=${UNKNOWN}`)).toBe('CLINIC_NOT_FOUND');
  });

  it('may be the first or the last of the calendar, and so may an absence', async () => {
    for (const day of ['0001-01-01', '9999-12-31']) {
      await newAbsence({ from: day, to: day });
      expect((await week(`doctorId=${doctor.id}&from=${day}`)).absences).toHaveLength(1);
    }
  });

  it('is of one hospital', async () => {
    const other = await createTestHospital(hms.operator, hms.issuer);
    const token = await other.token(['ADMIN']);
    const answer = await hms.send('GET', `${SCHEDULES}/week?doctorId=${doctor.id}`, { token });
    expect(answer.error.code).toBe('EMPLOYEE_NOT_FOUND');
  });

  it('follows the clocks of the hospital', async () => {
    await updateHospital(hms.operator, mary.hospital.prefix, { timezone: 'Europe/Dublin' });
    await newSchedule({ weekday: 7, startTime: '00:00', endTime: '04:00' });
    // Clocks go forward on the last Sunday of March, and back on that of October.
    expect(await times(`doctorId=${doctor.id}&from=2027-03-28`)).toEqual([
      '2027-03-28T00:00:00+00:00 2027-03-28T04:00:00+01:00',
    ]);
    expect(await times(`doctorId=${doctor.id}&from=2027-10-31`)).toEqual([
      '2027-10-31T00:00:00+01:00 2027-10-31T04:00:00+00:00',
    ]);
  });
});

describe('nobody works', () => {
  it.each<[string, (doctorId: string) => Promise<unknown>, (doctorId: string) => Promise<unknown>]>([
    [
      'as a suspended doctor',
      async (id) => {
        await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
          trx.query("UPDATE employees SET status = 'suspended' WHERE id = $1", [id]),
        );
      },
      (id) => call('POST', `${EMPLOYEES}/${id}/activate`, {}),
    ],
    [
      'without the role DOCTOR',
      (id) => call('PUT', `${EMPLOYEES}/${id}`, { roles: ['NURSE'] }),
      (id) => call('PUT', `${EMPLOYEES}/${id}`, { roles: ['NURSE', 'DOCTOR'] }),
    ],
  ])('%s, whose schedules stay', async (_, lose, regain) => {
    const { id } = await newSchedule();
    await lose(doctor.id);
    expect(await times(ofDoctor())).toEqual([]);
    const paused = async () =>
      (await call('GET', `${SCHEDULES}?isPaused=true`)).data<Employee[]>().map((schedule) => schedule.id);
    expect(await paused()).toEqual([id]);
    // Their schedule can still be changed and ended.
    expect(await outcome('PUT', `${SCHEDULES}/${id}`, { endTime: '13:00' })).toBe(200);
    await regain(doctor.id);
    expect(await times(ofDoctor())).toHaveLength(1);
    expect(await paused()).toEqual([]);
  });

  it('in a clinic that is not in use', async () => {
    await newSchedule();
    expect(await outcome('POST', `${CLINICS}/${clinic.id}/deactivate`, {})).toBe(200);
    expect(await times(ofDoctor())).toEqual([]);
    expect(await times(`clinicId=${clinic.id}&from=${monday()}`)).toEqual([]);
    expect(await outcome('POST', `${CLINICS}/${clinic.id}/activate`, {})).toBe(200);
    expect(await times(ofDoctor())).toHaveLength(1);
  });
});

describe('an absence', () => {
  it('of days covers them whole, and the last one too', async () => {
    await newSchedule();
    await newSchedule({ weekday: 3 });
    const absence = await newAbsence({ from: monday(), to: after(monday(), 1), reason: 'Wedding' });
    expect(absence).toMatchObject({
      ...{ kind: 'leave', reason: 'Wedding' },
      from: new Date(at(monday(), '00:00')).toISOString(),
      to: new Date(at(after(monday(), 2), '00:00')).toISOString(),
    });
    expect(await times(ofDoctor())).toEqual([`${at(after(monday(), 2), '08:00')} ${at(after(monday(), 2), '12:00')}`]);
    const { absences } = await week(ofDoctor());
    expect(absences).toEqual([
      {
        ...{ doctorId: doctor.id, doctorName: `${doctor.firstName} ${doctor.lastName}` },
        ...{ from: at(monday(), '00:00'), to: at(after(monday(), 2), '00:00') },
      },
    ]);
  });

  it('of hours cuts them out', async () => {
    await newSchedule();
    await newAbsence({ from: at(monday(), '09:00'), to: at(monday(), '10:00'), kind: 'training' });
    expect(await times(ofDoctor())).toEqual([
      `${at(monday(), '08:00')} ${at(monday(), '09:00')}`,
      `${at(monday(), '10:00')} ${at(monday(), '12:00')}`,
    ]);
  });

  it('may be in the time of the hospital', async () => {
    const absence = await newAbsence({ from: `${monday()}T09:00`, to: `${monday()}T10:30` });
    expect(absence).toMatchObject({
      from: new Date(at(monday(), '09:00')).toISOString(),
      to: new Date(at(monday(), '10:30')).toISOString(),
    });
  });

  it('of one day needs no last one', async () => {
    expect(await newAbsence({ from: monday() })).toMatchObject({
      to: new Date(at(after(monday(), 1), '00:00')).toISOString(),
    });
  });

  it.each([
    [{ from: '2027-01-05', to: '2027-01-04' }, ['to']],
    [{ from: '2027-01-05T08:00:00Z', to: '2027-01-05T08:00:00Z' }, ['to']],
    [{ from: '2027-01-05T08:00:00Z' }, ['to']],
    [{ from: '0227-01-05', to: '2027-01-05' }, ['to']],
    [{ from: '2027-01-05T25:00' }, ['from']],
    [{ from: '2027-02-30T08:00' }, ['from']],
    [{ from: '2027-01-05', kind: 'bored' }, ['kind']],
    [{ from: '2027-01-05', reason: 'x'.repeat(201) }, ['reason']],
    [{}, ['from']],
  ])('is refused with %o', async (body, fields) => {
    expect(await wrongFields('POST', ABSENCES, { doctorId: doctor.id, kind: 'leave', ...body })).toEqual(fields);
  });

  it('never overlaps another one of the doctor', async () => {
    const first = await newAbsence({ from: monday(), to: after(monday(), 6) });
    const body = { doctorId: doctor.id, kind: 'sick', from: after(monday(), 6) };
    expect(await call('POST', ABSENCES, body)).toMatchObject({
      status: 422,
      error: { code: 'ABSENCE_OVERLAP', details: { absence: { id: first.id } } },
    });
    const later = await newAbsence({ from: after(monday(), 7) });
    expect(await outcome('PUT', `${ABSENCES}/${later.id}`, { from: after(monday(), 6) })).toBe('ABSENCE_OVERLAP');
    const other = await newDoctor();
    await made<Absence>(ABSENCES, { ...body, doctorId: other.id });
  });

  it('of 20 requests at a time, exactly one', async () => {
    const body = { doctorId: doctor.id, kind: 'leave', from: monday(), to: after(monday(), 3) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => outcome('POST', ABSENCES, body)));
    expect(answers.filter((answer) => answer === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'ABSENCE_OVERLAP')).toHaveLength(19);
  });

  it('can be changed and deleted', async () => {
    const absence = await newAbsence({ from: monday(), to: after(monday(), 3) });
    const path = `${ABSENCES}/${absence.id}`;
    expect(await outcome('PUT', path, { to: monday(), version: 7 })).toBe('STALE_VERSION');
    expect(await wrongFields('PUT', path, { to: after(monday(), -1) })).toEqual(['to']);
    const changed = await call('PUT', path, { to: monday(), kind: 'other', version: 1 });
    expect(changed.data()).toMatchObject({ from: absence.from, kind: 'other', version: 2 });
    expect(await outcome('DELETE', path)).toBe(200);
    expect(await outcome('DELETE', path)).toBe('ABSENCE_NOT_FOUND');
    expect(await outcome('PUT', path, { kind: 'sick' })).toBe('ABSENCE_NOT_FOUND');
    await newAbsence({ from: monday() });
  });

  it('is of a doctor of this hospital', async () => {
    const body = { kind: 'leave', from: monday() };
    expect(await outcome('POST', ABSENCES, { ...body, doctorId: UNKNOWN })).toBe('EMPLOYEE_NOT_FOUND');
    expect(await outcome('POST', ABSENCES, { ...body, doctorId: (await newDoctor(['NURSE'])).id })).toBe(
      'NOT_A_DOCTOR',
    );
  });

  it('has a reason that only those see who plan', async () => {
    await newAbsence({ from: monday(), kind: 'sick' });
    expect(await outcome('GET', ABSENCES, undefined, nurse)).toBe('FORBIDDEN');
    expect(
      await outcome('GET', `${ABSENCES}?since=${encodeURIComponent(at(monday(), '12:00'))}`, undefined, desk),
    ).toBe(200);
    expect(JSON.stringify(await week(ofDoctor(), nurse))).not.toContain('sick');
    expect((await call('GET', `${ABSENCES}?doctorId=${doctor.id}`, undefined, admin)).data()).toMatchObject([
      { kind: 'sick' },
    ]);
  });
});
