/** The declarations of people who wait, and their errors. */
import { declareConstraints, type ErrorKind, fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { samePersonIds } from '../patients/record.ts';

/** The states of a person who is still in the queue. */
export const LIVE = ['waiting', 'called', 'serving'] as const;

export const PRIORITIES = [0, 1, 2] as const;
const priority = z
  .int()
  .min(0)
  .max(PRIORITIES.length - 1)
  .describe('0 is usual. Each level counts as 20 minutes of waiting, so that nobody waits for ever');

/** What an estimate is taken from, the best first. */
const BASES = ['hour_of_week', 'hour_of_day', 'clinic', 'rule'] as const;
export type EstimateBasis = (typeof BASES)[number];
const basis = z.enum(BASES);

export const entries = record('queue_entries', {
  name: 'queue entry',
  fields: {
    patientId: fields.id.nullish().describe('Null: a token for somebody whom the desk does not know yet'),
    priority: priority.default(0),
    note: fields.line(200).nullish().describe('For the staff'),
  },
  set: {
    clinicId: fields.id.describe('The clinic in which the person waits'),
    issuingClinicId: fields.id.describe('The clinic whose token it is. After a transfer, `clinicId` is another one'),
    serviceDate: fields.day.describe('The day of service, for which the token is'),
    series: fields.line(4).describe('Before the number'),
    number: z.int(),
    label: fields.line(20).describe('The token, such as `A-012`'),
    appointmentId: fields.id.nullable().describe('The appointment to which the person has come'),
    tierName: fields
      .line(50)
      .nullable()
      .describe('The VIP tier that counted when the token was given. Only for the staff'),
    headStart: z.int().describe('Seconds by which a VIP goes before others of no higher priority. After a skip: 0'),
    dueAt: fields.instant.describe('When the person came, or 20 minutes before their appointment if that is later'),
    turn: fields.instant.describe('Who has the earliest is next, apart from head starts'),
    roomId: fields.id.nullable().describe('Where the person was called to'),
    joinedAt: fields.instant.describe('When the token was issued'),
    queuedAt: fields.instant.describe('When the person came to this clinic'),
    ahead: z.int().describe('How many people were ahead then'),
    estimateP50: z.int().describe('Minutes that were expected then. Half of the people wait longer'),
    estimateP80: z.int().describe('As `estimateP50`. One in five waits longer'),
    estimateBasis: basis.describe('What these minutes were taken from'),
    firstCalledAt: fields.instant.nullable().describe('When the person was first called in this clinic'),
    calledAt: fields.instant.nullable().describe('When the person was last called'),
    startedAt: fields.instant.nullable(),
    endedAt: fields.instant.nullable(),
    calls: z.int().describe('How often the person was called'),
    endReason: fields.line(200).nullable(),
  },
  states: {
    waiting: ['called', 'cancelled', 'no_show'],
    called: ['serving', 'waiting', 'no_show', 'cancelled'],
    serving: ['done', 'waiting'],
    done: [],
    // Who comes after all waits again.
    no_show: ['waiting'],
    cancelled: [],
  },
  sort: ['joinedAt'],
  defaultSort: '-joinedAt',
  filters: ['clinicId', 'status', 'roomId', 'label'],
  moreFilters: {
    serviceDate: {
      schema: fields.isoDate,
      where: (rows, day) => void rows.where('service_date', day as string),
    },
    patientId: {
      schema: fields.id.describe('Of this patient, and of those who are one person with them'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Entry = z.output<typeof entries.item>;
export type EntryState = Entry['status'];

const SERIES = /^[A-Z0-9]{1,4}$/;
export const newEntry = entries.create
  .extend({
    series: z
      .string()
      .regex(SERIES, 'must be up to four capitals or digits, like A')
      .optional()
      .describe('Default: the tokenPrefix of the clinic, or the letters and digits that its code begins with'),
  })
  .meta({ id: 'NewQueueEntry' });

const roomId = fields.id.optional().describe('A room of the clinic. Without one, the display names no room');
export const nextCall = z
  .object({
    roomId,
    finish: z.boolean().default(false).describe('Also ends the consultation in this room'),
  })
  .meta({ id: 'NextCall' });
export const call = z.object({ roomId, version: fields.version }).meta({ id: 'QueueCall' });
export const cancellation = z
  .object({ reason: fields.line(200).optional(), version: fields.version })
  .meta({ id: 'QueueCancellation' });
export const transferral = z
  .object({
    clinicId: fields.id.describe('Where the person waits next'),
    priority: priority.optional(),
    note: fields.line(200).optional(),
    version: fields.version,
  })
  .meta({ id: 'QueueTransfer' });
export const prioritization = z.object({ priority, version: fields.version }).meta({ id: 'QueuePriority' });

const estimate = z
  .object({
    p50: z.int().describe('Minutes. Half of the people wait longer'),
    p80: z.int().describe('Minutes. One in five waits longer'),
    basis: basis.describe(
      'What people waited in this clinic: `hour_of_week`, at this hour on the same day of the week; `hour_of_day`, at this hour on any day; `clinic`, at any time. `rule`: there is too little history, see the documentation',
    ),
  })
  .meta({ id: 'WaitEstimate' });
export type Estimate = z.output<typeof estimate>;

const share = z.number().min(0).max(1).nullable();
export const accuracy = z
  .object({
    waits: z.int().describe('People who were called in the period. Those who left before are not counted'),
    calledByP50: share.describe(
      'Share of them, from 0 to 1, who waited at most `p50`. Good: about 0.5. Null if `waits` is 0',
    ),
    calledByP80: share.describe(
      'Share of them, from 0 to 1, who waited at most `p80`. Good: about 0.8. Null if `waits` is 0',
    ),
    medianError: z
      .number()
      .nullable()
      .describe(
        'Minutes between `p50` and the wait, without a sign. Half of the people had more. Null if `waits` is 0',
      ),
  })
  .meta({ id: 'WaitAccuracy' });

export const shownEntry = itemWith(entries, {
  patientCode: z.string().nullable(),
  patientName: z.string().nullable(),
  roomName: z.string().nullable(),
  canUndo: z.boolean().describe('Whether the last step can be undone now'),
}).meta({ id: 'ShownQueueEntry' });
export type ShownEntry = z.output<typeof shownEntry>;

export const queue = z
  .object({
    clinicId: z.uuid(),
    clinicName: z.string(),
    serviceDate: z.iso.date(),
    revision: z.int().describe('It grows with each change'),
    serving: z.array(shownEntry),
    called: z.array(shownEntry).describe('The last call first'),
    waiting: z
      .array(z.object({ entry: shownEntry, estimate }))
      .describe('In the order in which they will be called, 200 at most'),
    waitingCount: z.int(),
    ended: z.array(shownEntry).describe('The last twenty, the latest first'),
    rooms: z.array(z.object({ id: z.uuid(), name: z.string() })),
    accuracy: accuracy.describe('How right the estimates of the last 28 days were'),
  })
  .meta({ id: 'Queue' });
export type Queue = z.output<typeof queue>;

const token = {
  label: z.string(),
  initials: z.string().nullable().describe('With the setting queueDisplayName: Initials'),
};
/** What everybody in a waiting room may see. */
export const board = z
  .object({
    clinicId: z.uuid(),
    clinicName: z.string(),
    serviceDate: z.iso.date(),
    revision: z.int(),
    serving: z.array(z.object({ ...token, room: z.string().nullable(), since: fields.timestamp })),
    called: z
      .array(z.object({ ...token, room: z.string().nullable(), since: fields.timestamp, calls: z.int() }))
      .describe('The last call first'),
    next: z
      .array(z.object({ ...token, priority: z.int(), etaP50: z.int(), etaP80: z.int() }))
      .describe('The next twelve. The estimates are minutes'),
    waiting: z.int(),
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'QueueBoard' });

export const ENTRY_NOT_FOUND: ErrorKind = entries.notFound;
export const QUEUE_CLOSED: ErrorKind = {
  status: 409,
  code: 'QUEUE_CLOSED',
  message: 'People without an appointment can’t wait in this clinic: choose another one, or change the clinic',
};
export const ALREADY_IN_QUEUE: ErrorKind = {
  status: 409,
  code: 'ALREADY_IN_QUEUE',
  message: 'The patient has a token for this clinic already: call or cancel that one',
};
export const TWO_TOKENS: ErrorKind = {
  status: 409,
  code: 'TWO_TOKENS',
  message: 'Both patients wait in one clinic: cancel one of the tokens in details.open first',
};
export const ROOM_BUSY: ErrorKind = {
  status: 409,
  code: 'ROOM_BUSY',
  message: 'Somebody is called to this room, or is in it: complete that first',
};
export const SAME_CLINIC: ErrorKind = {
  status: 422,
  code: 'SAME_CLINIC',
  message: 'The person waits in this clinic already: choose another one',
};
export const DAY_OVER: ErrorKind = {
  status: 409,
  code: 'DAY_OVER',
  message: 'This token was for another day: issue a new one',
};
export const UNDO_EXPIRED: ErrorKind = {
  status: 409,
  code: 'UNDO_EXPIRED',
  message: 'A step can be undone within 60 s: take the next step instead',
};
export const NOTHING_TO_UNDO: ErrorKind = {
  status: 409,
  code: 'NOTHING_TO_UNDO',
  message: 'There is no step to undo: the person has only joined, or the last step was undone already',
};

declareConstraints({
  queue_entries_patient: ALREADY_IN_QUEUE,
  queue_entries_one_appointment: ALREADY_IN_QUEUE,
  queue_entries_room: ROOM_BUSY,
});
