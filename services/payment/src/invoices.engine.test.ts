/** Prices, drafts, and what issuing and voiding do. */
import { addCharges, type Charge, cancelCharges, charges, reduceCharges } from '@hms/domain/charges';
import { issueInvoice, type ShownInvoice } from '@hms/domain/invoices';
import type { Invariants } from '@hms/domain/payments';
import type { PriceItem } from '@hms/domain/prices';
import { newId, records, takeNumber } from '@hms/service';
import { describe, expect, it } from '@jest/globals';
import {
  accountant,
  aPatient,
  begunAt,
  call,
  cashier,
  draft,
  INVOICES,
  issued,
  line,
  mary,
  outcome,
  patientId,
  success,
  useHospital,
  within,
  wrongFields,
} from './testing.ts';

useHospital();

const ITEMS = '/api/payment/price-items';
const PRICES = '/api/payment/prices';
const UNKNOWN = '0198a5a0-0000-7000-8000-000000000000';
const RECONCILIATION = '/api/payment/reconciliation/invariants';
const broken = async () => {
  const rules = await success<Invariants>('GET', RECONCILIATION, undefined, accountant);
  return rules.flatMap((rule) => rule.broken);
};
const item = (body: object = {}) =>
  success<PriceItem>(
    'POST',
    ITEMS,
    { code: 'CONS', name: 'Consultation', itemGroup: 'consultation', taxBps: 1900, ...body },
    accountant,
  );
const price = (body: object) => outcome('POST', PRICES, { validFrom: '2026-01-01', ...body }, accountant);

describe('the price list', () => {
  it('has one price for each day and group', async () => {
    const { id: itemId } = await item();
    expect(await price({ itemId, amount: 5000, validTo: '2026-06-30' })).toBe(201);
    expect(await price({ itemId, amount: 6000, validFrom: '2026-06-30' })).toBe('PRICE_OVERLAP');
    expect(await price({ itemId, amount: 6000, validFrom: '2026-07-01' })).toBe(201);
    expect(await price({ itemId, amount: 4000, payerGroup: 'Insurer A' })).toBe(201);
    expect(await price({ itemId, amount: 4000, payerGroup: 'Insurer A', validFrom: '2030-01-01' })).toBe(
      'PRICE_OVERLAP',
    );
    expect(await price({ itemId, amount: 1, validFrom: '2026-02-01', validTo: '2026-01-01' })).toBe('PRICE_DAYS');
    expect(await price({ itemId: UNKNOWN, amount: 1 })).toBe('INVALID_REFERENCE');
    expect(await price({ itemId, amount: 0.5 })).toBe('VALIDATION_FAILED');
    expect(await outcome('DELETE', `${ITEMS}/${itemId}`, undefined, accountant)).toBe('PRICE_ITEM_IN_USE');
    expect(await outcome('POST', ITEMS, { code: 'cons', name: 'X', itemGroup: 'other' }, accountant)).toBe(
      'PRICE_ITEM_CODE_TAKEN',
    );
  });

  it('is changed by accounting, and seen by nobody who treats patients', async () => {
    expect(await outcome('POST', ITEMS, { code: 'X', name: 'X', itemGroup: 'other' })).toBe('FORBIDDEN');
    expect(await outcome('GET', ITEMS)).toBe(200);
    expect(await outcome('GET', ITEMS, undefined, await mary.token(['DOCTOR']))).toBe('FORBIDDEN');
    expect(await outcome('GET', INVOICES, undefined, await mary.token(['DOCTOR']))).toBe('FORBIDDEN');
  });

  it('gives a line its name, its price, its tax and its group', async () => {
    const { id: itemId } = await item();
    await price({ itemId, amount: 5000 });
    await price({ itemId, amount: 4000, payerGroup: 'Insurer A' });
    const usual = await draft({ itemId, quantity: 2 });
    expect(usual.lines).toMatchObject([
      { itemId, description: 'Consultation', itemGroup: 'consultation', unitPrice: 5000, quantity: 2, taxBps: 1900 },
    ]);
    expect(usual).toMatchObject({ subtotal: 10_000, tax: 1900, total: 11_900, balance: 0, status: 'draft' });
    const insured = await success<ShownInvoice>('POST', INVOICES, {
      patientId,
      payerGroup: 'Insurer A',
      lines: [{ itemId }],
    });
    expect(insured.lines).toMatchObject([{ unitPrice: 4000 }]);
    const typed = await draft({ itemId, unitPrice: 1, description: 'Special', taxBps: 0 });
    expect(typed.lines).toMatchObject([{ unitPrice: 1, description: 'Special', taxBps: 0 }]);
  });

  it('refuses an item that has no price today, or is off the list', async () => {
    const { id: itemId } = await item();
    const body = { patientId, lines: [line(1), { itemId }] };
    const { error } = await call('POST', INVOICES, body);
    expect(error).toMatchObject({ code: 'NO_PRICE', details: { fields: [{ field: 'lines.1.itemId' }] } });
    await price({ itemId, amount: 1 });
    await success('POST', `${ITEMS}/${itemId}/deactivate`, {}, accountant);
    expect((await call('POST', INVOICES, body)).error).toMatchObject({
      ...{ code: 'PRICE_ITEM_NOT_FOUND', details: { fields: [{ field: 'lines.1.itemId' }] } },
    });
  });
});

