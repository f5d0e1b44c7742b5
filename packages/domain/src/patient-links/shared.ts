/** What the mails about an appointment and the page behind their links have in common. */
import type { Work } from '@hms/service';
import type { Appointment } from '../appointments/appointments.ts';

export function hasBegun({ trx }: Work, { startsAt }: Pick<Appointment, 'startsAt'>): boolean {
  return Date.parse(startsAt) <= trx.moment.getTime();
}
