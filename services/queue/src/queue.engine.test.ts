/** People who wait: tokens, calls, every step and its undoing, priorities, transfers and the end of the day. */
import { TASKS_SCHEMA } from '@hms/database';
import { type Clinic, clinics } from '@hms/domain/clinics';
import { mergePatient } from '@hms/domain/patients';
import { closeDays, closeDaysBefore, currentDay, type ShownEntry } from '@hms/domain/queue';
import { rooms } from '@hms/domain/rooms';
import { newId, records } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import {
  aClinic,
  age,
  aPatient,
  aRoom,
  call,
  callNext,
  join,
  line,
  mary,
  outcome,
  queue,
  read,
  setSettings,
  take,
  tasksNamed,
  useQueue,
  WAITS_OF,
  within,
} from './testing.ts';

useQueue();

let ent: Clinic;
let room: string;

beforeEach(async () => {
  ent = await aClinic('ENT-1', { tokenPrefix: 'A' });
  room = await aRoom(ent, 'Room 1');
});

const step = (entry: { readonly id: string }, verb: string, body: Readonly<Record<string, unknown>> = {}) =>
  outcome('POST', `entries/${entry.id}/${verb}`, body);

describe('a token', () => {
  it('has the prefix of the clinic and the next number, for a patient or for nobody known', async () => {
    const patientId = await aPatient();
    expect(await join(ent, { patientId })).toMatchObject({
      ...{ label: 'A-001', number: 1, status: 'waiting', priority: 0, patientName: 'Nora Quinn', ahead: 0 },
      clinicId: ent.id,
    });
    expect(await join(ent)).toMatchObject({ label: 'A-002', patientId: null, patientName: null, ahead: 1 });
    expect(await join(ent, { series: 'VIP' })).toMatchObject({ label: 'VIP-001' });
  });

  it('has what the code of the clinic begins with, if the clinic has no prefix', async () => {
    expect(await join(await aClinic('eye-12'))).toMatchObject({ label: 'EYE1-001' });
    expect(await join(await aClinic('目'))).toMatchObject({ label: 'A-001' });
  });

  it('is given once for each patient and clinic, and again afterwards', async () => {
    const patientId = await aPatient();
    const first = await join(ent, { patientId });
    const again = await call('POST', `${ent.id}/entries`, { patientId });
    expect(again).toMatchObject({
      status: 409,
      error: { code: 'ALREADY_IN_QUEUE', details: { id: first.id, label: 'A-001' } },
    });
    await take(first, 'cancel', { reason: 'Went home' });
    expect(await join(ent, { patientId })).toMatchObject({ label: 'A-002' });
  });

  it('is refused where nobody can wait', async () => {
    expect(await outcome('POST', `${newId()}/entries`, {})).toBe('CLINIC_NOT_FOUND');
    expect(await outcome('POST', `${(await aClinic('X', { isQueueEnabled: false })).id}/entries`, {})).toBe(
      'QUEUE_CLOSED',
    );
    expect(await outcome('POST', `${(await aClinic('Y', { status: 'inactive' })).id}/entries`, {})).toBe(
      'CLINIC_INACTIVE',
    );
    expect(await outcome('POST', `${ent.id}/entries`, { patientId: newId() })).toBe('PATIENT_NOT_FOUND');
    for (const body of [{ series: 'abc' }, { priority: 3 }, { priority: 0.5 }, { patientId: 'x' }])
      expect(await call('POST', `${ent.id}/entries`, body)).toMatchObject({
        error: { code: 'VALIDATION_FAILED', details: { fields: [{ field: Object.keys(body)[0] }] } },
      });
  });

  it('has one number each, without a gap, for 60 people at once', async () => {
    const entries = await Promise.all(Array.from({ length: 60 }, () => join(ent)));
    const numbers = entries.map(({ number }) => number).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect((await read(ent)).waitingCount).toBe(60);
  });
});

