/**
 * What must hold between charges, lines, invoices, payments, refunds, deposits and shifts. Most of it PostgreSQL makes sure
 * of by itself.
 * These statements compute it again from the rows, as an auditor would, and name what breaks it.
 */
import { lastNumbers, type TaskName, today, type Work } from '@hms/service';
import { z } from 'zod';
import { addDays } from '../../schedules/rules.ts';
import { momentOf } from '../../schedules/times.ts';
import { EXPECTED_BY_SHIFT } from '../shifts/counts.ts';

/** Rows that are named of each rule, at most. */
const MOST_NAMED = 100;

export const invariants = z
  .array(
    z
      .object({
        rule: z.string(),
        means: z.string().describe('What must hold'),
        broken: z.array(z.string()).describe(`What breaks it, by number or id: ${MOST_NAMED} at most`),
      })
      .meta({ id: 'Invariant' }),
  )
  .describe('All hold if nothing is broken');
export type Invariants = z.output<typeof invariants>;

interface Rule {
  readonly rule: string;
  readonly means: string;
  /** Selects `name` of each row that breaks it. */
  readonly sql: string;
}

/** Columns `received`, `returned` and `insured` of entries, for a condition. */
const LEDGER = `
  SELECT coalesce(sum(amount) FILTER (WHERE kind = 'payment'), 0) - coalesce(sum(amount) FILTER (WHERE kind = 'void'), 0)
      AS received,
    coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0) AS returned,
    coalesce(sum(CASE kind WHEN 'payment' THEN insured ELSE -insured END), 0) AS insured
  FROM payments`;

const SERIES = [
  { series: 'invoice', table: 'invoices', number: 'number' },
  { series: 'receipt', table: 'payments', number: 'receipt_number' },
  { series: 'credit_note', table: 'credit_notes', number: 'credit_number' },
] as const;

