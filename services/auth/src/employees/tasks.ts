/** Accounts of employees: background tasks, which other modules add. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Hospital, revokeTokens } from '@hms/database';
import {
  appointOwner,
  dismissOwner,
  type Employee,
  employeeAccount,
  employeeInvitation,
  employees,
  holderOf,
  ownerAppointed,
  refreshAccount,
  setAccount,
  tokensEnd,
} from '@hms/domain/employees';
import type { Mailer } from '@hms/mail';
import { records, type Task, type TaskContext, task, type Work } from '@hms/service';
import type { Account, Accounts } from '../accounts.ts';
import { mailOf } from '../places.ts';
import type { MatchedAccount } from './match.ts';

export interface EmployeeTaskDependencies {
  readonly accounts: Pick<Accounts, 'match' | 'byId'>;
  readonly mailer: Pick<Mailer, 'send'>;
}

/** The row as it was read, and the account that was made to match it. */
interface Prepared {
  readonly employee: Employee;
  readonly account: MatchedAccount;
  /** Tokens that were issued before it may carry rights that the account no longer has. */
  readonly matchedAt: Date;
}

interface Input {
  readonly employeeId: string;
}

export function employeeTasks({ accounts, mailer }: EmployeeTaskDependencies): readonly Task[] {
  async function match(context: TaskContext, { employeeId }: Input): Promise<Prepared | undefined> {
    const employee = await context.inTransaction((work) => records(work, employees).find(employeeId));
    if (!employee || employee.deletedAt !== undefined) return undefined;
    // Nothing to close.
    if (employee.status === 'terminated' && employee.accountId === null) return undefined;
    const { accountId: id, employeeCode, email, firstName, lastName, roles, status } = employee;
    const enabled = status === 'invited' || status === 'active';
    const wanted = { id, username: employeeCode.toLowerCase(), email, firstName, lastName, roles, enabled };
    const holder = (account: string) => context.inTransaction((work) => holderOf(work, account));
    // Somebody who came back has the account now.
    if (status === 'terminated' && (await holder(id ?? ''))) return undefined;
    const isFree = async (account: string) => (await holder(account)) === undefined;
    const account = await accounts.match(context.hospital.prefix, wanted, isFree);
    const matchedAt = account.kind === 'matches' && account.hasLessRights ? await nextSecond() : new Date();
    return { employee, account, matchedAt };
  }

  return [
    task({ ...employeeAccount, prepare: match, run: (work, _, prepared) => settle(work, prepared) }),
    task({
      ...employeeInvitation,
      prepare: async (context, input) => {
        const prepared = await match(context, input);
        // The account does not wait for the mail server.
        await context.inTransaction((work) => settle(work, prepared));
        if (prepared?.account.kind === 'matches' && prepared.employee.status === 'invited')
          await invite(mailer, context.hospital, prepared.employee);
      },
      run: async () => undefined,
    }),
    task({
      ...ownerAppointed,
      prepare: ({ hospital }, { accountId }) => accounts.byId(hospital.prefix, accountId),
      run: async (work, { accountId, formerId }, account) => {
        if (account) await appointOwner(work, { accountId, ...personOf(account) });
        if (formerId !== undefined) await dismissOwner(work, formerId);
      },
    }),
  ] as readonly Task[];
}

/** Names are required, and an account that was made by hand may have none. */
function personOf({ username, email, firstName, lastName }: Account) {
  return { email: email ?? username, firstName: firstName || username, lastName: lastName || '-' };
}

/**
 * Tokens name the second in which they were issued. From the next one on, each token has the account's new rights, also
 * one that a client gets by a refresh because its old one is refused.
 */
async function nextSecond(): Promise<Date> {
  const next = new Date((Math.floor(Date.now() / 1000) + 1) * 1000);
  await delay(next.getTime() - Date.now());
  return next;
}

/** Notes in the row what was done. */
async function settle(work: Work, prepared: Prepared | undefined): Promise<void> {
  if (!prepared) return;
  const { account, matchedAt } = prepared;
  const own = records(work, employees);
  const employee = await own.lock(prepared.employee.id);
  // Another task may have matched the account with the newer row before this one did with the older.
  if (employee.version !== prepared.employee.version) throw new Error('the employee was changed meanwhile');
  if (account.kind === 'refused') {
    // Without an account, there is no employee.
    if (employee.accountId !== null) throw new Error(`Keycloak refuses the change: ${account.reason}`);
    await own.remove(employee);
    return;
  }
  if (employee.accountId !== account.id) await setAccount(work, employee.id, account.id);
  if (employee.status === 'terminated') {
    const holder = await holderOf(work, account.id);
    // Somebody came back while this task closed their account.
    if (holder !== undefined) return refreshAccount(work, holder);
  }
  const isClosed = employee.status === 'suspended' || employee.status === 'terminated';
  if (isClosed) await revokeTokens(work.trx, account.id, 'all', tokensEnd());
  else if (account.hasLessRights) await revokeTokens(work.trx, account.id, matchedAt, tokensEnd());
}

function invite(mailer: Pick<Mailer, 'send'>, hospital: Hospital, { email, firstName }: Employee): Promise<void> {
  // The part behind # never reaches a server or its logs.
  const link = `${hospital.portal}/invitation#${encodeURIComponent(email)}`;
  return mailer.send({ hospital: mailOf(hospital), to: email, template: 'invitation', values: { firstName, link } });
}
