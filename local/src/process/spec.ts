/** What the supervisor runs: processes that stay, and tasks that are done once; each after those that it needs. */

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
  /** Where it is reached; shown to people. */
  readonly address: string;
  readonly log: string;
  /** Whether it serves. A rejection is a no. */
  ready(signal: AbortSignal): Promise<boolean>;
  /** Whether it answers anything at all, asked while it runs. One that hangs is killed, and started again. */
  alive?(signal: AbortSignal): Promise<boolean>;
  /** Milliseconds between two such questions, and at most for an answer. Default 5 s. */
  readonly aliveEvery?: number;
  /** Milliseconds from start to ready. */
  readonly startTimeout: number;
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds from the signal to SIGKILL. */
  readonly stopTimeout: number;
  /** Done before the first start. */
  prepare?(): Promise<void> | void;
  /** Done after it ended because it was asked to. */
  stopped?(): void;
}

export interface TaskStep extends Step {
  readonly kind: 'task';
  run(signal: AbortSignal): Promise<void>;
}

export type AnyStep = ProcessStep | TaskStep;

/** Names in waves: each wave may be stopped when those before it have ended, so a step ends before what it needs. */
export function stopOrder(steps: readonly AnyStep[]): string[][] {
  const waves: string[][] = [];
  let left = [...steps];
  while (left.length > 0) {
    const wave = left.filter((step) => !left.some((other) => needs(other, step.name, steps)));
    if (wave.length === 0) throw new Error(`these need each other: ${left.map((step) => step.name).join(', ')}`);
    waves.push(wave.map((step) => step.name));
    left = left.filter((step) => !wave.includes(step));
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
