/** What an appointment is called in calendars. */
import { type MailLanguage, mailLanguage } from '@hms/tenancy';

const APPOINTMENT: Readonly<Record<MailLanguage, string>> = { en: 'Appointment', ar: 'موعد' };

/** @param language BCP 47 tag. */
export function appointmentIn(language: string): string {
  return APPOINTMENT[mailLanguage(language)];
}