describe('who is next', () => {
  it('is who came first, to the room that calls', async () => {
    const [one, two] = [await join(ent), await join(ent)];
    expect(await callNext(ent, { roomId: room })).toMatchObject({
      ...{ id: one.id, status: 'called', roomId: room, roomName: 'Room 1', calls: 1 },
    });
    expect(await line(ent)).toEqual([two.label]);
    const other = await aRoom(ent, 'Room 2');
    expect(await callNext(ent, { roomId: other })).toMatchObject({ id: two.id });
    expect(await callNext(ent, { roomId: await aRoom(ent, 'Room 3') })).toBeNull();
  });

  it('is who is urgent, but nobody waits for ever', async () => {
    const [early, late] = [await join(ent), await join(ent)];
    await age(early, 50);
    const urgent = await join(ent, { priority: 2 });
    // Two levels count as 40 minutes.
    expect(await line(ent)).toEqual([early.label, urgent.label, late.label]);
    await take(late, 'priority', { priority: 2 });
    expect(await line(ent)).toEqual([early.label, late.label, urgent.label]);
    await take(late, 'priority', { priority: 0 });
    expect(await line(ent)).toEqual([early.label, urgent.label, late.label]);
  });

  it('is nobody as long as somebody is called to the room, or is in it', async () => {
    const [one, two] = [await join(ent), await join(ent)];
    await callNext(ent, { roomId: room });
    const busy = await call('POST', `${ent.id}/call-next`, { roomId: room });
    expect(busy).toMatchObject({ status: 409, error: { code: 'ROOM_BUSY', details: { label: one.label } } });
    expect(await outcome('POST', `entries/${two.id}/call`, { roomId: room })).toBe('ROOM_BUSY');
    // Who was only called has not been there.
    expect(await outcome('POST', `${ent.id}/call-next`, { roomId: room, finish: true })).toBe('ROOM_BUSY');
    await take(one, 'serve');
    expect(await outcome('POST', `${ent.id}/call-next`, { roomId: room })).toBe('ROOM_BUSY');
    expect(await callNext(ent, { roomId: room, finish: true })).toMatchObject({ id: two.id });
    expect((await read(ent)).ended).toMatchObject([{ id: one.id, status: 'done' }]);
  });

  it('is another person for each of 8 rooms at once, and nobody is lost', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => join(ent)));
    const rooms = await Promise.all(Array.from({ length: 8 }, (_, index) => aRoom(ent, `R${index}`)));
    const called: string[] = [];
    await Promise.all(
      rooms.map(async (roomId) => {
        for (;;) {
          const next = await callNext(ent, { roomId, finish: true });
          if (!next) return;
          called.push(next.id);
          await take(next, 'serve');
        }
      }),
    );
    expect(called.length).toBe(40);
    expect(new Set(called)).toEqual(new Set(all.map(({ id }) => id)));
  });

  it('is called to a room of the clinic only', async () => {
    await join(ent);
    const foreign = await aRoom(await aClinic('EYE'), 'Far away');
    expect(await outcome('POST', `${ent.id}/call-next`, { roomId: foreign })).toBe('ROOM_OF_OTHER_CLINIC');
    expect(await outcome('POST', `${ent.id}/call-next`, { roomId: newId() })).toBe('ROOM_NOT_FOUND');
    expect(await callNext(ent)).toMatchObject({ roomId: null, status: 'called' });
  });
});

