/** What people waited in a clinic, in the table `queue_waits`: for estimates, and to say how right they were. */
import { records, type Work } from '@hms/service';
import type { z } from 'zod';
import { clinics } from '../clinics/clinics.ts';
import { GROUPS, type History, historyOf, type Past } from './estimates.ts';
import type { accuracy, Entry } from './record.ts';

/** Waits of so many days count for estimates. */
const HISTORY_DAYS = 56;
/** Of a clinic at any time, and to see how right estimates were. */
const LATEST = 1_000;
/** Of three hours of one day. It tells PostgreSQL that these are few. */
const MOST_OF_HOURS = 300;
const ACCURACY_DAYS = 28;

export type Accuracy = z.output<typeof accuracy>;

/** Keeps what somebody waited in a clinic once they were called, unless that call is undone. */
export async function noteWait(work: Work, before: Entry, after: Entry, isUndo: boolean): Promise<void> {
  if (before.firstCalledAt === after.firstCalledAt) return;
  if (after.firstCalledAt !== null) await work.trx.query(NOTE_WAIT, [after.id]);
  else if (isUndo) await work.trx.query(FORGET_WAIT, [before.id, before.clinicId, before.queuedAt]);
}

// An undone transfer leads back to a wait that is there already.
const NOTE_WAIT = `
  INSERT INTO queue_waits (entry_id, clinic_id, queued_at, called_at, ahead, estimate_p50, estimate_p80, estimate_basis)
  SELECT id, clinic_id, queued_at, first_called_at, ahead, estimate_p50, estimate_p80, estimate_basis
  FROM queue_entries WHERE id = $1
  ON CONFLICT DO NOTHING`;
const FORGET_WAIT = 'DELETE FROM queue_waits WHERE entry_id = $1 AND clinic_id = $2 AND queued_at = $3';

/** What people waited who came at about this hour by the hospital's clock, and the latest ones. */
export async function readHistory({ hospital, trx }: Work, clinicId: string): Promise<History> {
  const limits = [HISTORY_DAYS, MOST_OF_HOURS, LATEST];
  return historyOf(await trx.query<Past>(HISTORY, [clinicId, trx.moment, hospital.timezone, GROUPS, ...limits]));
}

/** In minutes, from when the estimate was given. */
const WAIT = `date_part('epoch', called_at - queued_at) / 60`;
const GROUP = 'width_bucket(ahead, $4::integer[]) AS "group"';
const quantilesOf = (value: string) => `
  count(*)::integer AS waits,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value}) AS p50,
  percentile_cont(0.8) WITHIN GROUP (ORDER BY ${value}) AS p80`;

// Hours are those of the clock: before a change to summer time as after it.
const HISTORY = `
  WITH near AS (
    SELECT days, ${GROUP}, wait / (ahead + 1) AS pace
    FROM generate_series(1, $5::integer) AS days
    CROSS JOIN LATERAL (
      SELECT date_trunc('hour', $2::timestamptz AT TIME ZONE $3) - make_interval(days => days) AS hour
    ) AS clock
    CROSS JOIN LATERAL (
      SELECT ahead, ${WAIT} AS wait FROM queue_waits
      WHERE clinic_id = $1 AND queued_at >= (hour - interval '1 hour') AT TIME ZONE $3
        AND queued_at < (hour + interval '2 hours') AT TIME ZONE $3 AND called_at <= $2
      ORDER BY queued_at LIMIT $6
    ) AS waits
  ), latest AS (
    SELECT ${GROUP}, ${WAIT} AS wait, ahead, estimate_p50, estimate_p80, estimate_basis
    FROM queue_waits
    WHERE clinic_id = $1 AND called_at > $2::timestamptz - make_interval(days => $5) AND called_at <= $2
    ORDER BY called_at DESC LIMIT $7
  )
  SELECT 'hour_of_week' AS of, "group", ${quantilesOf('pace')} FROM near WHERE days % 7 = 0 GROUP BY "group"
  UNION ALL
  SELECT 'hour_of_day', "group", ${quantilesOf('pace')} FROM near GROUP BY "group"
  UNION ALL
  SELECT 'clinic', "group", ${quantilesOf('wait / (ahead + 1)')} FROM latest GROUP BY GROUPING SETS (("group"), ())
  UNION ALL
  SELECT 'estimates', NULL, count(*)::integer,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY wait / greatest(estimate_p50, 1)),
    percentile_cont(0.8) WITHIN GROUP (ORDER BY wait / greatest(estimate_p80, 1))
  FROM latest WHERE estimate_basis <> 'rule'`;

/** How right the estimates of a clinic were. @param days until now @throws Problem CLINIC_NOT_FOUND */
export async function readAccuracy(work: Work, clinicId: string, days = ACCURACY_DAYS): Promise<Accuracy> {
  await records(work, clinics).read(clinicId);
  return accuracyOf(work, clinicId, days);
}

/** As `readAccuracy`, of a clinic that there is. */
export async function accuracyOf({ trx }: Work, clinicId: string, days = ACCURACY_DAYS): Promise<Accuracy> {
  const [row] = await trx.query<Accuracy>(ACCURACY, [clinicId, days, trx.moment]);
  return row ?? { waits: 0, calledByP50: null, calledByP80: null, medianError: null };
}

const ACCURACY = `
  SELECT count(*)::integer AS waits,
    count(*) FILTER (WHERE wait <= estimate_p50) / nullif(count(*), 0)::float8 AS "calledByP50",
    count(*) FILTER (WHERE wait <= estimate_p80) / nullif(count(*), 0)::float8 AS "calledByP80",
    percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(wait - estimate_p50)) AS "medianError"
  FROM (
    SELECT ${WAIT} AS wait, estimate_p50, estimate_p80 FROM queue_waits
    WHERE clinic_id = $1 AND called_at > $3::timestamptz - make_interval(days => $2) AND called_at <= $3
  ) waits`;
