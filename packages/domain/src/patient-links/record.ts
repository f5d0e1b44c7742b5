/** What a patient sees by a link, and the errors. */
import { type ErrorKind, fields } from '@hms/service';
import { z } from 'zod';
import type { Appointment } from '../appointments/record.ts';
import { type EntryState, LIVE } from '../queue/record.ts';

/** The states in which a patient can answer. */
export const ANSWERABLE = ['offered', 'booked', 'confirmed'] as const;

const ENDED = ['completed', 'cancelled', 'no_show', 'rescheduled'] as const;
const appointmentState: z.ZodType<Appointment['status']> = z.enum([
  ...ANSWERABLE,
  'checked_in',
  'in_consultation',
  ...ENDED,
]);
const turnState: z.ZodType<EntryState> = z.enum([...LIVE, 'done', 'no_show', 'cancelled']);

/** A signed link has some 300 characters. */
const MOST_CHARACTERS = 600;
const CHARACTERS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
export const link = z
  .string()
  .max(MOST_CHARACTERS)
  .regex(CHARACTERS, 'must be the part of the link behind #')
  .describe('The part of the link behind #');

export const answer = z
  .enum(['yes', 'no'])
  .describe('`yes` takes an offer, or confirms an appointment. `no` declines or cancels it');
export type Answer = z.output<typeof answer>;

export const visit = z
  .object({
    hospital: z.object({
      name: z.string(),
      timezone: z.string(),
      phone: z.string().nullable(),
    }),
    language: z.string().describe('BCP 47: that of the patient, or of the hospital'),
    firstName: z.string().nullable().describe('Of the patient'),
    appointment: z
      .object({
        startsAt: fields.timestamp,
        endsAt: fields.timestamp,
        doctorName: z.string(),
        clinicName: z.string(),
        status: appointmentState,
        offerExpiresAt: fields.timestamp.nullable(),
      })
      .nullable(),
    answers: z.array(answer).describe('What can be answered with this link now. Empty after an answer'),
    queue: z
      .object({
        label: z.string().describe('The token, such as `A-012`'),
        clinicName: z.string(),
        status: turnState,
        roomName: z.string().nullable().describe('Where the person was called to'),
        ahead: z.int().nullable().describe('How many people are called before. Null if the person does not wait'),
        etaP50: z.int().nullable().describe('Minutes. Half of the people wait longer'),
        etaP80: z.int().nullable().describe('Minutes. One in five waits longer'),
      })
      .nullable()
      .describe('Once the patient has a token'),
  })
  .meta({ id: 'PatientVisit' });
export type Visit = z.output<typeof visit>;

export const LINK_INVALID: ErrorKind = {
  status: 404,
  code: 'LINK_INVALID',
  message: 'The link is not complete, or not from this hospital: open it from the message again',
};
export const LINK_EXPIRED: ErrorKind = {
  status: 410,
  code: 'LINK_EXPIRED',
  message: 'The link has expired: it works until the day of the visit is over',
};
export const LINK_USED: ErrorKind = {
  status: 409,
  code: 'LINK_USED',
  message: 'This link was answered before, or the appointment has changed: call the hospital to change it again',
};
export const TOO_LATE_TO_ANSWER: ErrorKind = {
  status: 409,
  code: 'TOO_LATE_TO_ANSWER',
  message: 'The appointment has begun: call the hospital',
};
