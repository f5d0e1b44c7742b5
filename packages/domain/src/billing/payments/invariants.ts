/**
 * What must hold between charges, lines, invoices, payments and receipts. Most of it PostgreSQL makes sure of by itself.
 * These statements compute it again from the rows, as an auditor would, and name what breaks it.
 */
import { lastNumbers, type TaskName, today, type Work } from '@hms/service';
import { z } from 'zod';
import { addDays } from '../../schedules/rules.ts';
import { momentOf } from '../../schedules/times.ts';

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

const RULES: readonly Rule[] = [
  {
    rule: 'lines',
    means: 'The sums of an invoice are those of its lines.',
    sql: `
      SELECT coalesce(invoice.invoice_no, invoice.id::text) AS name FROM invoices invoice
      LEFT JOIN LATERAL (
        SELECT count(*) AS lines, sum(gross) AS subtotal, sum(line_discount + benefit + invoice_discount) AS discount,
          sum(net) AS net, sum(tax) AS tax, sum(total) AS total
        FROM invoice_lines WHERE invoice_id = invoice.id
      ) line ON true
      WHERE (invoice.line_count, invoice.subtotal, invoice.discount, invoice.net, invoice.tax, invoice.total)
        IS DISTINCT FROM (line.lines, coalesce(line.subtotal, 0), coalesce(line.discount, 0), coalesce(line.net, 0),
          coalesce(line.tax, 0), coalesce(line.total, 0))`,
  },
  {
    rule: 'ledger',
    means: 'What is paid of an invoice is the sum of its payments.',
    sql: `
      SELECT coalesce(invoice.invoice_no, invoice.id::text) AS name FROM invoices invoice
      WHERE paid <> (SELECT coalesce(sum(amount), 0) FROM payments WHERE invoice_id = invoice.id)`,
  },
  {
    rule: 'states',
    means: 'An invoice is paid exactly if nothing is left to pay.',
    sql: `
      SELECT coalesce(invoice_no, id::text) AS name FROM invoices
      WHERE status NOT IN ('draft', 'void') AND (status = 'paid') <> (total = paid)`,
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
  ...(['invoice', 'receipt'] as const).map((series): Rule => {
    const [table, number] = series === 'invoice' ? ['invoices', 'number'] : ['payments', 'receipt_number'];
    return {
      rule: `${series} numbers`,
      means: `The ${series}s of a year have the numbers from 1 to the last one that was given.`,
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
