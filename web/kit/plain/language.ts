/** Languages of pages that are small and have no account: a television, and a patient's own page. */

export interface Language<Words> {
  readonly words: Words;
  readonly direction: 'ltr' | 'rtl';
  /** For Intl. Digits are the ones in codes. */
  readonly locale: string;
}

/** @returns the language for a tag such as ar-EG */
export function languages<Words>(en: Words, ar: Words): (tag: string) => Language<Words> {
  return (tag) =>
    tag.slice(0, 2) === 'ar'
      ? { words: ar, direction: 'rtl', locale: 'ar-u-nu-latn' }
      : { words: en, direction: 'ltr', locale: 'en-GB' };
}

/** A sentence in the forms that its number needs. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** A sentence in the form for a number, with its values. */
export function sayFor(
  count: number,
  forms: Forms,
  { locale }: Pick<Language<unknown>, 'locale'>,
  values: Readonly<Record<string, string>>,
): string {
  return say(forms[new Intl.PluralRules(locale).select(count)] ?? forms.other, values);
}

/** A sentence with its values. */
export function say(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
