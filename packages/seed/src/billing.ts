/** Invoices of visits, and how they are paid. */

import { draftInvoice, type Invoice, invoices, issueInvoice, newInvoice, voidInvoice } from '@hms/domain/invoices';
import { type Paying, pay, paying } from '@hms/domain/payments';
import { addDays } from '@hms/domain/schedules';
import { records } from '@hms/service';
import type { Day } from './day.ts';
import { Random } from './random.ts';
import { after, FIRST } from './run.ts';

/** Days until an invoice should be paid. */
const DUE_DAYS = 14;
/** Notes and coins of a purse, in minor units: what is handed over is a multiple of one. */
const NOTE = 1000;
/** The share of open invoices that are paid on a day. */
const LATE = 0.12;

export interface Bill {
  /** What is random about it follows from this. */
  readonly key: string;
  readonly patientId: string;
  /** Of the price list. */
  readonly itemIds: readonly string[];
}

/** The cashier writes down what the visit, the tests and the drugs cost. Most people pay at once. */
export function planBill(day: Day, moment: Date, { key, patientId, itemIds }: Bill): void {
  const random = new Random(key, 'bill');
  const { cashier } = day.place.staff;
  const [isWrong, isLeft] = [random.chance(0.01), random.chance(0.01)];
  const issuedAt = after(moment, 1);
  day.plan(moment, async () => {
    const body = newInvoice.parse({
      ...{ patientId, openCharges: true, dueOn: addDays(day.date, DUE_DAYS) },
      lines: itemIds.map((itemId) => ({ itemId })),
    });
    const draft = await day.as(cashier, moment, (work) => draftInvoice(work, body));
    if (isLeft) return;
    day.plan(issuedAt, async () => {
      const issued = await day.as(cashier, issuedAt, (work) => issueInvoice(work, draft.id, undefined));
      day.counts.invoices += 1;
      if (isWrong && issued.paid === 0) {
        await day.as(cashier, issuedAt, (work) =>
          voidInvoice(work, issued.id, 'Written for the wrong visit', undefined),
        );
        return planBill(day, after(issuedAt, 3), { key: `${key} again`, patientId, itemIds });
      }
      const body = howPaid(issued, random);
      if (body) planPayment(day, after(issuedAt, 1 + random.next() * 3), issued.id, body);
    });
  });
}

function planPayment(day: Day, moment: Date, id: string, body: Paying): void {
  day.plan(moment, async () => {
    await day.as(day.place.staff.cashier, moment, (work) => pay(work, id, body, undefined));
    day.counts.payments += 1;
  });
}

/** Undefined: not now. */
function howPaid({ balance }: Invoice, random: Random): Paying | undefined {
  if (balance === 0) return undefined;
  const kind = random.next();
  const slip = String(random.between(10_000, 99_999));
  if (kind < 0.45) return paying.parse({ method: 'CARD', reference: slip });
  if (kind < 0.7) return paying.parse({ method: 'CASH', tendered: Math.ceil((balance + 1) / NOTE) * NOTE });
  if (kind < 0.78) return paying.parse({ method: 'INSURANCE', reference: `CLAIM-${slip}` });
  if (kind < 0.86) {
    const own = Math.max(1, Math.floor(balance / 5));
    const parts = [
      { method: 'INSURANCE', amount: balance - own, reference: `CLAIM-${slip}` },
      { method: 'CARD', amount: own },
    ];
    return paying.parse(balance > own ? { parts } : { method: 'CARD' });
  }
  if (kind < 0.91 && balance > 2)
    return paying.parse({ method: 'CARD', amount: Math.ceil(balance / 2), reference: slip });
  return undefined;
}

/** Some of those who left without paying pay by transfer, and insurers pay what they owe. */
export async function planLatePayments(day: Day): Promise<void> {
  const opened = day.moment(0);
  const { data } = await day.as(day.place.staff.accountant, opened, (work) =>
    records(work, invoices).list({
      ...FIRST,
      filters: { open: 'true' },
      sort: [{ field: 'issuedAt', descending: false }],
    }),
  );
  for (const { id, invoiceNo, issuedAt } of data) {
    const random = new Random(day.run.options.seed, 'late payment', invoiceNo ?? '', day.date);
    if (issuedAt === null || new Date(issuedAt) >= opened || !random.chance(LATE)) continue;
    const body = paying.parse({ method: random.chance(0.7) ? 'TRANSFER' : 'INSURANCE', reference: invoiceNo ?? '' });
    const moment = day.moment(9.5 * 60 + random.next() * 6 * 60);
    if (moment > day.from) planPayment(day, moment, id, body);
  }
}
