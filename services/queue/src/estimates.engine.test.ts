/** Which waits of the past an estimate is taken from. */
import type { Work } from '@hms/service';
import { expect, it } from '@jest/globals';
import { estimateWait } from '../../../packages/domain/src/queue/estimates.ts';
import { readHistory } from '../../../packages/domain/src/queue/history.ts';
import { aClinic, mary, useQueue, WAITS_OF, within } from './testing.ts';

useQueue();

it.each([
  ['at the same hour', 'UTC', '2026-03-04T10:20Z', '2026-02-25T10:59Z', 'hour_of_week'],
  ['an hour before', 'UTC', '2026-03-04T10:20Z', '2026-02-25T09:00Z', 'hour_of_week'],
  ['an hour after', 'UTC', '2026-03-04T10:20Z', '2026-02-25T11:59Z', 'hour_of_week'],
  ['two hours before', 'UTC', '2026-03-04T10:20Z', '2026-02-25T08:59Z', 'clinic'],
  ['two hours after', 'UTC', '2026-03-04T10:20Z', '2026-02-25T12:00Z', 'clinic'],
  ['on another day', 'UTC', '2026-03-04T10:20Z', '2026-02-26T10:20Z', 'hour_of_day'],
  ['before midnight, a week ago', 'UTC', '2026-03-04T00:10Z', '2026-02-24T23:05Z', 'hour_of_week'],
  ['after midnight, a week ago', 'UTC', '2026-03-03T23:10Z', '2026-02-25T00:55Z', 'hour_of_week'],
  // It is 00:10 there.
  ['at 23:00 in a zone of half hours', 'Asia/Kolkata', '2026-03-03T18:40Z', '2026-02-24T17:30Z', 'hour_of_week'],
  ['at 22:59 in a zone of half hours', 'Asia/Kolkata', '2026-03-03T18:40Z', '2026-02-24T17:29Z', 'clinic'],
  ['at 01:59 in a zone of half hours', 'Asia/Kolkata', '2026-03-03T18:40Z', '2026-02-24T20:29Z', 'hour_of_week'],
  ['at 02:00 in a zone of half hours', 'Asia/Kolkata', '2026-03-03T18:40Z', '2026-02-24T20:30Z', 'clinic'],
  // 10:20 in summer, and 09:00 in winter.
  ['before the clock changed', 'Europe/Dublin', '2026-04-01T09:20Z', '2026-03-25T09:00Z', 'hour_of_week'],
  ['before the clock changed, too early', 'Europe/Dublin', '2026-04-01T09:20Z', '2026-03-25T08:59Z', 'clinic'],
  ['nine weeks ago', 'UTC', '2026-03-04T10:20Z', '2025-12-31T10:20Z', 'rule'],
])('people who came %s (%s)', async (_, timezone, now, came, basis) => {
  const clinic = await aClinic('ENT');
  const { p50, ...told } = await within(async (work) => {
    await work.trx.setMoment(new Date(now));
    await work.trx.query(INSERT, [clinic.id, new Date(came), 30]);
    const own: Work = { ...work, trx: work.trx, hospital: { ...mary.hospital, timezone } };
    return estimateWait(await readHistory(own, clinic.id), { slotMinutes: 99, rooms: 1 }, 0);
  });
  expect(told.basis).toBe(basis);
  expect(p50).toBe(basis === 'rule' ? 99 : 7);
});

/** People who were called after seven minutes. */
const INSERT = `
  WITH people AS (
    INSERT INTO queue_entries (id, clinic_id, issuing_clinic_id, service_date, series, number, label, priority, created_by,
      updated_by, ahead, estimate_p50, estimate_p80, status, joined_at, queued_at, due_at, turn, first_called_at, ended_at)
    SELECT gen_random_uuid(), $1, $1, '2026-01-01', 'A', number, 'A-' || number, 0, 'test', 'test', 0,
      1, 1, 'done', $2::timestamptz, $2, $2, $2, $2 + interval '7 minutes', $2 + interval '8 minutes'
    FROM generate_series(1, $3) AS number
    RETURNING *
  )
  ${WAITS_OF} people`;
