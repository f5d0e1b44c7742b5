/** A hospital in which something of each type of FHIR has happened, for the tests. */
import type { ShownAppointment } from '@hms/domain/appointments';
import type { Clinic } from '@hms/domain/clinics';
import type { Employee } from '@hms/domain/employees';
import { createSchedule, type Schedule, weekdayOf } from '@hms/domain/schedules';
import { type FhirAnswer, readFhir } from '@hms/service/fhir/testing';
import { beforeEach, expect } from '@jest/globals';
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { aClinic, aDoctor, aPatient, aRoom, at, call, day, nurse, queue, useQueue, within } from '../testing.ts';

const FHIR = '/api/queue/fhir/R4';
export const TYPES = ['Schedule', 'Appointment'];

interface BusyHospital {
  readonly clinic: Clinic;
  readonly roomId: string;
  readonly doctor: Employee;
  readonly patientId: string;
  /** Every week on one day, from 9 to 10, with three times. */
  readonly schedule: Schedule;
  /** At 9:20 on the first of these days. */
  readonly appointment: ShownAppointment;
}
export let busy: BusyHospital;

/** Each test has a hospital of its own, which is `busy`. */
export function useBusyHospital(): void {
  useQueue();
  beforeEach(async () => {
    const clinic = await aClinic('ENT', { name: 'Ear, nose and throat' });
    const [roomId, doctor, patientId] = [await aRoom(clinic, 'Room 1'), await aDoctor(), await aPatient()];
    const places = { doctorId: doctor.id, clinicId: clinic.id, roomId };
    const times = { weekday: weekdayOf(day(3)), startTime: '09:00', endTime: '10:00', slotMinutes: 20, capacity: 1 };
    const schedule = await within((work) => createSchedule(work, { ...places, ...times, validFrom: day(3) }));
    const visit = { patientId, doctorId: doctor.id, startsAt: at(3, '09:20'), reason: 'Cough' };
    const appointment = (await call('POST', 'appointments', visit)).data<ShownAppointment>();
    busy = { clinic, roomId, doctor, patientId, schedule, appointment };
  });
}

/** @param path path and query after the base, or a whole link. */
export async function fhir<Body = Bundle<FhirResource>>(path: string, token = nurse): Promise<FhirAnswer<Body>> {
  const own = path.startsWith('http') ? path.slice(path.indexOf('/api/')) : `${FHIR}/${path}`;
  return readFhir<Body>(`${queue.url}${own}`, token);
}

export async function found(path: string, token = nurse): Promise<FhirResource[]> {
  const { status, body } = await fhir(path, token);
  expect([path, status, body.resourceType]).toEqual([path, 200, 'Bundle']);
  return (body.entry ?? []).flatMap(({ resource }) => resource ?? []);
}
export const ids = async (path: string) => (await found(path)).map(({ id }) => id);
