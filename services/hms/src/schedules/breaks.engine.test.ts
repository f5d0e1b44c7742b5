/** Changes of when a doctor works, which would leave appointments without a slot. */
import { book } from '@hms/domain/appointments';
import { patients } from '@hms/domain/patients';
import { momentOf, type Schedule } from '@hms/domain/schedules';
import { records, type Work, workFor } from '@hms/service';
import { describe, expect, it } from '@jest/globals';
import {
  ABSENCES,
  admin,
  call,
  day,
  doctor,
  hms,
  mary,
  newAbsence,
  newDoctor,
  newSchedule,
  next,
  outcome,
  SCHEDULES,
} from './testing.ts';

interface Refusal {
  readonly appointments: readonly { readonly id: string; readonly appointmentNo: string; readonly startsAt: string }[];
  readonly count: number;
  readonly breaks: string;
}

const within = <Result>(work: (work: Work) => Promise<Result>) => workFor(hms.platform, mary.hospital, 'test', work);
/** On a Monday, at which nobody is late. */
const monday = () => next(1, 1);

/** Books the slot of the doctor that begins then. @param time by the clock of the hospital */
async function booked(time: string, doctorId = doctor.id, date = monday()) {
  return within(async (work) => {
    const values = { firstName: 'Nora', lastName: 'Quinn', phone: '+353861234567', dateOfBirth: '1990-05-17' };
    const { id: patientId } = await records(work, patients).insert(values);
    const startsAt = new Date(momentOf(date, time, work.hospital.timezone)).toISOString();
    return book(work, { patientId, doctorId, startsAt });
  });
}

async function refused(method: string, path: string, body?: Readonly<Record<string, unknown>>): Promise<Refusal> {
  const { error } = await call(method, path, body);
  expect(error?.code).toBe('BREAKS_APPOINTMENTS');
  return error?.details as object as Refusal;
}

describe('a change that breaks appointments', () => {
  it('is refused, names them, and is made for whoever has seen them', async () => {
    const schedule = await newSchedule();
    const [early, late] = [await booked('08:00'), await booked('11:00')];
    const path = `${SCHEDULES}/${schedule.id}`;
    const later = { startTime: '09:00', from: monday() };
    const { appointments, count, breaks } = await refused('PUT', path, later);
    expect(count).toBe(1);
    expect(appointments).toEqual([expect.objectContaining({ id: early.id, appointmentNo: early.appointmentNo })]);
    expect(Date.parse(appointments[0]?.startsAt ?? '')).toBe(Date.parse(early.startsAt));
    // Nothing has changed.
    expect((await call('GET', path)).data<Schedule>()).toMatchObject({ startTime: '08:00', validTo: null, version: 1 });
    const changed = (await call('PUT', path, { ...later, breaks })).data<Schedule>();
    expect(changed.startTime).toBe('09:00');
    // What is broken already is not asked again.
    expect(await outcome('PUT', `${SCHEDULES}/${changed.id}`, { startTime: '10:00', from: monday() })).toBe(200);
    expect(late.status).toBe('booked');
  });

  it('names those for whom there is no place any more, if it takes fewer', async () => {
    const schedule = await newSchedule({ capacity: 3 });
    const [, second, third] = [await booked('08:00'), await booked('08:00'), await booked('08:00')];
    await booked('09:00');
    const path = `${SCHEDULES}/${schedule.id}`;
    const { appointments, breaks } = await refused('PUT', path, { capacity: 1, from: monday() });
    expect(appointments.map(({ id }) => id)).toEqual([second.id, third.id].sort());
    expect((await refused('PUT', path, { capacity: 2, from: monday() })).appointments).toMatchObject([
      { id: third.id },
    ]);
    expect(await outcome('PUT', path, { capacity: 1, from: monday(), breaks })).toBe(200);
  });

  it('is refused again, if somebody has booked meanwhile', async () => {
    const schedule = await newSchedule();
    await booked('08:00');
    const path = `${SCHEDULES}/${schedule.id}`;
    const change = { slotMinutes: 60, from: monday() };
    const { breaks } = await refused('PUT', path, change);
    const other = await booked('08:30');
    const again = await refused('PUT', path, { ...change, breaks });
    expect([again.count, again.appointments[1]?.id]).toEqual([2, other.id]);
    expect(await outcome('PUT', path, { ...change, breaks: again.breaks })).toBe(200);
  });

  it.each([
    [
      'the end of a schedule',
      (schedule: Schedule) => ['PUT', `${SCHEDULES}/${schedule.id}`, { validTo: next(1) }] as const,
    ],
    ['its removal', (schedule: Schedule) => ['DELETE', `${SCHEDULES}/${schedule.id}`, undefined] as const],
    [
      'an absence',
      () =>
        [
          'POST',
          ABSENCES,
          { doctorId: doctor.id, kind: 'sick', from: `${monday()}T08:00`, to: `${monday()}T09:00` },
        ] as const,
    ],
  ])('may be %s', async (name, change) => {
    const schedule = await newSchedule(name === 'its removal' ? { validFrom: day(1) } : {});
    const { id } = await booked('08:00');
    const [method, path, body] = change(schedule);
    const { appointments, breaks } = await refused(method, path, body);
    expect(appointments).toMatchObject([{ id }]);
    const [accepting, whole] = body ? [path, { ...body, breaks }] : [`${path}?breaks=${breaks}`, undefined];
    expect(await outcome(method, accepting, whole)).toBe(method === 'POST' ? 201 : 200);
  });

  it('may be a longer absence', async () => {
    await newSchedule();
    await booked('10:00');
    const { id } = await newAbsence({ from: `${monday()}T08:00`, to: `${monday()}T09:00` });
    const change = { to: `${monday()}T10:15` };
    const { breaks } = await refused('PUT', `${ABSENCES}/${id}`, change);
    expect(await outcome('PUT', `${ABSENCES}/${id}`, { ...change, breaks })).toBe(200);
  });

  it('is none if the appointments are of somebody else, or keep their slots', async () => {
    const schedule = await newSchedule();
    const other = await newDoctor();
    await newSchedule({ doctorId: other.id });
    await booked('08:00', other.id);
    await booked('11:00');
    const path = `${SCHEDULES}/${schedule.id}`;
    expect(await outcome('PUT', path, { startTime: '10:00', from: monday() })).toBe(200);
    expect(await outcome('PUT', `${SCHEDULES}/${schedule.id}`, { breaks: 'x'.repeat(65) }, admin)).toBe(
      'VALIDATION_FAILED',
    );
  });
});
