/** Runs suites with Jest, in a process of its own, and reads what they came to. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './reporter.ts';
import { ROOT, type Suite } from './suites.ts';

const JEST = fileURLToPath(import.meta.resolve('jest/bin/jest'));

export interface Result extends Omit<Outcome, 'file'> {
  readonly suite: Suite;
  /** Processor time of the suite's own process, without the engines. Undefined if the suite did not end. */
  readonly cpuSeconds: number | undefined;
}

interface Run {
  readonly suites: readonly Suite[];
  /** How many suites run at the same time. */
  readonly workers: number;
  /** Only tests with this in their names. */
  readonly name?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** File to which each suite's outcome is appended when it ends. */
  readonly outcomes: string;
  /** Whether other processes of this machine go first. */
  readonly givesWay: boolean;
  /** Aborts the run. */
  readonly signal: AbortSignal;
}

/** Each such process gets a third of the processor time of another one when both want more than there is. */
const LOWER_PRIORITY = 5;

/** @returns the result of each suite, also of those that did not end. */
export async function runJest({
  suites,
  workers,
  name,
  env,
  outcomes,
  givesWay,
  signal,
}: Run): Promise<readonly Result[]> {
  if (suites.length === 0) return [];
  const before = outcomesIn(outcomes).length;
  const args = [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', JEST],
    ...(workers === 1 ? ['--runInBand'] : [`--maxWorkers=${workers}`]),
    ...(name === undefined ? [] : ['--testNamePattern', name]),
    ...['--runTestsByPath', ...suites.map(({ file }) => file)],
  ];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, HMS_TEST_OUTCOMES: outcomes, HMS_TEST_CPU: timesFile(outcomes) },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
    killSignal: 'SIGTERM',
  });
  if (givesWay && child.pid !== undefined) os.setPriority(child.pid, LOWER_PRIORITY);
  await new Promise<void>((resolve, reject) => {
    // An aborted run still writes until its process has ended.
    child.once('error', (error) => signal.aborted || reject(error));
    child.once('exit', () => resolve());
  });
  signal.throwIfAborted();
  return resultsOf(suites, outcomesIn(outcomes).slice(before), outcomes);
}

/** The results of suites, of which some may have ended in an earlier run. */
export function resultsOf(suites: readonly Suite[], ended: readonly Outcome[], outcomes: string): readonly Result[] {
  const byFile = new Map(ended.map((outcome) => [outcome.file, outcome]));
  const times = new Map(
    linesOf<{ file: string; seconds: number }>(timesFile(outcomes)).map((one) => [relative(one.file), one.seconds]),
  );
  return suites.map((suite) => ({
    ...(byFile.get(suite.file) ?? NOT_ENDED),
    suite,
    cpuSeconds: times.get(suite.file),
  }));
}

/** All outcomes that were appended to this file. */
export function outcomesIn(file: string): readonly Outcome[] {
  return linesOf<Outcome>(file);
}

function timesFile(outcomes: string): string {
  return outcomes.replace(/\.jsonl$/, '-times.jsonl');
}

const NOT_ENDED = {
  passed: 0,
  failed: 1,
  skipped: 0,
  seconds: 0,
  errors: ['The suite did not end: its process was killed or crashed.'],
};

function relative(file: string): string {
  return path.relative(ROOT, file).split(path.sep).join('/');
}

function linesOf<T>(file: string): readonly T[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as T);
}
