/** Starts steps in the order of their dependencies, independent ones in parallel, and stops them in reverse. */
import { sentence } from '../problem.ts';
import { Child, type ChildStatus } from './child.ts';
import { type AnyStep, type ProcessStep, stopOrder, type TaskStep } from './spec.ts';

export interface StepNews {
  readonly step: string;
  readonly news: 'started' | 'ready';
  /** Milliseconds from started to ready. */
  readonly took?: number;
  readonly address?: string;
}

export interface SupervisorOptions {
  /** Called immediately after each change of a child. */
  readonly changed: () => void;
  readonly tell: (news: StepNews) => void;
  /** Called for each event: a step's name, and the rest of the sentence. */
  readonly log: (name: string, what: string) => void;
}

export class Supervisor {
  readonly #steps: readonly AnyStep[];
  readonly #options: SupervisorOptions;
  readonly #children: ReadonlyMap<string, Child>;
  readonly #over = new AbortController();
  #starting: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(steps: readonly AnyStep[], options: SupervisorOptions) {
    this.#steps = steps;
    this.#options = options;
    const processes = steps.filter((step): step is ProcessStep => step.kind === 'process');
    this.#children = new Map(
      processes.map((step) => [step.name, new Child(step, options.changed, (what) => options.log(step.name, what))]),
    );
  }

  get statuses(): ChildStatus[] {
    return [...this.#children.values()].map((child) => child.status);
  }

  /** Resolves when every step is ready. Rejects with the first failure. Running steps must then be stopped. */
  async start(): Promise<void> {
    const ready = new Map<string, Promise<void>>();
    const start = (step: AnyStep): Promise<void> => {
      const running = ready.get(step.name);
      if (running) return running;
      const needed = step.after.flatMap((name) => this.#steps.find((other) => other.name === name) ?? []);
      const started = Promise.all(needed.map(start)).then(() => this.#startOne(step));
      ready.set(step.name, started);
      return started;
    };
    const starts = this.#steps.map(start);
    this.#starting = Promise.allSettled(starts);
    try {
      await Promise.all(starts);
    } catch (error) {
      this.#over.abort();
      throw error;
    }
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #startOne(step: AnyStep): Promise<void> {
    this.#over.signal.throwIfAborted();
    const start = performance.now();
    this.#options.tell({ step: step.name, news: 'started' });
    if (step.kind === 'task') await this.#do(step);
    else await this.#children.get(step.name)?.start();
    const took = performance.now() - start;
    this.#options.tell({
      step: step.name,
      news: 'ready',
      took,
      ...(step.kind === 'process' ? { address: step.address } : {}),
    });
  }

  async #do(task: TaskStep): Promise<void> {
    try {
      await task.run(this.#over.signal);
      this.#options.log(task.name, 'is done');
    } catch (error) {
      this.#options.log(task.name, `failed: ${sentence(error)}`);
      throw error;
    }
  }

  async #stopAll(): Promise<void> {
    this.#over.abort();
    for (const wave of stopOrder(this.#steps)) {
      await Promise.all(wave.map((name) => this.#children.get(name)?.stop()));
    }
    await this.#starting;
  }
}
