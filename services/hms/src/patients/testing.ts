/** For tests: the module with one hospital, and its patients. */

import { build } from '@hms/database';
import type { Patient } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { hmsModule } from '../module.ts';

export const PATIENTS = '/api/hms/patients';
export const JANE = {
  firstName: 'Jane',
  lastName: 'Doe',
  phone: '+62 812-3456-7890',
  email: 'jane@example.org',
  dateOfBirth: '1990-05-17',
};

export let hms: TestModule;
export let mary: TestHospital;
export let doctor: string;
export let admin: string;

beforeAll(async () => {
  hms = await startTestModule({
    databaseUrls: platform().databaseUrls,
    define: hmsModule,
    // Tasks of other suites' hospitals are this process's as well, and they store files.
    s3: moduleEnv(platform()),
  });
});
afterAll(() => hms.close());

beforeEach(async () => {
  mary = await createTestHospital(hms.operator, hms.issuer);
  doctor = await mary.token(['DOCTOR']);
  admin = await mary.token(['ADMIN']);
});

export async function create(changes: Partial<Record<keyof typeof JANE | 'gender', unknown>> = {}): Promise<Patient> {
  const answer = await hms.send('POST', PATIENTS, { token: doctor, body: { ...JANE, ...changes } });
  expect(answer).toMatchObject({ status: 201, success: true });
  return answer.data<Patient>();
}

export async function list(query: string, token = doctor): Promise<{ names: string[]; total: number | undefined }> {
  const answer = await hms.send('GET', `${PATIENTS}?${query}`, { token });
  expect(answer.status).toBe(200);
  return { names: answer.data<Patient[]>().map(({ firstName }) => String(firstName)), total: answer.meta?.total };
}

/** Rows of the hospital's tables, read directly. */
export function count(table: string, where: Readonly<Record<string, unknown>> = {}): Promise<number> {
  return hms.platform.tenants.inTenant(mary.hospital, async (trx) => {
    const rows = await trx.run(build.from(table).where(where).select('*'));
    return rows.length;
  });
}
