/** The history of suites that failed and passed when they ran again. `make flaky` prints it. */
import fs from 'node:fs';
import { remembered } from './tree.ts';

const FILE = 'flaky.jsonl';

interface Flaky {
  /** ISO time. */
  readonly at: string;
  readonly commit: string;
  readonly suite: string;
  /** The first failed test and its message. */
  readonly error: string;
}

export function rememberFlaky(found: readonly Flaky[]): void {
  fs.appendFileSync(remembered(FILE), found.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** How often each suite was flaky, the most frequent first. */
export function flakyTable(): string {
  const file = remembered(FILE);
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  if (lines.length === 0) return 'No suite was flaky yet.';
  const all = lines.map((line) => JSON.parse(line) as Flaky);
  const rows = [...Map.groupBy(all, ({ suite }) => suite)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([suite, times]) => {
      const last = times.at(-1);
      const error = last?.error.split('\n')[0] ?? '';
      return `${String(times.length).padStart(5)}  ${last?.at.slice(0, 16)}  ${suite}\n${' '.repeat(25)}${error}`;
    });
  return [' times  last              suite', ...rows].join('\n');
}

if (import.meta.main) process.stdout.write(`${flakyTable()}\n`);
