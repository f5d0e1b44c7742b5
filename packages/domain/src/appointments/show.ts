/** Appointments as people read them. */
import { records, type Work } from '@hms/service';
import { clinics } from '../clinics/clinics.ts';
import { employees } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';
import { peopleById } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { rooms } from '../rooms/rooms.ts';
import { visitTypes } from '../visit-types/visit-types.ts';
import type { Appointment, ShownAppointment } from './record.ts';

export async function showAppointment(work: Work, appointment: Appointment): Promise<ShownAppointment> {
  const [shown] = await showAppointments(work, [appointment]);
  if (!shown) throw new Error('an appointment was not shown');
  return shown;
}

export async function showAppointments(work: Work, all: readonly Appointment[]): Promise<ShownAppointment[]> {
  const named = await nameAppointments(work, all);
  const ids = [...new Set(named.map(({ personId }) => personId))];
  // Their names and numbers are shown.
  if (ids.length > 0) work.audit({ action: 'list', record: 'patients', details: { reason: 'appointments', ids } });
  return named.map(({ personId: _, ...shown }) => shown);
}

/** Adds names, and the id of the person: a merged patient is the survivor. The audit log has no event. */
export async function nameAppointments(
  work: Work,
  all: readonly Appointment[],
): Promise<(ShownAppointment & { readonly personId: string })[]> {
  const ids = (of: (one: Appointment) => string | null) => [...new Set(all.flatMap((one) => of(one) ?? []))];
  const [people, doctors, places, usedRooms, types] = await Promise.all([
    peopleById(
      work,
      ids(({ patientId }) => patientId),
    ),
    records(work, employees).byIds(ids(({ doctorId }) => doctorId)),
    records(work, clinics).byIds(ids(({ clinicId }) => clinicId)),
    records(work, rooms).byIds(ids(({ roomId }) => roomId)),
    records(work, visitTypes).byIds(ids(({ visitTypeId }) => visitTypeId)),
  ]);
  return all.map((appointment) => {
    const patient = people.get(appointment.patientId);
    const doctor = doctors.find(({ id }) => id === appointment.doctorId);
    return {
      ...appointment,
      personId: patient?.id ?? appointment.patientId,
      patientCode: patient?.patientCode ?? '',
      patientName: patient ? patientNameOf(patient) : '',
      patientPhone: patient?.phone ?? null,
      doctorName: doctor ? nameOf(doctor) : '',
      clinicName: places.find(({ id }) => id === appointment.clinicId)?.name ?? '',
      roomName: usedRooms.find(({ id }) => id === appointment.roomId)?.name ?? null,
      visitTypeName: types.find(({ id }) => id === appointment.visitTypeId)?.name ?? null,
    };
  });
}
