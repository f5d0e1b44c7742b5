/** What the supervisor runs: processes and one-time tasks, each after its dependencies. */

interface Step {
  readonly name: string;
  /** Names of the steps that must be ready first. */
  readonly after: readonly string[];
}

export interface ProcessStep extends Step {
  readonly kind: 'process';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Its address, for people. */
  readonly address: string;
  readonly log: string;
  /** Whether it serves. A rejection is a no. */
  ready(signal: AbortSignal): Promise<boolean>;
  /** Whether it still answers, checked while it runs. A hanging process is killed and restarted. */
  alive?(signal: AbortSignal): Promise<boolean>;
  /** Milliseconds between two such checks, and timeout of each. Default 5 s. */
  readonly aliveEvery?: number;
  /** Milliseconds from start to ready. */
  readonly startTimeout: number;
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds from the signal to SIGKILL. */
  readonly stopTimeout: number;
  /** Runs before the first start. */
  prepare?(): Promise<void> | void;
  /** Runs after a requested stop. */
  stopped?(): void;
}

export interface TaskStep extends Step {
  readonly kind: 'task';
  run(signal: AbortSignal): Promise<void>;
}

export type AnyStep = ProcessStep | TaskStep;

/** Names in waves: each wave may be stopped when those before it have ended, so a step ends before its dependencies. */
export function stopOrder(steps: readonly AnyStep[]): string[][] {
  const waves: string[][] = [];
  let remaining = [...steps];
  while (remaining.length > 0) {
    const wave = remaining.filter((step) => !remaining.some((other) => needs(other, step.name, steps)));
    if (wave.length === 0) throw new Error(`these need each other: ${remaining.map((step) => step.name).join(', ')}`);
    waves.push(wave.map((step) => step.name));
    remaining = remaining.filter((step) => !wave.includes(step));
  }
  return waves;
}

function needs(step: AnyStep, name: string, steps: readonly AnyStep[]): boolean {
  return step.after.some((needed) => {
    if (needed === name) return true;
    const next = steps.find((other) => other.name === needed);
    return next ? needs(next, name, steps) : false;
  });
}
