/** Accounts of employees: background tasks, which other modules add. */

import { setTimeout as delay } from 'node:timers/promises';
import { acceptTokens, type Hospital, readRoleNames, revokeTokens } from '@hms/database';
import {
  appointOwner,
  dismissOwner,
  type Employee,
  employeeAccount,
  employeeInvitation,
  employees,
  holderOf,
  type InvitationMail,
  invitationMail,
  ownerAppointed,
  refreshAccount,
  refreshAccountsWith,
  rolesLost,
  setAccount,
  tokensEnd,
} from '@hms/domain/employees';
import type { Mailer } from '@hms/mail';
import { type Platform, records, type Task, type TaskContext, task, type Work } from '@hms/service';
import type { Account, Accounts } from '../accounts.ts';
import { mailOf, timeAt } from '../places.ts';
import type { MatchedAccount } from './match.ts';
import { nextSecond, thisSecond } from './seconds.ts';

export interface EmployeeTaskDependencies {
  readonly accounts: Pick<Accounts, 'match' | 'byId' | 'rolesOf' | 'hasPassword'>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly platform: Pick<Platform, 'db'>;
}

/** The row as it was read, and the account that was made to match it. */
interface Prepared {
  readonly employee: Employee;
  readonly account: MatchedAccount;
}

/** Two tasks may change the same account at the same time. Longer waits are left to the queue. */
const ATTEMPTS = 8;
const PAUSE_MS = 100;

interface Input {
  readonly employeeId: string;
}

export function employeeTasks({ accounts, mailer, platform }: EmployeeTaskDependencies): readonly Task[] {
  async function match(context: TaskContext, { employeeId }: Input): Promise<Prepared | undefined> {
    const employee = await context.inTransaction((work) => records(work, employees).find(employeeId));
    if (!employee || employee.deletedAt !== undefined) return undefined;
    const { accountId: id, employeeCode, email, firstName, lastName, roles, status } = employee;
    const enabled = status === 'invited' || status === 'active';
    const decided = await readRoleNames(platform.db, 'hospital');
    const wanted = { id, username: employeeCode.toLowerCase(), email, firstName, lastName, roles, decided, enabled };
    const holder = (account: string) => context.inTransaction((work) => holderOf(work, account));
    // Somebody who came back has the account now.
    if (status === 'terminated' && id !== null && (await holder(id))) return undefined;
    const isFree = async (account: string) => (await holder(account)) === undefined;
    const account = await accounts.match(context.hospital.prefix, wanted, isFree);
    return { employee, account };
  }

  /** @returns the employee with a matching account, or undefined if none is wanted. */
  async function bring(context: TaskContext, input: Input): Promise<Employee | undefined> {
    let isFresh = true;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const prepared = await match(context, input);
      if (!prepared) return undefined;
      isFresh &&= prepared.account.kind !== 'matches' || prepared.account.isFresh;
      // From the next second on, each token has the account's new rights, also one that a client gets by a refresh
      // because its old one is refused.
      const since = isFresh ? thisSecond() : await nextSecond();
      const settled = await context.inTransaction((work) => settle(work, prepared, since));
      if (settled) return prepared.account.kind === 'matches' ? prepared.employee : undefined;
      await delay(PAUSE_MS * attempt);
    }
    throw new Error('the employee, or another one with the same address, was changed again and again');
  }

  return [
    task({
      ...employeeAccount,
      prepare: bring,
      run: async () => undefined,
    }),
    task({
      ...employeeInvitation,
      prepare: async (context, input) => {
        if (!(await bring(context, input))) return;
        // The account does not wait for the mail server. The row may have changed since, and so does the mail.
        const mail = await context.inTransaction((work) => invitationMail(work, input.employeeId));
        if (mail) await invite(mailer, context.hospital, mail);
      },
      run: async () => undefined,
    }),
    task({
      ...ownerAppointed,
      prepare: async ({ hospital: { prefix } }, { accountId }) => {
        // The operator takes the role from an owner who was replaced before this task could run.
        const roles = await accounts.rolesOf(prefix, accountId);
        if (!roles.includes('OWNER')) return undefined;
        const account = await accounts.byId(prefix, accountId);
        return account && { ...personOf(account), hasPassword: await accounts.hasPassword(prefix, accountId) };
      },
      run: async (work, { accountId, formerId }, person) => {
        if (person) await appointOwner(work, { accountId, ...person });
        if (formerId !== undefined) await dismissOwner(work, formerId);
      },
    }),
    task({
      ...rolesLost,
      run: (work, { roles }) => refreshAccountsWith(work, roles),
    }),
  ] as readonly Task[];
}

/** Names are required, and an account that was made by hand may have none. */
function personOf({ username, email, firstName, lastName }: Account) {
  return { email: email ?? username, firstName: firstName || username, lastName: lastName || '-' };
}

/**
 * Notes in the row what was done.
 * @param since tokens that are issued from then on carry the account's new rights.
 * @returns false if the account has to be matched again: another task may have matched it with a newer row before this
 * one did with an older.
 */
async function settle(work: Work, { employee: read, account }: Prepared, since: Date): Promise<boolean> {
  const own = records(work, employees);
  const employee = await own.lock(read.id);
  if (employee.version !== read.version || account.kind === 'taken') return false;
  if (account.kind === 'none') return true;
  // The next change of the employee tries again. Until then, the task shows that something is wrong.
  if (account.kind === 'refused') throw new Error(`Keycloak refuses the account: ${account.reason}`);
  if (employee.accountId !== account.id) {
    await setAccount(work, employee.id, account.id);
    // A task of the person who had it before may close it until then.
    if (account.origin === 'adopted') refreshAccount(work, employee.id);
  }
  const holder = employee.status === 'terminated' ? await holderOf(work, account.id) : undefined;
  if (holder !== undefined) {
    // Somebody came back while this task closed their account.
    refreshAccount(work, holder);
    return true;
  }
  const isClosed = employee.status === 'suspended' || employee.status === 'terminated';
  if (isClosed) await revokeTokens(work.trx, account.id, tokensEnd());
  else await acceptTokens(work.trx, account.id, since, tokensEnd());
  return true;
}

function invite(mailer: Pick<Mailer, 'send'>, hospital: Hospital, mail: InvitationMail): Promise<void> {
  const { to, firstName, link, until } = mail;
  const values = { firstName, link, until: timeAt(hospital, until) };
  return mailer.send({ hospital: mailOf(hospital), to, template: 'invitation', values });
}
