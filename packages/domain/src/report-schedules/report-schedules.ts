/**
 * Reports that named employees are told of regularly: the table `report_schedules`. The mail has a link to the report, which
 * needs a login, and no figures. The module of reports decides when, and another module sends the mails.
 */
import { type ErrorKind, fields, Problem, record, records, type TaskName, type Work } from '@hms/service';
import { z } from 'zod';
import { employeeWith } from '../employees/people.ts';
import { startTime } from '../schedules/clock.ts';

const MOST_RECIPIENTS = 50;
const SCHEDULE_PERIODS = ['day', 'week', 'month'] as const;
export type SchedulePeriod = (typeof SCHEDULE_PERIODS)[number];

export const reportSchedules = record('report_schedules', {
  name: 'report schedule',
  fields: {
    title: fields.line(100).describe('The subject of the mail'),
    report: fields.line(50).describe('The name of a report'),
    groupBy: fields.line(100).describe('By what the report is grouped when it is opened'),
    period: z
      .enum(SCHEDULE_PERIODS)
      .describe('The report is of the last one that is over, and sent on the day after it'),
    sendAt: startTime.describe('By the clock of the hospital'),
    recipientIds: fields.ids('employee', MOST_RECIPIENTS).describe('Employees, who need the permission of the report'),
  },
  set: { lastSentOn: fields.day.nullable().describe('Null: not yet') },
  states: { active: ['paused'], paused: ['active'] },
  sort: ['title'],
  defaultSort: 'title',
  filters: ['report', 'status'],
});
export type ReportSchedule = z.output<typeof reportSchedules.item>;

export const RECIPIENT_NOT_PERMITTED: ErrorKind = {
  status: 422,
  code: 'RECIPIENT_NOT_PERMITTED',
  message: 'Each recipient must be an active employee who may see this report',
  field: 'recipientIds',
};

const mailInput = z.object({
  scheduleId: z.uuid(),
  from: z.iso.date(),
  to: z.iso.date(),
  permission: z.string().describe('What a recipient needs to see the report'),
});
/** Mails the link to a report of some days. */
export const reportMail: TaskName<z.output<typeof mailInput>> = { name: 'report-mail', input: mailInput, attempts: 16 };

/** @throws Problem RECIPIENT_NOT_PERMITTED that names each of them who may not. */
export async function demandRecipients(work: Work, ids: readonly string[], permission: string): Promise<void> {
  const found = await recipientsOf(work, ids, permission);
  const { message } = RECIPIENT_NOT_PERMITTED;
  const wrong = ids.flatMap((_, index) =>
    found[index] ? [] : { field: `recipientIds.${index}`, in: 'body', message },
  );
  if (wrong.length > 0) throw new Problem(RECIPIENT_NOT_PERMITTED, { details: { fields: wrong } });
}

/** @returns undefined in the place of who may not see the report. */
function recipientsOf(work: Work, ids: readonly string[], permission: string) {
  return Promise.all(ids.map((id) => employeeWith(work, id, permission)));
}

/** What a mail says. @returns undefined if there is nobody to tell any more. */
export async function reportMailOf(work: Work, { scheduleId, from, to, permission }: z.output<typeof mailInput>) {
  const schedule = await records(work, reportSchedules).find(scheduleId);
  if (!schedule || schedule.deletedAt !== undefined) return undefined;
  const { title, report, groupBy, recipientIds } = schedule;
  const people = await recipientsOf(work, recipientIds, permission);
  const query = new URLSearchParams({ from, to, groupBy });
  return {
    ...{ title, from, to },
    addresses: people.flatMap((one) => one?.email ?? []),
    link: `${work.hospital.portal}/reports/${report}?${query}`,
  };
}
