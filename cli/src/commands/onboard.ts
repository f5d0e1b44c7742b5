/** onboard: many hospitals from one CSV file. It can be repeated, and does only what is left to do. */

import type { HospitalObject } from '@hms/hospitals';
import { placeholderName } from '@hms/hospitals/refusals';
import { Command } from 'commander';
import pLimit from 'p-limit';
import { EXIT, Exit } from '../exit.ts';
import { changeOf, type Hospitals } from '../hospitals.ts';
import { readText, sourceName } from '../input.ts';
import { checkRow, ONBOARDING } from '../onboarding/check.ts';
import {
  COLUMNS,
  manifestOf,
  problemsIn,
  type Row,
  type RowProblem,
  readRows,
  sharedOwners,
} from '../onboarding/rows.ts';
import { dryRunOption, examples, globals } from '../options.ts';
import { columns, harmless, print } from '../output.ts';
import { READY, waitFor } from '../waiting.ts';
import { dryRunNote, hospitalsOf, say, timeoutOption, type Waiting, type Writing } from './hospital/options.ts';

const LIMIT = 4 * 1024 * 1024;
/** Requests at a time. */
const PARALLEL = 8;

type Result = 'created' | 'changed' | 'unchanged';

interface Onboarded {
  readonly prefix: string;
  readonly result: Result;
}

interface Options extends Waiting, Writing {
  readonly filename: string;
}

export function onboardCommand(): Command {
  return new Command('onboard')
    .description('create or update many hospitals from a CSV file, all of them or none, and wait until they are Ready')
    .requiredOption('-f, --filename <file>', 'CSV file with one hospital per row; - reads standard input')
    .option('--no-wait', 'end as soon as the cluster has the hospitals')
    .addOption(timeoutOption('30m'))
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      `\nColumns, of which prefix and displayName are required:\n  ${Object.keys(COLUMNS).join('\n  ')}\n`,
    )
    .addHelpText('after', examples('hmsctl onboard -f hospitals.csv --dry-run', 'hmsctl onboard -f hospitals.csv'))
    .action(async ({ filename, wait, timeout, dryRun }: Options, command: Command) => {
      const source = sourceName(filename);
      const rows = readRows(await readText(filename, { what: 'a CSV file', limit: LIMIT }), source);
      const hospitals = hospitalsOf(command);
      const planned = await plan(hospitals, rows, source);
      for (const line of sharedOwners(rows)) say(harmless(line));
      const work = planned.filter(({ result }) => result !== 'unchanged');
      if (!dryRun) await applyAll(hospitals, work, planned.length);
      const names = planned.map(({ prefix }) => prefix);
      if (wait && !dryRun) await waitFor(hospitals, names, READY, { timeout, say });
      const { output } = globals(command);
      const results = planned.map(({ prefix, result }) => ({ prefix, result }));
      if (output !== 'table') return print(results, output, table);
      if (dryRun)
        for (const { prefix, result } of work) console.log(`hospital ${prefix} ${result}${dryRunNote(dryRun)}`);
      console.log(`${summary(results)}${wait && !dryRun ? '; all are Ready' : ''}${dryRunNote(dryRun)}`);
    });
}

interface Planned extends Onboarded {
  readonly row: Row;
}

/** Checks all rows, and what each would change. @throws Exit with all that is wrong, before anything is changed. */
async function plan(hospitals: Hospitals, rows: readonly Row[], source: string): Promise<Planned[]> {
  const problems = problemsIn(rows);
  const unnamed = new Set(problems.filter(({ column }) => column === 'prefix').map(({ row }) => row));
  const there = new Map((await hospitals.list()).map((hospital) => [hospital.metadata.name, hospital]));
  const limit = pLimit(PARALLEL);
  const checked = await Promise.all(
    rows.map((row) =>
      limit(async () => {
        const before = there.get(row.values.prefix ?? '');
        if (before?.metadata.deletionTimestamp) return being(row);
        // The other columns of a row without a valid name are checked under another one.
        const named = !unnamed.has(row.number);
        const after = await checkRow(
          hospitals,
          named ? row : { ...row, values: { ...row.values, prefix: placeholderName() } },
        );
        return isHospital(after) ? { row, prefix: after.metadata.name, result: changeOf(before, after) } : after;
      }),
    ),
  );
  for (const outcome of checked) {
    if ('row' in outcome) continue;
    // An empty cell is known already, and the API server only says that something is missing.
    problems.push(
      ...outcome.filter(({ row, column }) => !problems.some((one) => one.row === row && one.column === column)),
    );
  }
  if (problems.length > 0) throw new Exit(EXIT.failure, report(problems, rows, source));
  return checked.filter((outcome) => 'row' in outcome);
}

function being(row: Row): readonly RowProblem[] {
  return [
    { row: row.number, column: 'prefix', message: `${row.values.prefix} is being deleted: wait until it is gone.` },
  ];
}

function isHospital(outcome: HospitalObject | readonly RowProblem[]): outcome is HospitalObject {
  return !Array.isArray(outcome);
}

function report(problems: readonly RowProblem[], rows: readonly Row[], source: string): string {
  const wrong = new Set(problems.map(({ row }) => row)).size;
  const sorted = [...problems].sort((a, b) => a.row - b.row);
  const lines = sorted.map(({ row, column, message }) => [
    String(row),
    column ?? '-',
    rows.find(({ number }) => number === row)?.values[column ?? 'prefix'] ?? '-',
    message,
  ]);
  return [
    `nothing was changed: ${wrong} of ${rows.length} rows of ${source} are wrong.`,
    columns([['ROW', 'COLUMN', 'VALUE', 'WHAT IS WRONG'], ...lines]),
  ].join('\n');
}

async function applyAll(hospitals: Hospitals, work: readonly Planned[], total: number): Promise<void> {
  const limit = pLimit(PARALLEL);
  let done = 0;
  await Promise.all(
    work.map(({ row, result }) =>
      limit(async () => {
        const after = await hospitals.apply(manifestOf(row), { manager: ONBOARDING });
        done += 1;
        say(`hospital ${after.metadata.name} ${result} (${done} of ${work.length}, ${total - work.length} unchanged)`);
      }),
    ),
  ).catch((error: unknown) => {
    limit.clearQueue();
    if (!(error instanceof Exit)) throw error;
    throw new Exit(error.code, `${error.message}\n${done} of ${work.length} were written: run it again for the rest.`);
  });
}

/** Such as `48 created, 2 unchanged`. */
function summary(results: readonly Onboarded[]): string {
  const counts = (['created', 'changed', 'unchanged'] as const).map(
    (result) => [results.filter((one) => one.result === result).length, result] as const,
  );
  return counts
    .filter(([count]) => count > 0)
    .map(([count, result]) => `${count} ${result}`)
    .join(', ');
}

function table(results: readonly Onboarded[]): string[][] {
  return [['PREFIX', 'RESULT'], ...results.map(({ prefix, result }) => [prefix, result])];
}
