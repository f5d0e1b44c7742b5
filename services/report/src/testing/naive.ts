/**
 * For tests: every figure a second time, as simply as possible. Whole tables are read, with each row's day by PostgreSQL's
 * own clock of the zone, and computed here. `:day(column)` is that day, and `:to` the day after the last one.
 */
import type { Report } from '../declare.ts';

export type Row = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, (rows: readonly Row[]) => number | null>>;

interface Naive {
  /** Rows with `part`: the day, or the key of the usual group. */
  readonly rows: string;
  readonly measures: Values;
}

const numbers = (rows: readonly Row[], column: string) =>
  rows.flatMap((row) => (row[column] === null || row[column] === undefined ? [] : [Number(row[column])]));
const sumOf = (column: string) => (rows: readonly Row[]) => numbers(rows, column).reduce((sum, one) => sum + one, 0);
const countOf =
  (is: (row: Row) => boolean = () => true) =>
  (rows: readonly Row[]) =>
    rows.filter(is).length;
const shareOf =
  (is: (row: Row) => boolean, among: (row: Row) => boolean = () => true) =>
  (rows: readonly Row[]) => {
    const all = rows.filter(among).length;
    return all === 0 ? null : Math.round((rows.filter(is).length / all) * 10_000) / 10_000;
  };

/** Between the two values next to it, as PostgreSQL's percentile_cont does. */
export function percentileOf(values: readonly number[], part: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return Math.round((low + (high - low) * (place - Math.floor(place))) * 10) / 10;
}
const percentile = (column: string, part: number) => (rows: readonly Row[]) =>
  percentileOf(numbers(rows, column), part);

const is = (column: string, value: unknown) => (row: Row) => row[column] === value;
const isNot = (column: string, value: unknown) => (row: Row) => row[column] !== value;
const has = (column: string) => (row: Row) => row[column] !== null;
const minutes = (from: string, to: string) => `extract(epoch FROM ${to} - ${from})::float8 / 60`;

