/** Shifts, refunds, void entries, deposits and the part of an insurer: what each of them does to the books. */
import { updateHospital } from '@hms/database';
import type { ShownDeposit } from '@hms/domain/deposits';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { Invariants, ShownPayment } from '@hms/domain/payments';
import type { CreditNote, ShownRefund } from '@hms/domain/refunds';
import type { ShownShift, ShownTransfer } from '@hms/domain/shifts';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  accountant,
  call,
  cashier,
  draft,
  INVOICES,
  issued,
  line,
  mary,
  outcome,
  patientId,
  payment,
  success,
  useHospital,
  wrongFields,
} from './testing.ts';

useHospital();

const SHIFTS = '/api/payment/reconciliation';
const REFUNDS = '/api/payment/refunds';
let colleague: string;

beforeEach(async () => {
  colleague = await mary.token(['CASHIER'], { claims: { sub: '0198a5a0-0000-7000-8000-00000000ca5e' } });
});

afterEach(async () => {
  const rules = await success<Invariants>('GET', `${SHIFTS}/invariants`, undefined, accountant);
  expect(rules.filter(({ broken }) => broken.length > 0)).toEqual([]);
});

const pay = (id: string, body: object = {}, token = cashier) =>
  success<ShownPayment & { invoice: ShownInvoice }>('POST', `${INVOICES}/${id}/pay`, body as never, token);
const read = (id: string) => success<ShownInvoice>('GET', `${INVOICES}/${id}`);
const open = (body: object = {}, token = cashier) =>
  success<ShownShift>('POST', `${SHIFTS}/open`, { counter: 'Counter 1', openingFloat: 5000, ...body }, token);
const close = (id: string, cash: number, token = cashier) =>
  success<ShownShift>('POST', `${SHIFTS}/${id}/close`, { declared: { CASH: cash } }, token);
const request = (id: string, body: object = {}) =>
  success<ShownRefund>('POST', `${INVOICES}/${id}/refunds`, { reason: 'Not done', ...body });
const approve = ({ id }: ShownRefund) => success<ShownRefund>('POST', `${REFUNDS}/${id}/approve`, {}, accountant);
const payOut = ({ id }: ShownRefund, token = cashier) =>
  success<ShownRefund>('POST', `${REFUNDS}/${id}/pay-out`, {}, token);

