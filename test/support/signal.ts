/**
 * Freezes and kills processes of the test platform. Suites that use it run alone: `npm run imports` refuses it in any
 * other.
 */
import { execFileSync } from 'node:child_process';
import { platform } from '../platform.ts';
import { until } from './until.ts';

/** The current processes of an engine, such as `s3`, or of a module, such as `hms` for `hms-1` and `hms-2`. */
function processesOf(name: string) {
  const found = platform().processes.filter((one) => one.name === name || one.name.replace(/-\d$/, '') === name);
  if (found.length === 0) throw new Error(`there is no ${name} process`);
  return found;
}

/** The current process of this name, with its pid and state. */
export function processOf(name: string) {
  const [found] = processesOf(name);
  if (!found?.pid) throw new Error(`${name} does not run`);
  return { pid: found.pid, state: found.state };
}

/** Stops or continues an engine or a module: with SIGSTOP it accepts connections but does not answer. */
export function signal(name: string, how: 'SIGSTOP' | 'SIGCONT'): void {
  for (const { pid } of processesOf(name)) {
    if (!pid) continue;
    // PostgreSQL's connections are processes in groups of their own.
    if (name === 'postgres') for (const one of descendants(pid)) process.kill(one, how);
    // Keycloak is a script and its child process.
    else process.kill(-pid, how);
  }
}

/** For `afterEach`: continues these engines. */
export function continueAll(): void {
  signal('s3', 'SIGCONT');
  signal('keycloak', 'SIGCONT');
}

/** Kills a process. Resolves when its supervisor has started another one, which may not be ready. */
export async function kill(name: string): Promise<void> {
  const { pid } = processOf(name);
  process.kill(-pid, 'SIGKILL');
  await until(
    `${name} to be restarted`,
    async () => platform().processes.find((one) => one.name === name)?.pid,
    (now) => now !== undefined && now !== pid,
    60_000,
  );
}

/** The process and all processes below it. */
function descendants(root: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  const parentOf = new Map(all.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parentOf.get(pid)));
  return [...parentOf.keys()].filter(isBelow);
}