const RULES: readonly Rule[] = [
  {
    rule: 'lines',
    means: 'The sums of an invoice are those of its lines.',
    sql: `
      SELECT coalesce(invoice.invoice_no, invoice.id::text) AS name FROM invoices invoice
      LEFT JOIN LATERAL (
        SELECT count(*) AS lines, sum(gross) AS subtotal, sum(line_discount + benefit + invoice_discount) AS discount,
          sum(net) AS net, sum(tax) AS tax, sum(total) AS total, sum(insured) AS insured
        FROM invoice_lines WHERE invoice_id = invoice.id
      ) line ON true
      WHERE (
        invoice.line_count, invoice.subtotal, invoice.discount, invoice.net, invoice.tax, invoice.total, invoice.insured
      ) IS DISTINCT FROM (
        line.lines, coalesce(line.subtotal, 0), coalesce(line.discount, 0), coalesce(line.net, 0),
        coalesce(line.tax, 0), coalesce(line.total, 0), coalesce(line.insured, 0)
      )`,
  },
  {
    rule: 'shares',
    means: 'What the insurer pays of a line is its part of the total, rounded, and the patient pays the rest.',
    sql: `
      SELECT coalesce(invoice.invoice_no, invoice.id::text) AS name FROM invoices invoice
      WHERE EXISTS (
        SELECT FROM invoice_lines
        WHERE invoice_id = invoice.id AND insured <> div(total::numeric * coverage_bps * 2 + 10000, 20000)
      ) OR (status NOT IN ('draft', 'void') AND NOT insurer_balance BETWEEN 0 AND balance)`,
  },
  {
    rule: 'ledger',
    means: 'What is paid and refunded of an invoice, and what the insurer paid of it, is what its entries sum up to.',
    sql: `
      SELECT coalesce(invoice.invoice_no, invoice.id::text) AS name FROM invoices invoice
      LEFT JOIN LATERAL (${LEDGER} WHERE invoice_id = invoice.id) ledger ON true
      WHERE (paid, refunded, insurer_paid) IS DISTINCT FROM (ledger.received, ledger.returned, ledger.insured)`,
  },
  {
    rule: 'deposits',
    means: 'What is received, returned and used of a deposit is what its entries and those of invoices sum up to.',
    sql: `
      SELECT deposit_no AS name FROM deposits deposit
      LEFT JOIN LATERAL (${LEDGER} WHERE deposit_id = deposit.id) ledger ON true
      WHERE (deposit.received, deposit.returned, deposit.used) IS DISTINCT FROM (ledger.received, ledger.returned, (
        SELECT coalesce(sum(CASE kind WHEN 'payment' THEN part.amount ELSE -part.amount END), 0)
        FROM payment_parts part JOIN payments payment ON payment.id = part.payment_id
        WHERE part.deposit_id = deposit.id
      ))`,
  },
  {
    rule: 'credits',
    means: 'What is cancelled of an invoice and of its lines is what its credit notes sum up to, with their tax.',
    sql: `
      SELECT coalesce(invoice.invoice_no, invoice.id::text) AS name FROM invoices invoice
      WHERE credited <> (SELECT coalesce(sum(amount), 0) FROM credit_notes WHERE invoice_id = invoice.id)
        OR credited_insured <> (SELECT coalesce(sum(insured), 0) FROM credit_notes WHERE invoice_id = invoice.id)
        OR EXISTS (
          SELECT FROM invoice_lines billed
          LEFT JOIN LATERAL (
            SELECT coalesce(sum(amount), 0) AS amount, coalesce(sum(tax), 0) AS tax
            FROM credit_note_lines WHERE line_id = billed.id
          ) line ON true
          WHERE billed.invoice_id = invoice.id
            AND (billed.credited <> line.amount OR (billed.credited = billed.total AND billed.tax <> line.tax AND billed.total > 0))
        )
        OR EXISTS (
          SELECT FROM credit_notes note
          WHERE note.invoice_id = invoice.id AND (
            note.amount <> (SELECT sum(amount) FROM credit_note_lines WHERE credit_note_id = note.id)
            OR note.insured <> (SELECT sum(insured) FROM credit_note_lines WHERE credit_note_id = note.id)
          )
        )`,
  },
  {
    rule: 'states',
    means: 'An invoice is paid or refunded exactly if nothing is left to pay.',
    sql: `
      SELECT coalesce(invoice_no, id::text) AS name FROM invoices
      WHERE status NOT IN ('draft', 'void')
        AND (status IN ('paid', 'partially_refunded', 'refunded')) <> (total - credited = paid - refunded)`,
  },
  {
    rule: 'refunds',
    means: 'A refund is completed with exactly what was approved by somebody else than who requested it.',
    sql: `
      SELECT refund_no AS name FROM refunds refund
      LEFT JOIN payments payment ON payment.id = refund.payment_id
      LEFT JOIN credit_notes note ON note.refund_id = refund.id
      WHERE (status IN ('approved', 'completed') AND decided_by = created_by)
        OR coalesce(payment.amount, 0) <> CASE status WHEN 'completed' THEN refund.amount ELSE 0 END
        OR coalesce(note.amount, 0) <> CASE status WHEN 'completed' THEN refund.credited ELSE 0 END
        OR payment.kind <> 'refund'
      UNION ALL
      SELECT receipt_no FROM payments payment
      WHERE kind = 'refund' AND NOT EXISTS (SELECT FROM refunds WHERE payment_id = payment.id)`,
  },
  {
    rule: 'voids',
    means: 'A void entry takes back a whole payment, once, in the shift in which it was taken.',
    sql: `
      SELECT entry.receipt_no AS name FROM payments entry LEFT JOIN payments payment ON payment.id = entry.of_payment
      WHERE entry.kind = 'void' AND (
        payment.kind IS DISTINCT FROM 'payment' OR (payment.amount, payment.shift_id) IS DISTINCT FROM (entry.amount, entry.shift_id)
        OR (SELECT count(*) FROM payments WHERE of_payment = payment.id) <> 1
      )`,
  },
  {
    rule: 'statements',
    means:
      'The entries of a statement sum up to its balance, and what is matched of it is what its payments sum up to, in its currency.',
    sql: `
      SELECT 'bank statement ' || coalesce(external_id, id::text) AS name FROM bank_statements statement
      WHERE new_entries = entry_count AND closing - opening <> (
        SELECT coalesce(sum(amount), 0) FROM bank_entries WHERE statement_id = statement.id AND status = 'booked'
      )
      UNION ALL
      SELECT 'bank part ' || part.id FROM bank_parts part
      WHERE matched <> (SELECT coalesce(sum(amount), 0) FROM bank_matches WHERE part_id = part.id)
        OR EXISTS (
          SELECT FROM bank_matches match
          JOIN payment_parts paid ON (paid.payment_id, paid.position) = (match.payment_id, match.position)
          JOIN payments payment ON payment.id = match.payment_id
          WHERE match.part_id = part.id AND (paid.amount <> match.amount OR payment.currency <> part.currency)
        )`,
  },
  {
    rule: 'shifts',
    means: 'Entries of a shift lie between its opening and its close, and each count expects what they sum up to.',
    sql: `
      SELECT shift_no AS name FROM shifts shift
      WHERE EXISTS (
          SELECT FROM payments
          WHERE shift_id = shift.id AND (paid_at < shift.opened_at OR paid_at > shift.closed_at OR received_by <> shift.cashier)
        )
        OR EXISTS (
          SELECT FROM shift_counts WHERE shift_id = shift.id AND expected IS DISTINCT FROM (
            SELECT jsonb_object_agg(method, amount) FROM (${EXPECTED_BY_SHIFT}) expected
            WHERE expected.shift_id = shift.id
          )
        )
        OR EXISTS (
          SELECT FROM shift_counts WHERE shift_id = shift.id AND difference <> (
            SELECT sum(counted.value::bigint - coalesce((expected ->> counted.key)::bigint, 0))
            FROM jsonb_each_text(declared) counted
          )
        )`,
  },
  {
    rule: 'parts',
    means: 'A payment is the sum of its parts, and cash is what was handed over without the change.',
    sql: `
      SELECT receipt_no AS name FROM payments payment
      WHERE amount <> (SELECT coalesce(sum(part.amount), 0) FROM payment_parts part WHERE payment_id = payment.id)
        OR EXISTS (
          SELECT FROM payment_parts part
          WHERE payment_id = payment.id AND tendered IS NOT NULL AND tendered - change <> part.amount + rounding
        )`,
  },
  {
    rule: 'charges',
    means:
      'A charge is on one invoice at most that is not void, with its own price, and with all of it or what it was before a return.',
    sql: `
      SELECT charge.id::text AS name FROM charges charge
      JOIN invoice_lines line ON line.charge_id = charge.id
      JOIN invoices invoice ON invoice.id = line.invoice_id AND invoice.status <> 'void'
      GROUP BY charge.id
      HAVING count(*) > 1
        OR bool_or((line.unit_price, line.tax_bps) <> (charge.unit_price, charge.tax_bps) OR line.quantity < charge.quantity)`,
  },
  ...SERIES.map(({ series, table, number }): Rule => {
    const name = series.replace('_', ' ');
    return {
      rule: `${name} numbers`,
      means: `The ${name}s of a year have the numbers from 1 to the last one that was given.`,
      sql: `
        SELECT coalesce(given.year, counter.period) AS name
        FROM (
          SELECT number_year::text AS year, count(*) AS many, max(${number}) AS last
          FROM ${table} WHERE ${number} IS NOT NULL GROUP BY number_year
        ) given
        FULL JOIN (${lastNumbers(series)}) counter ON counter.period = given.year
        WHERE coalesce(given.many, 0) <> coalesce(given.last, 0) OR coalesce(given.last, 0) <> coalesce(counter.value, 0)`,
    };
  }),
];

