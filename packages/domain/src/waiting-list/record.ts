/** The declaration of the waiting list, and its errors. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { peopleMatching, samePersonIds } from '../patients/record.ts';
import { endTime, startTime } from '../schedules/clock.ts';

/** The states of an entry that is still open. */
export const OPEN = ['waiting', 'offered'] as const;

export const waitingList = record('waiting_list', {
  name: 'waiting list entry',
  fields: {
    doctorId: fields.id.nullish().describe('Null: any doctor of the clinic'),
    clinicId: fields.id.nullish().describe('Null: any clinic of the doctor'),
    visitTypeId: fields.id.nullish().describe('How long the visit takes. Null: as long as a slot of the schedule'),
    fromDate: fields.day.nullish().describe('The first day that suits. Null: any'),
    untilDate: fields.day.nullish().describe('The last day that suits. Null: any'),
    fromTime: startTime.nullish().describe('The earliest begin that suits, by the clock of the hospital. Null: any'),
    untilTime: endTime.nullish().describe('By which time the appointment must be over. Null: any'),
    priority: z.enum(['urgent', 'usual']).default('usual').describe('Who is urgent comes before the others'),
    reason: fields.line(200).nullish().describe('Why the patient comes'),
    notes: fields.line(500).nullish().describe('For the staff'),
  },
  set: {
    patientId: fields.id,
    appointmentId: fields.id.nullable().describe('The time that is offered, or was booked'),
    endedAt: fields.instant.nullable().describe('When the patient got a time, or was taken off the list'),
    endReason: fields.line(200).nullable(),
  },
  states: {
    waiting: ['offered', 'booked', 'withdrawn'],
    offered: ['waiting', 'booked', 'withdrawn'],
    booked: [],
    withdrawn: [],
  },
  sort: ['priority'],
  defaultSort: 'priority',
  filters: ['status', 'doctorId', 'clinicId', 'priority'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Of this patient, and of those who are one person with them'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    isOpen: {
      schema: z.enum(['true', 'false']).describe('Only those who still wait or have an offer, or only the others'),
      where: (rows, value) => void (value === 'true' ? rows.whereIn('status', OPEN) : rows.whereNotIn('status', OPEN)),
    },
  },
  search: {
    also: (text, precision) =>
      build.from('waiting_list').select('id').whereIn('patient_id', peopleMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type WaitingEntry = z.output<typeof waitingList.item>;

export const newWaitingEntry = waitingList.create.extend({ patientId: fields.id }).meta({ id: 'NewWaitingListEntry' });
export const withdrawal = z
  .object({ reason: fields.line(200).optional(), version: fields.version })
  .meta({ id: 'WaitingListWithdrawal' });
export const bookingOfEntry = z
  .object({
    doctorId: fields.id,
    startsAt: fields.instant.describe('The begin of a slot, with an offset or in UTC'),
    version: fields.version,
  })
  .meta({ id: 'WaitingListBooking' });

export const shownWaitingEntry = itemWith(waitingList, {
  patientCode: z.string(),
  patientName: z.string(),
  patientPhone: z.string().nullable(),
  doctorName: z.string().nullable(),
  clinicName: z.string().nullable(),
  visitTypeName: z.string().nullable(),
  offer: z
    .object({
      startsAt: z.iso.datetime({ offset: true }).describe('With the offset of the hospital'),
      doctorName: z.string(),
      expiresAt: z.iso.datetime({ offset: true }).describe('How long the time is kept'),
    })
    .nullable()
    .describe('The time that is offered at the moment'),
}).meta({ id: 'ShownWaitingListEntry' });
export type ShownWaitingEntry = z.output<typeof shownWaitingEntry>;

export const WAITING_ENTRY_NOT_FOUND: ErrorKind = waitingList.notFound;
export const ALREADY_ON_WAITING_LIST: ErrorKind = {
  status: 409,
  code: 'ALREADY_ON_WAITING_LIST',
  message: 'The patient is on the waiting list for this doctor and clinic: change that entry instead',
};
declareConstraints({ waiting_list_one: ALREADY_ON_WAITING_LIST });
