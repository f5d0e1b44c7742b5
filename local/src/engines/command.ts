/** Runs tools of this machine to completion: builds, unpacking. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { lastLines } from '../process/log.ts';
import type { Progress } from '../report.ts';

/** The first executable file of that name on PATH. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (!folder) continue;
    const file = path.join(folder, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Receives the output of the command. */
  readonly log: string;
  readonly progress: Progress;
}

/** Runs a command. If it fails, the error names the log and repeats its last line. It ends with this process. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<void> {
  fs.mkdirSync(path.dirname(options.log), { recursive: true, mode: 0o700 });
  const log = fs.openSync(options.log, 'a');
  fs.writeSync(log, `$ ${[command, ...args].join(' ')}\n`);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  options.progress(() => lastLine(options.log));
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  try {
    const ended = await new Promise<string | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`));
    });
    if (ended)
      throw new Error(`${path.basename(command)} ${ended}: ${lastLine(options.log)} (all of it: ${options.log})`);
  } finally {
    process.removeListener('exit', stop);
  }
}

function lastLine(file: string): string {
  return lastLines(file, 0, 1)[0] ?? '';
}

let building: Promise<unknown> = Promise.resolve();

/** Runs builds one after the other, because each of them needs all cores and memory of a small machine. */
export function inTurn<T>(progress: Progress, build: () => Promise<T>): Promise<T> {
  progress(() => 'waiting for another build to end');
  const turn = building.then(build, build);
  building = turn.catch(() => undefined);
  return turn;
}
