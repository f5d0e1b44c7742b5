/** For tests: a hospital with people of all roles that the module queue knows, with clinics, rooms and patients. */
import { TASKS_SCHEMA, updateHospital } from '@hms/database';
import { type Clinic, clinics } from '@hms/domain/clinics';
import { type Employee, employees } from '@hms/domain/employees';
import { patients } from '@hms/domain/patients';
import type { Queue, ShownEntry } from '@hms/domain/queue';
import { rooms } from '@hms/domain/rooms';
import { createSchedule, type Schedule, weekdayOf } from '@hms/domain/schedules';
import { fields, newId, records, type Work, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { queueModule } from './module.ts';

type Body = Readonly<Record<string, unknown>>;

export let queue: TestModule;
export let mary: TestHospital;
export let nurse: string;

/** For a whole file: a module, and a new hospital for each test. */
export function useQueue(): void {
  beforeAll(async () => {
    queue = await startTestModule({ databaseUrls: platform().databaseUrls, define: queueModule, ttl: 0 });
  });
  afterAll(() => queue.close());
  beforeEach(async () => {
    mary = await createTestHospital(queue.operator, queue.issuer);
    nurse = await mary.token(['NURSE']);
  });
}

/** Work of a task in the hospital. */
export function within<Result>(work: (work: Work) => Promise<Result>): Promise<Result> {
  return workFor(queue.platform, mary.hospital, 'test', work);
}

export async function setSettings(changes: Partial<TestHospital['hospital']['settings']>): Promise<void> {
  const settings = { ...mary.hospital.settings, ...changes };
  await updateHospital(queue.operator, mary.hospital.prefix, { settings });
}

export function aClinic(code: string, changes: Body = {}): Promise<Clinic> {
  return within((work) =>
    records(work, clinics).insert({ code, name: `Clinic ${code}`, isQueueEnabled: true, ...changes }),
  );
}

export async function aRoom(clinic: Clinic, name: string): Promise<string> {
  const code = `${clinic.code}-${name}`;
  return (await within((work) => records(work, rooms).insert({ code, name, clinicId: clinic.id }))).id;
}

export function aPatient(firstName = 'Nora', lastName = 'Quinn'): Promise<string> {
  const id = newId();
  const values = { firstName, lastName, phone: '+353861234567', dateOfBirth: '1990-05-17' };
  return within(async (work) => (await records(work, patients).insert(values, id)).id);
}

export function call(method: string, path: string, body?: Body, token = nurse) {
  return queue.send(method, `/api/queue/${path}`, { token, ...(body ? { body } : {}) });
}

/** The background tasks of the hospital that have not run yet. @param name of the task */
export async function tasksNamed<Input = Record<string, string>>(
  name: string,
): Promise<readonly { readonly input: Input; readonly runAt: number }[]> {
  const { rows } = await queue.operator.raw<{ rows: { input: Input; runAt: Date }[] }>(
    `SELECT job.payload->'input' AS input, job.run_at AS "runAt" FROM ${TASKS_SCHEMA}._private_jobs job
     JOIN ${TASKS_SCHEMA}._private_tasks task ON task.id = job.task_id
     WHERE task.identifier = ? AND job.payload->>'hospital' = ?`,
    [name, mary.hospital.id],
  );
  return rows.map(({ input, runAt }) => ({ input, runAt: runAt.getTime() }));
}

/** Status of a success, code of an error. */
export async function outcome(method: string, path: string, body?: Body, token = nurse): Promise<number | string> {
  const answer = await call(method, path, body, token);
  return answer.success ? answer.status : answer.error.code;
}

export async function join({ id }: Clinic, body: Body = {}): Promise<ShownEntry> {
  const answer = await call('POST', `${id}/entries`, body);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<ShownEntry>();
}

export async function callNext({ id }: Clinic, body: Body = {}): Promise<ShownEntry | null> {
  const answer = await call('POST', `${id}/call-next`, body);
  expect([answer.error, answer.status]).toEqual([undefined, 200]);
  return answer.data<ShownEntry | null>();
}

export async function take({ id }: { readonly id: string }, verb: string, body: Body = {}): Promise<ShownEntry> {
  const answer = await call('POST', `entries/${id}/${verb}`, body);
  expect([answer.error, answer.status]).toEqual([undefined, 200]);
  return answer.data<ShownEntry>();
}

export async function read({ id }: Clinic): Promise<Queue> {
  return (await call('GET', id)).data<Queue>();
}

/** The tokens of those who wait, in their order. */
export async function line(clinic: Clinic): Promise<readonly string[]> {
  return (await read(clinic)).waiting.map(({ entry }) => entry.label);
}

/** Moves the times of somebody, and of their last step, into the past. */
export function age({ id }: { readonly id: string }, minutes: number): Promise<unknown> {
  return within(async ({ trx }) => {
    await trx.query(
      `UPDATE queue_entries SET joined_at = joined_at - $2 * interval '1 minute',
         due_at = due_at - $2 * interval '1 minute', turn = turn - $2 * interval '1 minute'
       WHERE id = $1`,
      [id, minutes],
    );
  });
}

let doctors = 0;

export function aDoctor(lastName = 'House'): Promise<Employee> {
  doctors += 1;
  const values = { firstName: 'Gregory', lastName, email: `doctor-${doctors}@example.org`, roles: ['DOCTOR'] };
  return within((work) => records(work, employees).insert({ ...values, employedFrom: day() }));
}

/** The day of the hospital, some days from now. */
export function day(days = 0): string {
  return fields.today(mary.hospital.timezone, new Date(Date.now() + days * 86_400_000));
}

/** Hours of a doctor on one day, some days from now. */
export function hours(
  { id: doctorId }: Employee,
  { id: clinicId }: Clinic,
  days: number,
  changes: Partial<Record<'startTime' | 'endTime' | 'roomId', string>> & {
    slotMinutes?: number;
    capacity?: number;
  } = {},
): Promise<Schedule> {
  const on = day(days);
  const values = { weekday: weekdayOf(on), startTime: '09:00', endTime: '12:00', validFrom: on, validTo: on };
  return within((work) =>
    createSchedule(work, { capacity: 1, slotMinutes: 20, ...values, ...changes, doctorId, clinicId }),
  );
}

/** A time of a day, some days from now, as the clock of the hospital shows it. */
export function at(days: number, time: string): string {
  return `${day(days)}T${time}:00+07:00`;
}

/** SQL that notes the waits of entries as calls do. The table or expression with these entries follows. */
export const WAITS_OF = `
  INSERT INTO queue_waits (entry_id, clinic_id, queued_at, called_at, ahead, estimate_p50, estimate_p80, estimate_basis)
  SELECT id, clinic_id, queued_at, first_called_at, ahead, estimate_p50, estimate_p80, estimate_basis FROM`;
