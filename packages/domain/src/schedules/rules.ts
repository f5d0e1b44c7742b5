/** What the fields of a schedule must be to each other. Pure. Days are `YYYY-MM-DD`, times `HH:MM`. */
import type { FieldProblem } from '@hms/service';
import { Temporal } from 'temporal-polyfill';
import { type Hours, weekdayOf } from './times.ts';

export interface Plan extends Hours {
  readonly slotMinutes: number;
}

/** The fields that are wrong. @param earliest the first day that it may begin on, by the field that says when it does. */
export function problemsOf(plan: Plan, earliest: { readonly field: string; readonly day: string }): FieldProblem[] {
  const { startTime, endTime, slotMinutes, validFrom, validTo } = plan;
  const wrong = (field: string, message: string): FieldProblem => ({ field, in: 'body', message });
  return [
    ...(endTime <= startTime
      ? [wrong('endTime', 'must be after startTime')]
      : slotMinutes > minutesOf(endTime) - minutesOf(startTime)
        ? [wrong('slotMinutes', 'must fit between startTime and endTime')]
        : []),
    ...(validFrom < earliest.day
      ? [wrong(earliest.field, `must not be before ${earliest.day}: what has been stays`)]
      : []),
    ...(validTo !== null && validTo < firstDayOf(plan)
      ? [wrong('validTo', `must leave a day for this weekday: the first one is ${firstDayOf(plan)}`)]
      : []),
  ];
}

/** The first day on which the doctor works by this schedule, if it is valid for so long. */
export function firstDayOf({ validFrom, weekday }: Pick<Hours, 'validFrom' | 'weekday'>): string {
  return addDays(validFrom, (weekday - weekdayOf(validFrom) + 7) % 7);
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** From midnight. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}
