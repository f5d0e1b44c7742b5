/** Reads a statement in CSV by the settings of its bank account. */
import { sum } from '@hms/money';
import { parse } from 'csv-parse/sync';
import { minus, writtenAmount } from './amounts.ts';
import { writtenDay } from './days.ts';
import { type Column, type CsvMapping, type CsvSettings, csvMapping } from './mapping.ts';
import { type Statement, StatementError } from './statement.ts';

/** @throws StatementError */
export function readCsv(bytes: Uint8Array, mapping: CsvMapping): Statement {
  const settings = csvMapping.parse(mapping);
  const rows = readRows(linesOf(bytes, settings), settings);
  const ordered = isNewestFirst(rows, settings) ? rows.reverse() : rows;
  return {
    account: ordered.find(({ account }) => account !== '')?.account ?? '',
    statementId: null,
    currency: settings.currency,
    fromDay: ordered[0]?.bookedOn ?? null,
    toDay: ordered.at(-1)?.bookedOn ?? null,
    ...balancesOf(ordered),
    entries: ordered.map(({ bookedOn, valueOn, amount, reference, texts, partyName, partyAccount }) => ({
      ...{ bookedOn, valueOn, amount, status: 'booked', isReversal: false, isBatch: false, bankReference: null },
      parts: [{ amount, reference, endToEndId: null, text: texts.join(' '), partyName, partyAccount }],
    })),
  };
}

interface Row {
  readonly bookedOn: string;
  readonly valueOn: string | null;
  readonly amount: number;
  readonly balance: number | null;
  readonly texts: string[];
  readonly reference: string | null;
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  readonly account: string;
}

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

function linesOf(bytes: Uint8Array, { encoding, separator, linesBefore }: CsvSettings): Line[] {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new StatementError(`The file is not in ${encoding}: choose its encoding in the settings of the account.`);
  }
  const all = text.split(/\r\n|\r|\n/);
  try {
    const parsed = parse(all.slice(linesBefore).join('\n'), {
      delimiter: separator,
      relaxColumnCount: true,
      // A bank that forgets one of two quotes.
      relaxQuotes: true,
      info: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return parsed
      .map(({ record, info }) => ({ line: info.lines + linesBefore, cells: record.map((cell) => cell.trim()) }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''));
  } catch {
    throw new StatementError('The file has quotes that do not end: download the statement from the bank again.');
  }
}

function readRows(lines: Line[], settings: CsvSettings): Row[] {
  const header = settings.hasHeader ? lines.shift()?.cells : undefined;
  if (settings.hasHeader && !header) throw new StatementError('The file has no line with the names of columns.');
  const names = header?.map((name) => name.toLowerCase());
  const index = (column: Column): number => {
    if (typeof column === 'number') return column - 1;
    const name = column.trim().toLowerCase();
    const at = names?.indexOf(name) ?? -1;
    if (at >= 0 && names?.lastIndexOf(name) !== at)
      throw new StatementError(`The file has two columns "${column}": give the number of the right one.`);
    if (at >= 0) return at;
    throw new StatementError(`The file has no column "${column}": check the columns in the settings of the account.`);
  };
  const rows: Row[] = [];
  for (const { line, cells } of lines) {
    if (header && cells.slice(header.length).some((cell) => cell !== ''))
      throw new StatementError(
        `Line ${line} has more cells than the line with the names of columns: check the separators of cells and of decimals.`,
      );
    const cell = (column: Column | undefined) => (column === undefined ? '' : (cells[index(column)] ?? ''));
    const texts = settings.texts.map(cell).filter(Boolean);
    const last = rows.at(-1);
    if (settings.continuesText && cell(settings.date) === '' && last) last.texts.push(...texts);
    else rows.push({ ...readRow(cell, settings, `Line ${line}`), texts });
  }
  return rows;
}

type Cell = (column: Column | undefined) => string;

function readRow(cell: Cell, settings: CsvSettings, place: string): Omit<Row, 'texts'> {
  const value = cell(settings.valueDate);
  const balance = cell(settings.balance);
  return {
    bookedOn: writtenDay(cell(settings.date), settings.dateFormat, place),
    valueOn: value === '' ? null : writtenDay(value, settings.dateFormat, place),
    amount: amountOf(cell, settings, place),
    balance: balance === '' ? null : writtenAmount(balance, settings, settings.currency, place),
    reference: cell(settings.reference) || null,
    partyName: cell(settings.partyName) || null,
    partyAccount: cell(settings.partyAccount) || null,
    account: cell(settings.account).replaceAll('"', ''),
  };
}

/** Debits count as money that left, with a sign or without. */
function amountOf(cell: Cell, settings: CsvSettings, place: string): number {
  const read = (text: string) => writtenAmount(text, settings, settings.currency, place);
  if (settings.amount !== undefined) {
    const amount = read(cell(settings.amount));
    if (!settings.sign) return amount;
    const sign = cell(settings.sign.column).toLowerCase();
    if (sign === '')
      throw new StatementError(
        `${place} does not say whether it is credit or debit: check the columns of the account.`,
      );
    const { debit, credit } = settings.sign;
    if (sign === debit.toLowerCase()) return minus(Math.abs(amount));
    if (credit === undefined || sign === credit.toLowerCase()) return amount;
    throw new StatementError(`${place} says neither "${debit}" nor "${credit}": check the words of the account.`);
  }
  const [debit, credit] = [cell(settings.debit), cell(settings.credit)];
  if (debit === '' && credit === '') {
    throw new StatementError(`${place} has no amount: check the columns in the settings of the account.`);
  }
  return sum([debit === '' ? 0 : minus(Math.abs(read(debit))), credit === '' ? 0 : read(credit)]);
}

function isNewestFirst(rows: readonly Row[], { newestFirst }: CsvSettings): boolean {
  if (newestFirst !== undefined) return newestFirst;
  const [first, last] = [rows[0]?.bookedOn ?? '', rows.at(-1)?.bookedOn ?? ''];
  if (first !== last) return first > last;
  // Of one day: the order in which more balances follow from each other.
  let newest = 0;
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    if (!next || row.balance === null || next.balance === null) continue;
    if (row.balance === next.balance + row.amount) newest += 1;
    if (next.balance === row.balance + next.amount) newest -= 1;
  }
  return newest > 0;
}

/** From the first and the last row that have a balance. */
function balancesOf(rows: readonly Row[]): { readonly opening: number | null; readonly closing: number | null } {
  const first = rows.findIndex(({ balance }) => balance !== null);
  const last = rows.findLastIndex(({ balance }) => balance !== null);
  if (first < 0) return { opening: null, closing: null };
  const before = rows.slice(0, first + 1).map(({ amount }) => -amount);
  const after = rows.slice(last + 1).map(({ amount }) => amount);
  return {
    opening: sum([rows[first]?.balance ?? 0, ...before]),
    closing: sum([rows[last]?.balance ?? 0, ...after]),
  };
}
