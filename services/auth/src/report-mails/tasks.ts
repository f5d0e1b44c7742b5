/** Mails to employees that lead to a report, which another module has planned. */
import { reportMail, reportMailOf } from '@hms/domain/report-schedules';
import type { Mailer } from '@hms/mail';
import { type Task, task } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { mailToAll } from '../mail-to-all.ts';
import { mailOf } from '../places.ts';

const DAY_MS = 86_400_000;

/** An attempt that was cut off mails again: somebody may get a mail twice. */
export function reportMails({ mailer }: { readonly mailer: Pick<Mailer, 'send'> }): Task {
  return task({
    ...reportMail,
    prepare: async ({ hospital, inTransaction }, input) => {
      const found = await inTransaction((work) => reportMailOf(work, input));
      if (!found) return;
      const { title, from, to, link, addresses } = found;
      const days = new Intl.DateTimeFormat(localeOf(hospital.settings), { dateStyle: 'medium', timeZone: 'UTC' });
      const last = Date.parse(to) - DAY_MS;
      const values = { title, link, days: days.formatRange(Date.parse(from), last) };
      await mailToAll(mailer, addresses, { hospital: mailOf(hospital), template: 'report', values });
    },
    run: async () => undefined,
  }) as Task;
}
