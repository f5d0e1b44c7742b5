/** The declarations of visitors, of the deny list and of visiting hours, and their errors. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { peopleMatching, samePersonIds } from '../patients/record.ts';
import { endTime, point, startTime } from '../schedules/clock.ts';

/** What a desk may send of a search: nobody has as many namesakes. */
const MOST_BANS = 20;

export const visitingHours = record('visiting_hours', {
  name: 'visiting hour',
  fields: {
    weekday: z.int().min(1).max(7).describe('1 is Monday, 7 is Sunday'),
    startTime: startTime.describe('By the clock of the hospital'),
    endTime: endTime.describe('After the start. `24:00` is the end of the day'),
  },
  sort: ['weekday'],
  defaultSort: 'weekday',
  filters: ['weekday'],
  live: true,
});
export type VisitingHour = z.output<typeof visitingHours.item>;

export const visitorBans = record('visitor_bans', {
  name: 'visitor ban',
  fields: {
    name: fields.line(100),
    phone: fields.phone.nullish().describe('With it, the person is recognised under any name'),
    patientId: fields.id.nullish().describe('Whom the person may not visit. Null: nobody'),
    reason: fields.line(200),
    validTo: fields.day.nullish().describe('The last day. Null: until somebody lifts it'),
  },
  sort: ['name'],
  filters: ['phone'],
  moreFilters: {
    validOn: {
      schema: fields.isoDate.describe('Only those that hold on this day'),
      where: (rows, day) => void rows.whereRaw('coalesce(valid_to >= ?, true)', [day as string]),
    },
  },
  search: {},
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type VisitorBan = z.output<typeof visitorBans.item>;

export const visitors = record('visitors', {
  name: 'visitor',
  code: { field: 'passNo', series: 'visitor', letters: 'VIS' },
  fields: {
    name: fields.line(100),
    phone: fields.phone.nullish(),
    idLast4: z
      .string()
      .regex(/^[0-9A-Za-z]{4}$/, 'must be the last four letters or digits of an identity document, like 123X')
      .nullish()
      .describe('The last four letters or digits of an identity document. Never more'),
    relation: fields.line(50).nullish().describe('To the patient'),
    place: fields.line(100).nullish().describe('Where the patient is, such as `Ward 3, room 12`'),
    anyTimeReason: fields.line(200).nullish().describe('Why the visiting hours do not count. Null: they do'),
  },
  set: {
    scanCode: z.string().describe('What the pass shows as a QR code'),
    patientId: fields.id,
    validFrom: fields.instant,
    validTo: fields.instant,
    clearedBanIds: z.array(z.uuid()).describe('Bans of namesakes, of whom somebody said that they are others'),
    checkedInAt: fields.instant.nullable().describe('When the visitor last came in'),
    checkedOutAt: fields.instant.nullable().describe('When the visitor last went out'),
    denyReason: fields.line(200).nullable(),
  },
  states: {
    expected: ['checked_in', 'denied', 'expired'],
    checked_in: ['checked_out'],
    checked_out: ['checked_in', 'denied', 'expired'],
    denied: [],
    // Whose pass is made longer may come again.
    expired: ['expected', 'checked_out'],
  },
  sort: ['checkedInAt', 'passNo'],
  filters: ['status', 'passNo'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Of this patient, and of those who are one person with them'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    mayEnterAt: {
      schema: fields.instant.describe('Only those who are outside, and whose pass is valid at this moment'),
      where: (rows, at) => {
        rows.where('valid_from', '<=', at as string).where('valid_to', '>', at as string);
        rows.whereIn('status', ['expected', 'checked_out']);
      },
    },
  },
  search: {
    also: (text, precision) =>
      build.from('visitors').select('id').whereIn('patient_id', peopleMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Visitor = z.output<typeof visitors.item>;

const clearedBanIds = fields
  .ids('ban', MOST_BANS)
  .optional()
  .describe('Bans in `details.bans` of 409 `VISITOR_BANNED` that are about somebody else of this name');

export const newVisitor = visitors.create
  .extend({
    patientId: fields.id,
    validFrom: point.optional().describe('A date begins with its day. Default: now'),
    validTo: point.optional().describe('A date ends with its day. Default: the day of `validFrom`'),
    clearedBanIds,
  })
  .meta({ id: 'NewVisitor' });
export const visitorChanges = visitors.changes.extend({ validTo: point.optional() }).meta({ id: 'VisitorChanges' });
export const scan = z
  .object({ code: fields.line(40).describe('As the pass shows it'), clearedBanIds })
  .meta({ id: 'VisitorScan' });
export const entry = z.object({ clearedBanIds, version: fields.version });
export const denial = z.object({ reason: fields.line(200), version: fields.version });

export const shownVisitor = itemWith(visitors, {
  isExpired: z.boolean().describe('Whether the pass is over'),
  patientCode: z.string(),
  patientName: z.string(),
}).meta({ id: 'ShownVisitor' });
export type ShownVisitor = z.output<typeof shownVisitor>;

export const SCAN_STEPS = ['check-in', 'check-out', 'none'] as const;
export const scanned = itemWith(visitors, {
  isExpired: z.boolean(),
  patientCode: z.string(),
  patientName: z.string(),
  step: z.enum(SCAN_STEPS).describe('What the scan did. `none`: the scanner read the same pass twice'),
}).meta({ id: 'ScannedVisitor' });
export type Scanned = z.output<typeof scanned>;

export const PASS_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'PASS_NOT_FOUND',
  message: 'No pass of this hospital has this code: scan it again, or search for the visitor',
};
export const PASS_EXPIRED: ErrorKind = {
  status: 410,
  code: 'PASS_EXPIRED',
  message: 'The pass is over: issue a new one, or change its end',
};
export const PASS_NOT_YET_VALID: ErrorKind = {
  status: 409,
  code: 'PASS_NOT_YET_VALID',
  message: 'The pass is not valid yet: details.validFrom says from when',
};
export const VISITOR_LIMIT_REACHED: ErrorKind = {
  status: 409,
  code: 'VISITOR_LIMIT_REACHED',
  message: 'The patient has as many visitors as may come at a time: details.inside has them',
};
export const VISITORS_PER_HOUR_REACHED: ErrorKind = {
  status: 409,
  code: 'VISITORS_PER_HOUR_REACHED',
  message:
    'As many visitors have come to the patient as may come within an hour: details.nextAt says when the next one may',
};
export const OUTSIDE_VISITING_HOURS: ErrorKind = {
  status: 409,
  code: 'OUTSIDE_VISITING_HOURS',
  message:
    'Nobody may come in now: details.hours has the visiting hours of today. With a reason in anyTimeReason, a pass holds at any time',
};
export const VISITOR_BANNED: ErrorKind = {
  status: 409,
  code: 'VISITOR_BANNED',
  message:
    'The person is on the deny list: details.bans says why. If it is somebody else of the same name, send the bans in clearedBanIds',
};
export const VISITING_HOURS_OVERLAP: ErrorKind = {
  status: 409,
  code: 'VISITING_HOURS_OVERLAP',
  message: 'There are other visiting hours on this weekday then: change those, or choose another time',
};

declareConstraints({ visiting_hours_one: VISITING_HOURS_OVERLAP });
