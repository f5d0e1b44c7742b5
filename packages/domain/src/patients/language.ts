/** The language in which a patient is written to. */
import type { Hospital } from '@hms/database';
import type { Patient } from './record.ts';

/**
 * The patient's language, or the hospital's. @returns a BCP 47 tag: that of the hospital if both are the same language,
 * because it may name a country too.
 */
export function languageFor({ settings }: Pick<Hospital, 'settings'>, language: Patient['language']): string {
  const own = new Intl.Locale(settings.language).language;
  return language === null || language === own ? settings.language : language;
}
