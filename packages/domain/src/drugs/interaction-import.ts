/**
 * Interactions from a CSV file.
 *
 * A file is one transaction. Each row is imported or refused as a whole, and the answer names what is wrong with it. A
 * pair that exists is left as it is, whichever substance comes first and however it is spelled: the severity that the
 * hospital has chosen decides what is refused at a prescription, and a file must not lower it unseen. The answer names
 * where the file differs.
 */
import { checkBody, records, type Work } from '@hms/service';
import { z } from 'zod';
import { type CsvRow, csvRows, invalidFile } from '../imports/csv.ts';
import { interactionsAmong, spellings } from './interactions.ts';
import { interactions } from './record.ts';

/** Each column with the field that it fills. */
const FIELDS = {
  substance: 'substanceA',
  otherSubstance: 'substanceB',
  severity: 'severity',
  effect: 'effect',
} as const;
type Column = keyof typeof FIELDS;
export const INTERACTION_COLUMNS = Object.keys(FIELDS) as [Column, ...Column[]];

/** In rows. They are one transaction. */
export const MOST_INTERACTION_ROWS = 2_000;
/** In characters. */
export const LONGEST_INTERACTION_FILE = 1_500_000;
/** Of a value that the answer repeats, in characters. */
const SHOWN = 100;

export const interactionFile = z
  .object({
    csv: z
      .string()
      .min(1)
      .max(LONGEST_INTERACTION_FILE)
      .describe(
        'The content of the file, in UTF-8. Columns are separated by commas, semicolons, tabs or vertical bars',
      ),
    dryRun: z.boolean().default(false).describe('Only says what would happen'),
  })
  .meta({ id: 'DrugInteractionFile' });

const remark = z
  .object({
    line: z.int().describe('The row, as a spreadsheet shows it. That with the names of columns is usually 1'),
    column: z.enum(INTERACTION_COLUMNS).nullable().describe('Null for the whole row'),
    value: z.string().nullable().describe('What the file has there'),
    message: z.string(),
  })
  .meta({ id: 'DrugInteractionFileRemark' });
type Remark = z.output<typeof remark>;

export const interactionOutcome = z
  .object({
    total: z.int().describe('Rows of the file'),
    imported: z.int().describe('Rows that became interactions'),
    existing: z.int().describe('Rows whose pair exists, or is in the file before. They change nothing'),
    wrong: z.int().describe('Rows that were not imported, because something is wrong with them'),
    problems: z.array(remark).describe('What is wrong. A row may have several'),
    differences: z.array(remark).describe('Where rows differ from the pair that exists, which stays as it is'),
  })
  .meta({ id: 'DrugInteractionOutcome' });
type Outcome = z.output<typeof interactionOutcome>;

type NewInteraction = z.output<typeof interactions.create>;
type Judged = Pick<NewInteraction, 'severity' | 'effect'>;

interface Row {
  readonly line: number;
  readonly value: NewInteraction;
}

/** A pair that exists. */
interface Known extends Judged {
  /** What has it. */
  readonly owner: string;
}

/** @throws Problem IMPORT_FILE_INVALID if it is no CSV file with the right columns, or has too many rows. */
export async function importInteractions(
  work: Work,
  { csv, dryRun }: z.output<typeof interactionFile>,
): Promise<Outcome> {
  const { total, rows, problems } = await readFile(csv);
  if (!dryRun) await work.trx.query(ALONE);
  const { fresh, same, differences, existing } = await compared(work, rows);
  if (!dryRun) await Promise.all(fresh.map(({ value }) => records(work, interactions).insert(value)));
  const wrong = [...problems, ...same].sort((one, other) => one.line - other.line);
  return {
    ...{ total, imported: fresh.length, existing },
    wrong: new Set(wrong.map(({ line }) => line)).size,
    ...{ problems: wrong, differences },
  };
}

/** The rows that can be imported, and what is wrong with the others. */
async function readFile(csv: string) {
  const rows: Row[] = [];
  const problems: Remark[] = [];
  let total = 0;
  const format = { names: INTERACTION_COLUMNS, required: INTERACTION_COLUMNS, mostRows: MOST_INTERACTION_ROWS };
  for await (const row of csvRows(csv, format)) {
    total += 1;
    const read = readRow(row);
    if ('value' in read) rows.push(read);
    else problems.push(...read.problems);
  }
  if (total === 0) throw invalidFile('has no rows');
  return { total, rows, problems };
}

/** Validates a row as the API validates a new interaction. Spreadsheets allow several lines in a cell. */
function readRow({ line, cells, problem }: CsvRow): Row | { readonly problems: readonly Remark[] } {
  if (problem !== undefined) return { problems: [{ line, column: null, value: null, message: problem }] };
  const body: Record<string, string> = {};
  for (const column of INTERACTION_COLUMNS) {
    const written = cells[column]?.replaceAll(/\s+/g, ' ').trim();
    if (written) body[FIELDS[column]] = column === 'severity' ? written.toLowerCase() : written;
  }
  const result = checkBody(interactions.create, body);
  if ('value' in result) return { line, value: result.value };
  const problems = result.problems.map(({ field, message }) => {
    const column = INTERACTION_COLUMNS.find((name) => FIELDS[name] === field) ?? null;
    return { line, column, value: (column && cells[column]?.slice(0, SHOWN)) || null, message };
  });
  return { problems };
}

/** Compares rows with the pairs that exist, and with the rows before them. */
async function compared(work: Work, rows: readonly Row[]) {
  const keys = await spellings(
    work,
    rows.flatMap(({ value: { substanceA, substanceB } }) => [substanceA, substanceB]),
  );
  const stored = await interactionsAmong(work, [...new Set(keys.values())]);
  const known = new Map<string, Known>(stored.map((one) => [pairOf(one.a, one.b), { ...one, owner: 'the hospital' }]));
  const fresh: Row[] = [];
  const [same, differences]: [Remark[], Remark[]] = [[], []];
  let existing = 0;
  for (const row of rows) {
    const { line, value } = row;
    const [a = '', b = ''] = [keys.get(value.substanceA), keys.get(value.substanceB)];
    const before = known.get(pairOf(a, b));
    if (a === b) same.push({ line, column: 'otherSubstance', value: value.substanceB.slice(0, SHOWN), message: SAME });
    else if (before) {
      existing += 1;
      differences.push(...differencesOf(row, before));
    } else {
      known.set(pairOf(a, b), { ...value, owner: `line ${line}` });
      fresh.push(row);
    }
  }
  return { fresh, same, differences, existing };
}

function differencesOf({ line, value }: Row, { owner, ...known }: Known): readonly Remark[] {
  return (['severity', 'effect'] as const)
    .filter((column) => value[column] !== known[column])
    .map((column) => {
      const message = `${owner} has "${known[column].slice(0, SHOWN)}"`;
      return { line, column, value: value[column].slice(0, SHOWN), message };
    });
}

/** The same for a pair in whatever order. @param a, b as `spellings` spells them. */
function pairOf(a: string, b: string): string {
  return [a, b].sort().join('\n');
}

const SAME = 'is the same substance: an interaction is of two different ones';
/** Nobody else adds a pair between the comparison and the import. */
const ALONE = 'LOCK TABLE drug_interactions IN SHARE ROW EXCLUSIVE MODE';