describe('a step', () => {
  it('follows the states', async () => {
    const entry = await join(ent);
    for (const verb of ['recall', 'skip', 'serve', 'done', 'come-back'])
      expect(await step(entry, verb)).toBe('INVALID_STATE');
    const called = await take(entry, 'call', { roomId: room });
    const again = await take(entry, 'recall');
    expect(again).toMatchObject({ status: 'called', calls: 2, firstCalledAt: called.calledAt });
    expect(Date.parse(again.calledAt ?? '')).toBeGreaterThan(Date.parse(called.calledAt ?? ''));
    for (const verb of ['call', 'done', 'priority'])
      expect(await step(entry, verb, verb === 'priority' ? { priority: 1 } : {})).toBe('INVALID_STATE');
    expect(await take(entry, 'serve')).toMatchObject({ status: 'serving', startedAt: expect.any(String) });
    for (const verb of ['serve', 'no-show', 'cancel', 'recall', 'skip', 'come-back'])
      expect(await step(entry, verb)).toBe('INVALID_STATE');
    expect(await take(entry, 'done')).toMatchObject({ status: 'done', endedAt: expect.any(String) });
    expect(await step(entry, 'call')).toBe('INVALID_STATE');
  });

  it('that skips somebody lets the next three go first', async () => {
    const [one, ...rest] = [
      await join(ent),
      await join(ent),
      await join(ent),
      await join(ent),
      await join(ent),
    ] as const;
    await take(one, 'call', { roomId: room });
    expect(await take(one, 'skip')).toMatchObject({ status: 'waiting', roomId: null });
    expect(await line(ent)).toEqual([rest[0], rest[1], rest[2], one, rest[3]].map((entry) => entry.label));
    await take(rest[0], 'call', { roomId: room });
    await take(rest[0], 'no-show');
    expect(await line(ent)).toEqual([rest[1], rest[2], one, rest[3]].map((entry) => entry.label));
    // Who comes after all waits like somebody who was skipped.
    expect(await take(rest[0], 'come-back')).toMatchObject({ status: 'waiting', endedAt: null });
    expect(await line(ent)).toEqual([rest[1], rest[2], one, rest[0], rest[3]].map((entry) => entry.label));
  });

  it('of two rooms that call each other’s person is refused at once', async () => {
    const other = await aRoom(ent, 'Room 2');
    const [x, y] = [await join(ent), await join(ent)];
    await take(x, 'call', { roomId: room });
    await take(y, 'call', { roomId: other });
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all([step(y, 'call', { roomId: room }), step(x, 'call', { roomId: other })]);
      expect(outcomes).toEqual(['INVALID_STATE', 'INVALID_STATE']);
    }
  });

  it('that changes the priority leaves somebody skipped behind the same people', async () => {
    const [one, ...rest] = [await join(ent), await join(ent), await join(ent)];
    await take(one, 'call', { roomId: room });
    await take(one, 'skip');
    await take(one, 'priority', { priority: 0 });
    expect(await line(ent)).toEqual([...rest, one].map(({ label }) => label));
    await take(one, 'priority', { priority: 1 });
    await take(one, 'priority', { priority: 0 });
    expect(await line(ent)).toEqual([...rest, one].map(({ label }) => label));
  });

  it('of an older version is refused', async () => {
    const entry = await join(ent);
    await take(entry, 'call', { roomId: room, version: entry.version });
    expect(await step(entry, 'serve', { version: entry.version })).toBe('STALE_VERSION');
  });

  it('is for those who may, and not for another hospital', async () => {
    const entry = await join(ent);
    const cashier = await mary.token(['CASHIER']);
    expect(await outcome('POST', `entries/${entry.id}/call`, {}, cashier)).toBe('FORBIDDEN');
    expect(await outcome('GET', ent.id, undefined, cashier)).toBe(200);
    const theirs = await (await createTestHospital(queue.operator, queue.issuer)).token(['NURSE']);
    expect(await outcome('POST', `entries/${entry.id}/call`, {}, theirs)).toBe('QUEUE_ENTRY_NOT_FOUND');
    expect(await outcome('POST', `${ent.id}/call-next`, {}, theirs)).toBe('CLINIC_NOT_FOUND');
    expect(await outcome('GET', ent.id, undefined, theirs)).toBe('CLINIC_NOT_FOUND');
    expect((await call('GET', 'entries', undefined, theirs)).data()).toEqual([]);
  });
});