describe('a shift', () => {
  it('is open once for a cashier and once at a counter', async () => {
    const { shiftNo, openedOn } = await open();
    expect(shiftNo).toMatch(/^SHF-\d{6}$/);
    expect(openedOn).toMatch(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/);
    expect(await outcome('POST', `${SHIFTS}/open`, { counter: 'Counter 2' })).toBe('SHIFT_ALREADY_OPEN');
    expect(await outcome('POST', `${SHIFTS}/open`, { counter: 'COUNTER 1' }, colleague)).toBe('COUNTER_TAKEN');
    expect(await success<ShownShift>('GET', `${SHIFTS}/current`)).toMatchObject({ shiftNo, status: 'open' });
    expect(await success('GET', `${SHIFTS}/current`, undefined, colleague)).toBeNull();
  });

  it('expects the float and what the ledger says, by method, and nobody sees it before the count', async () => {
    const shift = await open();
    const [one, other] = [await issued(line(1000)), await issued(line(700))];
    await pay(one.id, { tendered: 2000 });
    await pay(other.id, { method: 'CARD' });
    expect((await success<ShownShift>('GET', `${SHIFTS}/${shift.id}`)).counts).toEqual([]);
    const closed = await success<ShownShift>('POST', `${SHIFTS}/${shift.id}/close`, {
      denominations: [
        { face: 5000, pieces: 1 },
        { face: 100, pieces: 9 },
      ],
      declared: { CARD: 700 },
      note: 'A coin fell down',
    });
    expect(closed).toMatchObject({
      ...{ status: 'closed', difference: -100 },
      counts: [{ expected: { CASH: 6000, CARD: 700 }, declared: { CASH: 5900, CARD: 700 }, difference: -100 }],
    });
    expect(await outcome('POST', `${SHIFTS}/${shift.id}/close`, { declared: { CASH: 6000 } })).toBe('SHIFT_NOT_OPEN');
  });

  it('is approved by somebody else, or counted again', async () => {
    const { id, cashier: sub } = await open();
    await close(id, 4000);
    const own = await mary.token(['CASHIER', 'ACCOUNTANT'], { claims: { sub } });
    expect(await outcome('POST', `${SHIFTS}/${id}/approve`, {})).toBe('FORBIDDEN');
    expect(await outcome('POST', `${SHIFTS}/${id}/approve`, {}, own)).toBe('SAME_PERSON_APPROVAL');
    await success('POST', `${SHIFTS}/${id}/dispute`, { reason: 'Count again' }, accountant);
    expect((await close(id, 5000)).counts.map(({ difference }) => difference)).toEqual([-1000, 0]);
    const approved = await success<ShownShift>('POST', `${SHIFTS}/${id}/approve`, { note: 'Fine' }, accountant);
    expect(approved).toMatchObject({ status: 'approved', difference: 0, decisionNote: 'Fine' });
  });

  it('is demanded for cash, if the hospital says so', async () => {
    await updateHospital(payment.operator, mary.hospital.prefix, {
      settings: { ...DEFAULT_SETTINGS, requireOpenShift: true },
    });
    const { id } = await issued(line(1000));
    expect(await outcome('POST', `${INVOICES}/${id}/pay`, {})).toBe('NO_OPEN_SHIFT');
    await pay(id, { amount: 400, method: 'CARD' });
    await open();
    await pay(id);
  });

  it('hands over cash, which counts when the other one has accepted it', async () => {
    const [mine, theirs] = [await open(), await open({ counter: 'Counter 2', openingFloat: 0 }, colleague)];
    const path = `${SHIFTS}/${mine.id}/transfers`;
    expect(await outcome('POST', path, { toShiftId: mine.id, amount: 10 })).toBe('VALIDATION_FAILED');
    const transfer = await success<ShownTransfer>('POST', path, { toShiftId: theirs.id, amount: 1500 });
    expect(await outcome('POST', `${SHIFTS}/${mine.id}/close`, { declared: { CASH: 3500 } })).toBe(
      'SHIFT_HAS_TRANSFERS',
    );
    expect(await outcome('POST', `/api/payment/shift-transfers/${transfer.id}/accept`)).toBe('SAME_PERSON_APPROVAL');
    await success('POST', `/api/payment/shift-transfers/${transfer.id}/accept`, undefined, colleague);
    expect((await close(mine.id, 3500)).difference).toBe(0);
    expect((await close(theirs.id, 1500, colleague)).difference).toBe(0);
  });

  it.each([
    [{}, ['denominations']],
    [{ denominations: [{ face: 0, pieces: 1 }] }, ['denominations.0.face']],
    [{ denominations: [{ face: 5, pieces: 1 }], declared: { CASH: 6 } }, ['declared.CASH']],
    [
      {
        denominations: [
          { face: 5, pieces: 1 },
          { face: 5, pieces: 2 },
        ],
      },
      ['denominations'],
    ],
    [{ declared: { GOLD: 1, CASH: 1 } }, ['declared.GOLD']],
  ])('is not closed with %j', async (body, names) => {
    const { id } = await open();
    expect(await wrongFields('POST', `${SHIFTS}/${id}/close`, body as never)).toEqual(names);
  });
});

