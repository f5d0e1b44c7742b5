/** The waiting list: who is offered a time that has become free, and what they may answer. */
import type { ShownAppointment } from '@hms/domain/appointments';
import { type Clinic, clinics } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import { mergePatient } from '@hms/domain/patients';
import {
  declineOffer,
  expireOffer,
  offerFreed,
  offerPlace,
  type ShownWaitingEntry,
  waitingList,
} from '@hms/domain/waiting-list';
import { newId, records, type Work } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import {
  aClinic,
  aDoctor,
  aPatient,
  at,
  call,
  day,
  hours,
  mary,
  outcome,
  queue,
  setSettings,
  tasksNamed,
  useQueue,
  within,
} from './testing.ts';

type Body = Readonly<Record<string, unknown>>;

useQueue();

const LIST = 'waiting-list';
let ent: Clinic;
let doctor: Employee;

beforeEach(async () => {
  [ent, doctor] = [await aClinic('ENT'), await aDoctor()];
  await hours(doctor, ent, 3);
});

async function success<Answer>(method: string, path: string, body?: Body): Promise<Answer> {
  const answer = await call(method, path, body);
  expect([answer.error, answer.status < 300]).toEqual([undefined, true]);
  return answer.data<Answer>();
}
const book = (patientId: string, time: string, changes: Body = {}) =>
  success<ShownAppointment>('POST', 'appointments', {
    patientId,
    doctorId: doctor.id,
    startsAt: at(3, time),
    ...changes,
  });
const bookedAt = async (time: string) => book(await aPatient('Ivy', 'Last'), time);
const wait = (patientId: string, changes: Body = {}) =>
  success<ShownWaitingEntry>('POST', LIST, { patientId, doctorId: doctor.id, ...changes });
const newcomer = async (name: string, changes: Body = {}) => wait(await aPatient(name), changes);
const entry = ({ id }: { readonly id: string }) => success<ShownWaitingEntry>('GET', `${LIST}/${id}`);
const status = async (one: { readonly id: string }) => (await entry(one)).status;
const appointment = (id: string | null) => success<ShownAppointment>('GET', `appointments/${id}`);
const answer = (id: string | null, verb: 'accept' | 'decline') => outcome('POST', `appointments/${id}/${verb}`);

/** Does what the task does, which waits for the morning if it is night now in the hospital. */
const offered = (one: ShownAppointment) => within((work) => offerPlace(work, one));
async function freed(time: string): Promise<ShownAppointment> {
  const one = await bookedAt(time);
  await success('POST', `appointments/${one.id}/cancel`);
  await offered(one);
  return one;
}

/** The times that are about to be offered. */
async function freedTimes(): Promise<readonly number[]> {
  return (await tasksNamed('appointment-place-freed')).map(({ input }) => Date.parse(input.startsAt ?? ''));
}

