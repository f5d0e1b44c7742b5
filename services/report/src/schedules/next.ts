/** When a planned report is sent, and of which days it is. Pure. */

import type { ReportSchedule } from '@hms/domain/report-schedules';
import { momentOf } from '@hms/domain/schedules';
import { fields } from '@hms/service';
import { Temporal } from 'temporal-polyfill';
import type { Clock } from '../query.ts';

const { PlainDate } = Temporal;

type Plan = Pick<ReportSchedule, 'period' | 'sendAt'>;

/** The next moment after another one. It is on the first day after a day, a week or a month. */
export function nextSending({ period, sendAt }: Plan, { timezone, firstWeekday }: Clock, after: Date): Date {
  let day = PlainDate.from(fields.today(timezone, after));
  for (;;) {
    const moment = momentOf(day.toString(), sendAt.slice(0, 5), timezone);
    if (isFirst(day, period, firstWeekday) && moment > after.getTime()) return new Date(moment);
    day = day.add({ days: 1 });
  }
}

/** The days of the report that is sent on a day: of the last day, week or month that is over. */
export function daysOf(period: Plan['period'], { firstWeekday }: Pick<Clock, 'firstWeekday'>, sentOn: string) {
  let to = PlainDate.from(sentOn);
  // A mail that was late, after an outage, is still of the days that it was planned for.
  while (!isFirst(to, period, firstWeekday)) to = to.subtract({ days: 1 });
  const from = to.subtract(period === 'month' ? { months: 1 } : { days: period === 'week' ? 7 : 1 });
  return { from: from.toString(), to: to.toString() };
}

function isFirst(day: Temporal.PlainDate, period: Plan['period'], firstWeekday: number): boolean {
  if (period === 'month') return day.day === 1;
  return period === 'day' || day.dayOfWeek === firstWeekday;
}