describe('a draft', () => {
  it('is computed anew with each change', async () => {
    const { id } = await draft(line(2599, { taxBps: 2000 }), line(1250, { taxBps: 700 }));
    const added = await success<ShownInvoice>('POST', `${INVOICES}/${id}/lines`, { lines: [line(4999)] });
    expect(added).toMatchObject({ subtotal: 8848, lineCount: 3 });
    const changed = await success<ShownInvoice>('PUT', `${INVOICES}/${id}`, { discount: { amount: 1000 } });
    expect(changed).toMatchObject({ discount: 1000, tax: 539, total: 8387, version: added.version + 1 });
    expect(changed.taxes).toEqual([
      { bps: 0, base: 4434, tax: 0 },
      { bps: 700, base: 1109, tax: 78 },
      { bps: 2000, base: 2305, tax: 461 },
    ]);
    const without = await success<ShownInvoice>('PUT', `${INVOICES}/${id}`, { discount: null, lines: [line(33)] });
    expect(without).toMatchObject({ subtotal: 33, discount: 0, total: 33, lineCount: 1 });
    expect(await success('GET', `${INVOICES}/${id}`)).toEqual(without);
  });

  it.each([
    [{ lines: [{ unitPrice: 1 }] }, ['lines.0.description']],
    [{ lines: [{ description: 'X' }] }, ['lines.0.unitPrice']],
    [{ lines: [line(-1)] }, ['lines.0.unitPrice']],
    [{ lines: [line(1.5)] }, ['lines.0.unitPrice']],
    [{ lines: [line(1), line(1, { quantity: 0 })] }, ['lines.1.quantity']],
    [{ lines: [line(1, { taxBps: 10_001 })] }, ['lines.0.taxBps']],
    [{ lines: [line(1, { discount: { amount: 2 } })] }, ['lines.0.discount']],
    [{ lines: [line(999_999_999_999_999, { quantity: 1_000_000 })] }, ['lines.0.quantity']],
    [{ lines: [line(1)], discount: { amount: 2 } }, ['discount']],
    [{ lines: [line(1, { discount: 200 })] }, ['lines.0.discount']],
    [{ lines: [line(999_999_999_999_999), line(1)] }, ['lines']],
    [{ lines: Array(501).fill(line(1)) }, ['lines']],
    [{ lines: [line(999_999_999_999_999, { taxBps: 1900 })] }, ['lines']],
  ])('is refused with %j', async (body, names) => {
    expect(await wrongFields('POST', INVOICES, { patientId, ...body })).toEqual(names);
  });

  it('is for a patient of this hospital, whose family has somebody who pays', async () => {
    expect(await outcome('POST', INVOICES, { patientId: UNKNOWN })).toBe('PATIENT_NOT_FOUND');
    expect((await call('POST', INVOICES, { patientId, payerId: UNKNOWN })).error).toMatchObject({
      ...{ code: 'PATIENT_NOT_FOUND', details: { fields: [{ field: 'payerId' }] } },
    });
    const bob = await aPatient('Bob');
    expect(await draft()).toMatchObject({
      patientId,
      payerId: patientId,
      payerName: 'Ann Doe',
      currency: mary.hospital.currency,
    });
    expect(await success('POST', INVOICES, { patientId, payerId: bob })).toMatchObject({ payerName: 'Bob Doe' });
    expect((await call('POST', INVOICES, { patientId, currency: 'EUR' })).error).toMatchObject({
      ...{ code: 'CURRENCY_MISMATCH', details: { currency: mary.hospital.currency } },
    });
  });

  it('has a limited number of lines, however they are added', async () => {
    const { id } = await draft(...Array(500).fill(line(1)));
    expect(await wrongFields('POST', `${INVOICES}/${id}/lines`, { lines: [line(1)] })).toEqual(['lines']);
  });

  it('is in the audit log with its lines', async () => {
    const { id } = await draft(line(100));
    await success('PUT', `${INVOICES}/${id}`, { lines: [line(90)] });
    // The lines stay as they are.
    await success('PUT', `${INVOICES}/${id}`, { discount: { amount: 5 } });
    const text = `SELECT action, record, before->'lines'->0->>'unitPrice' AS before, after->'lines'->0->>'unitPrice' AS after
      FROM audit_events WHERE record_id = $1 AND action IN ('create', 'update') AND record = 'invoice_lines' ORDER BY seq`;
    expect(await within((work) => work.trx.query(text, [id]))).toMatchObject([
      { action: 'create', before: null, after: '100' },
      { action: 'update', before: '100', after: '90' },
    ]);
  });

  it('locks patient and payer in one order', async () => {
    const bob = await aPatient('Bob');
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        call('POST', INVOICES, index % 2 ? { patientId, payerId: bob } : { patientId: bob, payerId: patientId }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(201));
  });

  it('is changed by one of two people who have read it', async () => {
    const { id, version } = await draft(line(1));
    const change = (unitPrice: number) => outcome('PUT', `${INVOICES}/${id}`, { lines: [line(unitPrice)], version });
    expect((await Promise.all([change(2), change(3)])).sort()).toEqual([200, 'STALE_VERSION']);
  });
});

