/** Where somebody logs in: an open hospital, or the realm of the platform's own users. */
import type { Hospital, SecondFactor } from '@hms/database';
import type { MailHospital } from '@hms/mail';
import { HOSPITAL_NOT_READY, HOSPITAL_SUSPENDED, Problem, type Registry } from '@hms/service';
import { CONSOLE_REALM, localeOf } from '@hms/tenancy';

export interface Place {
  readonly realm: string;
  readonly secondFactor: SecondFactor;
  /** As its mails show it. */
  readonly mail: MailHospital;
}

const CONSOLE: Place = {
  realm: CONSOLE_REALM,
  secondFactor: 'Email',
  mail: { displayName: 'Hospital platform', language: 'en', theme: {} },
};

type Entry = Awaited<ReturnType<Registry['byPrefix']>>;

/**
 * @param prefix of the hospital, or `console`.
 * @returns undefined if there is no such hospital.
 * @throws Problem HOSPITAL_SUSPENDED or HOSPITAL_NOT_READY.
 */
export async function placeOf(registry: Pick<Registry, 'byPrefix'>, prefix: string): Promise<Place | undefined> {
  if (prefix === CONSOLE_REALM) return CONSOLE;
  const hospital = await registry.byPrefix(prefix);
  const realm = openRealm(hospital);
  if (!hospital || realm === undefined) return undefined;
  return { realm, secondFactor: hospital.secondFactor, mail: mailOf(hospital) };
}

/** A hospital as its mails show it. */
export function mailOf({ displayName, theme, settings }: Hospital): MailHospital {
  return { displayName, theme, language: settings.language };
}

/** A moment in the zone of the hospital, as people read it. @param language BCP 47 tag. Default: that of the hospital */
export function timeAt({ settings, timezone: timeZone }: Hospital, moment: Date, language = settings.language): string {
  return new Intl.DateTimeFormat(localeOf({ ...settings, language }), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  }).format(moment);
}

/** @returns undefined if there is no such hospital. @throws Problem HOSPITAL_SUSPENDED or HOSPITAL_NOT_READY. */
export function openRealm(hospital: Entry): string | undefined {
  switch (hospital?.state) {
    case undefined:
    case 'Deleting':
    case 'Retained':
      return undefined;
    case 'Suspended':
      throw new Problem(HOSPITAL_SUSPENDED);
    case 'Provisioning':
      throw new Problem(HOSPITAL_NOT_READY);
    case 'Active':
      return hospital.prefix;
  }
}
