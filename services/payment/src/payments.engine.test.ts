/** Payments: what is paid once, to the last unit. */
import { updateHospital } from '@hms/database';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { ShownPayment } from '@hms/domain/payments';
import { readTimeline } from '@hms/domain/timeline';
import { DEFAULT_SETTINGS, hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import {
  accountant,
  call,
  cashier,
  INVOICES,
  issued,
  line,
  mary,
  outcome,
  patientId,
  payment,
  success,
  useHospital,
  within,
  wrongFields,
} from './testing.ts';

useHospital();

type Paid = ShownPayment & { readonly invoice: ShownInvoice; readonly change: number };
const pay = (id: string, body?: object) => success<Paid>('POST', `${INVOICES}/${id}/pay`, body as never);

describe('a payment', () => {
  it('is the whole balance in cash, if nothing is said', async () => {
    const { id } = await issued(line(5000, { taxBps: 1900 }));
    const year = new Date().getUTCFullYear();
    expect(await pay(id)).toMatchObject({
      ...{
        amount: 5950,
        change: 0,
        currency: mary.hospital.currency,
        receiptNo: `RCT-${year}-000001`,
        copies: 0,
        receivedByName: 'Jane Doe',
      },
      parts: [{ method: 'CASH', amount: 5950, rounding: 0, tendered: 5950, change: 0 }],
      invoice: { status: 'paid', paid: 5950, balance: 0 },
    });
    const again = await call('POST', `${INVOICES}/${id}/pay`);
    expect(again.error).toMatchObject({ code: 'INVOICE_NOT_PAYABLE', details: { status: 'paid', balance: 0 } });
    expect(await success('GET', `${INVOICES}/${id}/payments`)).toHaveLength(1);
  });

  it('can be a part, and never more than is left', async () => {
    const { id } = await issued(line(1000));
    expect(await pay(id, { amount: 400, method: 'CARD', reference: '4711' })).toMatchObject({
      parts: [{ method: 'CARD', reference: '4711', tendered: null, change: null }],
      invoice: { status: 'partially_paid', paid: 400, balance: 600 },
    });
    const { error } = await call('POST', `${INVOICES}/${id}/pay`, { amount: 601 });
    expect(error).toMatchObject({ code: 'OVERPAYMENT', details: { balance: 600, currency: mary.hospital.currency } });
    expect(await pay(id)).toMatchObject({ amount: 600, invoice: { status: 'paid', balance: 0 } });
    expect(await success<ShownPayment[]>('GET', `${INVOICES}/${id}/payments`)).toMatchObject([
      { amount: 400 },
      { amount: 600 },
    ]);
    expect(await outcome('POST', `${INVOICES}/${id}/void`, { reason: 'x' })).toBe('INVOICE_HAS_PAYMENTS');
  });

  it('has several methods, and change from what was handed over', async () => {
    const insured = { patientId, insurer: 'Acme', lines: [line(1000, { coverageBps: 2000 })] };
    const { id } = await success<ShownInvoice>('POST', INVOICES, insured);
    await success('POST', `${INVOICES}/${id}/issue`);
    const parts = [
      { method: 'CARD', amount: 300 },
      { method: 'INSURANCE', amount: 200, reference: 'A-1' },
      { method: 'CASH', amount: 500, tendered: 2000 },
    ];
    expect(await pay(id, { parts })).toMatchObject({
      ...{ amount: 1000, change: 1500 },
      parts: [{ method: 'CARD' }, { method: 'INSURANCE', reference: 'A-1' }, { tendered: 2000, change: 1500 }],
    });
  });

  it.each([
    [{ amount: 0 }, ['amount']],
    [{ amount: 1.5 }, ['amount']],
    [{ method: 'GOLD' }, ['method']],
    [{ tendered: 999 }, ['tendered']],
    [{ method: 'CARD', tendered: 1000 }, ['tendered']],
    [{ parts: [] }, ['parts']],
    [{ amount: 1, parts: [{ method: 'CASH', amount: 1 }] }, ['parts']],
    [{ method: 'CARD', parts: [{ method: 'CASH', amount: 1 }] }, ['parts']],
    [
      {
        parts: [
          { method: 'CASH', amount: 1 },
          { method: 'CASH', amount: 1 },
        ],
      },
      ['parts.1.method'],
    ],
    [{ parts: [{ method: 'CASH', amount: 1, tendered: 0 }] }, ['parts.0.tendered']],
  ])('is refused with %j', async (body, names) => {
    const { id } = await issued(line(1000));
    expect(await wrongFields('POST', `${INVOICES}/${id}/pay`, body)).toEqual(names);
    expect(await success('GET', `${INVOICES}/${id}`)).toMatchObject({ paid: 0, status: 'issued' });
  });

  it('is only of issued invoices, and taken by cashiers', async () => {
    const { id } = await issued(line(1000));
    expect(await outcome('POST', `${INVOICES}/${id}/pay`, {}, accountant)).toBe('FORBIDDEN');
    expect(await outcome('POST', `${INVOICES}/0198a5a0-0000-7000-8000-000000000000/pay`)).toBe('INVOICE_NOT_FOUND');
    expect(await outcome('POST', `${INVOICES}/${id}/pay`, { version: 1 })).toBe('STALE_VERSION');
  });

  it('is made once with one key, however often it is sent', async () => {
    const { id } = await issued(line(1000));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', `${INVOICES}/${id}/pay`, { idempotencyKey: 'desk-1' })),
    );
    const receipts = answers.filter(({ success: done }) => done).map((answer) => answer.data<Paid>().receiptNo);
    expect(receipts.length).toBeGreaterThan(0);
    expect(new Set(receipts).size).toBe(1);
    for (const { success: done, error } of answers) if (!done) expect(error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await success('GET', `${INVOICES}/${id}/payments`)).toHaveLength(1);
  });

  it('demands a key, if the hospital does', async () => {
    const settings = { ...DEFAULT_SETTINGS, requireIdempotencyKey: true };
    await updateHospital(payment.operator, mary.hospital.prefix, { settings });
    const { id } = await issued(line(1000));
    const { error } = await call('POST', `${INVOICES}/${id}/pay`);
    expect(error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REQUIRED',
      message: expect.stringContaining('Idempotency-Key'),
    });
    expect(await pay(id, { idempotencyKey: 'desk-1' })).toMatchObject({ amount: 1000 });
  });

  it('rounds cash that settles the invoice, and nothing else', async () => {
    const settings = { ...DEFAULT_SETTINGS, cashRounding: 100 };
    await updateHospital(payment.operator, mary.hospital.prefix, { settings });
    const [one, two] = [await issued(line(1249)), await issued(line(1249))];
    expect(await pay(one.id, { tendered: 1500 })).toMatchObject({
      ...{ amount: 1249, change: 300 },
      parts: [{ amount: 1249, rounding: -49, tendered: 1500, change: 300 }],
      invoice: { total: 1249, paid: 1249, status: 'paid' },
    });
    const large = await issued(line(999_999_999_999_999));
    expect(await wrongFields('POST', `${INVOICES}/${large.id}/pay`, {})).toEqual(['method']);
    expect(await pay(two.id, { amount: 249 })).toMatchObject({ parts: [{ amount: 249, rounding: 0 }] });
    expect(await pay(two.id, { method: 'CARD' })).toMatchObject({ parts: [{ amount: 1000, rounding: 0 }] });
  });

  it('is made once without a key, by many cashiers at once', async () => {
    const { id } = await issued(line(1000));
    const codes = await Promise.all(Array.from({ length: 20 }, () => outcome('POST', `${INVOICES}/${id}/pay`)));
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([200, 'INVOICE_NOT_PAYABLE']));
  });

  it('gives receipts without a gap', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => issued(line(10))));
    const paid = await Promise.all(all.map(({ id }) => pay(id, { amount: 4 })));
    const year = new Date().getUTCFullYear();
    expect(paid.map(({ receiptNo }) => receiptNo).toSorted()).toEqual(
      all.map((_, index) => `RCT-${year}-${String(index + 1).padStart(6, '0')}`),
    );
  });
});

