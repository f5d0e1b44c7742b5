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

/** @returns undefined if the employee is not invited, or not any more. */
export async function readInvitationMail(work: Work, employeeId: string): Promise<InvitationMail | undefined> {
  const employee = await records(work, employees).find(employeeId);
  if (!employee || employee.deletedAt !== undefined) return undefined;
  const { email, firstName, status, invitedAt } = employee;
  if (status !== 'invited' || invitedAt === null) return undefined;
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
  const { accountId, status, deletedAt } = employee;
  const until = endOf(invitedAt);
  const isLatest = employee.email === email && employee.invitedAt === invitedAt;
  const isWaiting = status === 'invited' && deletedAt === undefined;
  if (!isLatest || !isWaiting || accountId === null || until <= work.trx.moment) throw ended();
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

function endOf(invitedAt: string): Date {
  return new Date(Date.parse(invitedAt) + INVITATION_DAYS * DAY_MS);
}