export const NAIVE: Readonly<Record<Report['name'], Naive>> = {
  // Of whole invoices, where the report adds up lines.
  revenue: {
    rows: `
      SELECT :day(issued_at) AS part, id, 1 AS sign, total, net, tax, discount FROM invoices WHERE issued_at IS NOT NULL
      UNION ALL
      SELECT :day(voided_at), id, -1, -total, -net, -tax, -discount FROM invoices
      WHERE issued_at IS NOT NULL AND voided_at IS NOT NULL
      UNION ALL
      SELECT :day(issued_at), id, 0, -amount,
        -(SELECT sum(net) FROM credit_note_lines WHERE credit_note_id = credit_notes.id)::bigint,
        -(SELECT sum(tax) FROM credit_note_lines WHERE credit_note_id = credit_notes.id)::bigint,
        -(SELECT sum(discount) FROM credit_note_lines WHERE credit_note_id = credit_notes.id)::bigint
      FROM credit_notes`,
    measures: {
      ...{ total: sumOf('total'), net: sumOf('net'), tax: sumOf('tax'), discount: sumOf('discount') },
      ...{ invoices: countOf(is('sign', 1)), voids: countOf(is('sign', -1)), credits: countOf(is('sign', 0)) },
    },
  },
  collections: {
    rows: `
      SELECT :day(paid_at) AS part, kind, sum(amount) AS amount, sum(rounding) AS rounding, sum(returned) AS returned
      FROM (
        SELECT paid_at, kind, p.id, l.amount, l.rounding, 0 AS returned FROM payments p, payment_parts l
        WHERE l.payment_id = p.id AND kind = 'payment' AND method != 'ADVANCE'
        UNION ALL
        SELECT paid_at, kind, p.id, -l.amount, -l.rounding, l.amount FROM payments p, payment_parts l
        WHERE l.payment_id = p.id AND kind != 'payment' AND method != 'ADVANCE'
      ) AS moved GROUP BY paid_at, kind, id`,
    measures: {
      ...{ amount: sumOf('amount'), payments: countOf(is('kind', 'payment')), returned: sumOf('returned') },
      rounding: sumOf('rounding'),
    },
  },
  refunds: {
    rows: `
      SELECT :day(paid_at) AS part, amount, coalesce((
        SELECT amount FROM credit_notes WHERE refund_id = (SELECT id FROM refunds WHERE payment_id = payments.id)
      ), 0) AS credited FROM payments WHERE kind = 'refund' OR kind = 'void'`,
    measures: { amount: sumOf('amount'), refunds: countOf(), credited: sumOf('credited') },
  },
  'shift-variance': {
    rows: `
      SELECT :day(opened_at) AS part, difference, CASE WHEN difference < 0 THEN -difference ELSE 0 END AS missing,
        CASE WHEN difference > 0 THEN difference ELSE 0 END AS more
      FROM shifts WHERE closed_at IS NOT NULL`,
    measures: {
      ...{ difference: sumOf('difference'), missing: sumOf('missing'), more: sumOf('more'), shifts: countOf() },
      wrong: countOf((row) => Number(row.difference) !== 0),
    },
  },
  outstanding: {
    rows: `
      SELECT CASE WHEN :to - issued_on <= 30 THEN '0-30' WHEN :to - issued_on <= 60 THEN '31-60'
        WHEN :to - issued_on <= 90 THEN '61-90' ELSE '90+' END AS part, balance,
        CASE WHEN due_on < :to THEN balance ELSE 0 END AS overdue
      FROM (
        SELECT :day(issued_at) AS issued_on, due_on, total - coalesce((
          SELECT sum(CASE kind WHEN 'payment' THEN amount ELSE -amount END) FROM payments
          WHERE invoice_id = invoices.id AND :day(paid_at) < :to
        ), 0)::bigint - coalesce((
          SELECT sum(amount) FROM credit_notes WHERE invoice_id = invoices.id AND :day(issued_at) < :to
        ), 0)::bigint AS balance
        FROM invoices WHERE :day(issued_at) < :to AND NOT coalesce(:day(voided_at) < :to, false)
      ) AS open WHERE balance <> 0`,
    measures: { balance: sumOf('balance'), invoices: countOf(), overdue: sumOf('overdue') },
  },
  census: {
    rows: `
      SELECT DISTINCT :day(joined_at) AS part, coalesce(p.survivor_id, p.id, e.id) AS who,
        (SELECT :day(created_at) FROM patients WHERE id = coalesce(p.survivor_id, p.id)) = :day(joined_at) AS is_new
      FROM queue_entries e LEFT JOIN patients p ON p.id = e.patient_id`,
    measures: {
      ...{ patients: countOf(), newPatients: countOf(is('is_new', true)), newShare: shareOf(is('is_new', true)) },
    },
  },
  visits: {
    rows: `
      SELECT :day(joined_at) AS part, status, appointment_id,
        CASE status WHEN 'done' THEN ${minutes('started_at', 'ended_at')} END AS minutes
      FROM queue_entries`,
    measures: {
      ...{ visits: countOf(), seen: countOf(is('status', 'done')), walkIns: countOf(is('appointment_id', null)) },
      left: (rows) => rows.filter(({ status }) => status === 'no_show' || status === 'cancelled').length,
      minutes: percentile('minutes', 0.5),
    },
  },
  'lab-turnaround': {
    rows: `
      SELECT :day(o.created_at) AS part, t.turnaround_minutes AS expected,
        ${minutes('o.created_at', 'i.verified_at')} AS minutes,
        ${minutes('o.created_at', 'i.verified_at')} <= t.turnaround_minutes AS on_time
      FROM lab_orders o, lab_order_items i, lab_tests t
      WHERE i.order_id = o.id AND t.id = i.test_id AND i.cancelled_at IS NULL`,
    measures: {
      ...{ median: percentile('minutes', 0.5), p90: percentile('minutes', 0.9), tests: countOf() },
      ...{ onTime: shareOf(is('on_time', true), has('minutes')), verified: countOf(has('minutes')) },
      late: countOf(is('on_time', false)),
    },
  },
  'lab-results': {
    rows: `
      SELECT :day(created_at) AS part, flag, is_critical FROM lab_results
      WHERE id IN (SELECT result_id FROM lab_order_items)`,
    measures: {
      ...{ out: countOf((row) => has('flag')(row) && isNot('flag', 'N')(row)), results: countOf() },
      critical: countOf(is('is_critical', true)),
      outShare: shareOf((row) => has('flag')(row) && isNot('flag', 'N')(row), has('flag')),
    },
  },
  'doctor-activity': {
    rows: `
      SELECT :day(starts_at) AS part, 'a' AS kind FROM appointments WHERE status = 'completed'
      UNION ALL SELECT :day(created_at), 'l' FROM lab_orders WHERE status <> 'cancelled'
      UNION ALL SELECT :day(created_at), 'p' FROM prescriptions WHERE status <> 'cancelled'`,
    measures: {
      ...{ appointments: countOf(is('kind', 'a')), labOrders: countOf(is('kind', 'l')) },
      prescriptions: countOf(is('kind', 'p')),
    },
  },
  'wait-times': {
    rows: `SELECT :day(queued_at) AS part, ${minutes('queued_at', 'called_at')} AS minutes, estimate_p80 FROM queue_waits`,
    measures: {
      ...{ median: percentile('minutes', 0.5), p90: percentile('minutes', 0.9), people: countOf() },
      asTold: shareOf((row) => Number(row.minutes) <= Number(row.estimate_p80)),
      long: countOf((row) => Number(row.minutes) > 60),
    },
  },
  'no-show': {
    rows: `
      SELECT :day(starts_at) AS part, status FROM appointments
      WHERE status IN ('booked', 'confirmed', 'checked_in', 'in_consultation', 'completed', 'no_show', 'cancelled')`,
    measures: {
      noShowShare: shareOf(is('status', 'no_show'), isNot('status', 'cancelled')),
      ...{ noShows: countOf(is('status', 'no_show')), appointments: countOf(isNot('status', 'cancelled')) },
      cancelled: countOf(is('status', 'cancelled')),
    },
  },
  // Each slot of each schedule, by PostgreSQL's own arithmetic.
  'slot-use': {
    rows: `
      SELECT day AS part, s.capacity AS places, (
        SELECT count(*) FROM appointments a
        WHERE a.doctor_id = s.doctor_id AND a.clinic_id = s.clinic_id AND a.starts_at >= slot AND a.starts_at < slot + length
          AND a.status IN ('booked', 'confirmed', 'checked_in', 'in_consultation', 'completed', 'no_show')
      ) AS taken
      FROM (SELECT day::date FROM generate_series(:from::timestamp, :to::timestamp - interval '1 day', interval '1 day') day) AS days
      JOIN schedules s ON s.weekday = extract(isodow FROM day) AND day >= s.valid_from AND day <= coalesce(s.valid_to, day)
      CROSS JOIN LATERAL (SELECT make_interval(mins => s.slot_minutes) AS length) AS l
      CROSS JOIN LATERAL (
        SELECT (day + s.start_time + make_interval(mins => past)) AT TIME ZONE :zone AS slot
        FROM generate_series(
          0, (extract(epoch FROM s.end_time - s.start_time) / 60)::integer - s.slot_minutes, s.slot_minutes
        ) AS past
      ) AS slots
      WHERE s.deleted_at IS NULL AND NOT EXISTS (
        SELECT FROM absences x WHERE x.doctor_id = s.doctor_id AND x.deleted_at IS NULL
          AND x."from" < slot + length AND x."to" > slot
      )`,
    measures: {
      ...{ taken: sumOf('taken'), places: sumOf('places') },
      use: (rows) => {
        const places = sumOf('places')(rows);
        return places === 0 ? null : Math.round((sumOf('taken')(rows) / places) * 10_000) / 10_000;
      },
    },
  },
  visitors: {
    rows: `
      SELECT :day(created_at) AS part, checked_in_at, status, ${minutes('checked_in_at', 'checked_out_at')} AS minutes
      FROM visitors`,
    measures: {
      ...{ passes: countOf(), came: countOf(has('checked_in_at')), denied: countOf(is('status', 'denied')) },
      minutes: percentile('minutes', 0.5),
    },
  },
  // The sum of all movements, where the report takes the balance of the last one.
  'stock-expiry': {
    rows: `
      SELECT CASE WHEN expires_on < :to THEN 'expired' WHEN expires_on <= :to + 30 THEN '0-30'
        WHEN expires_on <= :to + 90 THEN '31-90' WHEN expires_on <= :to + 180 THEN '91-180' ELSE '180+' END AS part,
        units, units * cost_price AS value, cost_price
      FROM (
        SELECT b.*, (
          SELECT sum(quantity) FROM stock_movements WHERE batch_id = b.id AND :day(moved_at) < :to
        )::bigint AS units
        FROM stock_batches b
      ) AS stock WHERE units > 0`,
    measures: {
      ...{ value: sumOf('value'), units: sumOf('units'), batches: countOf() },
      expired: (rows) => sumOf('value')(rows.filter(({ part }) => part === 'expired')),
      soon: (rows) => sumOf('value')(rows.filter(({ part }) => part === '0-30' || part === '31-90')),
      withoutCost: countOf(is('cost_price', null)),
    },
  },
};

/** The statement, with what stands for the period and the zone. */
export function naiveSql(
  name: string,
  days: { readonly from: string; readonly to: string; readonly zone: string },
): string {
  return (NAIVE[name]?.rows ?? '')
    .replaceAll(/:day\(([^()]+)\)/g, (_, column: string) => `(${column} AT TIME ZONE '${days.zone}')::date`)
    .replaceAll(':from', `'${days.from}'::date`)
    .replaceAll(':to', `'${days.to}'::date`)
    .replaceAll(':zone', `'${days.zone}'`);
}
