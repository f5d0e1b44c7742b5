/** Whatever people do, in whatever order and currency: the books agree. */

import { updateHospital } from '@hms/database';
import type { ShownDeposit } from '@hms/domain/deposits';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { Invariants, ShownPayment } from '@hms/domain/payments';
import type { ShownRefund } from '@hms/domain/refunds';
import type { ShownShift } from '@hms/domain/shifts';
import { createMembership, vipTiers } from '@hms/domain/vip';
import { records } from '@hms/service';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountant, call, INVOICES, mary, patientId, payment, success, useHospital, within } from './testing.ts';

useHospital();

const DEPOSITS = '/api/payment/deposits';
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
      coverageBps: fc.constantFrom(0, 3333, 8000, 10_000),
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
      method: fc.constantFrom('CASH', 'CARD', 'INSURANCE', 'ADVANCE'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('undo' as const), at: fc.nat(2) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      at: fc.nat(2),
      cancels: fc.boolean(),
      part: fc.constantFrom(undefined, undefined, 1, 333),
      method: fc.constantFrom(undefined, 'CASH', 'INSURANCE', 'ADVANCE'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('decline' as const), at: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('deposit' as const), amount: fc.integer({ min: 1, max: 90_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('return' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('shift' as const), counted: fc.nat(100_000) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

const EACH: Step[] = [
  { does: 'draft', lines: [{ description: 'Consultation', unitPrice: 1000, coverageBps: 0 }], discount: undefined },
  { does: 'issue', at: 0 },
  { does: 'pay', at: 0, part: undefined, method: 'CASH' },
  { does: 'undo', at: 0 },
  { does: 'pay', at: 0, part: undefined, method: 'CARD' },
  { does: 'refund', at: 0, cancels: true, part: 333, method: undefined },
  { does: 'deposit', amount: 500 },
  { does: 'return' },
  { does: 'shift', counted: 100 },
];

/** Does a step. The invoices get what it creates. */
async function take(step: Step, invoices: string[]): Promise<void> {
  if (step.does === 'draft') {
    const { does: _, ...body } = step;
    const created = await call('POST', INVOICES, { patientId, insurer: 'Acme', ...body });
    if (created.success) invoices.push(created.data<ShownInvoice>().id);
    return;
  }
  if (step.does === 'deposit')
    return refusedOrDone(step.does, call('POST', DEPOSITS, { patientId, amount: step.amount }));
  if (step.does === 'return') {
    const [deposit] = await success<ShownDeposit[]>('GET', `${DEPOSITS}?open=true`);
    return complete(step.does, `${DEPOSITS}/${deposit?.id ?? patientId}/refunds`, {});
  }
  if (step.does === 'shift') return changeShift(step.counted);
  const path = `${INVOICES}/${invoices[step.at % (invoices.length || 1)] ?? patientId}`;
  if (step.does === 'refund') {
    const { data } = await call('GET', path).then((answer) => ({
      data: answer.success && answer.data<ShownInvoice>(),
    }));
    const lineId = data ? data.lines[0]?.id : undefined;
    const { part: amount, method } = step;
    const body = step.cancels ? { lines: [{ lineId, amount }], method } : { amount, method };
    return complete(step.does, `${path}/refunds`, body);
  }
  if (step.does === 'undo') {
    const answer = await call('GET', `${path}/payments`);
    const last = answer.success ? answer.data<ShownPayment[]>().findLast(({ kind }) => kind === 'payment') : undefined;
    const undone = call('POST', `/api/payment/payments/${last?.id ?? patientId}/void`, { reason: 'Wrong' });
    return refusedOrDone(step.does, undone);
  }
  const answer = await {
    decline: () => call('POST', `${path}/decline-insurance`, { reason: 'Not covered' }),
    lines: () => call('PUT', path, { lines: 'lines' in step ? step.lines : [] }),
    discount: () => call('PUT', path, { discount: ('discount' in step && step.discount) || null }),
    issue: () => call('POST', `${path}/issue`),
    void: () => call('POST', `${path}/void`, { reason: 'Wrong' }),
    pay: () => call('POST', `${path}/pay`, 'part' in step ? { amount: step.part, method: step.method } : {}),
  }[step.does]();
  // Refused or done, but never half done.
  expect([step.does, answer.status < 500]).toEqual([step.does, true]);
}

async function refusedOrDone(does: string, sent: ReturnType<typeof call>): Promise<void> {
  const answer = await sent;
  if (answer.success) done.set(does, (done.get(does) ?? 0) + 1);
  expect([does, answer.status < 500]).toEqual([does, true]);
}

/** Requests a refund, which another person approves and the cashier pays out. Each of them may be refused. */
async function complete(does: string, path: string, body: object): Promise<void> {
  const asked = await call('POST', path, { reason: 'Not done', ...body });
  expect([does, asked.status < 500]).toEqual([does, true]);
  if (!asked.success) return;
  const { id } = asked.data<ShownRefund>();
  await success('POST', `/api/payment/refunds/${id}/approve`, {}, accountant);
  await refusedOrDone(does, call('POST', `/api/payment/refunds/${id}/pay-out`, {}));
}

/** Closes the shift and lets it be approved, or opens one. */
async function changeShift(counted: number): Promise<void> {
  const shift = await success<ShownShift | null>('GET', '/api/payment/reconciliation/current');
  if (!shift) {
    await success('POST', '/api/payment/reconciliation/open', { counter: 'Desk', openingFloat: counted });
    return;
  }
  const path = `/api/payment/reconciliation/${shift.id}`;
  await refusedOrDone('shift', call('POST', `${path}/close`, { declared: { CASH: counted } }));
  await success('POST', `${path}/approve`, {}, accountant);
}

async function openShift(): Promise<void> {
  const shift = await success<ShownShift | null>('GET', '/api/payment/reconciliation/current');
  if (!shift) await changeShift(0);
}

/** How often something was done, and not refused. */
const done = new Map<string, number>();

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
    done.clear();
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 15, maxLength: 45 }), async (sequence) => {
        const invoices: string[] = [];
        await openShift();
        for (const step of sequence) await take(step, invoices);
        for (const id of invoices) {
          const shown = await success<ShownInvoice>('GET', `${INVOICES}/${id}`);
          expect(shown.currency).toBe(currency);
          expect(shown.lines.reduce((sum, { total }) => sum + total, 0)).toBe(shown.total);
          expect(shown.lines.reduce((sum, { insured }) => sum + insured, 0)).toBe(shown.insured);
          if (shown.paid > 0) paid += 1;
          benefits += shown.lines.reduce((sum, { benefit }) => sum + benefit, 0);
        }
        const rules = await success<Invariants>('GET', '/api/payment/reconciliation/invariants', undefined, accountant);
        expect(rules.filter(({ broken }) => broken.length > 0)).toEqual([]);
      }),
      // One of them has each step, so that none is left out by chance.
      { numRuns: SEQUENCES, examples: [[EACH]] },
    );
    // Otherwise the sequences prove nothing.
    expect(Math.min(paid, benefits)).toBeGreaterThan(0);
    expect([...done.keys()].sort()).toEqual(['deposit', 'refund', 'return', 'shift', 'undo']);
  },
);
