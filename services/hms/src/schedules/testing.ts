/** For tests: a hospital with a clinic, a room and doctors, and what the past needs. */
import type { Absence } from '@hms/domain/absences';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import type { Room } from '@hms/domain/rooms';
import type { readWeek, Schedule } from '@hms/domain/schedules';
import { moduleEnv } from '@hms/local';
import { fields } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { hmsModule } from '../module.ts';

export type Week = Awaited<ReturnType<typeof readWeek>>;
type Body = Readonly<Record<string, unknown>>;

export const SCHEDULES = '/api/hms/schedules';
export const ABSENCES = '/api/hms/absences';
export const ROOMS = '/api/hms/rooms';
export const CLINICS = '/api/hms/clinics';
export const DEPARTMENTS = '/api/hms/departments';
export const EMPLOYEES = '/api/hms/employees';

export let hms: TestModule;
export let mary: TestHospital;
export let admin: string;
export let desk: string;
export let nurse: string;
export let doctor: Employee;
export let clinic: Clinic;
export let room: Room;

beforeAll(async () => {
  hms = await startTestModule({
    databaseUrls: platform().databaseUrls,
    define: hmsModule,
    // Tasks of other suites' hospitals are this process's as well, and they store files.
    s3: moduleEnv(platform()),
    ttl: 0,
  });
});
afterAll(() => hms.close());

beforeEach(async () => {
  mary = await createTestHospital(hms.operator, hms.issuer);
  [admin, desk, nurse] = (await Promise.all(
    [['ADMIN'], ['RECEPTION'], ['NURSE']].map((roles) => mary.token(roles)),
  )) as [string, string, string];
  [doctor, clinic] = await Promise.all([newDoctor(), newClinic('ENT')]);
  room = await made<Room>(ROOMS, { code: 'ENT-1', name: 'Room 1', clinicId: clinic.id });
});

export function call(method: string, path: string, body?: Body, token = admin) {
  return hms.send(method, path, { token, ...(body ? { body } : {}) });
}

/** Status of a success, code of an error. */
export async function outcome(method: string, path: string, body?: Body, token = admin): Promise<number | string> {
  const answer = await call(method, path, body, token);
  return answer.success ? answer.status : answer.error.code;
}

/** Names of the fields that are wrong. */
export async function wrongFields(method: string, path: string, body: Body): Promise<readonly string[]> {
  const { error } = await call(method, path, body);
  expect(error?.code).toBe('VALIDATION_FAILED');
  const { fields = [] } = (error.details ?? {}) as { readonly fields?: readonly { readonly field: string }[] };
  return fields.map(({ field }) => field);
}

export async function made<Made>(path: string, body: Body): Promise<Made> {
  const answer = await call('POST', path, body);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<Made>();
}

let count = 0;

export function newDoctor(roles: readonly string[] = ['DOCTOR']): Promise<Employee> {
  count += 1;
  const email = `doctor-${count}@example.org`;
  return made(EMPLOYEES, { firstName: 'Dana', lastName: `Doctor ${count}`, email, roles });
}

export function newClinic(code: string, more: Body = {}): Promise<Clinic> {
  return made(CLINICS, { code, name: `Clinic ${code}`, ...more });
}

/** Mondays from 8 to 12, from today on. */
export function hours(changes: Body = {}): Body {
  return {
    ...{ doctorId: doctor.id, clinicId: clinic.id, weekday: 1, startTime: '08:00', endTime: '12:00' },
    ...changes,
  };
}

export function newSchedule(changes: Body = {}): Promise<Schedule> {
  return made(SCHEDULES, hours(changes));
}

export function newAbsence(changes: Body): Promise<Absence> {
  return made(ABSENCES, { doctorId: doctor.id, kind: 'leave', ...changes });
}

/** The hospital's day, some days from now. */
export function day(days = 0): string {
  return fields.today(mary.hospital.timezone, new Date(Date.now() + days * 86_400_000));
}

/** Some days after another day. */
export function after(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The next day of a weekday, from today on. */
export function next(weekday: number, weeks = 0): string {
  const today = new Date(`${day()}T00:00:00Z`).getUTCDay() || 7;
  return day(((weekday - today + 7) % 7) + weeks * 7);
}

/** Lets a schedule have begun some weeks ago, as if it had been created then. */
export async function begun(schedule: Schedule, weeks = 4): Promise<Schedule> {
  await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query('UPDATE schedules SET valid_from = valid_from - $2::integer WHERE id = $1', [schedule.id, weeks * 7]),
  );
  return (await call('GET', `${SCHEDULES}/${schedule.id}`)).data<Schedule>();
}

export async function week(query: string, token = nurse): Promise<Week> {
  const answer = await hms.send('GET', `${SCHEDULES}/week?${query}`, { token });
  expect([answer.error, answer.status]).toEqual([undefined, 200]);
  return answer.data<Week>();
}

/** Times of a week, such as `2026-11-23T08:00:00+07:00 2026-11-23T12:00:00+07:00`. */
export async function times(query: string): Promise<readonly string[]> {
  return (await week(query)).workingTimes.map(({ startsAt, endsAt }) => `${startsAt} ${endsAt}`);
}
