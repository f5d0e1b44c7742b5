/** For tests: the module with one hospital, its drugs, stock and prescriptions. */
import type { Drug } from '@hms/domain/drugs';
import type { Patient } from '@hms/domain/patients';
import type { Batch } from '@hms/domain/stock';
import { moduleEnv } from '@hms/local';
import { fields } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { hmsModule } from '../module.ts';

export let hms: TestModule;
export let mary: TestHospital;
export let doctor: string;
export let pharmacist: string;
/** Another one. */
export let colleague: string;
export let admin: string;

/** Starts the module for a suite. */
export function usePharmacy(): void {
  beforeAll(async () => {
    hms = await startTestModule({
      databaseUrls: platform().databaseUrls,
      define: hmsModule,
      // Tasks of other suites' hospitals are this process's as well, and they store files.
      s3: moduleEnv(platform()),
    });
    await newHospital();
  });
  afterAll(() => hms.close());
}

/** Another hospital in place of the one before. */
export async function newHospital(): Promise<void> {
  mary = await createTestHospital(hms.operator, hms.issuer);
  doctor = await mary.token(['DOCTOR']);
  pharmacist = await mary.token(['PHARMACIST']);
  colleague = await mary.token(['PHARMACIST'], { claims: { sub: COLLEAGUE } });
  admin = await mary.token(['ADMIN']);
}

const COLLEAGUE = '0198a5a0-0000-7000-8000-00000000c011';

type Answer = Awaited<ReturnType<TestModule['send']>>;

export const send = (method: string, path: string, token: string, body?: object): Promise<Answer> =>
  hms.send(method, `/api/hms/${path}`, { token, ...(body ? { body } : {}) });
export const get = (path: string, token = pharmacist) => send('GET', path, token);
export const post = (path: string, body: object = {}, token = pharmacist) => send('POST', path, token, body);
export const outcome = ({ status, error }: Answer) => error?.code ?? status;

export const unique = (text: string) => `${text}-${Math.random().toString(36).slice(2, 12)}`;

/** A day in the time zone of the hospital. */
export const day = (fromToday: number) =>
  fields.today(mary.hospital.timezone, new Date(Date.now() + fromToday * 86_400_000));

async function created<T>(answer: Promise<Answer>): Promise<T> {
  const { status, error, data } = await answer;
  expect({ status, error }).toEqual({ status: 201, error: undefined });
  return data<T>();
}

export function aDrug(changes: object = {}): Promise<Drug> {
  const name = unique('Drug');
  const usual = {
    code: name,
    name,
    ingredients: [name.toLowerCase()],
    form: 'Tablet',
    strength: '5 mg',
    unit: 'tablet',
  };
  return created(post('drugs', { ...usual, ...changes }));
}

export function aBatch({ id: drugId }: Pick<Drug, 'id'>, quantity: number, changes: object = {}): Promise<Batch> {
  return created(post('stock-batches', { drugId, batchNo: unique('B'), expiresOn: day(100), quantity, ...changes }));
}

export function aPatient(changes: object = {}): Promise<Patient> {
  const body = { firstName: 'Jane', lastName: unique('Doe'), phone: '+353861234567', dateOfBirth: '1990-05-17' };
  return created(post('patients', { ...body, ...changes }, doctor));
}

export const line = ({ id: drugId }: Pick<Drug, 'id'>, quantity: number, changes: object = {}) => {
  return { drugId, dose: 1, timesPerDay: 1, durationDays: 10, quantity, ...changes };
};

export interface Prescribed {
  readonly id: string;
  readonly rxNo: string;
  readonly status: string;
  readonly version: number;
  readonly items: readonly {
    readonly id: string;
    readonly drugId: string;
    readonly quantity: number;
    readonly dispensed: number;
  }[];
  readonly overrides: readonly { readonly finding: string; readonly reason: string; readonly role: string }[];
}

export const prescribe = (patient: Pick<Patient, 'id'>, items: readonly object[], changes: object = {}) =>
  post('prescriptions', { patientId: patient.id, items, ...changes }, doctor);
export const aPrescription = (patient: Pick<Patient, 'id'>, items: readonly object[], changes: object = {}) =>
  created<Prescribed>(prescribe(patient, items, changes));

export interface Dispensed {
  readonly id: string;
  readonly dispenseNo: string;
  readonly status: string;
  readonly lines: readonly {
    readonly id: string;
    readonly drugId: string;
    readonly batchId: string;
    readonly quantity: number;
    readonly returned: number;
  }[];
  readonly allocation: readonly {
    readonly taken: readonly { readonly batchId: string; readonly quantity: number; readonly why: string }[];
    readonly passedOver: readonly { readonly batchId: string; readonly why: string }[];
    readonly missing: number;
  }[];
}

export const dispense = ({ id }: Pick<Prescribed, 'id'>, body: object = {}, token = pharmacist) =>
  post(`prescriptions/${id}/dispense`, body, token);
export const dispensed = (prescription: Pick<Prescribed, 'id'>, body: object = {}) =>
  created<Dispensed>(dispense(prescription, body));

export const onHand = async ({ id }: Pick<Batch, 'id'>) => (await get(`stock-batches/${id}`)).data<Batch>().onHand;

/** What disagrees in the tables of the pharmacy. */
export async function disagreements(): Promise<readonly unknown[]> {
  const { schema } = hospitalNames(mary.hospital.prefix);
  const { rows } = await hms.operator.raw<{ rows: unknown[] }>(DISAGREEMENTS.replaceAll('@', `${schema}.`));
  return rows;
}

/** Each line of the pharmacy that differs from what the ledger says. */
const DISAGREEMENTS = `
  SELECT 'batch' AS what, batch.id FROM @stock_batches batch
  WHERE on_hand <> (SELECT coalesce(sum(quantity), 0) FROM @stock_movements WHERE batch_id = batch.id) OR on_hand < 0
  UNION ALL
  SELECT 'dispense line', line.id FROM @dispense_lines line
  WHERE quantity <> (SELECT -coalesce(sum(quantity), 0) FROM @stock_movements movement
    WHERE movement.dispense_id = line.dispense_id AND movement.batch_id = line.batch_id AND kind = 'dispensed')
  UNION ALL
  SELECT 'returns', line.id FROM @dispense_lines line LEFT JOIN @stock_batches kept ON kept.returned_from_id = line.batch_id
  WHERE returned <> (SELECT coalesce(sum(quantity), 0) FROM @stock_movements movement
    WHERE movement.dispense_id = line.dispense_id AND movement.batch_id = kept.id AND kind = 'returned')
  UNION ALL
  SELECT 'item', item.id FROM @prescription_items item
  WHERE dispensed <> (SELECT coalesce(sum(quantity), 0) FROM @dispense_lines WHERE item_id = item.id)
  UNION ALL
  SELECT 'time', id FROM (
    SELECT id, moved_at, lag(moved_at) OVER (PARTITION BY batch_id ORDER BY number) AS former FROM @stock_movements
  ) movement WHERE moved_at < former`;
