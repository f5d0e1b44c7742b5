/**
 * The number that somebody typed: 0.5, or 0,5. Three digits after a comma may be decimals or thousands. They are decimals
 * where the language has that sign for them, or after a zero.
 * @param locale as for Intl. @returns NaN if it is no number, or could be two.
 */
export function numberIn(text: string, locale: string): number {
  const plain = westernDigits(text).trim().replace('\u066B', decimalSign(locale));
  const [, whole = '', sign, decimals = ''] = /^(\d{1,9})(?:([.,])(\d{1,3}))?$/.exec(plain) ?? [];
  const isAmbiguous = decimals.length === 3 && !/^0+$/.test(whole) && sign !== decimalSign(locale);
  return whole === '' || isAmbiguous ? Number.NaN : Number(`${whole}.${decimals}`);
}

/** A number as somebody would type it, with at most three decimals. `numberIn` reads it. @param locale as for Intl. */
export function numberText(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false }).format(value);
}

function decimalSign(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** Arabic, Persian and full-width digits as 0 to 9. */
export function westernDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/gu, (digit) =>
    String((digit.codePointAt(0) ?? 0) & 0xf),
  );
}
