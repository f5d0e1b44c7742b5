/** Plans by which employees are told of reports, and the task that tells them. */
import { demandRecipients, RECIPIENT_NOT_PERMITTED, reportMail, reportSchedules } from '@hms/domain/report-schedules';
import {
  invalidFields,
  type Route,
  records,
  resource,
  stepsOf,
  type Task,
  type TaskName,
  task,
  today,
  type Work,
} from '@hms/service';
import { z } from 'zod';
import { groupsOf } from '../declare.ts';
import { clockOf } from '../figures.ts';
import { demandPermission, permissionOf, REPORTS, reportNamed } from '../reports/reports.ts';
import { daysOf, nextSending } from './next.ts';
import { shownSchedule, showSchedule, showSchedules } from './shown.ts';

const input = z.object({ scheduleId: z.uuid() });
const sending: TaskName<z.output<typeof input>> = { name: 'report-schedule', input, attempts: 16 };

const PATH = '/api/report/schedules';

const step = stepsOf(reportSchedules, {
  ...{ path: PATH, access: 'reports.schedule', response: shownSchedule },
  show: showSchedule,
});

export const scheduleRoutes: readonly Route[] = [
  ...resource(reportSchedules, {
    path: PATH,
    access: { read: 'reports.schedule', write: 'reports.schedule', remove: 'reports.schedule' },
    list: {
      response: shownSchedule,
      run: async (work, query) => {
        const { data, ...reply } = await records(work, reportSchedules).list(query);
        return { ...reply, data: await showSchedules(work, data) };
      },
    },
    read: {
      response: shownSchedule,
      run: async (work, id) => showSchedule(work, await records(work, reportSchedules).read(id)),
    },
    create: {
      summary: 'Have a report sent to employees regularly',
      description: 'As a link that needs a login. The mail has no figures.',
      response: shownSchedule,
      errors: [RECIPIENT_NOT_PERMITTED],
      run: async (work, body) => {
        await demandRight(work, body);
        return showSchedule(
          work,
          planned(work, await records(work, reportSchedules).insert({ ...body, lastSentOn: null })),
        );
      },
    },
    update: {
      response: shownSchedule,
      errors: [RECIPIENT_NOT_PERMITTED],
      run: async (work, id, changes) => {
        const own = records(work, reportSchedules);
        const before = await own.lock(id, work.version);
        const { report = before.report, groupBy = before.groupBy, recipientIds = before.recipientIds } = changes;
        await demandRight(work, { report, groupBy, recipientIds });
        return showSchedule(work, planned(work, await own.update(before, changes)));
      },
    },
    remove: {
      run: async (work, id) => {
        const own = records(work, reportSchedules);
        return own.remove(await lockPermitted(work, id));
      },
    },
  }),
  step('pause', {
    summary: 'Send a report to nobody for some time',
    run: async (work, id) => {
      const own = records(work, reportSchedules);
      return own.moveTo(await lockPermitted(work, id), 'paused');
    },
  }),
  step('resume', {
    summary: 'Send a report again',
    run: async (work, id) => {
      const own = records(work, reportSchedules);
      return own.moveTo(await lockPermitted(work, id), 'active');
    },
  }),
];

/** @throws Problem VALIDATION_FAILED, FORBIDDEN, RECIPIENT_NOT_PERMITTED */
async function demandRight(
  work: Work,
  plan: { readonly report: string; readonly groupBy: string; readonly recipientIds: readonly string[] },
): Promise<void> {
  const wrong = (field: string, known: readonly string[]) =>
    invalidFields([{ field, in: 'body', message: `must be one of ${known.join(', ')}` }]);
  const report = REPORTS.find(({ name }) => name === plan.report);
  if (!report)
    throw wrong(
      'report',
      REPORTS.map(({ name }) => name),
    );
  const groups = Object.keys(groupsOf(report));
  if (!groups.includes(plan.groupBy)) throw wrong('groupBy', groups);
  demandPermission(work, report);
  await demandRecipients(work, plan.recipientIds, permissionOf(report));
}

/** A plan of a report that the caller may see. @throws Problem STALE_VERSION, FORBIDDEN */
async function lockPermitted(work: Work & { readonly version: number | undefined }, id: string) {
  const found = await records(work, reportSchedules).lock(id, work.version);
  demandPermission(work, reportNamed(found.report));
  return found;
}

/** Plans the next mail. A plan replaces the one before. */
function planned<Schedule extends Parameters<typeof nextSending>[0] & { readonly id: string }>(
  work: Work,
  schedule: Schedule,
): Schedule {
  const runAt = nextSending(schedule, clockOf(work.hospital), work.trx.moment);
  work.addTask(sending, { scheduleId: schedule.id }, { key: schedule.id, runAt });
  return schedule;
}

/** Adds the mail of one schedule, and plans the next one. */
export const scheduleTask = task({
  ...sending,
  run: async (work, { scheduleId }) => {
    const own = records(work, reportSchedules);
    const found = await own.find(scheduleId);
    if (!found || found.deletedAt !== undefined) return;
    const locked = await own.lock(scheduleId);
    const report = REPORTS.find(({ name }) => name === locked.report);
    if (locked.status === 'active' && report) {
      const day = today(work);
      const days = daysOf(locked.period, clockOf(work.hospital), day);
      work.addTask(reportMail, { scheduleId, ...days, permission: permissionOf(report) });
      await own.update(locked, { lastSentOn: day });
    }
    planned(work, locked);
  },
}) as Task;
