/**
 * How long people wait: bands from the clinic's own history. Someone with n people ahead waits for n + 1 calls, so each
 * wait in the history is divided by that, and compared with those of people who had about as many ahead.
 */
import { records, type Work } from '@hms/service';
import { z } from 'zod';
import { clinics } from '../clinics/clinics.ts';
import type { Estimate } from './record.ts';

/** Waits of so many days count. */
const DAYS = 28;
/** Fewer waits than this say too little. */
const FEWEST = 20;
/** People ahead from which the next group begins. */
const GROUPS = [1, 3, 6, 11, 21];
/** How much longer the slow ones wait than the usual ones, without a history. */
const RULE_SPREAD = 1.5;
const MOST_MINUTES = 24 * 60;

/** Minutes for each person ahead, and for the person. */
interface Pace {
  readonly p50: number;
  readonly p80: number;
}

/** What a clinic's history says. */
export interface History {
  readonly groups: ReadonlyMap<number, Pace>;
  /** Of all groups together. */
  readonly all: Pace | undefined;
}

/** What the estimate uses without a history. */
export interface Rule {
  /** Minutes of an appointment. */
  readonly slotMinutes: number;
  /** Rooms in which people are seen at the moment. */
  readonly rooms: number;
}

export async function readHistory({ trx }: Work, clinicId: string): Promise<History> {
  const rows = await trx.query<{ group: number | null; waits: number; p50: number; p80: number }>(HISTORY, [
    clinicId,
    GROUPS,
    DAYS,
    trx.moment,
  ]);
  const known = rows.filter(({ waits }) => waits >= FEWEST);
  const paceOf = ({ p50, p80 }: Pace): Pace => ({ p50, p80 });
  const all = known.find(({ group }) => group === null);
  return {
    groups: new Map(known.flatMap((row) => (row.group === null ? [] : [[row.group, paceOf(row)]]))),
    all: all && paceOf(all),
  };
}

const HISTORY = `
  SELECT "group", count(*)::integer AS waits,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY pace) AS p50, percentile_cont(0.8) WITHIN GROUP (ORDER BY pace) AS p80
  FROM (
    SELECT width_bucket(ahead, $2::integer[]) AS "group",
      greatest(extract(epoch FROM first_called_at - greatest(queued_at, due_at)), 0)::float8 / 60 / (ahead + 1) AS pace
    FROM queue_entries
    WHERE clinic_id = $1 AND first_called_at > $4::timestamptz - make_interval(days => $3) AND first_called_at <= $4
  ) waits
  GROUP BY GROUPING SETS (("group"), ())`;

/** Pure. @param ahead how many people are ahead */
export function estimateWait({ groups, all }: History, { slotMinutes, rooms }: Rule, ahead: number): Estimate {
  const pace = groups.get(groupOf(ahead)) ?? all;
  const usual = pace?.p50 ?? slotMinutes / Math.max(1, rooms);
  const slow = pace?.p80 ?? usual * RULE_SPREAD;
  const minutes = (each: number) => Math.min(MOST_MINUTES, Math.round(each * (ahead + 1)));
  return { p50: minutes(usual), p80: minutes(slow), basis: pace ? 'history' : 'rule' };
}

/** As `width_bucket` of PostgreSQL. */
function groupOf(ahead: number): number {
  return GROUPS.filter((from) => from <= ahead).length;
}

export const accuracy = z
  .object({
    waits: z.int().describe('People who were called in the period'),
    within: z.number().nullable().describe('Share of them, from 0 to 1, who waited at most as long as p80 said'),
    overP50: z.number().nullable().describe('Share who waited longer than p50 said. It should be about 0.5'),
    medianError: z
      .number()
      .nullable()
      .describe('Minutes between p50 and the wait, half of the people had more. Without a sign'),
  })
  .meta({ id: 'WaitAccuracy' });

/** What came of the estimates that people got when they joined. @param days until now @throws Problem CLINIC_NOT_FOUND */
export async function readAccuracy(work: Work, clinicId: string, days: number): Promise<z.output<typeof accuracy>> {
  await records(work, clinics).read(clinicId);
  const [row] = await work.trx.query<z.output<typeof accuracy>>(ACCURACY, [clinicId, days, work.trx.moment]);
  return row ?? { waits: 0, within: null, overP50: null, medianError: null };
}

const ACCURACY = `
  SELECT count(*)::integer AS waits,
    avg((wait <= estimate_p80)::integer)::float8 AS within,
    avg((wait > estimate_p50)::integer)::float8 AS "overP50",
    percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(wait - estimate_p50)) AS "medianError"
  FROM (
    SELECT greatest(extract(epoch FROM first_called_at - greatest(queued_at, due_at)), 0)::float8 / 60 AS wait, estimate_p50, estimate_p80
    FROM queue_entries
    WHERE clinic_id = $1 AND first_called_at > $3::timestamptz - make_interval(days => $2) AND first_called_at <= $3
  ) waits`;