describe('an issued invoice', () => {
  it('has the next number of the year, and does not change', async () => {
    const year = new Date().getUTCFullYear();
    const [one, two] = [await issued(line(5000)), await issued(line(1))];
    expect([one.invoiceNo, two.invoiceNo]).toEqual([`INV-${year}-000001`, `INV-${year}-000002`]);
    expect(one).toMatchObject({ status: 'issued', total: 5000, paid: 0, balance: 5000 });
    expect(await outcome('PUT', `${INVOICES}/${one.id}`, { notes: 'x' })).toBe('INVOICE_NOT_DRAFT');
    expect(await outcome('POST', `${INVOICES}/${one.id}/lines`, { lines: [line(1)] })).toBe('INVOICE_NOT_DRAFT');
    expect(await outcome('POST', `${INVOICES}/${one.id}/issue`)).toBe('INVOICE_NOT_DRAFT');
    expect(await success('GET', `${INVOICES}?open=true`)).toHaveLength(2);
    expect(await success('GET', `${INVOICES}?q=${one.invoiceNo}`)).toMatchObject([{ id: one.id }]);
  });

  it('has lines', async () => {
    expect(await outcome('POST', `${INVOICES}/${(await draft()).id}/issue`)).toBe('INVOICE_EMPTY');
  });

  it('of 0 is paid at once, and can still be void', async () => {
    const free = await issued(line(100, { discount: { bps: 10_000 } }));
    expect(free).toMatchObject({ status: 'paid', balance: 0 });
    const body = { reason: 'Not meant to be free' };
    expect(await success('POST', `${INVOICES}/${free.id}/void`, body)).toMatchObject({ status: 'void' });
    const { id } = await issued(line(100));
    await success('POST', `${INVOICES}/${id}/pay`);
    expect(await outcome('POST', `${INVOICES}/${id}/void`, body)).toBe('INVOICE_HAS_PAYMENTS');
  });

  it('takes no number that another one has, nor leaves one out', async () => {
    const drafts = await Promise.all(Array.from({ length: 20 }, () => draft(line(1))));
    const answers = await Promise.all(
      drafts.flatMap(({ id }) => [1, 2].map(() => call('POST', `${INVOICES}/${id}/issue`))),
    );
    const numbers = answers.filter(({ success: done }) => done).map((answer) => answer.data<ShownInvoice>().invoiceNo);
    const year = new Date().getUTCFullYear();
    expect(numbers.toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `INV-${year}-${String(index + 1).padStart(6, '0')}`),
    );
    expect(answers.filter(({ success: done }) => !done).map(({ error }) => error.code)).toEqual(
      Array(20).fill('INVOICE_NOT_DRAFT'),
    );
  });

  it('belongs to the year in which it gets its number, even if its request began in the year before', async () => {
    const { id } = await draft(line(1));
    const year = new Date().getUTCFullYear();
    const begun = new Date(Date.UTC(year - 1, 11, 15));
    const { invoiceNo } = await within((work) =>
      issueInvoice({ ...work, trx: begunAt(work.trx, begun) }, id, undefined),
    );
    expect(invoiceNo).toBe(`INV-${year}-000001`);
    expect(await broken()).toEqual([]);
    const next = await within((work) => takeNumber(work, 'invoice', String(year - 1)));
    expect(next).toBe(1);
  });

  it('can be void with a reason, and keeps its number', async () => {
    const { id, invoiceNo } = await issued(line(1));
    expect(await wrongFields('POST', `${INVOICES}/${id}/void`, {})).toEqual(['reason']);
    const body = { reason: 'Wrong patient' };
    expect(await success('POST', `${INVOICES}/${id}/void`, body)).toMatchObject({
      ...{ invoiceNo, status: 'void', voidReason: 'Wrong patient', balance: 0 },
    });
    expect(await outcome('POST', `${INVOICES}/${id}/void`, body)).toBe('INVALID_STATE');
    expect(await outcome('POST', `${INVOICES}/${id}/pay`)).toBe('INVOICE_NOT_PAYABLE');
  });
});

