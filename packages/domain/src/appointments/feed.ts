/** Appointments in the order of their last change. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';

export const appointmentFeed: Feed<'patient' | 'doctor' | 'clinic' | 'appointmentNo' | 'startsAt' | 'status'> = {
  rows: () => build.from('appointments').whereNull('deleted_at').whereNot('status', 'held'),
  id: 'id',
  changedAt: 'updated_at',
  fields: {
    patient: 'patient_id',
    doctor: 'doctor_id',
    clinic: 'clinic_id',
    appointmentNo: 'appointment_no',
    startsAt: 'starts_at',
    status: 'status',
  },
};
