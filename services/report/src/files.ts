/** Figures and lists as tables of texts and numbers, for CSV and spreadsheets. Pure but for the library. */

import { inZone } from '@hms/domain/schedules';
import { digitsOf } from '@hms/money';
import { BYTE_ORDER_MARK, csvLines, type Work } from '@hms/service';
import type { MailLanguage } from '@hms/tenancy';
import writeXlsxFile, { type SheetData } from 'write-excel-file/node';
import { groupsOf, type Kind, type Report } from './declare.ts';
import type { Figures, RecordRow } from './figures.ts';

export const CSV = 'text/csv; charset=utf-8';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const PDF = 'application/pdf';

type Cell = string | number | null;

/** A table, whose columns have names for programs and titles for people. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly title: string; readonly kind: Kind }[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The groups of a report, with what they are compared with. Amounts are in the currency, not in its smallest unit. */
export function figuresTable(report: Report, figures: Figures, language: MailLanguage): Table {
  const groups = groupsOf(report);
  const measures = Object.entries(report.measures);
  const before = figures.previous ? measures : [];
  const { currency } = figures;
  return {
    columns: [
      ...figures.groupBy.map((name) => ({
        ...{ name, title: groups[name]?.title[language] ?? name },
        kind: name === 'day' ? ('day' as const) : ('text' as const),
      })),
      ...measures.map(([name, { title, kind }]) => ({ name, title: title[language], kind })),
      ...before.map(([name, { title, kind }]) => ({
        ...{ name: `previous.${name}`, kind },
        title: `${title[language]} (${BEFORE[report.of][language]})`,
      })),
    ],
    rows: figures.groups.map(({ keys, labels, values, previous }) => [
      ...figures.groupBy.map((name, index) =>
        nameOf(report, name, keys[index] ?? null, labels[index] ?? null, language),
      ),
      ...measures.map(([name, { kind }]) => plain(kind, values[name] ?? null, currency)),
      ...before.map(([name, { kind }]) => plain(kind, previous?.[name] ?? null, currency)),
    ]),
  };
}

const BEFORE: Readonly<Record<Report['of'], Readonly<Record<MailLanguage, string>>>> = {
  period: { en: 'before', ar: 'الفترة السابقة' },
  moment: { en: 'at the beginning', ar: 'في البداية' },
};
const NONE: Readonly<Record<MailLanguage, string>> = { en: 'None', ar: 'بدون' };

/** What a key is called. */
export function nameOf(
  report: Report,
  group: string,
  key: string | null,
  label: string | null,
  language: MailLanguage,
): string {
  if (key === null) return NONE[language];
  return label ?? groupsOf(report)[group]?.labels?.[key]?.[language] ?? key;
}

/** The columns of a list behind a figure. */
export function recordColumns({ columns }: Report, language: MailLanguage): Table['columns'] {
  return Object.entries(columns).map(([name, { title, kind }]) => ({ name, title: title[language], kind }));
}

/** Makes rows of a list into those of a file. Moments are by the clock of the hospital. */
export function recordLine(
  { columns }: Report,
  { currency, timezone }: Pick<Work['hospital'], 'currency' | 'timezone'>,
): (row: RecordRow) => readonly Cell[] {
  const kinds = Object.values(columns).map(({ kind }) => kind);
  return (row) =>
    kinds.map((kind, index) => {
      const cell = row[`c${index}`] ?? null;
      return cell instanceof Date ? inZone(cell.getTime(), timezone) : plain(kind, cell as Cell, currency);
    });
}

/** Money as a number of its currency. */
function plain(kind: Kind, cell: Cell, currency: string): Cell {
  return kind === 'money' && typeof cell === 'number' ? cell / 10 ** digitsOf(currency) : cell;
}

/** The first line of a CSV file: the names of the columns. @param bom see `BYTE_ORDER_MARK` */
export function csvHead(columns: Table['columns'], bom: boolean): string {
  return (bom ? BYTE_ORDER_MARK : '') + csvLines([columns.map(({ name }) => name)]);
}

/** A workbook of one sheet. @param name of the sheet @param currency of the amounts */
export function workbook(
  name: string,
  { columns, rows }: Table,
  language: MailLanguage,
  currency: string,
): Promise<Uint8Array> {
  const formats = formatsOf(currency);
  const head = columns.map(({ title }) => ({ value: title, fontWeight: 'bold' as const }));
  const body = rows.map((row) =>
    row.map((cell, index) => {
      const { kind } = columns[index] ?? { kind: 'text' };
      return cell === null || kind === 'text' ? cell : { value: spreadsheetValue(kind, cell), format: formats[kind] };
    }),
  );
  return writeXlsxFile([head, ...body] as SheetData, {
    // Excel allows so many characters.
    ...{ sheet: name.slice(0, 31), stickyRowsCount: 1, rightToLeft: language === 'ar' },
    columns: columns.map(({ title, kind }) => ({ width: Math.max(title.length + 2, kind in WIDE ? 20 : 12) })),
  }).toBuffer();
}

/** Kinds whose values are long. */
const WIDE: Partial<Readonly<Record<Kind, true>>> = { text: true, moment: true };

/** Spreadsheets have no zones: a moment is what the clock of the hospital shows. */
function spreadsheetValue(kind: Kind, cell: string | number): string | number | Date {
  if (kind === 'day') return new Date(`${cell}T00:00:00Z`);
  return kind === 'moment' ? new Date(`${String(cell).slice(0, SECONDS_LENGTH)}Z`) : cell;
}

const SECONDS_LENGTH = '2026-01-01T00:00:00'.length;

function formatsOf(currency: string): Readonly<Record<Exclude<Kind, 'text'>, string>> {
  const digits = digitsOf(currency);
  return {
    ...{ share: '0.0%', minutes: '#,##0.0', count: '#,##0', day: 'yyyy-mm-dd', moment: 'yyyy-mm-dd hh:mm' },
    money: digits > 0 ? `#,##0.${'0'.repeat(digits)}` : '#,##0',
  };
}