/** All rules, each with what breaks it, in one state of the database: a payment meanwhile does not look wrong. */
export async function checkInvariants({ trx }: Pick<Work, 'trx'>): Promise<Invariants> {
  const found = await trx.query<{ rule: string; name: string }>(ALL);
  const byRule = Map.groupBy(found, ({ rule }) => rule);
  return RULES.map(({ rule, means }) => ({ rule, means, broken: (byRule.get(rule) ?? []).map(({ name }) => name) }));
}

const ALL = RULES.map(
  ({ rule, sql }) => `(SELECT '${rule}' AS rule, name FROM (${sql}) broken ORDER BY name LIMIT ${MOST_NAMED})`,
).join(' UNION ALL ');

const input = z.object({});

/** Checks all rules in each night, from the first issued invoice on. */
export const invariantCheck: TaskName<z.output<typeof input>> = { name: 'payment-invariants', input, attempts: 16 };

/** Plans the check of the coming night. A plan for the same night replaces it. */
export function planCheck(work: Work): void {
  const { trx, hospital } = work;
  const on = (day: string) => momentOf(day, NIGHT, hospital.timezone);
  const day = today(work);
  // After midnight, the coming night is still this one.
  const night = trx.moment.getTime() < on(day) ? day : addDays(day, 1);
  work.addTask(invariantCheck, {}, { key: `payment-invariants ${night}`, runAt: new Date(on(night)) });
}

/** By the clock of the hospital. */
const NIGHT = '02:00';
