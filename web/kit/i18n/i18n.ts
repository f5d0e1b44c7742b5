/** Languages: words, direction, and how numbers and dates are written. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const;
export type Language = keyof typeof LANGUAGES;

/** The files with the same words in each language. */
export type Words = Readonly<Record<Language, () => Promise<{ readonly default: object }>>>;
const STORED = 'hms-language';

const ready = i18next
  .use(initReactI18next)
  .init({ lng: 'none', interpolation: { escapeValue: false }, returnNull: false });
/** What this tab shows so far, and what of it is here or on its way. */
const needed = new Set<Words>();
const requested: Readonly<Record<Language, Map<Words, Promise<void>>>> = { en: new Map(), ar: new Map() };
let shown = preferred();
/** The last choice, whose words may be on their way. */
let wanted: Language | undefined;

/** Loads the first words in the language that was chosen before, or that the browser prefers. */
export async function startLanguages(words: Words): Promise<void> {
  needed.add(words);
  await bring(words, shown);
  await show(shown);
}

/** Loads words for as long as the tab is open: another language brings them too. */
export async function needWords(words: Words): Promise<void> {
  needed.add(words);
  let language: Language;
  do {
    language = shown;
    await bring(words, language);
    // Somebody may choose another language meanwhile.
  } while (language !== shown);
}

export async function chooseLanguage(language: Language): Promise<void> {
  wanted = language;
  // Before the words are there: the choice holds for a page that is opened meanwhile.
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // A browser may forbid it. The choice then lasts as long as the page.
  }
  let count: number;
  do {
    count = needed.size;
    await Promise.all([...needed].map((words) => bring(words, language)));
    // A page may ask for its words meanwhile, in the language that is shown.
  } while (count < needed.size);
  // Somebody may have chosen another one meanwhile.
  if (language === wanted) await show(language);
}

async function show(language: Language): Promise<void> {
  shown = language;
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

function bring(words: Words, language: Language): Promise<void> {
  const before = requested[language].get(words);
  if (before) return before;
  const now = read(words, language);
  requested[language].set(words, now);
  // Next time it may succeed.
  now.catch(() => requested[language].delete(words));
  return now;
}

async function read(words: Words, language: Language): Promise<void> {
  const [file] = await Promise.all([words[language](), ready]);
  i18next.addResourceBundle(language, 'translation', file.default, true, true);
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The words of a key that comes from elsewhere, such as the code of an error. Undefined if this page has none. */
export function wordOf(key: string, values: object = {}): string | undefined {
  return i18next.exists(key) ? (i18next.t as (key: string, values: object) => string)(key, values) : undefined;
}

/** The hospital's country, as an ISO 3166 code. It decides the order of days, in every language. */
let country: string | undefined;

/** Takes the country of the hospital. @param code null: the hospital has chosen none. */
export function setCountry(code: string | null | undefined): void {
  country = code ?? undefined;
}

export function countryOfHospital(): string | undefined {
  return country;
}

/** For Intl. Digits are the ones in codes and telephone numbers, and years are those of the Gregorian calendar. */
export function locale(): string {
  const language = i18next.language === 'ar' ? 'ar' : 'en';
  const region = country ?? (language === 'en' ? 'GB' : undefined);
  return `${language}${region ? `-${region}` : ''}-u-ca-gregory-nu-latn`;
}

function preferred(): Language {
  const wanted = [stored(), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return wanted.find((tag): tag is Language => tag !== undefined && tag in LANGUAGES) ?? 'en';
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A name as lists sort it: the last name first, with the comma of its script. Parts that are not known are left out. */
export function listedName(lastName: string | null, firstName: string | null): string {
  return [lastName, firstName].filter(Boolean).join(/[\u0600-\u06ff]/.test(lastName ?? '') ? '، ' : ', ');
}
