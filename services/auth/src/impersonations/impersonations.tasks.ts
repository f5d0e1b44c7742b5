/** What follows an impersonation: mails to the owners, and its end in the audit log. An outage delays them. */
import type { Hospital } from '@hms/database';
import type { Mailer, TemplateValues } from '@hms/mail';
import { type AuditedCaller, isEndRecorded, type Task, type TaskName, task } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import { mailOf } from '../places.ts';
import type { ImpersonationRow, ImpersonationStore } from './impersonations.repository.ts';

const input = z.object({ impersonationId: z.uuid() });
const mailInput = input.extend({ accountId: z.uuid() });

/** Adds a mail to each owner. */
export const impersonationStarted: TaskName<z.output<typeof input>> = {
  name: 'impersonation-started',
  input,
  attempts: 25,
};
const impersonationMail: TaskName<z.output<typeof mailInput>> = {
  name: 'impersonation-mail',
  input: mailInput,
  attempts: 25,
};
/** Records the end, whoever ended it, and removes the link that the tokens needed. */
export const impersonationEnded: TaskName<z.output<typeof input>> = {
  name: 'impersonation-ended',
  input,
  attempts: 25,
};

export interface ImpersonationTaskDependencies {
  readonly store: ImpersonationStore;
  readonly accounts: Pick<Accounts, 'person' | 'withRole' | 'unlinkAssertions'>;
  readonly mailer: Pick<Mailer, 'send'>;
}

export function impersonationTasks({ store, accounts, mailer }: ImpersonationTaskDependencies): readonly Task[] {
  return [
    task({
      ...impersonationStarted,
      prepare: ({ hospital: { prefix } }) => accounts.withRole(prefix, 'OWNER'),
      run: async ({ addTask }, { impersonationId }, owners) => {
        for (const accountId of owners) addTask(impersonationMail, { impersonationId, accountId });
      },
    }),
    task({
      ...impersonationMail,
      prepare: async ({ hospital }, { impersonationId, accountId }) => {
        const [row, owner] = await Promise.all([
          store.find(impersonationId),
          accounts.person(hospital.prefix, { id: accountId }),
        ]);
        if (!row || !owner?.isEnabled || owner.email === '') return;
        const values = mailValues(row, hospital);
        await mailer.send({ hospital: mailOf(hospital), to: owner.email, template: 'impersonation', values });
      },
      run: async () => undefined,
    }),
    task({
      ...impersonationEnded,
      prepare: async ({ hospital }, { impersonationId: id }) => {
        await store.expire(id);
        const row = await store.find(id);
        if (row && !row.ended_at) throw new Error('the impersonation has not ended yet');
        if (row && !(await store.isActedAs(hospital.id, row.subject)))
          await accounts.unlinkAssertions(hospital.prefix, row.subject);
        return row;
      },
      run: async ({ trx, audit }, { impersonationId: id }, row) => {
        if (!row || (await isEndRecorded(trx, id))) return;
        const details = { endedAt: row.ended_at?.toISOString(), endedBy: row.ended_by };
        const caller = auditedCaller(row, []);
        audit({ action: 'impersonate.end', record: 'impersonations', recordId: id, details, caller });
      },
    }),
  ] as readonly Task[];
}

/** The two people of an event about the impersonation itself. */
export function auditedCaller(row: ImpersonationRow, roles: AuditedCaller['roles']): AuditedCaller {
  const { id, subject, subject_email, actor, actor_email, mode, ends_at } = row;
  const impersonation = { id, tokenId: '', actor, actorEmail: actor_email, mode, endsAt: ends_at };
  return { sub: subject, email: subject_email, roles, impersonation };
}

function mailValues(row: ImpersonationRow, hospital: Hospital): TemplateValues['impersonation'] {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: hospital.timezone } as const;
  const time = new Intl.DateTimeFormat(localeOf(hospital.settings), options);
  return {
    actor: row.actor_email,
    person: row.subject_email,
    reason: row.reason,
    mayWrite: row.mode === 'write',
    from: time.format(row.started_at),
    until: time.format(row.ends_at),
  };
}
