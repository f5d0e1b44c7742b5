/** Information of the system about processes: state, start time, memory, listeners. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** A process with its start time, so that a reused pid is not mistaken for it. */
export interface Identity {
  readonly pid: number;
  readonly startTime: string;
}

/** @returns undefined if there is no such process, or if it is a zombie. */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = statOf(pid);
    // Field 22 of proc_pid_stat(5): clock ticks since boot.
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

/** Sends a signal to one process, because PostgreSQL and Keycloak must stop their own children. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** Sends a signal to the process group that the pid leads. @returns false if the group is empty. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Memory in bytes of each process group led by one of the pids. Shared pages are counted once (PSS) if the system
 * reports it.
 */
export function memoryOf(leaders: readonly number[]): Map<number, number> {
  const sums = new Map<number, number>(leaders.map((pid) => [pid, 0]));
  for (const { pid, group, bytes } of processes(new Set(leaders))) {
    if (pid > 0) sums.set(group, (sums.get(group) ?? 0) + bytes);
  }
  return sums;
}

/** The process that listens on a TCP port of this machine, such as `nginx (pid 812)`, or undefined if unknown. */
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
      // Another user's process, or one that has just ended.
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

/** The program and its arguments without options, for people. */
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
    // The command's name is in brackets and may itself contain spaces and brackets.
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
      // Not readable, or it has ended.
    }
  }
  return 0;
}