describe('a charge', () => {
  const charge = (more: object = {}): Promise<Charge> =>
    within(async (work) => {
      const sourceId = newId();
      await addCharges(work, [
        {
          ...{ patientId, sourceType: 'lab', sourceId, itemGroup: 'laboratory', description: 'Potassium' },
          ...{ unitPrice: 1200, quantity: 1, taxBps: 0 },
          ...more,
        },
      ]);
      const [{ id } = { id: '' }] = await work.trx.query<{ id: string }>(
        'SELECT id FROM charges WHERE source_id = $1',
        [sourceId],
      );
      return records(work, charges).read(id);
    });

  it('becomes a line, on one invoice at most', async () => {
    const [one, two] = [await charge(), await charge({ description: 'Sodium', quantity: 2 })];
    const first = await draft({ chargeId: one.id });
    expect(first.lines).toMatchObject([{ chargeId: one.id, description: 'Potassium', unitPrice: 1200 }]);
    expect((await call('POST', INVOICES, { patientId, lines: [{ chargeId: one.id }] })).error).toMatchObject({
      ...{ code: 'CHARGE_INVOICED', details: { fields: [{ field: 'lines.0.chargeId' }] } },
    });
    const twice = { patientId, lines: [{ chargeId: two.id }, { chargeId: two.id }] };
    expect(await wrongFields('POST', INVOICES, twice)).toEqual(['lines.1.chargeId']);
    const again = { lines: [{ chargeId: one.id }] };
    expect(await wrongFields('POST', `${INVOICES}/${first.id}/lines`, again)).toEqual(['lines.0.chargeId']);
    expect((await call('PUT', `${INVOICES}/${first.id}`, { lines: [{ chargeId: one.id }] })).status).toBe(200);
    expect(await success('GET', '/api/payment/charges?uninvoiced=true&q=ann doe')).toMatchObject([
      { id: two.id, patientName: 'Ann Doe' },
    ]);
    const { id } = await draft(line(1));
    const filled = await success<ShownInvoice>('POST', `${INVOICES}/${id}/charges`);
    expect(filled.lines.map(({ chargeId }) => chargeId)).toEqual([null, two.id]);
    expect(await success('POST', `${INVOICES}/${id}/charges`)).toEqual(filled);
  });

  it('is open again when its invoice is void', async () => {
    const one = await charge();
    const { id } = await issued({ chargeId: one.id });
    await success('POST', `${INVOICES}/${id}/void`, { reason: 'Wrong payer' });
    expect(await draft({ chargeId: one.id })).toMatchObject({ total: 1200 });
  });

  it('is of the patient, and not cancelled', async () => {
    const theirs = await charge({ patientId: await aPatient('Bob') });
    expect(await wrongFields('POST', INVOICES, { patientId, lines: [{ chargeId: theirs.id }] })).toEqual([
      'lines.0.chargeId',
    ]);
    const { id, sourceId } = await charge();
    await within((work) => cancelCharges(work, 'lab', [sourceId]));
    expect(await outcome('POST', INVOICES, { patientId, lines: [{ chargeId: id }] })).toBe('CHARGE_NOT_FOUND');
    expect(await success('GET', `/api/payment/charges?patientId=${patientId}&status=open`)).toEqual([]);
    expect(await outcome('GET', `/api/payment/charges/${id}`, undefined, cashier)).toBe(200);
  });

  it('is taken off a draft when it was cancelled, before the draft is issued', async () => {
    const [one, two] = [await charge(), await charge()];
    const { id } = await draft({ chargeId: one.id }, { chargeId: two.id });
    await within((work) => cancelCharges(work, 'lab', [two.sourceId]));
    const refused = await call('POST', `${INVOICES}/${id}/issue`);
    expect(refused.error).toMatchObject({ code: 'CHARGE_CHANGED', details: { lines: [2] } });
    await success('PUT', `${INVOICES}/${id}`, { lines: [{ chargeId: one.id }] });
    expect(await success('POST', `${INVOICES}/${id}/issue`)).toMatchObject({ status: 'issued', total: 1200 });
  });

  it('is less when something is brought back, but an issued invoice stays as it is', async () => {
    const [one, two] = [await charge({ quantity: 5 }), await charge({ quantity: 5 })];
    const [three, four] = [await charge(), await charge({ quantity: 5 })];
    const [early, late] = [await draft({ chargeId: two.id }), await draft({ chargeId: four.id })];
    await success('POST', `${INVOICES}/${late.id}/issue`);
    const left = new Map([...[one, two, four].map(({ sourceId }) => [sourceId, 2] as const), [three.sourceId, 0]]);
    await within((work) => reduceCharges(work, 'lab', left));
    const shown = async ({ id }: Charge) => {
      const { quantity, status } = await success<Charge>('GET', `/api/payment/charges/${id}`);
      return [quantity, status];
    };
    expect([await shown(one), await shown(two), await shown(three)]).toEqual([
      [2, 'open'],
      [2, 'open'],
      [1, 'cancelled'],
    ]);
    // Nobody pays for what was brought back before the invoice was issued.
    const refused = await call('POST', `${INVOICES}/${early.id}/issue`);
    expect(refused.error).toMatchObject({ code: 'CHARGE_CHANGED', details: { lines: [1] } });
    await success('PUT', `${INVOICES}/${early.id}`, { lines: [{ chargeId: two.id }] });
    expect(await success('POST', `${INVOICES}/${early.id}/issue`)).toMatchObject({ total: 2400 });
    expect(await success('GET', `${INVOICES}/${late.id}`)).toMatchObject({ total: 6000 });
    expect(await broken()).toEqual([]);
    await success('POST', `${INVOICES}/${late.id}/void`, { reason: 'Some was brought back' });
    expect(await success('POST', INVOICES, { patientId, openCharges: true })).toMatchObject({
      lines: [{ chargeId: one.id }, { chargeId: four.id, quantity: 2 }],
    });
  });

  it('is locked in one order by all who write invoices', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => charge()));
    const last = all
      .map(({ id }) => id)
      .toSorted()
      .at(-1);
    const { id } = await draft();
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all([
        call('POST', INVOICES, { patientId, openCharges: true, lines: [{ chargeId: last }] }),
        call('POST', `${INVOICES}/${id}/charges`, {}),
        call('POST', INVOICES, { patientId, openCharges: true }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      const written = await success<ShownInvoice[]>('GET', `${INVOICES}?status=draft`);
      for (const one of written) await success('PUT', `${INVOICES}/${one.id}`, { lines: [] });
    }
  });

  it('is on one of many invoices that are written at once', async () => {
    const one = await charge();
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => outcome('POST', INVOICES, { patientId, lines: [{ chargeId: one.id }] })),
    );
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([201, 'CHARGE_INVOICED']));
  });
});
