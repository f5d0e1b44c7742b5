/**
 * Employees: the table `employees`.
 *
 * An employee and their account in Keycloak belong together. The row says what the account must be like. Each change
 * adds the task `employee-account` in the same transaction, and the auth module then makes the account match the row,
 * as often as it takes.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the owners by id, the employee, the department.
 */
import { build, readHospitalRoles, revokeTokens, type Transaction } from '@hms/database';
import { type Caller, hasRole, INVALID_STATE, Problem, records, today, type Work } from '@hms/service';
import type { z } from 'zod';
import { employeeAccount, employeeInvitation } from './account.ts';
import { EMPLOYEE_TERMINATED, LAST_OWNER, OWN_EMPLOYMENT, OWNER_REQUIRED, ROLE_NOT_ALLOWED } from './errors.ts';
import { type Employee, employees } from './record.ts';

export * from './account.ts';
export * from './doctors.ts';
export * from './errors.ts';
export { employeeFeed } from './feed.ts';
export * from './invitations.ts';
export { type Employee, employees } from './record.ts';

type NewEmployee = z.output<typeof employees.create>;
type Changes = Omit<z.output<typeof employees.changes>, 'version'>;

const OWNER = 'OWNER';
/** For televisions, which are no employees. */
const DISPLAY = 'DISPLAY';

/** Creates an employee and their account, and mails them an invitation. */
export async function hire(work: Work, body: NewEmployee): Promise<Employee> {
  requireOwner(work.caller, [], body.roles);
  await requireRoles(work, body.roles);
  const employee = await records(work, employees).insert({ ...body, employedFrom: body.employedFrom ?? today(work) });
  addTask(work, employeeInvitation, employee.id);
  return employee;
}

/** Changes an employee. Their account follows. */
export async function changeEmployee(
  work: Work,
  id: string,
  changes: Changes,
  version: number | undefined,
): Promise<Employee> {
  const owners = changes.roles ? await lockOwners(work.trx) : [];
  const own = records(work, employees);
  const before = await own.lock(id, version);
  requireEmployed(before);
  requireOwner(work.caller, before.roles, changes.roles ?? before.roles);
  if (changes.roles && !isSame(changes.roles, before.roles)) {
    requireOther(work.caller, before);
    if (!changes.roles.includes(OWNER)) requireOtherOwner(before, owners);
  }
  // Somebody may keep a role that was retired.
  await requireRoles(
    work,
    changes.roles?.filter((added) => !before.roles.includes(added)),
  );
  // The former invitation went to the former address.
  const isReaddressed = before.status === 'invited' && (changes.email ?? before.email) !== before.email;
  const after = await own.update(before, isReaddressed ? { ...changes, invitedAt: null } : changes);
  // Until the account has lost them too, a refresh would give a token with the old roles.
  if (before.accountId && before.roles.some((held) => !after.roles.includes(held)))
    await revokeTokens(work.trx, before.accountId);
  addTask(work, isReaddressed ? employeeInvitation : employeeAccount, id);
  return after;
}

/** Closes the account until the employee is activated again. Their access tokens are refused at once. */
export async function suspend(work: Work, id: string, version: number | undefined): Promise<Employee> {
  const before = await lockForRemoval(work, id, version);
  const after = await records(work, employees).moveTo(before, 'suspended');
  await closeAccount(work, after);
  return after;
}

/** Ends the employment for good. The account is closed, and their access tokens are refused at once. */
export async function terminate(work: Work, id: string, version: number | undefined): Promise<Employee> {
  const before = await lockForRemoval(work, id, version);
  const [last, now] = [before.employedTo?.slice(0, 10), today(work)];
  const employedTo = last !== undefined && last < now ? last : now;
  const after = await records(work, employees).moveTo(before, 'terminated', { employedTo });
  await closeAccount(work, after);
  return after;
}

/** Opens the account of a suspended employee. */
export async function activate(work: Work, id: string, version: number | undefined): Promise<Employee> {
  const own = records(work, employees);
  const before = await own.lock(id, version);
  requireOwner(work.caller, before.roles, before.roles);
  if (before.status !== 'suspended') {
    throw new Problem(INVALID_STATE, {
      message: `Only a suspended employee can be activated, and this one is ${before.status}`,
      details: { from: before.status, to: 'active', allowed: [] },
    });
  }
  const after = await own.moveTo(before, 'active');
  addTask(work, employeeAccount, id);
  return after;
}