describe('a time that becomes free', () => {
  it('is kept for the first who waits for it, who may take it', async () => {
    const [first, second] = [await newcomer('Ann', { reason: 'Cough' }), await newcomer('Bob')];
    await freed('09:00');
    const { appointmentId, offer, status: now } = await entry(first);
    expect([now, offer]).toEqual([
      'offered',
      { startsAt: at(3, '09:00'), doctorName: 'Gregory House', expiresAt: expect.stringContaining('+07:00') },
    ]);
    expect(await appointment(appointmentId)).toMatchObject({
      ...{ status: 'offered', patientName: 'Ann Quinn', reason: 'Cough', waitingEntryId: first.id },
    });
    const other = { patientId: await aPatient('Eve'), doctorId: doctor.id, startsAt: at(3, '09:00') };
    expect(await outcome('POST', 'appointments', other)).toBe('SLOT_TAKEN');
    expect(await answer(appointmentId, 'accept')).toBe(200);
    expect(await appointment(appointmentId)).toMatchObject({ status: 'booked' });
    expect(await entry(first)).toMatchObject({ status: 'booked', appointmentId, offer: null });
    expect(await status(second)).toBe('waiting');
    expect([await answer(appointmentId, 'accept'), await answer(appointmentId, 'decline')]).toEqual([
      'INVALID_STATE',
      'INVALID_STATE',
    ]);
  });

  it('goes to the next one when it is declined, or nobody answers, and to nobody twice', async () => {
    const [first, second] = [await newcomer('Ann'), await newcomer('Bob')];
    const one = await freed('09:00');
    const { appointmentId } = await entry(first);
    expect(await answer(appointmentId, 'decline')).toBe(200);
    await offered(one);
    expect([await status(first), await status(second)]).toEqual(['waiting', 'offered']);
    const next = (await entry(second)).appointmentId ?? '';
    await within((work) => expireOffer(work, next));
    await offered(one);
    expect([await status(first), await status(second)]).toEqual(['waiting', 'waiting']);
    expect(await appointment(next)).toMatchObject({ status: 'cancelled', endReason: expect.stringMatching(/in time/) });
    await freed('09:20');
    expect(await status(first)).toBe('offered');
    // Whoever has taken it keeps it.
    const taken = (await entry(first)).appointmentId ?? '';
    await answer(taken, 'accept');
    await within((work) => expireOffer(work, taken));
    expect(await appointment(taken)).toMatchObject({ status: 'booked' });
  });

  it('goes to whoever waits for a longer visit, also if that begins before it', async () => {
    const owner = await mary.token(['OWNER']);
    const type = await call('POST', 'visit-types', { code: 'L', name: 'Long', minutes: 40 }, owner);
    const { id: visitTypeId } = type.data<{ id: string }>();
    const [first, middle] = [await bookedAt('09:00'), await bookedAt('09:20')];
    await bookedAt('09:40');
    const [short, long] = [await newcomer('Ann', { untilTime: '09:20' }), await newcomer('Bob', { visitTypeId })];
    await success('POST', `appointments/${first.id}/cancel`);
    await offered(first);
    expect([await status(short), await status(long)]).toEqual(['offered', 'waiting']);
    await answer((await entry(short)).appointmentId, 'decline');
    await success('POST', `appointments/${middle.id}/cancel`);
    const added: unknown[] = [];
    const addTask = ((_: unknown, input: unknown) => void added.push(input)) as Work['addTask'];
    const { doctorId, startsAt } = middle;
    await within((work) => offerFreed({ ...work, addTask }, middle));
    const reaching = { doctorId, startsAt: first.startsAt, beyond: startsAt };
    expect(added).toContainEqual(expect.objectContaining(reaching));
    await within((work) => offerFreed(work, reaching));
    expect((await entry(long)).offer?.startsAt).toBe(at(3, '09:00'));
    // Nobody else is offered a time that was free before.
    expect(await status(short)).toBe('waiting');
  });

  it('goes to those whom it suits, and to urgent ones first', async () => {
    const [eye, other] = [await aClinic('EYE'), await aDoctor('Wilson')];
    const unsuited = [
      await newcomer('Other doctor', { doctorId: other.id }),
      await newcomer('Other clinic', { doctorId: null, clinicId: eye.id }),
      await newcomer('Too early', { fromDate: day(4) }),
      await newcomer('Too late', { untilDate: day(2) }),
      await newcomer('Not so early', { fromTime: '09:01' }),
      await newcomer('Not so late', { untilTime: '09:19' }),
    ];
    const busy = await aPatient('Busy');
    unsuited.push(await wait(busy));
    await hours(other, eye, 3, { startTime: '09:10', endTime: '09:30' });
    await book(busy, '09:10', { doctorId: other.id });
    const [usual, urgent, clinic] = [
      await newcomer('Usual', { fromDate: day(3), untilDate: day(3), fromTime: '09:00', untilTime: '09:20' }),
      await newcomer('Urgent', { priority: 'urgent' }),
      await newcomer('Any doctor', { doctorId: null, clinicId: ent.id }),
    ];
    await freed('09:00');
    expect(await status(urgent)).toBe('offered');
    await answer((await entry(urgent)).appointmentId, 'decline');
    const one = await bookedAt('09:20');
    await success('POST', `appointments/${one.id}/cancel`);
    await offered({ ...one, startsAt: at(3, '09:00') });
    expect([await status(usual), await status(clinic)]).toEqual(['offered', 'waiting']);
    expect(await Promise.all(unsuited.map(status))).toEqual(unsuited.map(() => 'waiting'));
  });

  it('is offered after a move too, and not once it is too late', async () => {
    const first = await newcomer('Ann');
    const one = await bookedAt('09:00');
    await success('POST', `appointments/${one.id}/reschedule`, { startsAt: at(3, '10:00') });
    // By day, the worker of the test may have offered it.
    if ((await status(first)) !== 'offered') expect(await freedTimes()).toEqual([Date.parse(at(3, '09:00'))]);
    const soon = await book(await aPatient('Zoe'), '10:20');
    await within(({ trx }) =>
      trx.query(
        `UPDATE appointments SET starts_at = now() + interval '50 minutes', ends_at = now() + interval '70 minutes'
         WHERE id = $1`,
        [soon.id],
      ),
    );
    await success('POST', `appointments/${soon.id}/cancel`);
    expect((await freedTimes()).filter((time) => time < Date.now() + 3_600_000)).toEqual([]);
  });

  it('is offered to nobody if the hospital does not want it', async () => {
    await setSettings({ waitingListOfferMinutes: 0 });
    const first = await newcomer('Ann');
    const one = await bookedAt('09:00');
    await success('POST', `appointments/${one.id}/cancel`);
    expect(await freedTimes()).toEqual([]);
    const settings = { ...mary.hospital.settings, waitingListOfferMinutes: 0 };
    await within((work) => offerPlace({ ...work, hospital: { ...work.hospital, settings } }, one));
    expect(await status(first)).toBe('waiting');
  });

  it('goes to as many as it has places', async () => {
    const shared = await aDoctor('Chase');
    await hours(shared, ent, 3, { capacity: 3 });
    const wished = { doctorId: shared.id };
    const ended = await Promise.all(['Ivy', 'Kim'].map(async (name) => book(await aPatient(name), '09:00', wished)));
    const stays = await book(await aPatient('Stay'), '09:00', wished);
    const all = await Promise.all(['Ann', 'Bob', 'Cid'].map((name) => newcomer(name, wished)));
    for (const { id } of ended) await success('POST', `appointments/${id}/cancel`);
    for (let round = 0; round < 4; round += 1) await offered(stays);
    const states = await Promise.all(all.map(status));
    expect(states.toSorted()).toEqual(['offered', 'offered', 'waiting']);
  });

  it('goes to one of many at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, (_, index) => newcomer(`Person ${index}`)));
    const times = ['09:00', '09:20', '09:40'];
    const ended = await Promise.all(times.map(bookedAt));
    await Promise.all(ended.map(({ id }) => success('POST', `appointments/${id}/cancel`)));
    // Each several times, as when a task runs again.
    await Promise.all([...ended, ...ended, ...ended].map(offered));
    // By day, the worker of the test offers them too. Whoever finds that it was faster leaves the time to a later task.
    await until(
      'an offer of each time',
      async () => {
        for (const one of ended) await offered(one);
        const states = await Promise.all(all.map(status));
        return states.filter((state) => state === 'offered').length;
      },
      (count) => count === times.length,
    );
    const kept = await success<ShownAppointment[]>('GET', 'appointments?status=offered');
    expect(new Set(kept.map(({ startsAt }) => startsAt)).size).toBe(times.length);
    expect(new Set(kept.map(({ waitingEntryId }) => waitingEntryId)).size).toBe(times.length);
  });
});