it('is in the timeline with the invoice, only for those who may see invoices', async () => {
  const paid = await issued(line(1000));
  await pay(paid.id, { amount: 400, method: 'CARD' });
  const other = await issued(line(700));
  await success('POST', `${INVOICES}/${other.id}/void`, { reason: 'Wrong patient' });
  const timeline = (permission: string) =>
    within((work) => readTimeline(work, patientId, { page: 1, limit: 20, permissions: new Set([permission]) }));
  const { data } = await timeline('invoices.read');
  const { currency } = mary.hospital;
  expect(data.toReversed().map(({ kind, recordId, details }) => [kind, recordId, details])).toEqual([
    ['invoice.issued', paid.id, { invoiceNo: paid.invoiceNo, amount: '1000', currency }],
    [
      ...['invoice.paid', expect.any(String)],
      { invoiceId: paid.id, receiptNo: expect.stringMatching(/^RCT-/), amount: '400', currency },
    ],
    ['invoice.issued', other.id, { invoiceNo: other.invoiceNo, amount: '700', currency }],
    ['invoice.voided', other.id, { invoiceNo: other.invoiceNo, amount: '700', currency, reason: 'Wrong patient' }],
  ]);
  expect(await timeline('patients.read')).toMatchObject({ data: [{ kind: 'patient.registered' }], meta: { total: 1 } });
});

it('refuses a field of a payment that it does not know, because the rest would mean something else', async () => {
  const { id } = await issued(line(200));
  const answer = await call('POST', `${INVOICES}/${id}/pay`, { amuont: 50 }, cashier);
  expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
  expect(JSON.stringify(answer.error)).toContain('amuont');
  expect(await success('GET', `${INVOICES}/${id}`)).toMatchObject({ paid: 0 });
  await success('POST', `${INVOICES}/${id}/pay`, { amount: 50, idempotencyKey: 'in-the-body' }, cashier);
});

describe('PostgreSQL', () => {
  const raw = (text: string, values: readonly string[] = []) =>
    payment.operator.transaction(async (trx) => {
      await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}, extensions`);
      await trx.raw(text, [...values]);
    });

  it('refuses every wrong sum', async () => {
    const { id } = await issued(line(1000));
    await pay(id, { amount: 400 });
    for (const wrong of [
      'UPDATE invoices SET paid = 500 WHERE id = ?',
      "UPDATE invoices SET paid = 1000, status = 'paid' WHERE id = ?",
      'UPDATE invoices SET total = 900, net = 900 WHERE id = ?',
      "UPDATE invoices SET status = 'paid' WHERE id = ?",
      "UPDATE invoices SET status = 'void', void_reason = 'x' WHERE id = ?",
      'UPDATE invoice_lines SET total = 999 WHERE invoice_id = ?',
      'DELETE FROM invoice_lines WHERE invoice_id = ?',
      'DELETE FROM payments WHERE invoice_id = ?',
      'UPDATE payments SET amount = 300 WHERE invoice_id = ?',
      'UPDATE payment_parts SET amount = 300 WHERE payment_id IN (SELECT id FROM payments WHERE invoice_id = ?)',
    ])
      await expect(raw(wrong, [id])).rejects.toThrow();
    expect(await success('GET', `${INVOICES}/${id}`)).toMatchObject({ total: 1000, paid: 400, balance: 600 });
    expect(await outcome('GET', INVOICES, undefined, cashier)).toBe(200);
  });
});
