/** Invoices of visits, and how they are paid. */

import { newDeposit, receiveDeposit } from '@hms/domain/deposits';
import {
  draftInvoice,
  type Invoice,
  invoices,
  issueInvoice,
  newInvoice,
  readInvoice,
  voidInvoice,
} from '@hms/domain/invoices';
import { type Paying, pay, paying } from '@hms/domain/payments';
import { approveRefund, payingOut, payOutRefund, refunding, requestRefund } from '@hms/domain/refunds';
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
const INSURERS = ['Harbour Health', 'Civic Mutual', 'Northern Life'];
/** The share of invoices that are insured, and what insurers pay of them. */
const INSURED = 0.16;
const COVERAGES = [7_000, 8_000, 10_000];
/** The share of invoices that are paid from a deposit, and of those that are refunded in part. */
const DEPOSITS = 0.03;
const REFUNDS = 0.05;

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
  const insurance = random.chance(INSURED)
    ? {
        ...{ insurer: random.oneOf(INSURERS), coverageBps: random.oneOf(COVERAGES) },
        policyNo: `P-${random.between(100_000, 999_999)}`,
      }
    : {};
  const issuedAt = after(moment, 1);
  day.plan(moment, async () => {
    const body = newInvoice.parse({
      ...{ patientId, openCharges: true, dueOn: addDays(day.date, DUE_DAYS), ...insurance },
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
      const paidAt = after(issuedAt, 1 + random.next() * 3);
      if (random.chance(DEPOSITS)) return planDeposit(day, paidAt, issued);
      const body = howPaid(issued, random);
      if (!body) return;
      planPayment(day, paidAt, issued.id, body);
      if (random.chance(REFUNDS) && body.amount === undefined) planRefund(day, after(paidAt, 40), issued.id);
    });
  });
}

/** Somebody has paid ahead what the visit costs. */
function planDeposit(day: Day, moment: Date, { id, patientId, balance, insurerBalance }: Invoice): void {
  const amount = balance - insurerBalance;
  if (amount === 0) return;
  const { cashier } = day.place.staff;
  day.plan(moment, async () => {
    const body = newDeposit.parse({ patientId, amount, method: 'CARD', note: 'Paid at the booking' });
    await day.as(cashier, moment, (work) => receiveDeposit(work, body));
  });
  planPayment(day, after(moment, 2), id, paying.parse({ method: 'ADVANCE' }));
}

/** One line was not done after all: the cashier requests it, and the accountant approves it. */
function planRefund(day: Day, moment: Date, id: string): void {
  const { cashier, accountant } = day.place.staff;
  day.plan(moment, async () => {
    const invoice = await day.as(cashier, moment, (work) => readInvoice(work, id));
    const line = invoice.lines.findLast(({ total }) => total > 0);
    if (invoice.status !== 'paid' || !line) return;
    const body = refunding.parse({ lines: [{ lineId: line.id }], reason: 'Not done after all' });
    const { id: refundId } = await day.as(cashier, moment, (work) => requestRefund(work, id, body));
    const approvedAt = after(moment, 10);
    day.plan(approvedAt, async () => {
      await day.as(accountant, approvedAt, (work) => approveRefund(work, refundId, undefined));
      const paidAt = after(approvedAt, 5);
      day.plan(paidAt, async () => {
        await day.as(cashier, paidAt, (work) => payOutRefund(work, refundId, payingOut.parse({})));
      });
    });
  });
}

function planPayment(day: Day, moment: Date, id: string, body: Paying): void {
  day.plan(moment, async () => {
    await day.as(day.place.staff.cashier, moment, (work) => pay(work, id, body, undefined));
    day.counts.payments += 1;
  });
}

/** What the patient pays. Undefined: not now. */
function howPaid({ balance, insurerBalance }: Invoice, random: Random): Paying | undefined {
  const due = balance - insurerBalance;
  if (due === 0) return undefined;
  const kind = random.next();
  const slip = String(random.between(10_000, 99_999));
  if (kind < 0.5) return paying.parse({ method: 'CARD', reference: slip });
  if (kind < 0.8) return paying.parse({ method: 'CASH', tendered: Math.ceil((due + 1) / NOTE) * NOTE });
  if (kind < 0.84) return paying.parse({ method: 'MOBILE', reference: slip });
  if (kind < 0.91 && due > 2) return paying.parse({ method: 'CARD', amount: Math.ceil(due / 2), reference: slip });
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
  for (const { id, invoiceNo, issuedAt, balance, insurerBalance } of data) {
    const random = new Random(day.run.options.seed, 'late payment', invoiceNo ?? '', day.date);
    if (issuedAt === null || new Date(issuedAt) >= opened || !random.chance(LATE)) continue;
    const isInsurers = insurerBalance > 0 && (insurerBalance === balance || random.chance(0.7));
    const method = isInsurers ? 'INSURANCE' : 'TRANSFER';
    const body = paying.parse({ method, reference: isInsurers ? `CLAIM-${invoiceNo}` : (invoiceNo ?? '') });
    const moment = day.moment(9.5 * 60 + random.next() * 6 * 60);
    if (moment > day.from) planPayment(day, moment, id, body);
  }
}