describe('somebody of the waiting list', () => {
  it('can be booked by hand, also while a time is offered', async () => {
    const [first, second] = [await newcomer('Ann', { notes: 'Deaf' }), await newcomer('Bob')];
    const one = await freed('09:00');
    const before = await entry(first);
    const body = { doctorId: doctor.id, startsAt: at(3, '09:40'), version: before.version };
    const booked = await success<ShownWaitingEntry>('POST', `${LIST}/${first.id}/book`, body);
    expect(booked).toMatchObject({ status: 'booked', offer: null });
    expect(await appointment(booked.appointmentId)).toMatchObject({ status: 'booked', notes: 'Deaf' });
    expect(await appointment(before.appointmentId)).toMatchObject({ status: 'cancelled' });
    await offered(one);
    expect(await status(second)).toBe('offered');
    expect(await outcome('POST', `${LIST}/${first.id}/book`, { ...body, version: undefined })).toBe(
      'PATIENT_DOUBLE_BOOKED',
    );
    const late = { doctorId: doctor.id, startsAt: at(3, '09:05') };
    expect(await outcome('POST', `${LIST}/${second.id}/book`, late)).toBe('OUTSIDE_SCHEDULE');
    // What was refused has changed nothing.
    expect(await status(second)).toBe('offered');
  });

  it('can be taken off the list, and gives back what is kept for them', async () => {
    const [first, second] = [await newcomer('Ann'), await newcomer('Bob')];
    const one = await freed('09:00');
    const { appointmentId } = await entry(first);
    const gone = await success<ShownWaitingEntry>('POST', `${LIST}/${first.id}/withdraw`, { reason: 'Moved away' });
    expect(gone).toMatchObject({ status: 'withdrawn', endReason: 'Moved away', appointmentId: null });
    expect(await appointment(appointmentId)).toMatchObject({ status: 'cancelled' });
    await offered(one);
    expect(await status(second)).toBe('offered');
    expect(await outcome('POST', `${LIST}/${first.id}/withdraw`)).toBe('INVALID_STATE');
  });

  it('keeps one state, whatever is answered at the same time', async () => {
    const first = await newcomer('Ann');
    await freed('09:00');
    const { appointmentId, version } = await entry(first);
    const codes = await Promise.all([
      answer(appointmentId, 'accept'),
      answer(appointmentId, 'decline'),
      outcome('POST', `${LIST}/${first.id}/withdraw`, { version }),
      outcome('POST', `${LIST}/${first.id}/book`, { doctorId: doctor.id, startsAt: at(3, '10:00'), version }),
      within((work) => expireOffer(work, appointmentId ?? '')).then(() => 'expired'),
    ]);
    const now = await entry(first);
    const taking = (await success<ShownAppointment[]>('GET', `appointments?waitingEntryId=${first.id}`)).filter(
      ({ status: state }) => state === 'booked' || state === 'offered',
    );
    expect([codes, taking.map(({ id }) => id)]).toEqual([codes, now.appointmentId === null ? [] : [now.appointmentId]]);
    expect(['booked', 'waiting', 'withdrawn']).toContain(now.status);
  });

  it('is offered a time once, whoever else was about to offer it', async () => {
    const first = await newcomer('Ann');
    const place = { doctorId: doctor.id, startsAt: at(3, '09:00') };
    const [begun, decided] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
    const declined = within(async (work) => {
      await offerPlace(work, place);
      const { appointmentId } = await records(work, waitingList).read(first.id);
      await declineOffer(work, appointmentId ?? '', undefined);
      const [{ pid } = { pid: 0 }] = await work.trx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      begun.resolve(pid);
      await decided.promise;
    });
    declined.catch(begun.reject);
    const pid = await begun.promise;
    // It chooses the same person, and has to wait for them.
    const again = within((work) => offerPlace(work, place));
    await until(
      'the other one to wait',
      async () => {
        const blocked = 'SELECT pid FROM pg_stat_activity WHERE ? = ANY (pg_blocking_pids(pid))';
        return ((await queue.operator.raw(blocked, [pid])) as { rows: unknown[] }).rows.length;
      },
      (count) => count > 0,
    );
    decided.resolve();
    await Promise.all([declined, again]);
    expect(await status(first)).toBe('waiting');
    expect(await success<unknown[]>('GET', `appointments?waitingEntryId=${first.id}`)).toHaveLength(1);
  });

  it('is once on the list for a doctor and clinic, and of this hospital', async () => {
    const patientId = await aPatient();
    const first = await wait(patientId);
    expect(await outcome('POST', LIST, { patientId, doctorId: doctor.id })).toBe('ALREADY_ON_WAITING_LIST');
    await wait(patientId, { clinicId: ent.id });
    await success('POST', `${LIST}/${first.id}/withdraw`);
    const again = await wait(patientId);
    const found = (q: string) => success<ShownWaitingEntry[]>('GET', `${LIST}?isOpen=true&q=${q}`);
    expect([(await found('quinn')).length, (await found('house')).length]).toEqual([2, 0]);
    const anne = await createTestHospital(queue.operator, queue.issuer);
    const nurse = await anne.token(['NURSE']);
    for (const path of ['', '/withdraw', '/book']) {
      const [method, body] = path === '' ? ['GET'] : ['POST', { doctorId: doctor.id, startsAt: at(3, '09:00') }];
      expect(await outcome(method as string, `${LIST}/${again.id}${path}`, body as Body, nurse)).toBe(
        'WAITING_LIST_ENTRY_NOT_FOUND',
      );
    }
  });

  it('is found under the record that they were merged into', async () => {
    const [left, survivor] = [await aPatient('Ann'), await aPatient('Ann')];
    const one = await wait(left);
    await within((work) => mergePatient(work, left, survivor));
    expect(await success<ShownWaitingEntry[]>('GET', `${LIST}?patientId=${survivor}`)).toMatchObject([{ id: one.id }]);
    // Under the other record, they have another appointment then.
    const [other, second] = [await aDoctor('Wilson'), await newcomer('Bob')];
    await hours(other, ent, 3, { startTime: '09:10', endTime: '09:30' });
    await book(survivor, '09:10', { doctorId: other.id });
    await freed('09:00');
    expect([await status(one), await status(second)]).toEqual(['waiting', 'offered']);
    await freed('10:00');
    expect(await appointment((await entry(one)).appointmentId)).toMatchObject({ patientId: survivor });
  });

  it.each([
    [{}, 'doctorId'],
    [{ doctorId: null, clinicId: null }, 'doctorId'],
    [{ clinicId: 'CLINIC', fromDate: '2030-01-02', untilDate: '2030-01-01' }, 'untilDate'],
    [{ clinicId: 'CLINIC', untilDate: '2020-01-01' }, 'untilDate'],
    [{ clinicId: 'CLINIC', fromTime: '10:00', untilTime: '10:00' }, 'untilTime'],
    [{ clinicId: 'CLINIC', fromTime: '24:00' }, 'fromTime'],
    [{ clinicId: 'CLINIC', priority: 'high' }, 'priority'],
    [{ clinicId: 'CLINIC', reason: 'x'.repeat(201) }, 'reason'],
  ])('is refused with %j, and %s is named', async (wishes, field) => {
    const body = {
      patientId: await aPatient(),
      ...wishes,
      ...('clinicId' in wishes && wishes.clinicId ? { clinicId: ent.id } : {}),
    };
    expect(await call('POST', LIST, body)).toMatchObject({ error: { details: { fields: [{ field }] } } });
  });

  it('needs a doctor and a clinic that exist and work', async () => {
    const patientId = await aPatient();
    const code = (body: Body) => outcome('POST', LIST, { patientId, ...body });
    expect(await code({ doctorId: newId() })).toBe('EMPLOYEE_NOT_FOUND');
    expect(await code({ clinicId: newId() })).toBe('CLINIC_NOT_FOUND');
    expect(await outcome('POST', LIST, { patientId: newId(), doctorId: doctor.id })).toBe('PATIENT_NOT_FOUND');
    await within(async (work) => {
      const own = records(work, clinics);
      await own.update(await own.lock(ent.id), { status: 'inactive' } as never);
    });
    expect(await code({ clinicId: ent.id })).toBe('CLINIC_INACTIVE');
    const one = await wait(patientId);
    expect(await outcome('PUT', `${LIST}/${one.id}`, { clinicId: ent.id })).toBe('CLINIC_INACTIVE');
    expect(await outcome('PUT', `${LIST}/${one.id}`, { doctorId: null })).toBe('VALIDATION_FAILED');
    const changed = await success<ShownWaitingEntry>('PUT', `${LIST}/${one.id}`, {
      priority: 'urgent',
      untilDate: day(9),
    });
    expect(changed).toMatchObject({ priority: 'urgent', untilDate: `${day(9)}T00:00:00.000Z`, doctorId: doctor.id });
    // On one day alone.
    expect(await outcome('PUT', `${LIST}/${one.id}`, { fromDate: day(9) })).toBe(200);
    expect(await outcome('PUT', `${LIST}/${one.id}`, { untilDate: day(9) })).toBe(200);
    expect(await outcome('PUT', `${LIST}/${one.id}`, { untilDate: day(8) })).toBe('VALIDATION_FAILED');
  });
});
