/** Calendars of other programs: a doctor's appointments by a secret link, and a patient's appointment in a mail. */
export * from './doctor-calendar.ts';
export * from './invitation.ts';
export * from './links.ts';
