/** Folders for tests, and hmsctl as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { PORT_NAMES, portVariable } from '@hms/local';
import { afterAll } from '@jest/globals';

const folders: string[] = [];
const children = new Set<ChildProcess>();
afterAll(() => {
  // What a test that failed has left would keep the run from ending.
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is deleted after the tests of the file. */
export function freshFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-unit-'));
  folders.push(folder);
  return folder;
}

const PROGRAM = path.join(import.meta.dirname, '..', 'bin', 'hmsctl.js');

export interface Run {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

type Stream = 'stdout' | 'stderr';

export interface Running {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly output: Readonly<Record<Stream, string>>;
  readonly ended: Promise<Run>;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Written to standard input, which then ends. */
  readonly input?: string;
  /** Milliseconds until the input is written: the program reads it earlier. */
  readonly inputAfter?: number;
  /** In a process group of its own, as a shell starts it. */
  readonly detached?: boolean;
  /** Arguments of Node. */
  readonly node?: readonly string[];
  /** At a terminal, whose input stays open. Its output has both streams. */
  readonly terminal?: boolean;
}

/** Starts the real program with pipes or at a terminal, isolated from any platform on this machine unless `env` names one. */
export function startHmsctl(args: readonly string[], options: RunOptions = {}): Running {
  const unset = Object.fromEntries(
    ['KUBECONFIG', 'HMS_SERVER', 'FORCE_COLOR', ...PORT_NAMES.map(portVariable)].map((name) => [name, undefined]),
  );
  const away = { HMS_DATA_DIR: path.join(os.tmpdir(), 'hms-no-platform'), XDG_CONFIG_HOME: os.tmpdir() };
  const command = [process.execPath, ...(options.node ?? []), PROGRAM, ...args];
  const [file = '', ...rest] = options.terminal
    ? ['script', '-qfec', command.map(quoted).join(' '), '/dev/null']
    : command;
  const child = spawn(file, rest, {
    env: { ...process.env, ...unset, ...away, ...options.env },
    stdio: 'pipe',
    detached: options.detached ?? false,
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  const output = { stdout: '', stderr: '' };
  // A character of several bytes may arrive in two pieces.
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  // A program that refuses its arguments may have ended before it read anything.
  child.stdin?.on('error', () => undefined);
  if (!options.terminal) setTimeout(() => child.stdin?.end(options.input ?? ''), options.inputAfter ?? 0).unref();
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...output }) as Run);
  return { child, output, ended };
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

export function hmsctl(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return startHmsctl(args, options).ended;
}

/** Node arguments that make it report a version that is too old for hmsctl. */
export const OLD_NODE = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})',
];

/** Waits until it has written what the pattern describes. */
export async function written(running: Running, pattern: RegExp, name: Stream = 'stdout'): Promise<void> {
  const { child, output } = running;
  while (!pattern.test(output[name])) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`hmsctl ended before it wrote ${pattern}; it wrote ${output.stdout}${output.stderr}`);
    const waits = new AbortController();
    const { signal } = waits;
    await Promise.race([once(child[name] as Readable, 'data', { signal }), once(child, 'exit', { signal })]);
    waits.abort();
  }
}