describe('a void entry', () => {
  it('takes back a payment in the open shift in which it was taken', async () => {
    const shift = await open();
    const { id } = await issued(line(1000));
    const taken = await pay(id);
    const path = `/api/payment/payments/${taken.id}/void`;
    expect(await outcome('POST', path, { reason: 'Wrong invoice' }, colleague)).toBe('SHIFT_CLOSED');
    expect(await success<ShownPayment>('POST', path, { reason: 'Wrong invoice' })).toMatchObject({
      ...{ kind: 'void', ofPaymentId: taken.id, amount: 1000, balanceAfter: 1000, reason: 'Wrong invoice' },
    });
    expect(await outcome('POST', path, { reason: 'x' })).toBe('PAYMENT_NOT_VOIDABLE');
    expect(await read(id)).toMatchObject({ status: 'issued', paid: 0, balance: 1000 });
    expect((await close(shift.id, 5000)).difference).toBe(0);
    // It can be void now, as nothing is paid of it.
    await success('POST', `${INVOICES}/${id}/void`, { reason: 'Wrong' });
  });

  it('is refused after the shift', async () => {
    const shift = await open();
    const { id } = await issued(line(1000));
    const taken = await pay(id);
    await close(shift.id, 6000);
    await open();
    expect(await outcome('POST', `/api/payment/payments/${taken.id}/void`, { reason: 'x' })).toBe('SHIFT_CLOSED');
  });
});

describe('a refund', () => {
  it('cancels a line with a credit note, and gives back what is paid too much', async () => {
    const invoice = await issued(line(1000, { taxBps: 1900 }), line(500));
    await pay(invoice.id);
    const refund = await request(invoice.id, { lines: [{ lineId: invoice.lines[0]?.id }] });
    expect(refund).toMatchObject({ status: 'requested', amount: 1190, credited: 1190, method: 'CASH' });
    expect(await read(invoice.id)).toMatchObject({ status: 'paid', refunded: 0, credited: 0 });
    expect(await outcome('POST', `${REFUNDS}/${refund.id}/pay-out`, {})).toBe('INVALID_STATE');
    await approve(refund);
    const year = new Date().getUTCFullYear();
    expect(await payOut(refund)).toMatchObject({
      ...{ status: 'completed', creditNo: `CRN-${year}-000001`, receiptNo: `RCT-${year}-000002` },
    });
    expect(await read(invoice.id)).toMatchObject({
      ...{ status: 'partially_refunded', paid: 1690, refunded: 1190, credited: 1190, balance: 0 },
    });
    const [note] = await success<CreditNote[]>('GET', `/api/payment/credit-notes?invoiceId=${invoice.id}`);
    expect(note).toMatchObject({ amount: 1190, lines: [{ seq: 1, net: 1000, tax: 190 }] });
  });

  it('is approved by somebody else', async () => {
    const { id } = await issued(line(1000));
    await pay(id);
    const refund = await request(id);
    const both = await mary.token(['CASHIER', 'ACCOUNTANT'], { claims: { sub: refund.createdBy } });
    expect(await outcome('POST', `${REFUNDS}/${refund.id}/approve`, {}, both)).toBe('SAME_PERSON_APPROVAL');
    expect(await outcome('POST', `${REFUNDS}/${refund.id}/approve`, {})).toBe('FORBIDDEN');
  });

  it('without lines leaves the invoice to be paid again', async () => {
    const { id } = await issued(line(1000));
    await pay(id, { method: 'CARD' });
    const refund = await request(id, { reason: 'Wrong card' });
    expect(refund).toMatchObject({ amount: 1000, credited: 0, method: 'CARD' });
    await payOut(await approve(refund));
    expect(await read(id)).toMatchObject({ status: 'issued', balance: 1000, refunded: 1000 });
    expect((await pay(id)).invoice).toMatchObject({ status: 'paid', balance: 0 });
  });

  it('of an unpaid invoice only cancels, at its approval, and the rest can be paid', async () => {
    const invoice = await issued(line(1000), line(500));
    const refund = await request(invoice.id, { lines: [{ lineId: invoice.lines[0]?.id, amount: 400 }] });
    expect(refund.amount).toBe(0);
    expect((await approve(refund)).status).toBe('completed');
    expect(await read(invoice.id)).toMatchObject({ status: 'issued', balance: 1100 });
    expect(await outcome('POST', `${INVOICES}/${invoice.id}/pay`, { amount: 1500 })).toBe('OVERPAYMENT');
    expect(await pay(invoice.id)).toMatchObject({ amount: 1100, invoice: { status: 'paid' } });
  });

  it('is never more than was paid, and two of them neither', async () => {
    const { id, lines } = await issued(line(1000));
    expect(await outcome('POST', `${INVOICES}/${id}/refunds`, { reason: 'x' })).toBe('REFUND_EXCEEDS_PAID');
    await pay(id, { amount: 600 });
    expect(await outcome('POST', `${INVOICES}/${id}/refunds`, { amount: 601, reason: 'x' })).toBe(
      'REFUND_EXCEEDS_PAID',
    );
    const all = { lines: [{ lineId: lines[0]?.id }], reason: 'x' };
    expect(await outcome('POST', `${INVOICES}/${id}/refunds`, { ...all, amount: 599 })).toBe('REFUND_TOO_SMALL');
    const tooMuch = { lines: [{ lineId: lines[0]?.id, amount: 1001 }], reason: 'x' };
    expect(await outcome('POST', `${INVOICES}/${id}/refunds`, tooMuch)).toBe('CREDIT_EXCEEDS_LINE');
    const [one, other] = [await request(id), await request(id)];
    await approve(one);
    await approve(other);
    await payOut(one);
    expect(await outcome('POST', `${REFUNDS}/${other.id}/pay-out`, {})).toBe('REFUND_EXCEEDS_PAID');
    await success('POST', `${REFUNDS}/${other.id}/reject`, { reason: 'Paid already' }, accountant);
  });

  it('in parts is the line, to the last unit', async () => {
    const invoice = await issued(line(1001, { taxBps: 700, discount: { bps: 333 } }));
    await pay(invoice.id);
    const [only] = invoice.lines;
    let [tax, net, discount] = [0, 0, 0];
    for (const amount of [1, 333, 334, undefined]) {
      await payOut(await approve(await request(invoice.id, { lines: [{ lineId: only?.id, amount }] })));
    }
    const notes = await success<CreditNote[]>('GET', `/api/payment/credit-notes?invoiceId=${invoice.id}`);
    for (const note of notes)
      for (const part of note.lines) {
        tax += part.tax;
        net += part.net;
        discount += part.discount;
      }
    expect([net, tax, discount]).toEqual([only?.net, only?.tax, only?.lineDiscount]);
    expect(await read(invoice.id)).toMatchObject({ status: 'refunded', balance: 0 });
  });

  it('leaves the shift of whoever pays it out, rounded as cash', async () => {
    await updateHospital(payment.operator, mary.hospital.prefix, {
      settings: { ...DEFAULT_SETTINGS, cashRounding: 5 },
    });
    const first = await open();
    const { id } = await issued(line(998));
    await pay(id);
    expect((await close(first.id, 6000)).difference).toBe(0);
    const refund = await approve(await request(id));
    const second = await open({}, colleague);
    await payOut(refund, colleague);
    expect((await close(second.id, 4000, colleague)).difference).toBe(0);
  });
});

