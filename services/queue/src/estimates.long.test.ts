/** The estimates, replayed on 90 seeded days of clinics: how many people were called by what they were told. */
import { weekdayOf } from '@hms/domain/schedules';
import { newId } from '@hms/service';
import { describe, expect, it } from '@jest/globals';
import { estimateWait, type History } from '../../../packages/domain/src/queue/estimates.ts';
import { readAccuracy, readHistory } from '../../../packages/domain/src/queue/history.ts';
import { type Kind, type Person, seeded, simulateDay, specialist, walkIn } from './simulated-days.ts';
import { aClinic, useQueue, WAITS_OF, within } from './testing.ts';

useQueue();

/** A Monday. */
const FIRST_DAY = Date.parse('2026-01-05T00:00:00+07:00');
const DAYS = 90;
/** The first ones have no history. */
const LEARNED = 28;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HOUR = 60 * MINUTE;

/** As on a day of the clinic, but what people are told is that of the begin of the hour. */
async function replay(kind: Kind, seed: number) {
  const clinic = await aClinic(`${kind.firstHour}-${seed}`);
  const random = seeded(seed);
  const learned: Person[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const midnight = FIRST_DAY + day * DAY;
    const date = new Date(midnight + DAY / 2).toISOString().slice(0, 10);
    if (kind.week[weekdayOf(date) - 1] === 0) continue;
    await within(async (work) => {
      const histories: History[] = [];
      for (const index of kind.arrivals.keys()) {
        await work.trx.setMoment(new Date(midnight + (kind.firstHour + index) * HOUR));
        histories.push(await readHistory(work, clinic.id));
      }
      const people = simulateDay(kind, midnight, weekdayOf(date), random, (hour, ahead, rooms) => {
        const history = histories[hour - kind.firstHour];
        if (!history) throw new Error(`nobody comes at ${hour}`);
        return estimateWait(history, { slotMinutes: kind.slotMinutes, rooms }, ahead);
      });
      const rows = people.map((person, index) => ({
        ...rowOf(person, index),
        clinic_id: clinic.id,
        service_date: date,
      }));
      await work.trx.query(INSERT, [JSON.stringify(rows)]);
      if (day >= LEARNED) learned.push(...people);
    });
  }
  return within(async (work) => {
    await work.trx.setMoment(new Date(FIRST_DAY + DAYS * DAY));
    return { told: await readAccuracy(work, clinic.id, DAYS - LEARNED), rule: accuracyOfRule(kind, learned) };
  });
}

function rowOf({ told, called, left, joined, due, turn, priority, ahead }: Person, index: number) {
  return {
    ...{ id: newId(), series: 'A', number: index + 1, label: `A-${index + 1}`, priority },
    ...{ created_by: 'test', updated_by: 'test', joined_at: joined, queued_at: joined, due_at: due, turn, ahead },
    ...{ estimate_p50: told.p50, estimate_p80: told.p80, estimate_basis: told.basis },
    ...{ status: called ? 'done' : 'cancelled', first_called_at: called ?? null },
    ended_at: called ? called + MINUTE : (left ?? joined),
  };
}

/** How right the rule would have been, which needs no history. */
function accuracyOfRule({ slotMinutes }: Kind, people: readonly Person[]) {
  const none = { paces: [], correction: { p50: 1, p80: 1 } };
  const waits = people.flatMap(({ called, joined, rooms, ahead }) => {
    const wait = ((called ?? Number.NaN) - joined) / MINUTE;
    return called === undefined ? [] : { wait, ...estimateWait(none, { slotMinutes, rooms }, ahead) };
  });
  const errors = waits.map(({ wait, p50 }) => Math.abs(wait - p50)).sort((one, other) => one - other);
  return {
    waits: waits.length,
    calledByP50: waits.filter(({ wait, p50 }) => wait <= p50).length / waits.length,
    calledByP80: waits.filter(({ wait, p80 }) => wait <= p80).length / waits.length,
    medianError: errors[Math.floor(errors.length / 2)] ?? null,
  };
}

describe.each([walkIn, specialist])('on days that they have not seen of a $name', (kind) => {
  it.each([1, 2, 3])(
    'half of the people are called by p50, and four of five by p80 (seed %i)',
    async (seed) => {
      const { told, rule } = await replay(kind, seed);
      process.stdout.write(`${kind.name}, seed ${seed}: ${JSON.stringify({ told, rule })}\n`);
      expect(told.waits).toBe(rule.waits);
      expect(told.waits).toBeGreaterThan(800);
      expect(told.calledByP50).toBeGreaterThanOrEqual(0.45);
      expect(told.calledByP50).toBeLessThanOrEqual(0.55);
      expect(told.calledByP80).toBeGreaterThanOrEqual(0.75);
      expect(told.calledByP80).toBeLessThanOrEqual(0.85);
      expect(told.medianError).toBeLessThan(rule.medianError ?? 0);
    },
    120_000,
  );
});

const MOMENTS = ['joined_at', 'queued_at', 'due_at', 'turn', 'first_called_at', 'ended_at'];
const INSERT = `
  WITH people AS (
    INSERT INTO queue_entries (id, clinic_id, issuing_clinic_id, service_date, series, number, label, priority, created_by,
      updated_by, ahead, estimate_p50, estimate_p80, estimate_basis, status, ${MOMENTS.join(', ')})
    SELECT id, clinic_id, clinic_id, service_date, series, number, label, priority, created_by, updated_by, ahead,
      estimate_p50, estimate_p80, estimate_basis, status, ${MOMENTS.map((name) => `to_timestamp(${name} / 1000)`).join(', ')}
    FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, clinic_id uuid, service_date date, series text, number integer,
      label text, priority smallint, created_by text, updated_by text, ahead integer, estimate_p50 integer,
      estimate_p80 integer, estimate_basis text, status text, ${MOMENTS.map((name) => `${name} float8`).join(', ')})
    RETURNING *
  )
  ${WAITS_OF} people WHERE first_called_at IS NOT NULL`;
