/** Mails to pharmacists about what is short or expires in the stock, which another module keeps. */
import type { Hospital } from '@hms/database';
import { type NewWarnings, stockWarningMail, warningsOf } from '@hms/domain/stock';
import type { Mailer } from '@hms/mail';
import { type Task, task } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { mailToAll } from '../mail-to-all.ts';
import { mailOf } from '../places.ts';

/** Lines of one kind in a mail. The page has all of them. */
const MOST_LINES = 20;

/** An attempt that was cut off mails again: a pharmacist may get a mail twice. */
export function stockWarningMails({ mailer }: { readonly mailer: Pick<Mailer, 'send'> }): Task {
  return task({
    ...stockWarningMail,
    prepare: async ({ hospital, inTransaction }, input) => {
      const found = await inTransaction((work) => warningsOf(work, input));
      if (!found) return;
      const values = valuesOf(hospital, found);
      await mailToAll(mailer, found.recipients, { hospital: mailOf(hospital), template: 'stock-warning', values });
    },
    run: async () => undefined,
  }) as Task;
}

function valuesOf({ settings }: Hospital, { belowReorderLevel, expiring, onlyExpired, links }: NewWarnings) {
  const days = new Intl.DateTimeFormat(localeOf(settings), { dateStyle: 'medium', timeZone: 'UTC' });
  const drug = ({ name, code }: { readonly name: string; readonly code: string }) => `${name} (${code})`;
  const batch = (one: NewWarnings['expiring'][number]) =>
    `${drug(one)}, ${one.batchNo}: ${days.format(new Date(one.expiresOn))}`;
  return {
    belowReorderLevel: part(belowReorderLevel.map(drug), links.toOrder),
    expiring: part(expiring.map(batch), links.expiring),
    onlyExpired: part(onlyExpired.map(drug), links.expiring),
  };
}

function part(lines: readonly string[], link: string) {
  if (lines.length === 0) return null;
  return { count: lines.length, lines: lines.slice(0, MOST_LINES), more: Math.max(0, lines.length - MOST_LINES), link };
}
