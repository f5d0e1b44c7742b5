/** For tests: a hospital with people of all roles that crm knows, and patients as the module hms creates them. */
import { insertFamily } from '@hms/domain/families';
import { patients } from '@hms/domain/patients';
import { fields, newId, records, type Work, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { crmModule } from './module.ts';

type Body = Readonly<Record<string, unknown>>;

export let crm: TestModule;
export let mary: TestHospital;
export let admin: string;
export let reception: string;

beforeAll(async () => {
  crm = await startTestModule({ databaseUrls: platform().databaseUrls, define: crmModule });
});
afterAll(() => crm.close());

beforeEach(async () => {
  mary = await createTestHospital(crm.operator, crm.issuer);
  [admin, reception] = (await Promise.all([mary.token(['ADMIN']), mary.token(['RECEPTION'])])) as [string, string];
});

export interface Person {
  readonly patientId: string;
  readonly familyId: string;
}

/** Work of a task in the hospital. */
export function within<Result>(work: (work: Work) => Promise<Result>, hospital = mary): Promise<Result> {
  return workFor(crm.platform, hospital.hospital, 'test', work);
}

/** A patient alone in a family. */
export function person(
  firstName: string,
  hospital = mary,
  { lastName = 'Doe', phone = '+6281234567890' } = {},
): Promise<Person> {
  const [patientId, familyId] = [newId(), newId()];
  return within(async (work) => {
    await Promise.all([
      records(work, patients).insert({ firstName, lastName, phone, dateOfBirth: '1990-05-17', familyId }, patientId),
      insertFamily(work, { id: familyId, name: lastName, patientId }),
    ]);
    return { patientId, familyId };
  }, hospital);
}

export function call(method: string, path: string, body?: Body, token = admin) {
  return crm.send(method, path, { token, ...(body ? { body } : {}) });
}

/** Status of a success, code of an error. */
export async function outcome(method: string, path: string, body?: Body, token = admin): Promise<number | string> {
  const answer = await call(method, path, body, token);
  return answer.success ? answer.status : answer.error.code;
}

export async function made<Made>(path: string, body: Body, token = admin): Promise<Made> {
  const answer = await call('POST', path, body, token);
  expect([answer.error, answer.status]).toEqual([undefined, 201]);
  return answer.data<Made>();
}

/** Names of the fields that are wrong. */
export async function wrongFields(method: string, path: string, body: Body): Promise<readonly string[]> {
  const { error } = await call(method, path, body);
  expect(error?.code).toBe('VALIDATION_FAILED');
  const { fields: wrong = [] } = (error.details ?? {}) as { readonly fields?: readonly { readonly field: string }[] };
  return wrong.map(({ field }) => field);
}

/** The hospital's day, some days from now. */
export function day(days = 0): string {
  return fields.today(mary.hospital.timezone, new Date(Date.now() + days * 86_400_000));
}
