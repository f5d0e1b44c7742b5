/** What the mails about an appointment and the page behind their links have in common. */
import { records, type Work } from '@hms/service';
import type { Appointment } from '../appointments/appointments.ts';
import { clinics } from '../clinics/clinics.ts';
import { employees } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';

export function hasBegun({ trx }: Work, { startsAt }: Pick<Appointment, 'startsAt'>): boolean {
  return Date.parse(startsAt) <= trx.moment.getTime();
}

/** With whom and where an appointment is. */
export async function namesOf(work: Work, { doctorId, clinicId }: Pick<Appointment, 'doctorId' | 'clinicId'>) {
  const [doctor, clinic] = await Promise.all([
    records(work, employees).find(doctorId),
    records(work, clinics).find(clinicId),
  ]);
  return { doctorName: doctor ? nameOf(doctor) : '', clinicName: clinic?.name ?? '' };
}
