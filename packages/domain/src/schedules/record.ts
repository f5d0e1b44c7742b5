/** The declaration of schedules, and their errors. */
import { declareConstraints, type ErrorKind, fields, queryBoolean, record } from '@hms/service';
import { z } from 'zod';
import { doctorIds } from '../employees/doctors.ts';
import { endTime, startTime } from './clock.ts';
import type { Plan } from './rules.ts';

export const schedules = record('schedules', {
  name: 'schedule',
  fields: {
    doctorId: fields.id.describe('An active or invited employee with the role DOCTOR'),
    clinicId: fields.id,
    roomId: fields.id.nullish().describe('A room of the clinic'),
    weekday: z.int().min(1).max(7).describe('1 is Monday, 7 is Sunday'),
    startTime: startTime.describe('By the clock of the hospital'),
    endTime: endTime.describe('After the start. `24:00` is the end of the day'),
    slotMinutes: z.int().min(5).max(480).optional().describe('Minutes of an appointment. Default: that of the clinic'),
    capacity: z.int().min(1).max(100).default(1).describe('How many people can have the same appointment'),
    validFrom: fields.day.optional().describe('The first day. Default: today'),
    validTo: fields.day.nullish().describe('The last day. Null: until somebody ends it'),
  },
  sort: ['validFrom'],
  filters: ['doctorId', 'clinicId', 'roomId', 'weekday'],
  moreFilters: {
    since: {
      schema: fields.isoDate.describe('Only those that hold on this day or later'),
      where: (rows, day) =>
        void rows.where((either) => void either.whereNull('valid_to').orWhere('valid_to', '>=', day as string)),
    },
    isPaused: {
      schema: queryBoolean().describe('Those whose doctor is suspended, or has no role DOCTOR any more'),
      where: (rows, isPaused) =>
        void (isPaused ? rows.whereNotIn('doctor_id', doctorIds()) : rows.whereIn('doctor_id', doctorIds())),
    },
  },
  live: true,
});
export type Schedule = z.output<typeof schedules.item>;

/** The hours of a schedule, with its days as `YYYY-MM-DD`. */
export function hoursOf({ weekday, startTime, endTime, slotMinutes, validFrom, validTo }: Schedule): Plan {
  return {
    ...{ weekday, startTime, endTime },
    // Every schedule has them. They are optional when it is created.
    slotMinutes: Number(slotMinutes),
    validFrom: String(validFrom).slice(0, 10),
    validTo: validTo === null ? null : validTo.slice(0, 10),
  };
}

export const SCHEDULE_OVERLAP: ErrorKind = {
  status: 422,
  code: 'SCHEDULE_OVERLAP',
  message: 'The doctor or the room has another schedule at this time: details.schedule has it',
};
export const SCHEDULE_BEGUN: ErrorKind = {
  status: 409,
  code: 'SCHEDULE_BEGUN',
  message: 'This schedule has begun, and what has been stays: end it instead',
};
export const SCHEDULE_ENDED: ErrorKind = {
  status: 409,
  code: 'SCHEDULE_ENDED',
  message: 'This schedule has ended, and what has been stays: create a new one',
};
export const ROOM_OF_OTHER_CLINIC: ErrorKind = {
  status: 422,
  code: 'ROOM_OF_OTHER_CLINIC',
  message: 'This room belongs to another clinic: choose one of this clinic',
};

declareConstraints({
  schedules_doctor: SCHEDULE_OVERLAP,
  schedules_room: SCHEDULE_OVERLAP,
});
