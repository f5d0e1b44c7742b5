/** Numbers and sizes as people read them. */
import { locale } from '../../../kit/i18n/i18n.ts';

export function showNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale(), options).format(value);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** In the largest unit of which there is one. */
export function showBytes(bytes: number, options: Intl.NumberFormatOptions = {}): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3));
  const format = { style: 'unit', unit: UNITS[power], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return showNumber(bytes / 1000 ** power, { ...format, ...options });
}
