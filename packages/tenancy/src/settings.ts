/** What a hospital chooses about its own work. `spec.settings` of the Hospital object has the same fields and defaults. */

/** What the queue's public display shows of a waiting person: only the token, or the token and the initials. */
export type QueueDisplayName = 'Token' | 'Initials';

export interface HospitalSettings {
  /** Language of documents, mails and the portal, as a BCP 47 tag. It also decides the direction of text. */
  readonly language: string;
  /** ISO 3166 code. It decides how days are written, and which phone numbers need no country code. */
  readonly country?: string;
  /** Postal address on documents, in lines. */
  readonly address?: string;
  /** Phone number on documents, in international format with a leading plus sign. */
  readonly phone?: string;
  /** The hospital's number at its authorities, on documents. */
  readonly registrationNumber?: string;
  /** The hospital's number at the tax office, on invoices and receipts. */
  readonly taxNumber?: string;
  /** Letters before the number in a patient code, as in HSP-000123. */
  readonly patientCodeLetters: string;
  /** Whether a new patient who looks like another is refused, unless the request says otherwise. */
  readonly rejectDuplicates: boolean;
  /** From which score, of 100, patients count as likely the same person. */
  readonly duplicateThreshold: number;
  /** How many visitors one patient may have at a time. */
  readonly maxVisitorsPerPatient: number;
  /** How many visitors may come to one patient within an hour. 0: any number. */
  readonly maxVisitorsPerHour: number;
  /** Whether pay, refund, dispense and booking demand an Idempotency-Key. */
  readonly requireIdempotencyKey: boolean;
  /** Whether cash is accepted only in an open shift of the cashier. */
  readonly requireOpenShift: boolean;
  /** Whether prices contain the tax. Otherwise, it is added. */
  readonly pricesIncludeTax: boolean;
  /** Smallest amount in cash, in minor units of the currency. Cash totals are rounded to a multiple of it. */
  readonly cashRounding: number;
  /** Minutes of an appointment, if the clinic and the schedule say nothing else. */
  readonly slotMinutes: number;
  /** Minutes after which an appointment without check-in is a no-show. 0: only people mark it. */
  readonly noShowAfterMinutes: number;
  /** Minutes for which a freed time is kept for somebody of the waiting list. 0: freed times are offered to nobody. */
  readonly waitingListOfferMinutes: number;
  /** Hours before an appointment at which a mail reminds the patient. 0: nobody is reminded. */
  readonly reminderHours: number;
  readonly queueDisplayName: QueueDisplayName;
  /** When a day of service begins, `HH:MM` by the clock of the hospital. Tokens begin with 1 then. */
  readonly serviceDayStart: string;
  /** Whether a laboratory result needs another person's verification than the one who entered it. */
  readonly requireSecondVerifier: boolean;
  /** Minutes after which a critical result that no doctor has acknowledged is told to others. 0: nobody is told. */
  readonly criticalResultMinutes: number;
  /** Within how many days a batch of a drug has to expire for pharmacists to be warned. 0: nobody is warned. */
  readonly expiryWarningDays: number;
  /** Years for which the audit log is kept. */
  readonly auditRetentionYears: number;
}

/** The defaults, which a test compares with those of the definition in `crds/`. */
export const DEFAULT_SETTINGS: HospitalSettings = {
  language: 'en',
  patientCodeLetters: 'HSP',
  rejectDuplicates: false,
  duplicateThreshold: 68,
  maxVisitorsPerPatient: 2,
  maxVisitorsPerHour: 0,
  requireIdempotencyKey: false,
  requireOpenShift: false,
  pricesIncludeTax: false,
  cashRounding: 1,
  slotMinutes: 15,
  noShowAfterMinutes: 0,
  waitingListOfferMinutes: 120,
  reminderHours: 24,
  queueDisplayName: 'Token',
  serviceDayStart: '00:00',
  requireSecondVerifier: true,
  criticalResultMinutes: 30,
  expiryWarningDays: 90,
  auditRetentionYears: 10,
};

/**
 * The locale of documents and mails, for Intl: the hospital's language, with the order of days of its country. Digits and
 * calendar are those of the language. English without a country writes the day first, as the pages do.
 */
export function localeOf({ language, country }: Pick<HospitalSettings, 'language' | 'country'>): string {
  const tag = new Intl.Locale(language);
  const region = tag.region ?? country ?? (tag.language === 'en' ? 'GB' : undefined);
  const { calendar, numberingSystem } = new Intl.DateTimeFormat(language).resolvedOptions();
  return new Intl.Locale(language, {
    ...(region === undefined ? {} : { region }),
    calendar,
    numberingSystem,
  }).toString();
}

/** The languages that mails and calendars have words for. */
export const MAIL_LANGUAGES = ['en', 'ar'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** The language of a mail: that of the tag, or English. @param tag BCP 47, such as `ar-EG` */
export function mailLanguage(tag: string): MailLanguage {
  const { language } = new Intl.Locale(tag);
  return MAIL_LANGUAGES.find((one) => one === language) ?? 'en';
}
