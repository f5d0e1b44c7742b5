/** Desks that book at the same time. */
import type { ShownAppointment, ShownSlot } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import type { Patient } from '@hms/domain/patients';
import type { Schedule } from '@hms/domain/schedules';
import type { TestAnswer } from '@hms/service/testing';
import { aPatient, type People } from './people.ts';
import { isDone, outcome, type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';

const DESKS = 50;
const BOOKERS = 20;
const SEATS = 10;
const CLASS = 60;
const APPOINTMENTS = '/api/queue/appointments';

export const APPOINTMENT_SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [
  oneSlot,
  oneClass,
  twoDoctors,
  changedSchedule,
  movesAndCancellations,
];

/** A doctor who works on a day of next week, from 08:00 to 20:00. */
interface Working {
  readonly doctor: Employee;
  readonly schedule: Schedule;
  readonly slots: readonly ShownSlot[];
}

let doctors = 0;

async function working(people: People, capacity = 1): Promise<Working> {
  doctors += 1;
  const code = `D${doctors}`;
  const doctor = await people.do<Employee>('ADMIN', 'employees', {
    ...{ firstName: 'Gregory', lastName: code, email: `${code}@example.org`, roles: ['DOCTOR'] },
  });
  const clinic = await people.do<Clinic>('ADMIN', 'clinics', { code, name: `Clinic ${code}` });
  const date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const schedule = await people.do<Schedule>('ADMIN', 'schedules', {
    ...{ doctorId: doctor.id, clinicId: clinic.id, weekday: new Date(date).getUTCDay() || 7, validFrom: date },
    ...{ startTime: '08:00', endTime: '20:00', slotMinutes: 30, capacity },
  });
  const answer = await people.send('NURSE', 'GET', `/api/queue/slots?doctorId=${doctor.id}&date=${date}`);
  return { doctor, schedule, slots: answer.data<ShownSlot[]>() };
}

const book = (people: People, { id: patientId }: Pick<Patient, 'id'>, { doctorId, startsAt }: ShownSlot) =>
  people.send('NURSE', 'POST', APPOINTMENTS, { patientId, doctorId, startsAt });

/** Frees the slots of a round for the next one. */
async function cancel(people: People, answers: readonly TestAnswer[]): Promise<void> {
  for (const answer of answers.filter(isDone)) {
    const { id, version } = answer.data<ShownAppointment>();
    await people.do('NURSE', `${APPOINTMENTS}/${id}/cancel`, { reason: 'The round is over', version });
  }
}

/** 50 desks want one slot for 50 patients. */
async function oneSlot(people: People): Promise<Proof> {
  const patients = await Promise.all(Array.from({ length: DESKS }, () => aPatient(people)));
  const { slots } = await working(people);
  const answers = await Promise.all(patients.map((patient) => book(people, patient, slots[0] as ShownSlot)));
  return {
    scenario: `${DESKS} desks book one slot`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} have the slot`),
      ...unexpected(answers, ['SLOT_TAKEN']),
    ],
  };
}

/** 60 people want one of the ten seats of a class. */
async function oneClass(people: People): Promise<Proof> {
  const patients = await Promise.all(Array.from({ length: CLASS }, () => aPatient(people)));
  const { slots } = await working(people, SEATS);
  const answers = await Promise.all(patients.map((patient) => book(people, patient, slots[0] as ShownSlot)));
  const seats = answers.filter(isDone).map((answer) => answer.data<ShownAppointment>().seat);
  return {
    scenario: `${CLASS} desks book the ${SEATS} seats of a class`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(seats.length === SEATS, `${seats.length} have a seat`),
      ...unless(new Set(seats).size === seats.length, 'two have the same seat'),
      ...unexpected(answers, ['SLOT_TAKEN']),
    ],
  };
}

/** Two desks book one patient at one time, with two doctors. */
async function twoDoctors(people: People): Promise<Proof> {
  const [one, other] = [await working(people), await working(people)];
  return repeated('a patient with two doctors at one time', async () => {
    const patient = await aPatient(people);
    const answers = await Promise.all([one, other].map(({ slots }) => book(people, patient, slots[0] as ShownSlot)));
    await cancel(people, answers);
    const violations = [
      ...unless(succeeded(answers) === 1, `the patient has ${succeeded(answers)} appointments`),
      ...unexpected(answers, ['PATIENT_DOUBLE_BOOKED']),
    ];
    return { answers, violations };
  });
}

/** The doctor comes at 14:00 from now on, while 20 desks book the whole day. */
async function changedSchedule(people: People): Promise<Proof> {
  const patients = await Promise.all(Array.from({ length: BOOKERS }, () => aPatient(people)));
  return repeated(`a schedule is changed while ${BOOKERS} desks book`, async () => {
    const { doctor, schedule, slots } = await working(people);
    const changing = people.send('ADMIN', 'PUT', `schedules/${schedule.id}`, { startTime: '14:00' });
    const booking = patients.map((patient, index) => book(people, patient, slots[index] as ShownSlot));
    const [changed, answers] = [await changing, await Promise.all(booking)];
    const path = `${APPOINTMENTS}/broken?doctorId=${doctor.id}`;
    const broken = (await people.send('NURSE', 'GET', path)).data<ShownAppointment[]>();
    const violations = answers.flatMap((answer, index) => {
      const { startsAt } = slots[index] as ShownSlot;
      const fits = !isDone(changed) || startsAt.slice(11, 16) >= '14:00';
      return unless(isDone(answer) === fits, `${startsAt} was answered with ${outcome(answer)}`);
    });
    await cancel(people, answers);
    return {
      answers: [changed, ...answers],
      violations: [
        ...violations,
        ...unless(broken.length === 0, `${broken.length} appointments are broken, and nobody has accepted that`),
        ...unexpected([changed], ['BREAKS_APPOINTMENTS']),
        ...unexpected(answers, ['OUTSIDE_SCHEDULE']),
      ],
    };
  });
}

/** One desk moves an appointment while another cancels it. */
async function movesAndCancellations(people: People): Promise<Proof> {
  const { slots } = await working(people);
  const [slot, other] = slots as [ShownSlot, ShownSlot];
  return repeated('move against cancel', async () => {
    const patient = await aPatient(people);
    const { id } = (await book(people, patient, slot)).data<ShownAppointment>();
    const answers = await Promise.all([
      people.send('NURSE', 'POST', `${APPOINTMENTS}/${id}/reschedule`, { startsAt: other.startsAt }),
      people.send('NURSE', 'POST', `${APPOINTMENTS}/${id}/cancel`, {}),
    ]);
    const [moved, cancelled] = answers;
    const path = `${APPOINTMENTS}?patientId=${patient.id}&status=booked`;
    const left = (await people.send('NURSE', 'GET', path)).data<ShownAppointment[]>();
    await cancel(people, [moved]);
    const violations = [
      ...unless(isDone(moved) !== isDone(cancelled), `${succeeded(answers)} of the two happened`),
      ...unless(left.length === (isDone(moved) ? 1 : 0), `${left.length} appointments are left`),
      ...unexpected(answers, ['INVALID_STATE']),
    ];
    return { answers, violations };
  });
}
