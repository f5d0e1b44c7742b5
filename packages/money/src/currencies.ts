/**
 * How many digits a currency has after its decimal sign, by ISO 4217. `Intl` has other numbers for some of them, such as
 * 0 for IDR, and they change with its releases.
 */

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...words('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...words('BHD IQD JOD KWD LYD OMR TND', 3),
  ...words('CLF UYW', 4),
]);

function words(codes: string, digits: number): [string, number][] {
  return codes.split(' ').map((code) => [code, digits]);
}

/** @param currency code by ISO 4217. One that is not known has two digits, like most. */
export function digitsOf(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}
