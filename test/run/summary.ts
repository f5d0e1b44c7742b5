/** What a run prints at its end. */
import { duration } from '@hms/local';
import type { Result } from './jest.ts';

const SLOWEST = 10;
const LINES_OF_AN_ERROR = 12;

/** All suites, the slowest first. */
export function table(results: readonly Result[], shown = results.length): string {
  const rows = [...results]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, shown)
    .map(({ suite, seconds, cpuSeconds, passed }) =>
      [seconds.toFixed(1), cpuSeconds?.toFixed(1) ?? '–', String(passed)]
        .map((cell, index) => cell.padStart([8, 10, 6][index] ?? 0))
        .concat(suite.file)
        .join('  '),
    );
  return [' seconds   processor   tests  suite', ...rows].join('\n');
}

interface Ended {
  readonly results: readonly Result[];
  /** Suites that failed first, with the first error. */
  readonly flaky: readonly { readonly file: string; readonly error: string }[];
  /** Milliseconds of each part that ran. */
  readonly times: ReadonlyMap<string, number>;
  readonly milliseconds: number;
  /** Where all suites are listed. */
  readonly tableFile: string;
}

/** The slowest suites, the failed, the flaky, and the closing line. */
export function summary({ results, flaky, times, milliseconds, tableFile }: Ended): string {
  const failed = results.filter((result) => result.failed > 0);
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return [
    '',
    `The slowest of ${suites(results.length)} (all: ${tableFile}):`,
    table(results, SLOWEST),
    ...failed.map(({ suite, errors }) => `\nfailed  ${suite.file}\n${indented(errors[0] ?? '')}`),
    ...flaky.map(({ file, error }) => `\nflaky   ${file}: passed when it ran again alone\n${indented(error)}`),
    '',
    ...(times.size > 1 ? [...times].map(([part, time]) => `${part.padEnd(10)}${duration(time)}`) : []),
    `${suites(results.length)} in ${duration(milliseconds)}, ${failed.length} failed, ${flaky.length} flaky.`,
    `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    '',
  ].join('\n');
}

/** Such as `1 suite`. */
export function suites(count: number): string {
  return `${count} suite${count === 1 ? '' : 's'}`;
}

function indented(error: string): string {
  const lines = error.trim().split('\n').slice(0, LINES_OF_AN_ERROR);
  return lines.map((line) => `        ${line}`).join('\n');
}
