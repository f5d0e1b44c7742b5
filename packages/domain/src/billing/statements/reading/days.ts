/** Dates as a bank writes them. */
import { StatementError } from './statement.ts';

/** YYYY-MM-DD. A time after the date is left out. @param format such as DD.MM.YYYY. @throws StatementError */
export function writtenDay(text: string, format: string, place: string): string {
  const pattern = format.replaceAll(/DD?|MM?|YYYY|YY|\./g, (token) => TOKENS[token] ?? token);
  const { year = '', month = '', day = '' } = text.match(new RegExp(`^${pattern}(?:[ T].*)?$`))?.groups ?? {};
  const written = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (year !== '' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written)) return written;
  throw new StatementError(
    `${place} has "${text.slice(0, 40)}" where a date like ${format} is expected: check the settings of the account.`,
  );
}

const TOKENS: Readonly<Record<string, string>> = {
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  '.': '\\.',
};