describe('a deposit', () => {
  const receive = (body: object) =>
    success<ShownPayment & { deposit: ShownDeposit }>('POST', '/api/payment/deposits', { patientId, ...body });

  it('pays invoices of the patient, and what is left goes back', async () => {
    const { deposit } = await receive({ amount: 1000, note: 'Operation' });
    expect(deposit).toMatchObject({ received: 1000, balance: 1000 });
    const { id } = await issued(line(700));
    expect(await pay(id, { method: 'ADVANCE' })).toMatchObject({
      parts: [{ method: 'ADVANCE', depositId: deposit.id }],
      invoice: { status: 'paid' },
    });
    const next = await issued(line(700));
    const { error } = await call('POST', `${INVOICES}/${next.id}/pay`, { method: 'ADVANCE' });
    expect(error).toMatchObject({ code: 'NO_DEPOSIT', details: { most: 300 } });
    const path = `/api/payment/deposits/${deposit.id}/refunds`;
    expect(await outcome('POST', path, { amount: 301, reason: 'x' })).toBe('REFUND_EXCEEDS_PAID');
    await payOut(await approve(await success<ShownRefund>('POST', path, { reason: 'Goes home' })));
    expect(await success('GET', `/api/payment/deposits/${deposit.id}`)).toMatchObject({ returned: 300, balance: 0 });
  });

  it('gets back what a refund of its payment returns', async () => {
    const { deposit } = await receive({ amount: 1000, method: 'CARD' });
    const { id } = await issued(line(700));
    await pay(id, { method: 'ADVANCE' });
    const refund = await request(id, { method: 'ADVANCE' });
    await payOut(await approve(refund));
    expect(await success('GET', `/api/payment/deposits/${deposit.id}`)).toMatchObject({ used: 0, balance: 1000 });
  });

  it.each([
    [{}, ['amount']],
    [{ amount: 5, method: 'INSURANCE' }, ['method']],
    [{ amount: 5, method: 'ADVANCE' }, ['method']],
    [{ amount: 0 }, ['amount']],
  ])('is not %j', async (body, names) => {
    expect(await wrongFields('POST', '/api/payment/deposits', { patientId, ...body })).toEqual(names);
  });
});

