/**
 * `run/state.json`: the settings and the processes of one platform. Written by its supervisor, read by all commands.
 */
import { readIfThere } from './files.ts';
import { layout } from './layout.ts';
import type { Addresses } from './platform/addresses.ts';
import type { Ports } from './ports.ts';
import { Problem } from './problem.ts';
import type { ChildStatus } from './process/child.ts';
import { type Identity, isAlive } from './process/table.ts';

export interface PlatformState extends Addresses {
  readonly dataDir: string;
  readonly ports: Ports;
  readonly phase: 'starting' | 'running' | 'stopping';
  readonly supervisor: Identity;
  /** ISO time. */
  readonly since: string;
  readonly processes: readonly ChildStatus[];
}

/** @returns undefined if no platform was started in this data folder, or the last one was stopped. */
export function readState(dataDir: string): PlatformState | undefined {
  const file = layout(dataDir).state;
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as PlatformState;
  } catch {
    throw new Problem(`${file} can't be read: delete it, and end the platform's processes manually.`);
  }
}

/** The state, if its supervisor is alive. */
export function livingState(dataDir: string): PlatformState | undefined {
  const state = readState(dataDir);
  return state && isAlive(state.supervisor) ? state : undefined;
}

/** Processes of the last supervisor that still run. If it was killed, they outlive it. */
export function leftoverProcesses(dataDir: string): (Identity & Pick<ChildStatus, 'name' | 'stopSignal'>)[] {
  return (readState(dataDir)?.processes ?? []).flatMap(({ name, pid, startTime, stopSignal }) =>
    pid !== undefined && startTime !== undefined && isAlive({ pid, startTime })
      ? [{ name, pid, startTime, stopSignal }]
      : [],
  );
}
