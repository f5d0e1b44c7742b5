/** Times of the clock on the hospital's wall, as fields of records. */
import { fields, invalidFields, type Moment, moment, type Work, withTraits } from '@hms/service';
import { z } from 'zod';
import { momentOf } from './times.ts';

const time = (pattern: RegExp, error: string) =>
  withTraits(z.string().regex(pattern, error), { show: (value) => String(value).slice(0, 5) });

export const startTime = time(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time from 00:00 to 23:59');
export const endTime = time(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, 'must be a time from 00:00 to 24:00');

/** What the clock of the hospital shows. */
interface Wall {
  readonly day: string;
  readonly time: string;
}
export type Point = Moment | Wall;

const WALL = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]$/;
const wall = z
  .string()
  .regex(WALL)
  .refine((value) => fields.isoDate.safeParse(value.slice(0, 10)).success)
  .transform((value): Wall => ({ day: value.slice(0, 10), time: value.slice(11) }));

/** The begin or the end of a period: a date, a time of the hospital, or a moment. */
export const point = withTraits(
  z.union([moment, wall], {
    error: 'must be a date, like 2026-01-31, a time of the hospital, like 2026-01-31T08:00, or one with its offset',
  }),
  {
    accepts: { anyOf: [{ type: 'string', format: 'date' }, { type: 'string', pattern: WALL.source }, fields.INSTANT] },
  },
);

export interface StoredPeriod {
  readonly from: string;
  readonly to: string;
}

/**
 * A date begins with its day, and ends with it. @param field that says when it ends.
 * @throws Problem VALIDATION_FAILED if it ends before it begins.
 */
export function periodOf({ hospital }: Pick<Work, 'hospital'>, first: Point, last: Point, field: string): StoredPeriod {
  const at = (given: Point, time: string) =>
    'instant' in given
      ? Date.parse(given.instant)
      : momentOf(given.day, 'time' in given ? given.time : time, hospital.timezone);
  const [begin, end] = [at(first, '00:00'), at(last, '24:00')];
  if (begin >= end) throw invalidFields([{ field, in: 'body', message: 'must be after the begin' }]);
  return { from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}
