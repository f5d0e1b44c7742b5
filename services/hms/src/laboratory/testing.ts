/** For tests: a hospital with a laboratory, its people, a patient and a catalogue. */
import { randomUUID } from 'node:crypto';
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabPanel, LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { hmsModule } from '../module.ts';

export const TESTS = '/api/hms/lab-tests';
export const PANELS = '/api/hms/lab-panels';
export const ORDERS = '/api/hms/lab-orders';
export const PATIENTS = '/api/hms/patients';
export const JANE = {
  ...{ firstName: 'Jane', lastName: 'Doe', phone: '+6281234567890', dateOfBirth: '1990-05-17', gender: 'female' },
};
export const POTASSIUM = {
  ...{ code: 'K', name: 'Potassium', specimenType: 'Serum', valueType: 'numeric', unit: 'mmol/L', decimals: 2 },
  ranges: [{ low: '3.5', high: '5.1', criticalLow: '2.5', criticalHigh: '6.5' }],
};
export const SODIUM = { ...POTASSIUM, code: 'NA', name: 'Sodium', ranges: [{ low: '135', high: '145' }] };
export const COUNT = { ...POTASSIUM, code: 'WBC', name: 'Leukocytes', specimenType: 'EDTA blood', unit: '10⁹/L' };

export let hms: TestModule;
export let mary: TestHospital;
export let admin: string;
export let doctor: string;
export let nurse: string;
/** Two people who work in the laboratory. */
export let tech: string;
export let colleague: string;
export let patient: Patient;

/** Starts the module for a suite. */
export function useLaboratory(): void {
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
    [admin, doctor, nurse, tech, colleague] = (await Promise.all(
      ['ADMIN', 'DOCTOR', 'NURSE', 'LAB_TECH', 'LAB_TECH'].map((role) => person(role)),
    )) as [string, string, string, string, string];
    patient = (await hms.send('POST', PATIENTS, { token: doctor, body: JANE })).data<Patient>();
  });
}

/** A token of somebody new. */
export function person(role: string, sub: string = randomUUID()): Promise<string> {
  return mary.token([role], { claims: { sub } });
}

export const post = (path: string, body: object, token: string) => hms.send('POST', path, { token, body });
export const get = (path: string, token = tech) => hms.send('GET', path, { token });

/** A test that can be ordered. */
export async function activeTest(body: object): Promise<LabTestWithRanges> {
  const created = await post(TESTS, body, tech);
  expect(created).toMatchObject({ status: 201 });
  const { id } = created.data<LabTestWithRanges>();
  return (await post(`${TESTS}/${id}/activate`, {}, tech)).data<LabTestWithRanges>();
}

export async function panelOf(code: string, tests: readonly { readonly id: string }[]): Promise<LabPanel> {
  const body = { code, name: `Panel ${code}`, testIds: tests.map(({ id }) => id) };
  const created = await post(PANELS, body, tech);
  expect(created).toMatchObject({ status: 201 });
  return created.data<LabPanel>();
}

/** Orders tests for the patient. */
export async function order(tests: readonly { readonly id: string }[], changes: object = {}): Promise<ShownOrder> {
  const body = { patientId: patient.id, testIds: tests.map(({ id }) => id), ...changes };
  const placed = await post(ORDERS, body, doctor);
  expect(placed).toMatchObject({ status: 201 });
  return placed.data<ShownOrder>();
}

/** Takes an order one step further, whatever comes of it. */
export const step = ({ id }: Pick<ShownOrder, 'id'>, name: string, body: object = {}, token = tech) =>
  post(`${ORDERS}/${id}/${name}`, body, token);

/** Takes an order one step further. */
export async function done(...parameters: Parameters<typeof step>): Promise<ShownOrder> {
  const answer = await step(...parameters);
  expect([answer.status, answer.error]).toEqual([200, undefined]);
  return answer.data<ShownOrder>();
}

export const read = async ({ id }: Pick<ShownOrder, 'id'>) => (await get(`${ORDERS}/${id}`)).data<ShownOrder>();
export const item = ({ items }: ShownOrder, code = 'K') => {
  const found = items.find((one) => one.code === code);
  if (!found) throw new Error(`${code} was not ordered`);
  return found;
};
export const resultIds = ({ items }: ShownOrder) => items.flatMap(({ result }) => result?.id ?? []);

/** A collected order of one test, with a result that nobody has verified. */
export async function resulted(value: string, test: { readonly id: string }): Promise<ShownOrder> {
  const placed = await order([test]);
  await done(placed, 'collect');
  return done(placed, 'results', { results: placed.items.map(({ id }) => ({ itemId: id, value })) });
}

export async function verified(value: string, test: { readonly id: string }): Promise<ShownOrder> {
  const entered = await resulted(value, test);
  return done(entered, 'verify', { resultIds: resultIds(entered) }, colleague);
}

/** The codes of refusals, and how many requests succeeded. */
export async function outcomes(requests: readonly ReturnType<typeof post>[]): Promise<string[]> {
  const answers = await Promise.all(requests);
  return answers.map(({ status, error }) => (status < 300 ? 'done' : error.code)).sort();
}
