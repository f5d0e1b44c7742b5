/**
 * Links with which programs read a doctor's calendar: the table `calendar_links`. Whoever has the link can read it, so its
 * secret is shown once and only the hash is stored. A doctor has one link at a time.
 */
import { createHash, randomBytes } from 'node:crypto';
import { fields, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { type Employee, employees, holderOf, isDoctor, NOT_A_DOCTOR } from '../employees/employees.ts';

/** Of the module queue. */
export const CALENDAR_PATH = '/api/queue/calendar';
const SECRET_BYTES = 32;

export const calendarLink = z
  .object({ createdAt: fields.timestamp.nullable().describe('Null if there is no link') })
  .meta({ id: 'CalendarLink' });
type CalendarLink = z.output<typeof calendarLink>;

export const newCalendarLink = z
  .object({ createdAt: fields.timestamp, url: z.url().describe('Shown once: only its hash is stored') })
  .meta({ id: 'NewCalendarLink' });

/** Whether the caller has a link, and since when. @throws Problem NOT_A_DOCTOR */
export async function readCalendarLink(work: Work): Promise<CalendarLink> {
  const { id } = await callingDoctor(work);
  const [found] = await work.trx.query<{ createdAt: Date }>(
    'SELECT created_at AS "createdAt" FROM calendar_links WHERE employee_id = $1',
    [id],
  );
  return { createdAt: found?.createdAt.toISOString() ?? null };
}

/** Makes a link for the caller. A former one opens nothing any more. @throws Problem NOT_A_DOCTOR */
export async function renewCalendarLink(work: Work): Promise<z.output<typeof newCalendarLink>> {
  const { id } = await callingDoctor(work);
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await work.trx.query(RENEW, [id, hashOf(secret)]);
  work.audit({ action: 'create', record: 'calendar_links', recordId: id });
  const { portal, prefix } = work.hospital;
  return { createdAt: work.trx.moment.toISOString(), url: `${portal}${CALENDAR_PATH}/${prefix}/${secret}` };
}

const RENEW = `
  INSERT INTO calendar_links (employee_id, secret_hash) VALUES ($1, $2)
  ON CONFLICT (employee_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at = excluded.created_at`;

/** The caller's link opens nothing any more. @throws Problem NOT_A_DOCTOR */
export async function withdrawCalendarLink(work: Work): Promise<CalendarLink> {
  const { id } = await callingDoctor(work);
  const withdrawn = await work.trx.query('DELETE FROM calendar_links WHERE employee_id = $1 RETURNING 1', [id]);
  if (withdrawn.length > 0) work.audit({ action: 'delete', record: 'calendar_links', recordId: id });
  return { createdAt: null };
}

/** The doctor whose link has this secret, while the doctor works here. */
export async function doctorWithLink(work: Work, secret: string): Promise<Employee | undefined> {
  const [found] = await work.trx.query<{ employeeId: string }>(
    'SELECT employee_id AS "employeeId" FROM calendar_links WHERE secret_hash = $1',
    [hashOf(secret)],
  );
  const doctor = found && (await records(work, employees).find(found.employeeId));
  return doctor && doctor.deletedAt === undefined && isDoctor(doctor) ? doctor : undefined;
}

/** A random secret of this length needs no slower hash. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** @throws Problem NOT_A_DOCTOR */
async function callingDoctor(work: Work): Promise<Employee> {
  const id = await holderOf(work, work.caller.sub);
  const employee = id === undefined ? undefined : await records(work, employees).find(id);
  if (employee && isDoctor(employee)) return employee;
  const message = 'Only a doctor has a calendar: log in as an employee with the role DOCTOR';
  throw new Problem(NOT_A_DOCTOR, { message });
}
