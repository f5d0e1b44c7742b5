/** Mails to doctors about critical results that nobody has acknowledged, of orders that another module keeps. */
import { criticalResult, escalate } from '@hms/domain/lab-orders';
import type { Mailer } from '@hms/mail';
import { type Task, task } from '@hms/service';
import { mailToAll } from '../mail-to-all.ts';
import { mailOf, timeAt } from '../places.ts';

/** An attempt that was cut off mails again: a doctor may get a mail twice. */
export function criticalResultMails({ mailer }: { readonly mailer: Pick<Mailer, 'send'> }): Task {
  return task({
    ...criticalResult,
    prepare: async ({ hospital, inTransaction }, input) => {
      const found = await inTransaction((work) => escalate(work, input));
      if (!found) return;
      const { recipients, orderNo: order, test, enteredAt, link } = found;
      const values = { order, test, link, since: timeAt(hospital, new Date(enteredAt)), isForAll: input.step === 2 };
      const mail = { hospital: mailOf(hospital), template: 'critical-result', values } as const;
      await mailToAll(mailer, recipients, mail);
    },
    run: async () => undefined,
  }) as Task;
}