describe('an undoing', () => {
  it.each([
    ['call', 'waiting'],
    ['skip', 'called'],
    ['serve', 'called'],
    ['done', 'serving'],
    ['no-show', 'called'],
    ['cancel', 'waiting'],
    ['priority', 'waiting'],
  ])('of %s restores what there was, once', async (verb, status) => {
    const [entry] = [await join(ent), await join(ent), await join(ent)];
    if (['skip', 'serve', 'done', 'no-show'].includes(verb)) await take(entry, 'call', { roomId: room });
    if (verb === 'done') await take(entry, 'serve');
    const ours = async () => (await call('GET', `entries/${entry.id}`)).data<ShownEntry>();
    const before = await ours();
    const after = await take(
      entry,
      verb,
      verb === 'priority' ? { priority: 2 } : verb === 'call' ? { roomId: room } : {},
    );
    expect(after.canUndo).toBe(true);
    const { version: _, updatedAt: __, canUndo, ...restored } = await take(entry, 'undo');
    expect(restored).toMatchObject({ status });
    expect(before).toMatchObject(restored);
    expect(canUndo).toBe(false);
    expect(await step(entry, 'undo')).toBe('NOTHING_TO_UNDO');
  });

  it('is possible for 60 s', async () => {
    const entry = await join(ent);
    expect(await step(entry, 'undo')).toBe('NOTHING_TO_UNDO');
    await take(entry, 'call', { roomId: room });
    const { schema } = hospitalNames(mary.hospital.prefix);
    await queue.operator.raw(`UPDATE ${schema}.queue_steps SET taken_at = taken_at - interval '61 s'`);
    expect(await step(entry, 'undo')).toBe('UNDO_EXPIRED');
  });

  it('does not put two people into a room', async () => {
    const [one] = [await join(ent), await join(ent)];
    await callNext(ent, { roomId: room });
    await take(one, 'serve');
    await take(one, 'done');
    await callNext(ent, { roomId: room });
    expect(await step(one, 'undo')).toBe('ROOM_BUSY');
  });

  it('does not put anybody where nobody can be any more', async () => {
    const eye = await aClinic('EYE');
    const [one, two] = [await join(ent), await join(eye)];
    await take(one, 'call', { roomId: room });
    await take(one, 'skip');
    const gone = async (record: typeof rooms | typeof clinics, id: string) =>
      within(async (work) => {
        const own = records(work, record as typeof rooms);
        await own.remove(await own.lock(id));
      });
    await gone(rooms, room);
    expect(await step(one, 'undo')).toBe('ROOM_NOT_FOUND');
    await take(two, 'transfer', { clinicId: ent.id });
    await gone(clinics, eye.id);
    expect(await step(two, 'undo')).toBe('CLINIC_NOT_FOUND');
  });

  it('does not bring back yesterday, nor a second token of one person', async () => {
    const [patientId, other] = [await aPatient('Nora'), await aPatient('Norah')];
    const one = await join(ent, { patientId });
    await take(one, 'cancel');
    await within((work) => mergePatient(work, patientId, other));
    await join(ent, { patientId: other });
    expect(await step(one, 'undo')).toBe('ALREADY_IN_QUEUE');
    const two = await join(ent);
    await take(two, 'cancel');
    await within(({ trx }) => trx.query('UPDATE queue_entries SET service_date = service_date - 1'));
    expect(await step(two, 'undo')).toBe('DAY_OVER');
  });

  it('is told when somebody was faster', async () => {
    const one = await join(ent);
    await take(one, 'call', { roomId: room });
    const outcomes = await Promise.all([step(one, 'undo', { version: 2 }), step(one, 'serve', { version: 2 })]);
    expect(outcomes.toSorted()).toEqual([200, 'STALE_VERSION']);
  });
});