/** Mails another invitation to somebody who has not accepted the first one, whose link then opens nothing. */
export async function inviteAgain(work: Work, id: string): Promise<Employee> {
  const employee = await records(work, employees).lock(id);
  requireOwner(work.caller, employee.roles, employee.roles);
  if (employee.status !== 'invited') {
    throw new Problem(INVALID_STATE, {
      message: `Only an invited employee gets an invitation, and this one is ${employee.status}`,
      details: { from: employee.status, to: 'invited', allowed: [] },
    });
  }
  // No version changes, as nobody edited the employee.
  await work.trx.query('UPDATE employees SET invited_at = NULL WHERE id = $1', [id]);
  work.audit({ action: 'invite', record: 'employees', recordId: id });
  work.changed('employees', id);
  addTask(work, employeeInvitation, id);
  return { ...employee, invitedAt: null };
}

/** Whether anybody works in a locked department. */
export async function isStaffed({ trx }: Work, departmentId: string): Promise<boolean> {
  return (await trx.run(employed().where('department_id', departmentId).select('id').limit(1))).length > 0;
}

/** Id of the employee who has this account, unless their employment has ended. */
export async function holderOf({ trx }: Work, accountId: string): Promise<string | undefined> {
  const [found] = await trx.run<{ id: string }>(employed().where('account_id', accountId).select('id'));
  return found?.id;
}

/** Those who work here and are no owners, the best matches first. */
export async function activePeople(work: Work, q: string, limit: number): Promise<readonly Employee[]> {
  const query = employees.query.parse({ q, limit: String(limit), status: 'active' });
  const { data } = await records(work, employees).list(query);
  return data.filter(({ roles }) => !roles.includes('OWNER'));
}

/** The latest employment of an account's person. Undefined if the account is no employee's. */
export async function employmentOf(
  { trx }: Work,
  accountId: string,
): Promise<Pick<Employee, 'status' | 'roles'> | undefined> {
  const latest = build
    .from('employees')
    .whereNull('deleted_at')
    .where('account_id', accountId)
    .orderByRaw("status = 'terminated', created_at DESC");
  const [found] = await trx.run<Pick<Employee, 'status' | 'roles'>>(latest.select('status', 'roles').limit(1));
  return found;
}

/** Makes the account match the row again. */
export function refreshAccount(work: Work, employeeId: string): void {
  addTask(work, employeeAccount, employeeId);
}

/** Makes the accounts of everybody who has one of these roles match their rows again. */
export async function refreshAccountsWith(work: Work, roles: readonly string[]): Promise<void> {
  // Closed accounts get their roles when they are opened.
  const holders = employed().whereIn('status', ['invited', 'active']);
  const having = holders.whereRaw('roles @> ANY (?::jsonb[])', [roles.map((role) => JSON.stringify([role]))]);
  for (const { id } of await work.trx.run<{ id: string }>(having.select('id'))) refreshAccount(work, id);
}

async function findByEmail({ trx }: Work, email: string): Promise<string | undefined> {
  const [found] = await trx.run<{ id: string }>(employed().whereRaw('lower(email) = lower(?)', [email]).select('id'));
  return found?.id;
}

/** An invited employee who has logged in, or has chosen a password, is active. */
export async function acceptInvitation(work: Work, accountId: string): Promise<void> {
  const [waiting] = await work.trx.run<{ id: string }>(
    employed().where({ account_id: accountId, status: 'invited' }).select('id'),
  );
  if (!waiting) return;
  const own = records(work, employees);
  const employee = await own.lock(waiting.id);
  if (employee.status === 'invited') await own.moveTo(employee, 'active');
}

/** The owner whom the platform's administrators have named, and whose account exists already. */
export interface AppointedOwner {
  readonly accountId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Whether they can log in. Whoever can't is invited to choose a password. */
  readonly hasPassword: boolean;
}

/** Makes an account's person an employee with the role OWNER, and invites them unless they can log in. */
export async function appointOwner(work: Work, { accountId, hasPassword, ...person }: AppointedOwner): Promise<void> {
  const owners = await lockOwners(work.trx);
  const own = records(work, employees);
  const known = owners.find((owner) => owner.accountId === accountId)?.id ?? (await findByEmail(work, person.email));
  const before =
    known === undefined
      ? await own.insert({ ...person, roles: [OWNER], employedFrom: today(work), accountId })
      : await own.lock(known);
  const { id } = before;
  if (before.accountId !== accountId) await setAccount(work, id, accountId);
  let owner = before.roles.includes(OWNER) ? before : await own.update(before, { roles: [...before.roles, OWNER] });
  if (owner.status === 'suspended') owner = await own.moveTo(owner, 'active');
  // Their account was lost with the realm.
  if (owner.status === 'active' && !hasPassword) owner = await own.moveTo(owner, 'invited', { invitedAt: null });
  // Also brings back the account of somebody who left, whose tokens are refused.
  addTask(work, owner.status === 'invited' && !hasPassword ? employeeInvitation : employeeAccount, id);
}

