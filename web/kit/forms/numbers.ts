/** The number that somebody wrote. A decimal comma is as good as a point. */
export function numberIn(text: string): number {
  return Number(text.trim().replace(',', '.'));
}

/** Arabic, Persian and full-width digits as 0 to 9. */
export function westernDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/gu, (digit) =>
    String((digit.codePointAt(0) ?? 0) & 0xf),
  );
}
