/** The declaration of appointments, and their errors. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { peopleMatching, samePersonIds } from '../patients/record.ts';

/** The states of an appointment that takes a place. */
export const TAKING = ['offered', 'booked', 'confirmed', 'checked_in', 'in_consultation'] as const;

export const appointments = record('appointments', {
  name: 'appointment',
  code: { field: 'appointmentNo', series: 'appointment', letters: 'APT' },
  fields: {
    reason: fields.line(200).nullish().describe('Why the patient comes'),
    notes: fields.line(500).nullish().describe('For the staff'),
  },
  set: {
    patientId: fields.id,
    doctorId: fields.id,
    clinicId: fields.id,
    roomId: fields.id.nullable(),
    visitTypeId: fields.id.nullable().describe('The type of visit, whose length it had at the booking'),
    startsAt: fields.instant,
    endsAt: fields.instant,
    seat: z.int().describe('Of those who have the same time with the doctor'),
    rescheduledFromId: fields.id.nullable().describe('The appointment in whose place this one is'),
    seriesId: fields.id.nullable().describe('The same for all appointments of a series'),
    waitingEntryId: fields.id.nullable().describe('The entry of the waiting list that got this time'),
    offerExpiresAt: fields.instant.nullable().describe('How long the time is kept for somebody of the waiting list'),
    endedAt: fields.instant.nullable().describe('When it was completed, cancelled, missed or rescheduled'),
    endReason: fields.line(200).nullable(),
  },
  states: {
    offered: ['booked', 'cancelled'],
    booked: ['confirmed', 'checked_in', 'cancelled', 'no_show', 'rescheduled'],
    confirmed: ['checked_in', 'cancelled', 'no_show', 'rescheduled'],
    checked_in: ['in_consultation', 'cancelled', 'no_show'],
    in_consultation: ['completed', 'checked_in'],
    completed: [],
    cancelled: [],
    no_show: ['checked_in'],
    rescheduled: [],
  },
  sort: ['startsAt'],
  defaultSort: 'startsAt',
  filters: ['appointmentNo', 'doctorId', 'clinicId', 'status', 'seriesId', 'waitingEntryId'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Of this patient, and of those who are one person with them'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    startsFrom: {
      schema: fields.instant,
      where: (rows, at) => void rows.where('starts_at', '>=', at as string),
    },
    startsBefore: {
      schema: fields.instant,
      where: (rows, at) => void rows.where('starts_at', '<', at as string),
    },
  },
  search: {
    also: (text, precision) =>
      build.from('appointments').select('id').whereIn('patient_id', peopleMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
  // The others are holds.
  only: "status <> 'held'",
});
export type Appointment = z.output<typeof appointments.item>;

const time = fields.instant.describe('The begin of a slot, with an offset or in UTC');
export const newAppointment = appointments.create
  .extend({
    ...{ patientId: fields.id, doctorId: fields.id, startsAt: time },
    visitTypeId: fields.id.nullish().describe('How long it takes. Null: as long as a slot of the schedule'),
  })
  .meta({ id: 'NewAppointment' });
export const newHold = newAppointment
  .pick({ doctorId: true, startsAt: true, visitTypeId: true })
  .meta({ id: 'NewAppointmentHold' });

/** A year, and what one transaction can book quickly. */
const MOST_TIMES = 52;
export const newSeries = newAppointment
  .extend({
    everyWeeks: z.int().min(1).max(52).default(1).describe('Weeks from one appointment to the next'),
    times: z.int().min(2).max(MOST_TIMES).describe('How many appointments, with the first one'),
    skipRefused: z.boolean().default(false).describe('Book the times that are possible. Default: all times or none'),
  })
  .meta({ id: 'NewAppointmentSeries' });
export const refusedTime = z.object({
  startsAt: z.iso.datetime({ offset: true }).describe('With the offset of the hospital at that time'),
  code: z.string().describe('As a booking of this time alone is refused'),
  message: z.string(),
});
export type RefusedTime = z.output<typeof refusedTime>;

export const rescheduling = z
  .object({
    startsAt: time,
    doctorId: fields.id.optional().describe('Default: the same doctor'),
    version: fields.version,
  })
  .meta({ id: 'Rescheduling' });
export const appointmentCancellation = z
  .object({ reason: fields.line(200).optional(), version: fields.version })
  .meta({ id: 'AppointmentCancellation' });

export const shownAppointment = itemWith(appointments, {
  patientCode: z.string(),
  patientName: z.string(),
  patientPhone: z.string().nullable(),
  doctorName: z.string(),
  clinicName: z.string(),
  roomName: z.string().nullable(),
  visitTypeName: z.string().nullable(),
}).meta({ id: 'ShownAppointment' });
export type ShownAppointment = z.output<typeof shownAppointment>;

export const SLOT_TAKEN: ErrorKind = {
  status: 409,
  code: 'SLOT_TAKEN',
  message: 'The doctor has no place left at this time: choose another slot',
};
export const HOLD_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'HOLD_NOT_FOUND',
  message: 'You hold no place with this id: it has expired, was booked or given back',
};
export const PATIENT_DOUBLE_BOOKED: ErrorKind = {
  status: 409,
  code: 'PATIENT_DOUBLE_BOOKED',
  message: 'The patient has another appointment at this time: cancel or reschedule that one first',
};
export const OUTSIDE_SCHEDULE: ErrorKind = {
  status: 422,
  code: 'OUTSIDE_SCHEDULE',
  message: 'No slot of the doctor begins at this time: GET /api/queue/slots lists them',
};
export const IN_THE_PAST: ErrorKind = {
  status: 422,
  code: 'IN_THE_PAST',
  message: 'This time is over: choose a slot that begins later',
};
export const TOO_FAR_AHEAD: ErrorKind = {
  status: 422,
  code: 'TOO_FAR_AHEAD',
  message: 'Appointments are possible for the next 366 days: choose an earlier slot',
};
export const SERIES_REFUSED: ErrorKind = {
  status: 409,
  code: 'SERIES_REFUSED',
  message:
    'Not all times of the series are possible: details.refused names the others. Choose another time, or skipRefused',
};
export const NO_SERIES: ErrorKind = {
  status: 409,
  code: 'NO_SERIES',
  message: 'The appointment belongs to no series: cancel it alone',
};
export const NOT_TODAY: ErrorKind = {
  status: 409,
  code: 'NOT_TODAY',
  message: 'The appointment is on another day of service: reschedule it, or give a token without it',
};

export const APPOINTMENT_NOT_FOUND: ErrorKind = appointments.notFound;
declareConstraints({
  appointments_doctor: SLOT_TAKEN,
  appointments_patient: PATIENT_DOUBLE_BOOKED,
});
