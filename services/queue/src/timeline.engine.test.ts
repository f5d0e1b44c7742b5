/** What the timeline of a patient says about appointments, visits and the waiting list. */
import type { ShownAppointment } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import { readTimeline } from '@hms/domain/timeline';
import type { ShownWaitingEntry } from '@hms/domain/waiting-list';
import { beforeEach, expect, it } from '@jest/globals';
import { aClinic, aDoctor, aPatient, at, call, callNext, hours, join, take, useQueue, within } from './testing.ts';

useQueue();

let ent: Clinic;
let doctor: Employee;
let patientId: string;

beforeEach(async () => {
  [ent, doctor, patientId] = [await aClinic('ENT', { tokenPrefix: 'A' }), await aDoctor(), await aPatient()];
  await hours(doctor, ent, 1);
});

type Body = Readonly<Record<string, unknown>>;

async function success<Data>(method: string, path: string, body?: Body): Promise<Data> {
  const answer = await call(method, path, body);
  expect([path, answer.error]).toEqual([path, undefined]);
  return answer.data<Data>();
}
const book = (time: string) =>
  success<ShownAppointment>('POST', 'appointments', { patientId, doctorId: doctor.id, startsAt: at(1, time) });
const step = (path: string, verb: string, body: Body = {}) =>
  success<ShownAppointment>('POST', `${path}/${verb}`, body);
/** As if an appointment were now. */
const now = ({ id }: { readonly id: string }) =>
  within(({ trx }) =>
    trx.query(`UPDATE appointments SET starts_at = now(), ends_at = now() + interval '20 minutes' WHERE id = $1`, [id]),
  );
const events = async (permissions: readonly string[]) =>
  (
    await within((work) => readTimeline(work, patientId, { page: 1, limit: 50, permissions: new Set(permissions) }))
  ).data.toReversed();

it('has appointments with their doctor, and what became of each', async () => {
  const [kept, other, missed] = [await book('09:00'), await book('10:00'), await book('11:00')];
  const moved = await step(`appointments/${kept.id}`, 'reschedule', { startsAt: at(1, '09:40') });
  await step(`appointments/${other.id}`, 'cancel', { reason: 'Has a cold' });
  await step(`appointments/${missed.id}`, 'no-show');
  const found = await events(['appointments.read']);
  expect(found.map(({ kind, recordId }) => [kind, recordId])).toEqual([
    ['appointment.booked', kept.id],
    ['appointment.booked', other.id],
    ['appointment.booked', missed.id],
    ['appointment.moved', moved.id],
    ['appointment.cancelled', other.id],
    ['appointment.missed', missed.id],
  ]);
  expect(found[4]?.details).toMatchObject({
    ...{ appointmentNo: other.appointmentNo, doctorName: 'Gregory House', reason: 'Has a cold' },
    startsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
  });
  // Who comes late has not missed it.
  await now(missed);
  await step(`appointments/${missed.id}`, 'check-in');
  expect((await events(['appointments.read'])).map(({ kind }) => kind)).not.toContain('appointment.missed');
});

it('has each visit with its token: with an appointment to its end, and without one', async () => {
  const appointment = await book('09:00');
  await now(appointment);
  await step(`appointments/${appointment.id}`, 'check-in');
  const called = await callNext(ent);
  if (!called) throw new Error('nobody was called');
  await take(called, 'serve');
  await take(called, 'done');
  const gone = await join(ent, { patientId });
  await take(gone, 'cancel', { reason: 'Went home' });
  const found = await events(['appointments.read', 'queue.read']);
  const kinds = found.map(({ kind, details }) => [kind, details.token ?? details.appointmentNo]);
  expect(kinds).toHaveLength(7);
  expect(kinds).toEqual(
    expect.arrayContaining([
      ['appointment.booked', appointment.appointmentNo],
      ['queue.came', called.label],
      ['queue.served', called.label],
      ['queue.done', called.label],
      ['appointment.completed', appointment.appointmentNo],
      ['queue.came', gone.label],
      ['queue.left', gone.label],
    ]),
  );
  expect(found.find(({ kind }) => kind === 'queue.left')?.details).toMatchObject({
    clinicName: 'Clinic ENT',
    reason: 'Went home',
  });
  // The last step is undone: the visit is not over.
  await take(called, 'undo');
  const after = (await events(['appointments.read', 'queue.read'])).map(({ kind }) => kind);
  expect(after).not.toContain('queue.done');
  expect(after).not.toContain('appointment.completed');
});

it('has the waiting list, and what was booked or offered from it', async () => {
  const wish = { patientId, doctorId: doctor.id };
  const one = await success<ShownWaitingEntry>('POST', 'waiting-list', wish);
  await step(`waiting-list/${one.id}`, 'withdraw', { reason: 'Moved away' });
  const two = await success<ShownWaitingEntry>('POST', 'waiting-list', wish);
  await step(`waiting-list/${two.id}`, 'book', { doctorId: doctor.id, startsAt: at(1, '09:00') });
  const found = await events(['appointments.read']);
  expect(found.map(({ kind, recordId }) => [kind, recordId])).toEqual(
    expect.arrayContaining([
      ['waiting.joined', one.id],
      ['waiting.withdrawn', one.id],
      ['waiting.joined', two.id],
      ['waiting.booked', two.id],
      ['appointment.booked', expect.any(String)],
    ]),
  );
  expect(found).toHaveLength(5);
  expect(found[1]?.details).toMatchObject({ doctorName: 'Gregory House', reason: 'Moved away' });
});

it('has nothing that the reader may not see', async () => {
  await book('09:00');
  await join(ent, { patientId });
  expect((await events(['queue.read'])).map(({ kind }) => kind)).toEqual(['queue.came']);
  expect(await events([])).toEqual([]);
});
