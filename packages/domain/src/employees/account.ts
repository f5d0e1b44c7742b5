/** What other modules ask the auth module to do with the accounts of employees. */
import { OWNER_APPOINTED, ROLES_LOST } from '@hms/database';
import type { TaskName } from '@hms/service';
import { z } from 'zod';

const input = z.object({ employeeId: z.uuid() });
/** Accounts of the owner, and of the former one. */
const appointment = z.object({ accountId: z.uuid(), formerId: z.uuid().optional() });
/** Names of roles. */
const lostRoles = z.object({ roles: z.array(z.string()).min(1) });
type EmployeeTask = TaskName<z.output<typeof input>>;

/** What the operator adds when it has invited an owner. */
export const ownerAppointed: TaskName<z.output<typeof appointment>> = {
  name: OWNER_APPOINTED,
  input: appointment,
  attempts: 25,
};

/** What the operator adds when it creates roles that accounts have lost. */
export const rolesLost: TaskName<z.output<typeof lostRoles>> = { name: ROLES_LOST, input: lostRoles, attempts: 25 };

/** Makes the account match the row. */
export const employeeAccount: EmployeeTask = { name: 'employee-account', input, attempts: 25 };
/** The same, and then mails an invitation. */
export const employeeInvitation: EmployeeTask = { name: 'employee-invitation', input, attempts: 25 };