describe('a transfer', () => {
  it('keeps the token and the time that the person has waited', async () => {
    const eye = await aClinic('EYE', { tokenPrefix: 'B' });
    const theirs = await join(eye);
    const entry = await join(ent, { patientId: await aPatient() });
    await age(entry, 30);
    await take(entry, 'call', { roomId: room });
    await take(entry, 'serve');
    const moved = await take(entry, 'transfer', { clinicId: eye.id, note: 'Please measure the pressure' });
    expect(moved).toMatchObject({
      ...{ clinicId: eye.id, label: 'A-001', status: 'waiting', roomId: null, firstCalledAt: null },
      note: 'Please measure the pressure',
    });
    expect(await line(eye)).toEqual(['A-001', theirs.label]);
    expect((await read(ent)).serving).toEqual([]);
    expect(await take(entry, 'undo')).toMatchObject({ clinicId: ent.id, status: 'serving', roomId: room, note: null });
    expect(await line(eye)).toEqual([theirs.label]);
  });

  it('gives the next token of a clinic that has the same letters, and leaves no gap', async () => {
    const [other, eye] = [await aClinic('ENT-2', { tokenPrefix: 'A' }), await aClinic('EYE', { tokenPrefix: 'E' })];
    const mine = await join(ent);
    await join(other);
    expect(await take(mine, 'transfer', { clinicId: other.id })).toMatchObject({ label: 'A-002' });
    const [, third] = [await join(ent), await join(ent)];
    expect(await take(third, 'transfer', { clinicId: other.id })).toMatchObject({ label: 'A-003' });
    expect(await join(other)).toMatchObject({ label: 'A-004' });
    // Two people with the same token, and a clinic that gives neither.
    const theirs = await join(other, { series: 'P' });
    const ours = await join(ent, { series: 'P' });
    expect(await take(theirs, 'transfer', { clinicId: eye.id })).toMatchObject({ label: 'P-001' });
    expect(await take(ours, 'transfer', { clinicId: eye.id })).toMatchObject({ label: 'E-001' });
    expect(await join(eye)).toMatchObject({ label: 'E-002' });
    // The clinic has given P-001, although whoever has it is elsewhere.
    const again = await join(ent, { series: 'P' });
    expect(await take(again, 'transfer', { clinicId: other.id })).toMatchObject({ label: 'A-005' });
  });

  it('leaves the numbers of both clinics as they are, there and back, and when it is undone', async () => {
    const eye = await aClinic('EYE', { tokenPrefix: 'E' });
    const [one, two] = [await join(ent), await join(ent)];
    await take(one, 'transfer', { clinicId: eye.id });
    expect(await join(ent)).toMatchObject({ label: 'A-003' });
    expect(await join(eye)).toMatchObject({ label: 'E-001' });
    expect(await take(one, 'transfer', { clinicId: ent.id })).toMatchObject({ label: 'A-001' });
    await take(two, 'transfer', { clinicId: eye.id });
    expect(await take(two, 'undo')).toMatchObject({ label: 'A-002', issuingClinicId: ent.id });
    expect(await join(eye)).toMatchObject({ label: 'E-002' });
    expect(await join(ent)).toMatchObject({ label: 'A-004' });
  });

  it('leaves the wait in the history of the first clinic, and an undone call does not', async () => {
    const eye = await aClinic('EYE');
    const waits = async (clinic: Clinic) => (await read(clinic)).accuracy.waits;
    const entry = await join(ent);
    await take(entry, 'call', { roomId: room });
    expect(await waits(ent)).toBe(1);
    await take(entry, 'undo');
    expect(await waits(ent)).toBe(0);
    await take(entry, 'call', { roomId: room });
    await take(entry, 'serve');
    await take(entry, 'transfer', { clinicId: eye.id });
    await take(entry, 'undo');
    await take(entry, 'transfer', { clinicId: eye.id });
    expect([await waits(ent), await waits(eye)]).toEqual([1, 0]);
    await take(entry, 'call');
    expect([await waits(ent), await waits(eye)]).toEqual([1, 1]);
  });

  it('is refused to the same clinic, and to one where the patient waits', async () => {
    const eye = await aClinic('EYE');
    const patientId = await aPatient();
    const [entry] = [await join(ent, { patientId }), await join(eye, { patientId })];
    expect(await step(entry, 'transfer', { clinicId: ent.id })).toBe('SAME_CLINIC');
    expect(await step(entry, 'transfer', { clinicId: eye.id })).toBe('ALREADY_IN_QUEUE');
    expect(await step(entry, 'transfer', { clinicId: newId() })).toBe('CLINIC_NOT_FOUND');
    expect(await line(ent)).toEqual([entry.label]);
  });

  it('happens once, when the person is called at the same time', async () => {
    const eye = await aClinic('EYE');
    for (let round = 0; round < 10; round += 1) {
      const entry = await join(ent);
      const outcomes = await Promise.all([
        step(entry, 'transfer', { clinicId: eye.id, version: 1 }),
        step(entry, 'call', { version: 1 }),
      ]);
      expect(outcomes.toSorted()).toEqual([200, 'STALE_VERSION']);
    }
  });
});

