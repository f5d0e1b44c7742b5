/** What is printed adds up as a reader would add it. */
import type { ShownInvoice } from '@hms/domain/invoices';
import { type InvoiceLine, invoiceOf, type LineInput } from '@hms/money';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { invoiceSheet } from './papers.ts';
import { words } from './words.ts';

const CURRENCIES = ['JPY', 'EUR', 'KWD'] as const;
const word = words('en');

interface Terms {
  readonly currency: string;
  readonly pricesIncludeTax: boolean;
  readonly bps: number;
}

/** An invoice as the module shows it. */
function invoiceWith(inputs: readonly LineInput[], { currency, pricesIncludeTax, bps }: Terms): ShownInvoice {
  const { lines, ...sums } = invoiceOf(inputs, { pricesIncludeTax, discount: { bps } });
  const shown = lines.map((line: InvoiceLine, index) => ({ ...inputs[index], ...line, description: `Line ${index}` }));
  return {
    ...{ invoiceNo: 'INV-2026-000001', patientName: 'Ann Doe', patientCode: 'HSP-000001', payerName: 'Ann Doe' },
    ...{ issuedAt: '2026-03-01T09:00:00.000Z', dueOn: null, notes: null },
    ...{ currency, pricesIncludeTax, lines: shown, ...sums },
  } as unknown as ShownInvoice;
}

const sheet = (invoice: ShownInvoice) =>
  invoiceSheet(invoice, { settings: DEFAULT_SETTINGS, timezone: 'UTC', portal: 'https://st-mary.example' });

/** The amount in a text, in minor units, since amounts have all their decimals. */
const read = (text: string) => Number(text.replaceAll(/\D/g, '')) * (/[-−]/.test(text) ? -1 : 1);

describe.each(CURRENCIES)('an invoice in %s', (currency) => {
  it.each([true, false])('adds up on paper, with tax in the prices: %s', (pricesIncludeTax) => {
    const lines = fc.record({
      unitPrice: fc.nat(1_000_000),
      quantity: fc.integer({ min: 1, max: 20 }),
      taxBps: fc.constantFrom(0, 500, 700, 1900),
      discount: fc.constantFrom(undefined, { bps: 333 }),
      benefitBps: fc.constantFrom(0, 1000),
    });
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 8 }), fc.constantFrom(0, 1, 777), (inputs, bps) => {
        const invoice = invoiceWith(inputs, { currency, pricesIncludeTax, bps });
        const { rows, sums } = sheet(invoice);
        const amounts = sums.map(({ label, value }) => ({ label, amount: read(value) }));
        const end = amounts.findIndex(({ label }) => label === word.total);
        const column = rows.reduce((sum, { cells }) => sum + read(cells.at(-1) ?? ''), 0);
        const before = amounts.slice(0, end);
        // The sum repeats the column.
        for (const { label, amount } of before) if (label === word.sum) expect(amount).toBe(column);
        const added = before.filter(({ label }) => label !== word.sum).reduce((sum, { amount }) => sum + amount, 0);
        expect(column + added).toBe(invoice.total);
        expect(amounts[end]?.amount).toBe(invoice.total);
      }),
      { numRuns: 8 },
    );
  });
});

it.each([
  ['en', 'Gold membership VIP-000012, 12.5%: -'],
  ['ar', 'عضوية Gold رقم VIP-000012، '],
])('names the membership apart from the discount of a line, in %s', (language, named) => {
  const given = { benefitBps: 1250, membershipNo: 'VIP-000012', tierName: 'Gold' };
  const inputs = [{ unitPrice: 1000, quantity: 1, taxBps: 0, discount: { amount: 200 }, ...given }];
  const invoice = invoiceWith(inputs, { currency: 'EUR', pricesIncludeTax: false, bps: 0 });
  const settings = { ...DEFAULT_SETTINGS, language };
  const { rows } = invoiceSheet(invoice, { settings, timezone: 'UTC', portal: 'https://st-mary.example' });
  const [discount, benefit, ...others] = (rows[0]?.notes ?? []).map((note) => note.replaceAll(/[\u2066-\u2069]/g, ''));
  expect(discount).toContain(words(language).discount);
  expect(discount).toMatch(/2[.,]00|٢٫٠٠/);
  expect(benefit).toContain(named);
  expect(benefit).toMatch(/1[.,]00|١٫٠٠/);
  expect(others).toEqual([]);
});

it('names the discount of a line below it, and the tax number of the hospital', () => {
  const invoice = invoiceWith([{ unitPrice: 1000, quantity: 1, taxBps: 0, discount: { amount: 100 } }], {
    ...{ currency: 'EUR', pricesIncludeTax: false, bps: 0 },
  });
  const settings = { ...DEFAULT_SETTINGS, taxNumber: 'IE1234567T' };
  const printed = invoiceSheet(invoice, { settings, timezone: 'UTC', portal: 'https://st-mary.example' });
  expect(printed.rows[0]?.notes.join()).toContain('1.00');
  expect(printed.seller.join()).toContain('IE1234567T');
  expect(printed.sums).toHaveLength(1);
});
