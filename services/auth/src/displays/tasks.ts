/** Accounts of displays: a background task. */
import { displayAccount, displays, settleDisplay } from '@hms/domain/displays';
import { records, type Task, task } from '@hms/service';
import type { Accounts } from '../accounts.ts';

/** The row may change while its account is made. */
const ATTEMPTS = 5;

export function displayTasks(accounts: Pick<Accounts, 'makeDisplay' | 'removeDisplay'>): readonly Task[] {
  const account = task({
    ...displayAccount,
    prepare: async ({ hospital: { prefix }, inTransaction }, { displayId }) => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const display = await inTransaction((work) => records(work, displays).find(displayId));
        if (!display) return;
        const isPaired = display.deletedAt === undefined;
        const accountId = isPaired ? await accounts.makeDisplay(prefix, displayId) : undefined;
        if (!isPaired) await accounts.removeDisplay(prefix, displayId);
        if (await inTransaction((work) => settleDisplay(work, displayId, accountId))) return;
      }
      throw new Error('the display was changed again and again');
    },
    run: async () => undefined,
  });
  return [account] as readonly Task[];
}