describe('the part of an insurer', () => {
  const insured = (...lines: readonly object[]) =>
    success<ShownInvoice>('POST', INVOICES, { patientId, insurer: 'Acme', coverageBps: 8000, lines } as never);

  it('and that of the patient are the line, and each is paid for itself', async () => {
    const written = await insured(line(12_345), line(333, { coverageBps: 0 }));
    expect(written.lines.map((one) => one.insured)).toEqual([9876, 0]);
    const { id } = await success<ShownInvoice>('POST', `${INVOICES}/${written.id}/issue`);
    expect(await read(id)).toMatchObject({ insured: 9876, balance: 12_678, insurerBalance: 9876 });
    expect(await outcome('POST', `${INVOICES}/${id}/pay`, { amount: 2803 })).toBe('OVERPAYMENT');
    expect(await pay(id)).toMatchObject({ amount: 2802, invoice: { status: 'partially_paid', balance: 9876 } });
    expect(await outcome('POST', `${INVOICES}/${id}/pay`, {})).toBe('OVERPAYMENT');
    expect(await pay(id, { method: 'INSURANCE' })).toMatchObject({ amount: 9876, invoice: { status: 'paid' } });
  });

  it('is the patient’s if the insurer declines it', async () => {
    const { id } = await success<ShownInvoice>('POST', `${INVOICES}/${(await insured(line(1000))).id}/issue`);
    const path = `${INVOICES}/${id}/decline-insurance`;
    expect(await outcome('POST', path, { amount: 801, reason: 'x' })).toBe('INSURER_OWES_LESS');
    await success('POST', path, { amount: 300, reason: 'Not covered' });
    expect(await read(id)).toMatchObject({ balance: 1000, insurerBalance: 500 });
    expect((await pay(id)).amount).toBe(500);
  });

  it('goes back to the insurer when the line is cancelled', async () => {
    const { id, lines } = await success<ShownInvoice>(
      'POST',
      `${INVOICES}/${(await insured(line(1000), line(500))).id}/issue`,
    );
    await pay(id);
    await pay(id, { method: 'INSURANCE' });
    const refund = await request(id, { lines: [{ lineId: lines[0]?.id }], method: 'CASH' });
    expect(refund).toMatchObject({ amount: 1000, insurerAmount: 800 });
    await payOut(await approve(refund));
    expect(await read(id)).toMatchObject({ status: 'partially_refunded', balance: 0, insurerPaid: 400 });
  });

  it('needs an insurer', async () => {
    expect(await wrongFields('POST', INVOICES, { patientId, coverageBps: 100, lines: [] })).toEqual(['insurer']);
    const { id } = await draft(line(1));
    expect(await wrongFields('POST', `${INVOICES}/${id}/lines`, { lines: [line(1, { coverageBps: 1 })] })).toEqual([
      'insurer',
    ]);
  });
});
