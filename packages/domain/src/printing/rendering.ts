/** What all documents share: the look of the hospital, and what is said about flaws. */
import { type Branding, codeOf, type Rendered } from '@hms/documents';
import type { Platform, TaskContext } from '@hms/service';
import { type HospitalSettings, mailLanguage } from '@hms/tenancy';

/** In bytes. A larger file is left out. */
const LARGEST_LOGO = 2_000_000;
/** Servers limit the size of headers. */
const MOST_NAMED = 50;

const REGISTRATION = { en: 'Registration number', ar: 'رقم التسجيل' } as const;

/** What papers say of a hospital below its name, in lines. */
export function contactOf({ language, address, phone, registrationNumber }: HospitalSettings): readonly string[] {
  return [
    ...(address?.split('\n') ?? []),
    ...(phone ? [leftToRight(phone)] : []),
    ...(registrationNumber ? [`${REGISTRATION[mailLanguage(language)]} ${leftToRight(registrationNumber)}`] : []),
  ];
}

/** How the documents of a hospital look. @throws StorageUnavailable */
export async function brandingOf(storage: Platform['storage'], hospital: TaskContext['hospital']): Promise<Branding> {
  const { logo: logoKey, primaryColor } = hospital.theme;
  const logo = logoKey && (await storage.firstBytes(hospital, logoKey, LARGEST_LOGO + 1));
  return {
    hospital: hospital.displayName,
    contact: contactOf(hospital.settings),
    ...(primaryColor === undefined ? {} : { color: primaryColor }),
    ...(logo && logo.length <= LARGEST_LOGO ? { logo } : {}),
  };
}

/** The codes of the characters that a document shows as codes, such as `U+1F600`. No more than a header can hold. */
export function missingCodes({ missing }: Pick<Rendered, 'missing'>): string[] {
  return missing.slice(0, MOST_NAMED).map(codeOf);
}

/** Logs what a document lacks. @param what it is, such as `summary`. */
export function logFlaws(log: TaskContext['log'], what: string, { missing, logoError }: Rendered): void {
  // Their number only: they are part of a name.
  if (missing.length > 0)
    log.warn({ characters: missing.length }, `characters without a glyph are printed as codes in a ${what}`);
  if (logoError !== undefined) log.warn({ logoError }, `a ${what} has no logo`);
}

/** Isolates a text that is written from left to right in every language. */
export function leftToRight(text: string): string {
  return `\u2066${text}\u2069`;
}

/** Isolates a text that somebody has written, so that what is beside it stays where it is in every language. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** A line of a document, or no line for what is not known. */
export function fact(name: string, value: string | null | undefined): readonly (readonly [string, string])[] {
  return value ? [[name, value]] : [];
}
