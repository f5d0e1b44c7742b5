/** Shifts that close while money comes in and goes back, and refunds that two people decide on at once. */
import type { ShownInvoice } from '@hms/domain/invoices';
import type { ShownPayment } from '@hms/domain/payments';
import type { ShownRefund } from '@hms/domain/refunds';
import type { ShownShift } from '@hms/domain/shifts';
import type { BankAccount, BankStatement } from '@hms/domain/statements';
import { digitsOf } from '@hms/money';
import { broken, INVOICES, issued, TOTAL } from './books.ts';
import { aPatient, type People } from './people.ts';
import { isDone, type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';

const SHIFTS = '/api/payment/reconciliation';
const REFUNDS = '/api/payment/refunds';
const PAYMENTS = '/api/payment/payments';
const FLOAT = 10_000;
/** Who closes, and takes money in the same moment. */
const CLOSER = ' who closes';

export const CASH_UP_SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [
  closeAgainstMoney,
  twoApprovers,
  twoPayOuts,
  refundAgainstPayment,
  oneStatement,
];

export async function openShift(people: People, who: string, counter: string): Promise<ShownShift> {
  return people.do<ShownShift>('CASHIER', `${SHIFTS}/open`, { counter, openingFloat: FLOAT }, who);
}

/** Closes a shift with exactly what the cashier has, and lets it be approved. @returns the difference. */
export async function closeShift(people: People, { id }: ShownShift, cash: number, who: string): Promise<number> {
  const { difference } = await people.do<ShownShift>(
    'CASHIER',
    `${SHIFTS}/${id}/close`,
    { declared: { CASH: FLOAT + cash } },
    who,
  );
  await people.do('ACCOUNTANT', `${SHIFTS}/${id}/approve`, {});
  return difference ?? 0;
}

async function paidInvoice(people: People, patientId: string, who = ''): Promise<[ShownInvoice, ShownPayment]> {
  const invoice = await issued(people, patientId);
  return [invoice, await people.do<ShownPayment>('CASHIER', `${INVOICES}/${invoice.id}/pay`, {}, who)];
}

async function approved(people: People, { id }: ShownInvoice): Promise<ShownRefund> {
  const refund = await people.do<ShownRefund>('CASHIER', `${INVOICES}/${id}/refunds`, { reason: 'Not done' });
  return people.do<ShownRefund>('ACCOUNTANT', `${REFUNDS}/${refund.id}/approve`, {});
}

/** A cashier pays, takes back and pays out while the same cashier's shift is closed. */
async function closeAgainstMoney(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  let round = 0;
  return repeated('payments, a void entry and a refund against a closing shift', async () => {
    const shift = await openShift(people, CLOSER, 'Closing counter');
    const [, mistaken] = await paidInvoice(people, patientId, CLOSER);
    const [refunded] = await paidInvoice(people, patientId);
    const refund = await approved(people, refunded);
    const invoices = await Promise.all([issued(people, patientId), issued(people, patientId)]);
    const close = () =>
      people.send('CASHIER', 'POST', `${SHIFTS}/${shift.id}/close`, { declared: { CASH: FLOAT } }, CLOSER);
    round += 1;
    // Either may come first.
    const early = round % 2 === 0 ? [close()] : [];
    const money = [
      ...invoices.map(({ id }) => people.send('CASHIER', 'POST', `${INVOICES}/${id}/pay`, {}, CLOSER)),
      people.send('CASHIER', 'POST', `${PAYMENTS}/${mistaken.id}/void`, { reason: 'Wrong' }, CLOSER),
      people.send('CASHIER', 'POST', `${REFUNDS}/${refund.id}/pay-out`, {}, CLOSER),
    ];
    const late = early.length > 0 ? [] : [close()];
    const answers = await Promise.all([...money, ...early, ...late]);
    const misplaced = await people.rows(
      `SELECT receipt_no FROM @payments payment JOIN @shifts shift ON shift.id = payment.shift_id
       WHERE shift.id = ? AND payment.paid_at > shift.closed_at`,
      [shift.id],
    );
    const [sums] = await people.rows<{ expected: number; ledger: number }>(
      `SELECT (SELECT (expected ->> 'CASH')::bigint::integer FROM @shift_counts WHERE shift_id = shift.id) AS expected,
         opening_float::integer + coalesce((
           SELECT sum(CASE kind WHEN 'payment' THEN part.amount + part.rounding ELSE -part.amount - part.rounding END)
           FROM @payments payment JOIN @payment_parts part ON part.payment_id = payment.id
           WHERE payment.shift_id = shift.id AND part.method = 'CASH'
         ), 0)::integer AS ledger
       FROM @shifts shift WHERE id = ?`,
      [shift.id],
    );
    const violations = [
      ...unless(isDone(answers.at(-1)), 'the shift was not closed'),
      ...unless(misplaced.length === 0, `${misplaced.length} entries are in a shift that was closed before`),
      ...unless(
        sums?.expected === sums?.ledger,
        `the count expected ${sums?.expected}, the ledger has ${sums?.ledger}`,
      ),
      ...unexpected(answers, ['SHIFT_CLOSED']),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** Two accountants decide on one refund: both approve it, or one rejects it. */
async function twoApprovers(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  let round = 0;
  return repeated('two people decide on one refund', async () => {
    round += 1;
    const [invoice] = await paidInvoice(people, patientId);
    const { id } = await people.do<ShownRefund>('CASHIER', `${INVOICES}/${invoice.id}/refunds`, { reason: 'Not done' });
    const other = round % 2 === 0 ? 'approve' : 'reject';
    const answers = await Promise.all([
      people.send('ACCOUNTANT', 'POST', `${REFUNDS}/${id}/approve`, {}, ' one'),
      people.send('ACCOUNTANT', 'POST', `${REFUNDS}/${id}/${other}`, { reason: 'Done after all' }, ' other'),
    ]);
    // What is approved can be rejected until it is paid out, but not the other way round.
    const most = other === 'approve' ? 1 : 2;
    const violations = [
      ...unless(succeeded(answers) >= 1 && succeeded(answers) <= most, `${succeeded(answers)} of two were accepted`),
      ...unexpected(answers, ['INVALID_STATE']),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** Two cashiers pay out one refund. */
async function twoPayOuts(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  return repeated('two cashiers pay out one refund', async () => {
    const [invoice, { amount }] = await paidInvoice(people, patientId);
    const { id } = await approved(people, invoice);
    const answers = await Promise.all(
      [' one', ' other'].map((who) => people.send('CASHIER', 'POST', `${REFUNDS}/${id}/pay-out`, {}, who)),
    );
    const after = (await people.send('CASHIER', 'GET', `${INVOICES}/${invoice.id}`)).data<ShownInvoice>();
    const violations = [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} of two were accepted`),
      ...unless(after.refunded === amount, `${after.refunded} of ${amount} went back`),
      ...unexpected(answers, ['INVALID_STATE']),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** A refund of what is paid of an invoice, while somebody pays the rest. */
async function refundAgainstPayment(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  return repeated('a refund against a payment', async () => {
    const invoice = await issued(people, patientId);
    await people.do('CASHIER', `${INVOICES}/${invoice.id}/pay`, { amount: 5_000 });
    const refund = await approved(people, invoice);
    const answers = await Promise.all([
      people.send('CASHIER', 'POST', `${REFUNDS}/${refund.id}/pay-out`, {}, ' one'),
      people.send('CASHIER', 'POST', `${INVOICES}/${invoice.id}/pay`, { amount: invoice.total - 5_000 }, ' other'),
    ]);
    const after = (await people.send('CASHIER', 'GET', `${INVOICES}/${invoice.id}`)).data<ShownInvoice>();
    const violations = [
      ...unless(succeeded(answers) === 2, `${succeeded(answers)} of two were accepted`),
      ...unless(after.balance === 5_000, `${after.balance} is left to pay`),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** Two accountants import one statement, and both let it be matched. */
async function oneStatement(people: People): Promise<Proof> {
  const { id: patientId } = await aPatient(people);
  const first = await issued(people, patientId);
  const columns = { date: 'Date', amount: 'Amount', texts: ['Text'] };
  const mapping = { separator: ';', decimal: '.', dateFormat: 'YYYY-MM-DD', currency: first.currency, ...columns };
  const body = { name: 'Bank', currency: first.currency, format: 'csv', mapping };
  const account = await people.do<BankAccount>('ACCOUNTANT', '/api/payment/bank-accounts', body);
  let round = 0;
  return repeated('two imports of one statement', async () => {
    round += 1;
    const invoices = await Promise.all([1, 2, 3].map(() => issued(people, patientId)));
    const amount = units(TOTAL, first.currency);
    const rows = invoices.map(({ invoiceNo }) => `2026-11-02;${amount};${invoiceNo}`);
    const content = Buffer.from(['Date;Amount;Text', ...rows, `2026-11-02;1;${round}`].join('\n')).toString('base64');
    const file = { fileName: `${round}.csv`, content };
    const path = `/api/payment/bank-accounts/${account.id}/statements`;
    const imports = await Promise.all(
      [' one', ' other'].map((who) => people.send('ACCOUNTANT', 'POST', path, file, who)),
    );
    const [statement] = imports.find(isDone)?.data<BankStatement[]>() ?? [];
    const match = `/api/payment/bank-statements/${statement?.id}/match`;
    const matches = await Promise.all(
      [' one', ' other'].map((who) => people.send('ACCOUNTANT', 'POST', match, {}, who)),
    );
    const [sums] = await people.rows<{ parts: number; payments: number }>(
      `SELECT (SELECT count(*)::integer FROM @bank_parts WHERE statement_id = ?) AS parts,
         (SELECT count(*)::integer FROM @payments WHERE invoice_id = ANY (?::uuid[])) AS payments`,
      [statement?.id ?? '', invoices.map(({ id }) => id)],
    );
    const answers = [...imports, ...matches];
    const violations = [
      ...unless(succeeded(imports) === 1, `${succeeded(imports)} of two imports were accepted`),
      ...unless(sums?.parts === 4, `${sums?.parts} of 4 entries are there`),
      ...unless(sums?.payments === 3, `${sums?.payments} payments of 3 invoices`),
      ...unexpected(answers, ['STATEMENT_ALREADY_IMPORTED']),
      ...(await broken(people)),
    ];
    return { answers, violations };
  });
}

/** An amount as banks write it. */
function units(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}
