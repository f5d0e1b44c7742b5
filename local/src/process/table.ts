/** What the system says about processes: who lives, since when, how big, who listens where. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** A process and when it started, so that a pid that was given to another process is not mistaken for it. */
export interface Identity {
  readonly pid: number;
  readonly startTime: string;
}

/** @returns undefined when there is no such process, or it has ended and waits for its parent to notice. */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = statOf(pid);
    // field 22 of proc_pid_stat(5): clock ticks since boot
    return stat && stat.state !== 'Z' ? stat.fields[21 - 2] : undefined;
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(identity: Identity): boolean {
  return startTimeOf(identity.pid) === identity.startTime;
}

/** Sends a signal to one process: PostgreSQL's and Keycloak's own children must hear of it from their parent. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // ended a moment ago
  }
}

/** Sends a signal to the process group that the pid leads. @returns false when nobody is left in it. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Memory in bytes of each process group led by one of the pids; shared pages are counted once (PSS) where the system tells. */
export function memoryOf(leaders: readonly number[]): Map<number, number> {
  const sums = new Map<number, number>(leaders.map((pid) => [pid, 0]));
  for (const { pid, group, bytes } of processes(new Set(leaders))) {
    if (pid > 0) sums.set(group, (sums.get(group) ?? 0) + bytes);
  }
  return sums;
}

/** Who listens on a TCP port of this machine, like `nginx (pid 812)`; undefined where the system doesn't tell. */
export function listenerOf(port: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningInodes(table, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of pids()) {
    try {
      for (const fd of fs.readdirSync(`/proc/${pid}/fd`)) {
        const inode = /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
        if (inode && inodes.has(inode)) return `${commandOf(pid)} (pid ${pid})`;
      }
    } catch {
      // another user's process, or one that has just ended
    }
  }
  return undefined;
}

function listeningInodes(table: string, port: number): string[] {
  const LISTEN = '0A';
  try {
    return fs
      .readFileSync(table, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(
        (columns) =>
          columns[3] === LISTEN && columns[1]?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`),
      )
      .flatMap((columns) => columns[9] ?? []);
  } catch {
    return [];
  }
}

/** The program and what it works on, without its options: what a person knows it by. */
function commandOf(pid: number): string {
  const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const command = words.filter((word) => !word.startsWith('-')).join(' ');
  if (command === '') return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND - 1)}…` : command;
}

const LONGEST_COMMAND = 120;

function pids(): number[] {
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function statOf(pid: number): { state: string; fields: string[] } | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the command's name stands in brackets and may hold spaces and brackets itself
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', fields };
  } catch {
    return undefined;
  }
}

function* processes(groups: ReadonlySet<number>): Generator<{ pid: number; group: number; bytes: number }> {
  if (process.platform === 'linux') {
    for (const pid of pids()) {
      const group = Number(statOf(pid)?.fields[2]);
      if (groups.has(group)) yield { pid, group, bytes: residentBytes(pid) };
    }
    return;
  }
  for (const line of execFileSync('ps', ['-axo', 'pid=,pgid=,rss='], { encoding: 'utf8' }).split('\n')) {
    const [pid = 0, group = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
    if (groups.has(group)) yield { pid, group, bytes: kilobytes * 1024 };
  }
}

function residentBytes(pid: number): number {
  for (const [file, pattern] of [
    ['smaps_rollup', /^Pss:\s+(\d+) kB/m],
    ['status', /^VmRSS:\s+(\d+) kB/m],
  ] as const) {
    try {
      const kilobytes = pattern.exec(fs.readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1];
      if (kilobytes) return Number(kilobytes) * 1024;
    } catch {
      // not ours to read, or gone
    }
  }
  return 0;
}
