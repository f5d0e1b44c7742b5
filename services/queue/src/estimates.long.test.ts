/** The estimates, replayed on 90 seeded days of a clinic: how many people were called within what they were told. */
import { readAccuracy } from '@hms/domain/queue';
import { newId } from '@hms/service';
import { expect, it } from '@jest/globals';
import { estimateWait, type History, readHistory } from '../../../packages/domain/src/queue/estimates.ts';
import { dueAt, turnOf } from '../../../packages/domain/src/queue/order.ts';
import { aClinic, day, useQueue, within } from './testing.ts';

useQueue();

const DAYS = 90;
/** The first ones have no history. */
const LEARNED = 28;
const MINUTE = 60_000;
const SLOT_MINUTES = 15;

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Person {
  readonly joined: number;
  readonly due: number;
  readonly turn: number;
  readonly priority: number;
  readonly ahead: number;
  readonly p50: number;
  readonly p80: number;
  called?: number;
  left?: number;
}

/** A morning: most come early, one in six has an appointment, and the doctors of the day are quick or slow. */
function morning(random: () => number, base: number, history: History): readonly Person[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rooms = 2 + Math.floor(random() * 2);
  const usual = 9 * Math.exp(0.15 * normal());
  const count = rooms * (14 + Math.floor(random() * 8));
  const arrivals = Array.from({ length: count }, () => base + Math.round(240 * random() ** 1.6 * MINUTE)).sort(
    (one, other) => one - other,
  );
  const busyUntil = Array.from({ length: rooms }, () => 0);
  const waiting: Person[] = [];
  const all: Person[] = [];
  const callUntil = (moment: number) => {
    for (;;) {
      const room = busyUntil.indexOf(Math.min(...busyUntil));
      const [next] = waiting.toSorted((one, other) => one.turn - other.turn);
      if (!next) return;
      const called = Math.max(busyUntil[room] ?? 0, next.joined);
      if (called > moment) return;
      waiting.splice(waiting.indexOf(next), 1);
      // Some do not wait so long.
      if (called - next.joined > 45 * MINUTE && random() < 0.05) {
        next.left = called;
        continue;
      }
      next.called = called;
      busyUntil[room] = called + Math.max(2, usual * Math.exp(0.5 * normal())) * MINUTE;
    }
  };
  for (const joined of arrivals) {
    callUntil(joined);
    const iso = (at: number) => new Date(at).toISOString();
    const planned = random() < 1 / 6 ? iso(joined + Math.round(20 * normal()) * MINUTE) : undefined;
    const priority = random() < 0.9 ? 0 : random() < 0.8 ? 1 : 2;
    const due = Date.parse(dueAt(iso(joined), planned));
    const turn = Date.parse(turnOf(iso(due), priority));
    const ahead = waiting.filter((one) => one.turn <= turn).length;
    const used = busyUntil.filter((end) => end > joined).length;
    const { p50, p80 } = estimateWait(history, { slotMinutes: SLOT_MINUTES, rooms: used }, ahead);
    const person = { joined, due, turn, priority, ahead, p50, p80 };
    waiting.push(person);
    all.push(person);
  }
  callUntil(Number.POSITIVE_INFINITY);
  return all;
}

it('tell four of five people enough, on days that they have not seen', async () => {
  const clinic = await aClinic('ENT');
  const random = seeded(20_261_125);
  for (let past = DAYS; past >= 1; past -= 1) {
    const date = day(-past);
    const base = Date.parse(`${date}T08:00:00+07:00`);
    const history = await within(async (work) => {
      await work.trx.setMoment(new Date(base));
      return readHistory(work, clinic.id);
    });
    const rows = morning(random, base, history).map(({ joined, due, turn, called, left, ...told }, index) => ({
      ...{ id: newId(), clinic_id: clinic.id, service_date: date, series: 'A', number: index + 1 },
      ...{ label: `A-${index + 1}`, priority: told.priority, created_by: 'test', updated_by: 'test' },
      ...{ joined_at: joined, queued_at: joined, due_at: due, turn, ahead: told.ahead },
      ...{ estimate_p50: told.p50, estimate_p80: told.p80, status: called ? 'done' : 'cancelled' },
      ...{ first_called_at: called ?? null, ended_at: called ? called + MINUTE : (left ?? joined) },
    }));
    await within(({ trx }) => trx.query(INSERT, [JSON.stringify(rows)]));
  }
  const share = await within(async (work) => {
    await work.trx.setMoment(new Date(`${day()}T00:00:00+07:00`));
    return {
      learned: await readAccuracy(work, clinic.id, DAYS - LEARNED),
      all: await readAccuracy(work, clinic.id, DAYS),
    };
  });
  process.stdout.write(`estimates of ${DAYS} seeded days: ${JSON.stringify(share)}\n`);
  expect(share.learned.waits).toBeGreaterThan(2_000);
  expect(share.learned.within).toBeGreaterThan(0.75);
  expect(share.learned.within).toBeLessThan(0.88);
  expect(share.learned.overP50).toBeGreaterThan(0.42);
  expect(share.learned.overP50).toBeLessThan(0.58);
}, 120_000);

const MOMENTS = ['joined_at', 'queued_at', 'due_at', 'turn', 'first_called_at', 'ended_at'];
const INSERT = `
  INSERT INTO queue_entries (id, clinic_id, service_date, series, number, label, priority, created_by, updated_by, ahead,
    estimate_p50, estimate_p80, status, ${MOMENTS.join(', ')})
  SELECT id, clinic_id, service_date, series, number, label, priority, created_by, updated_by, ahead,
    estimate_p50, estimate_p80, status, ${MOMENTS.map((name) => `to_timestamp(${name} / 1000)`).join(', ')}
  FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, clinic_id uuid, service_date date, series text, number integer,
    label text, priority smallint, created_by text, updated_by text, ahead integer, estimate_p50 integer,
    estimate_p80 integer, status text, ${MOMENTS.map((name) => `${name} float8`).join(', ')})`;
