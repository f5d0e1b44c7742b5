/** Rows as CSV, for spreadsheets. */
import { stringify } from 'csv-stringify/sync';

/** Without it, some spreadsheets misread names in a CSV file. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A value that a spreadsheet would run as a formula begins with an apostrophe. Numbers stay as they are. */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows] as unknown[][], {
    record_delimiter: 'windows',
    escape_formulas: true,
    // Of what OWASP names, csv-stringify leaves a line feed out.
    cast: { string: (value) => (value.startsWith('\n') ? `'${value}` : value) },
  });
}
