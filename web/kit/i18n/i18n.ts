/** Languages: words, direction, and how numbers and dates are written. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const;
export type Language = keyof typeof LANGUAGES;

type Load = Readonly<Record<Language, () => Promise<{ readonly default: object }>>>;
const STORED = 'hms-language';

let load: Load;

/** Loads the words of the language that was chosen before, or that the browser prefers. */
export async function startLanguages(words: Load): Promise<void> {
  load = words;
  await i18next.use(initReactI18next).init({ lng: 'none', interpolation: { escapeValue: false }, returnNull: false });
  await chooseLanguage(preferred());
}

export async function chooseLanguage(language: Language): Promise<void> {
  const { default: words } = await load[language]();
  i18next.addResourceBundle(language, 'translation', words, true, true);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // A browser may forbid it. The choice then lasts as long as the page.
  }
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The words of a key that comes from elsewhere, such as the code of an error. Undefined if this page has none. */
export function wordOf(key: string, values: object = {}): string | undefined {
  return i18next.exists(key) ? (i18next.t as (key: string, values: object) => string)(key, values) : undefined;
}

/** For Intl. Digits are the ones in codes and telephone numbers. */
export function locale(): string {
  return i18next.language === 'ar' ? 'ar-u-nu-latn' : 'en-GB';
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