describe('the day of service', () => {
  /** As if everybody had come yesterday. */
  const yesterday = () =>
    within(({ trx }) =>
      trx.query("UPDATE queue_entries SET service_date = service_date - 1, turn = turn - interval '1 day'"),
    );

  it('begins with 1, and what is left of the day before ends', async () => {
    const [waiting, called, serving] = [await join(ent), await join(ent), await join(ent)];
    await take(serving, 'call', { roomId: room });
    await take(serving, 'serve');
    await take(called, 'call');
    await yesterday();
    expect((await read(ent)).waitingCount).toBe(0);
    expect(await step(waiting, 'call')).toBe('DAY_OVER');
    const today = await join(ent, { series: 'B' });
    expect(today).toMatchObject({ label: 'B-001', ahead: 0 });
    const states = (await call('GET', 'entries?sort=joinedAt')).data<ShownEntry[]>().map(({ status }) => status);
    expect(states).toEqual(['cancelled', 'no_show', 'done', 'waiting']);
    expect(await callNext(ent, { roomId: room })).toMatchObject({ id: today.id });
  });

  it('begins when the hospital says', async () => {
    const { timezone } = mary.hospital;
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });
    const before = await within(async (work) => currentDay(work));
    const soon = clock.format(Date.now() + 120_000);
    // Not within two minutes before midnight.
    if (soon < clock.format(Date.now())) return;
    const [entry, eye] = [await join(ent), await aClinic('EYE')];
    await setSettings({ serviceDayStart: soon });
    const { serviceDate } = await until(
      'the new setting',
      () => read(eye),
      (queue) => queue.serviceDate < before,
    );
    expect((await join(eye)).serviceDate.slice(0, 10)).toBe(serviceDate);
    // Where it has begun, it does not go back.
    expect(await read(ent)).toMatchObject({ serviceDate: before, waitingCount: 1 });
    expect(await step(entry, 'call', { roomId: room })).toBe(200);
    expect(await join(ent)).toMatchObject({ label: 'A-002' });
  });

  it('is planned for a clinic to which people are only sent, and planned again while somebody is left', async () => {
    const eye = await aClinic('EYE');
    const entry = await join(ent);
    await take(entry, 'transfer', { clinicId: eye.id });
    const planned = async () => (await tasksNamed('queue-closing')).map(({ input }) => input.clinicId).sort();
    expect(await planned()).toEqual([ent.id, eye.id].sort());
    await queue.operator.raw(`DELETE FROM ${TASKS_SCHEMA}._private_jobs WHERE payload->>'hospital' = ?`, [
      mary.hospital.id,
    ]);
    // It ran before the day was over.
    await within((work) => closeDays(work, eye.id));
    expect(await planned()).toEqual([eye.id]);
    expect(await line(eye)).toEqual([entry.label]);
  });

  it('of whoever was in a room yesterday does not keep the room busy', async () => {
    const [old] = [await join(ent)];
    await take(old, 'call', { roomId: room });
    await yesterday();
    const entry = await join(ent, { series: 'B' });
    await within(({ trx }) =>
      trx.query("UPDATE queue_entries SET status = 'called', ended_at = NULL WHERE id = $1", [old.id]),
    );
    expect(await step(entry, 'call', { roomId: room })).toBe(200);
  });

  it('ends by itself where nobody works any more', async () => {
    const [entry] = [await join(ent), await join(ent)];
    await yesterday();
    await within((work) => closeDaysBefore(work, ent.id, currentDay(work)));
    expect((await call('GET', `entries/${entry.id}`)).data()).toMatchObject({
      ...{ status: 'cancelled', endReason: 'The day was over' },
    });
    const [planned, ...others] = await tasksNamed('queue-closing');
    expect(others).toEqual([]);
    expect(planned?.runAt).toBeGreaterThan(Date.now());
  });
});

describe('the estimate', () => {
  /** People who were called in the last days. */
  async function history(waits: readonly { readonly ahead: number; readonly minutes: number }[]): Promise<void> {
    for (const { ahead, minutes } of waits) {
      const entry = await join(ent, { series: 'OLD' });
      await within(async ({ trx }) => {
        await trx.query(
          `UPDATE queue_entries SET status = 'done', ended_at = now(), ahead = $2, service_date = service_date - 2,
             due_at = now() - interval '2 days', queued_at = now() - interval '2 days', first_called_at = now() - interval '2 days' + $3 * interval '1 minute'
           WHERE id = $1`,
          [entry.id, ahead, minutes],
        );
        await trx.query(`${WAITS_OF} queue_entries WHERE id = $1`, [entry.id]);
      });
    }
  }

  it('follows a rule without a history: the minutes of an appointment for each, by the rooms', async () => {
    await join(ent);
    const { waiting } = await read(ent);
    expect(waiting[0]?.estimate).toEqual({ p50: 15, p80: 23, basis: 'rule' });
    await join(ent);
    expect((await read(ent)).waiting[1]?.estimate).toEqual({ p50: 30, p80: 45, basis: 'rule' });
  });

  it('follows the waits of the clinic at this hour, and says how right it was', async () => {
    await history(Array.from({ length: 30 }, (_, index) => ({ ahead: 0, minutes: index + 1 })));
    const entry = await join(ent);
    const { waiting, accuracy } = await read(ent);
    expect(waiting[0]?.estimate).toEqual({ p50: 16, p80: 24, basis: 'hour_of_day' });
    expect(entry).toMatchObject({ estimateP50: 16, estimateP80: 24, estimateBasis: 'hour_of_day' });
    // All were told 15 to 23 minutes, by the rule, and waited from 1 to 30.
    const told = { waits: 30, calledByP50: 15 / 30, calledByP80: 23 / 30, medianError: 7.5 };
    expect((await call('GET', `${ent.id}/accuracy`)).data()).toEqual(told);
    expect(accuracy).toEqual(told);
  }, 60_000);

  it('has no share of nobody', async () => {
    const none = { waits: 0, calledByP50: null, calledByP80: null, medianError: null };
    expect((await read(ent)).accuracy).toEqual(none);
  });
});
