/** For tests: a hospital with people who handle money, and patients as the module hms creates them. */

import type { Transaction } from '@hms/database';
import { insertFamily } from '@hms/domain/families';
import type { ShownInvoice } from '@hms/domain/invoices';
import { patients } from '@hms/domain/patients';
import { moduleEnv } from '@hms/local';
import { newId, records, type Work, workFor } from '@hms/service';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { paymentModule } from './module.ts';

type Body = Readonly<Record<string, unknown>>;

export const INVOICES = '/api/payment/invoices';

export let payment: TestModule;
export let mary: TestHospital;
export let cashier: string;
export let accountant: string;
export let patientId: string;

export function useHospital(): void {
  beforeAll(async () => {
    payment = await startTestModule({
      databaseUrls: platform().databaseUrls,
      define: paymentModule,
      // Tasks of other suites' hospitals are this process's as well, and they store files.
      s3: moduleEnv(platform()),
    });
  });
  afterAll(() => payment.close());
  beforeEach(async () => {
    mary = await createTestHospital(payment.operator, payment.issuer);
    [cashier, accountant] = (await Promise.all([mary.token(['CASHIER']), mary.token(['ACCOUNTANT'])])) as [
      string,
      string,
    ];
    patientId = await aPatient('Ann');
  });
}

/** Work of a task in the hospital. */
export function within<Result>(work: (work: Work) => Promise<Result>): Promise<Result> {
  return workFor(payment.platform, mary.hospital, 'test', work);
}

/** The transaction, as if it had begun then. */
export function begunAt(trx: Transaction, moment: Date): Transaction {
  return new Proxy(trx, {
    get(target, key) {
      const value: unknown = key === 'moment' ? moment : Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A patient alone in a family. */
export function aPatient(firstName: string): Promise<string> {
  const [id, familyId] = [newId(), newId()];
  const values = { firstName, lastName: 'Doe', phone: '+353861234567', dateOfBirth: '1990-05-17', familyId };
  return within(async (work) => {
    await Promise.all([
      records(work, patients).insert(values, id),
      insertFamily(work, { id: familyId, name: 'Doe', patientId: id }),
    ]);
    return id;
  });
}

export function call(method: string, path: string, body?: Body, token = cashier, headers: Record<string, string> = {}) {
  return payment.send(method, path, { token, headers, ...(body ? { body } : {}) });
}

/** Status of a success, code of an error. */
export async function outcome(method: string, path: string, body?: Body, token = cashier): Promise<number | string> {
  const answer = await call(method, path, body, token);
  return answer.success ? answer.status : answer.error.code;
}

export async function success<Data>(method: string, path: string, body?: Body, token = cashier): Promise<Data> {
  const answer = await call(method, path, body, token);
  expect([method, path, answer.error]).toEqual([method, path, undefined]);
  return answer.data<Data>();
}

/** Names of the fields that are wrong. */
export async function wrongFields(method: string, path: string, body: Body): Promise<readonly string[]> {
  const { error } = await call(method, path, body);
  expect(error?.code).toBe('VALIDATION_FAILED');
  const { fields = [] } = (error.details ?? {}) as { readonly fields?: readonly { readonly field: string }[] };
  return fields.map(({ field }) => field);
}

export const line = (unitPrice: number, more: Body = {}) => ({ description: 'Consultation', unitPrice, ...more });

export function draft(...lines: readonly Body[]): Promise<ShownInvoice> {
  return success('POST', INVOICES, { patientId, lines });
}

export async function issued(...lines: readonly Body[]): Promise<ShownInvoice> {
  return success('POST', `${INVOICES}/${(await draft(...lines)).id}/issue`);
}
