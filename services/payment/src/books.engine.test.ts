/** Whatever people do, in whatever order and currency: the books agree. */

import { updateHospital } from '@hms/database';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { Invariants } from '@hms/domain/payments';
import { createMembership, vipTiers } from '@hms/domain/vip';
import { records } from '@hms/service';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountant, call, INVOICES, mary, patientId, payment, success, useHospital, within } from './testing.ts';

useHospital();

const SEQUENCES = Number(process.env.HMS_BOOK_SEQUENCES ?? 12);
const rates = fc.constantFrom(0, 500, 700, 1900, 2200);
const discounts = fc.oneof(
  fc.constant(undefined),
  fc.record({ bps: fc.integer({ min: 0, max: 10_000 }) }),
  fc.record({ amount: fc.nat(500) }),
);
const lines = fc.array(
  fc.record(
    {
      description: fc.constant('Consultation'),
      unitPrice: fc.nat(100_000),
      quantity: fc.integer({ min: 1, max: 9 }),
      taxBps: rates,
      discount: discounts,
      itemGroup: fc.constantFrom('consultation', 'laboratory', 'pharmacy', 'other'),
    },
    { requiredKeys: ['description', 'unitPrice'] },
  ),
  { minLength: 1, maxLength: 5 },
);
/** What somebody does next, with one of the invoices that there are. */
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('draft' as const), lines, discount: discounts }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('lines' as const), at: fc.nat(2), lines }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('discount' as const), at: fc.nat(2), discount: discounts }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('issue' as const), at: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('void' as const), at: fc.nat(2) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('pay' as const),
      at: fc.nat(2),
      part: fc.constantFrom(undefined, undefined, undefined, 1, 7, 100, 250_000),
      method: fc.constantFrom('CASH', 'CARD', 'INSURANCE'),
    }),
  },
);
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

/** Does a step. The invoices get what it creates. */
async function take(step: Step, invoices: string[]): Promise<void> {
  if (step.does === 'draft') {
    const { does: _, ...body } = step;
    const created = await call('POST', INVOICES, { patientId, ...body });
    if (created.success) invoices.push(created.data<ShownInvoice>().id);
    return;
  }
  const path = `${INVOICES}/${invoices[step.at % (invoices.length || 1)] ?? patientId}`;
  const answer = await {
    lines: () => call('PUT', path, { lines: 'lines' in step ? step.lines : [] }),
    discount: () => call('PUT', path, { discount: ('discount' in step && step.discount) || null }),
    issue: () => call('POST', `${path}/issue`),
    void: () => call('POST', `${path}/void`, { reason: 'Wrong' }),
    pay: () => call('POST', `${path}/pay`, 'part' in step ? { amount: step.part, method: step.method } : {}),
  }[step.does]();
  // Refused or done, but never half done.
  expect([step.does, answer.status < 500]).toEqual([step.does, true]);
}

it.each([
  ['JPY', 1, false],
  ['EUR', 5, true],
  ['KWD', 5, false],
])(
  'agree in %s, with cash to %i units, with tax in the prices: %s',
  async (currency, cashRounding, pricesIncludeTax) => {
    const settings = { ...DEFAULT_SETTINGS, cashRounding, pricesIncludeTax };
    await updateHospital(payment.operator, mary.hospital.prefix, { currency, settings });
    await within(async (work) => {
      const tier = {
        name: 'Gold',
        priorityWeight: 0,
        consultationBps: 333,
        laboratoryBps: 1000,
        pharmacyBps: 0,
        otherBps: 0,
      };
      const { id: tierId } = await records(work, vipTiers).insert(tier);
      await createMembership(work, { patientId, tierId });
    });
    let [paid, benefits] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 30 }), async (sequence) => {
        const invoices: string[] = [];
        for (const step of sequence) await take(step, invoices);
        for (const id of invoices) {
          const shown = await success<ShownInvoice>('GET', `${INVOICES}/${id}`);
          expect(shown.currency).toBe(currency);
          expect(shown.lines.reduce((sum, { total }) => sum + total, 0)).toBe(shown.total);
          if (shown.status === 'paid') paid += 1;
          benefits += shown.lines.reduce((sum, { benefit }) => sum + benefit, 0);
        }
        const rules = await success<Invariants>('GET', '/api/payment/reconciliation/invariants', undefined, accountant);
        expect(rules.filter(({ broken }) => broken.length > 0)).toEqual([]);
      }),
      { numRuns: SEQUENCES },
    );
    // Otherwise the sequences prove nothing.
    expect(Math.min(paid, benefits)).toBeGreaterThan(0);
  },
);