/** Takes the role OWNER from an account's person. Without another role, their employment ends. */
export async function dismissOwner(work: Work, accountId: string): Promise<void> {
  const dismissed = (await lockOwners(work.trx)).find((owner) => owner.accountId === accountId);
  if (!dismissed) return;
  const own = records(work, employees);
  const before = await own.lock(dismissed.id);
  const left = before.roles.filter((held) => held !== OWNER);
  if (left.length > 0) {
    await own.update(before, { roles: left });
    await revokeTokens(work.trx, accountId);
    addTask(work, employeeAccount, before.id);
  } else {
    await closeAccount(work, await own.moveTo(before, 'terminated', { employedTo: today(work) }));
  }
}

/** Notes the account of an employee. No version changes, as nobody edited the employee. */
export async function setAccount(work: Work, id: string, accountId: string): Promise<void> {
  await work.trx.query('UPDATE employees SET account_id = $2 WHERE id = $1', [id, accountId]);
  work.audit({ action: 'update', record: 'employees', recordId: id, after: { accountId } });
  work.changed('employees', id);
}

/** Longer than any access token is valid, in milliseconds. */
const TOKENS_LIVE_MS = 2 * 3_600_000;

/** When no access token is valid any more that was issued until now. */
export function tokensEnd(): Date {
  return new Date(Date.now() + TOKENS_LIVE_MS);
}

/** Rows of people whose employment has not ended. */
function employed() {
  return build.from('employees').whereNull('deleted_at').whereNot('status', 'terminated');
}

type OwnerRow = Pick<Employee, 'id' | 'status' | 'accountId'>;

/** Serializes everything that may remove an owner. */
function lockOwners(trx: Transaction): Promise<OwnerRow[]> {
  const owners = employed().whereRaw('roles @> ?::jsonb', [JSON.stringify([OWNER])]);
  return trx.run<OwnerRow>(owners.orderBy('id').forUpdate().select('id', 'status', 'account_id as accountId'));
}

/** Locks an employee whose account is about to be closed. */
async function lockForRemoval(work: Work, id: string, version: number | undefined): Promise<Employee> {
  const owners = await lockOwners(work.trx);
  const before = await records(work, employees).lock(id, version);
  requireOwner(work.caller, before.roles, before.roles);
  requireOther(work.caller, before);
  if (before.status !== 'terminated') requireOtherOwner(before, owners);
  return before;
}

async function closeAccount(work: Work, { id, accountId }: Employee): Promise<void> {
  if (accountId) await revokeTokens(work.trx, accountId);
  addTask(work, employeeAccount, id);
}

function addTask(work: Work, task: typeof employeeAccount, employeeId: string): void {
  work.addTask(task, { employeeId }, { key: employeeId });
}

function requireEmployed({ status }: Employee): void {
  if (status === 'terminated') throw new Problem(EMPLOYEE_TERMINATED);
}

function requireOwner(caller: Caller, before: readonly string[], after: readonly string[]): void {
  const concernsOwner = before.includes(OWNER) || after.includes(OWNER);
  if (concernsOwner && !hasRole(caller, OWNER)) throw new Problem(OWNER_REQUIRED);
}

/** @throws Problem ROLE_NOT_ALLOWED if one of the roles is none for people of this hospital. */
async function requireRoles({ trx }: Work, given: readonly string[] = []): Promise<void> {
  if (given.length === 0) return;
  const allowed = (await readHospitalRoles(trx)).flatMap(({ name }) => (name === DISPLAY ? [] : [name]));
  const refused = given.filter((name) => !allowed.includes(name));
  if (refused.length === 0) return;
  throw new Problem(ROLE_NOT_ALLOWED, {
    message: `This hospital has no role ${refused.join(', ')} for people: use ${allowed.join(', ')}`,
    details: { roles: refused, allowed },
  });
}

function requireOther(caller: Caller, { accountId }: Employee): void {
  if (accountId === caller.sub) throw new Problem(OWN_EMPLOYMENT);
}

function requireOtherOwner({ id, roles: held }: Employee, owners: readonly OwnerRow[]): void {
  if (!held.includes(OWNER)) return;
  if (!owners.some((other) => other.id !== id && other.status === 'active')) throw new Problem(LAST_OWNER);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item));
}
