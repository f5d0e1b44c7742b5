/** Invoices, and what the module itself finds in its books. */
import type { ShownInvoice } from '@hms/domain/invoices';
import type { Invariants } from '@hms/domain/payments';
import type { People } from './people.ts';

export const INVOICES = '/api/payment/invoices';
/** Of each invoice. */
export const TOTAL = 12_345;

export async function draft(people: People, patientId: string): Promise<ShownInvoice> {
  const lines = [{ description: 'Consultation', unitPrice: TOTAL }];
  return people.do<ShownInvoice>('CASHIER', INVOICES, { patientId, lines });
}

export async function issued(people: People, patientId: string): Promise<ShownInvoice> {
  const { id } = await draft(people, patientId);
  return people.do<ShownInvoice>('CASHIER', `${INVOICES}/${id}/issue`);
}

/** What the module itself finds. */
export async function broken(people: People): Promise<readonly string[]> {
  const rules = (await people.send('ACCOUNTANT', 'GET', '/api/payment/reconciliation/invariants')).data<Invariants>();
  return rules.flatMap(({ rule, broken: names }) =>
    names.map((name) => `the invariant "${rule}" is broken by ${name}`),
  );
}
