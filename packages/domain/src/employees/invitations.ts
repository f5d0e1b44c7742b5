/**
 * Links with which invited employees choose their first password. A link is signed and names what it depends on: the
 * address, and when the employee was invited. Whoever repeats the mail repeats the same link, and none is stored.
 */
import { Problem, records, type Work } from '@hms/service';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { LINK_ALGORITHM, linkKey } from '../links/key.ts';
import { INVITATION_ENDED } from './errors.ts';
import { type Employee, employees } from './record.ts';

/** How many days an invitation is valid. */
export const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;
const AUDIENCE = 'invitation';

const claims = z.object({ sub: z.uuid(), email: z.string(), invitedAt: z.string() });

/** What the mail of an invitation says. */
export interface InvitationMail {
  readonly to: string;
  readonly firstName: string;
  readonly link: string;
  readonly until: Date;
}

/** An employee who may choose a first password, unless their account has one. */
export interface Invited extends Employee {
  readonly accountId: string;
  readonly until: Date;
}

/**
 * The mail to an employee. Its first one begins the time in which the link is valid, and a repeated one has the same link.
 * @returns undefined if the employee is not invited, or not any more.
 */
export async function invitationMail(work: Work, employeeId: string): Promise<InvitationMail | undefined> {
  const own = records(work, employees);
  if (!(await own.find(employeeId))) return undefined;
  // Of two tasks, the second has to mail the link of the first.
  const employee = await own.lockAny(employeeId);
  const { email, firstName } = employee;
  if (!isWaiting(employee)) return undefined;
  const invitedAt = await begin(work, employee);
  const token = await new SignJWT({ email, invitedAt })
    .setProtectedHeader({ alg: LINK_ALGORITHM })
    .setIssuer(work.hospital.id)
    .setAudience(AUDIENCE)
    .setSubject(employeeId)
    .sign(await linkKey(work));
  // The part behind # never reaches a server or its logs.
  const link = `${work.hospital.portal}/invitation#${token}`;
  return { to: email, firstName, link, until: endOf(invitedAt) };
}

/**
 * Locks the employee until the transaction ends, so that of two requests with one link the second finds it used.
 * @param invitation the part of the link behind #.
 * @throws Problem INVITATION_ENDED, with the address unless somebody else has made the link.
 */
export async function openInvitation(work: Work, invitation: string): Promise<Invited> {
  const { sub, email, invitedAt } = await signedIn(work, invitation);
  const ended = () => invitationEnded(email);
  const own = records(work, employees);
  if (!(await own.find(sub))) throw ended();
  const employee = await own.lockAny(sub);
  const { accountId } = employee;
  const until = endOf(invitedAt);
  const isLatest = employee.email === email && employee.invitedAt === invitedAt;
  if (!isLatest || !isWaiting(employee) || accountId === null || until <= work.trx.moment) throw ended();
  return { ...employee, accountId, until };
}

/** @param email to which the invitation was sent. Undefined if nobody knows. */
export function invitationEnded(email?: string): Problem {
  return new Problem(INVITATION_ENDED, email === undefined ? {} : { details: { email } });
}

async function signedIn(work: Work, invitation: string): Promise<z.output<typeof claims>> {
  try {
    const { payload } = await jwtVerify(invitation, await linkKey(work), {
      algorithms: [LINK_ALGORITHM],
      issuer: work.hospital.id,
      audience: AUDIENCE,
    });
    return claims.parse(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invitationEnded();
    throw error;
  }
}

/** @returns when the invitation began. One that has ended begins again, as after a long suspension of the hospital. */
async function begin(work: Work, { id, invitedAt: begun }: Employee): Promise<string> {
  if (begun !== null && endOf(begun) > work.trx.moment) return begun;
  const invitedAt = work.trx.moment.toISOString();
  await work.trx.query('UPDATE employees SET invited_at = $2 WHERE id = $1', [id, invitedAt]);
  work.changed('employees', id);
  return invitedAt;
}

function isWaiting({ status, deletedAt }: Employee): boolean {
  return status === 'invited' && deletedAt === undefined;
}

function endOf(invitedAt: string): Date {
  return new Date(Date.parse(invitedAt) + INVITATION_DAYS * DAY_MS);
}
