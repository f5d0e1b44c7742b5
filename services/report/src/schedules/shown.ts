/** Plans of reports as clients see them: with the names of the recipients, and when the next mail is sent. */
import { employees } from '@hms/domain/employees';
import { nameOf } from '@hms/domain/people';
import { type ReportSchedule, reportSchedules } from '@hms/domain/report-schedules';
import { fields, itemWith, records, type Work } from '@hms/service';
import { z } from 'zod';
import { clockOf } from '../figures.ts';
import { nextSending } from './next.ts';

export const shownSchedule = itemWith(reportSchedules, {
  recipients: z.array(z.object({ id: z.uuid(), name: z.string() })).describe('In the order of their names'),
  nextSendAt: fields.timestamp.nullable().describe('When the next mail is sent. Null: the plan is paused'),
}).meta({ id: 'ShownReportSchedule' });
type ShownSchedule = z.output<typeof shownSchedule>;

export async function showSchedule(work: Work, schedule: ReportSchedule): Promise<ShownSchedule> {
  const [shown] = await showSchedules(work, [schedule]);
  if (!shown) throw new Error('a plan of a report was not shown');
  return shown;
}

export async function showSchedules(work: Work, all: readonly ReportSchedule[]): Promise<ShownSchedule[]> {
  const people = await records(work, employees).byIds([...new Set(all.flatMap(({ recipientIds }) => recipientIds))]);
  const named = people.map((one) => ({ id: one.id, name: nameOf(one) }));
  named.sort((one, other) => one.name.localeCompare(other.name));
  const clock = clockOf(work.hospital);
  return all.map((schedule) => ({
    ...schedule,
    recipients: named.filter(({ id }) => schedule.recipientIds.includes(id)),
    nextSendAt: schedule.status === 'active' ? nextSending(schedule, clock, work.trx.moment).toISOString() : null,
  }));
}
