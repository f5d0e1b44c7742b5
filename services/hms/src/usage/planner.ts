/** Adds the tasks that count hospitals. In every process, so that one that ends is not missed. */
import { uncountedHospitals } from '@hms/database';
import { type Platform, workFor } from '@hms/service';
import { USAGE_TASK, usageTask } from './usage-task.ts';

/** After the start of the process, which is busy then. Different ones, so that processes look at different times. */
const FIRST_MS = { least: 60_000, spread: 60_000 };
const LOOK_MS = 5 * 60_000;
/** Tasks of one look, so that the day's tasks of thousands of hospitals never stand before what people wait for. */
const MOST = 50;

export class UsagePlanner {
  readonly #platform: Platform;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  start(waitMs = FIRST_MS.least + Math.random() * FIRST_MS.spread): void {
    this.#timer = setTimeout(() => {
      this.#running = this.run()
        .catch((error: unknown) => this.#platform.log.warn({ error }, 'could not look for hospitals to count'))
        .then(() => {
          if (!this.#ended) this.start(LOOK_MS);
        });
    }, waitMs).unref();
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Adds a task for each active hospital that was not counted today. */
  async run(): Promise<void> {
    const { db, log } = this.#platform;
    for (const prefix of await uncountedHospitals(db, USAGE_TASK, MOST)) {
      if (this.#ended) return;
      // It may be suspended or deleted at this moment.
      await this.plan(prefix).catch((error: unknown) =>
        log.warn({ error, hospital: prefix }, 'could not plan to count a hospital'),
      );
    }
  }

  /** Adds the task of one hospital. If another process has just added it, it replaces that one, unless it runs already. */
  async plan(prefix: string): Promise<void> {
    const hospital = await this.#platform.registry.byPrefix(prefix);
    if (!hospital) return;
    const task = usageTask(this.#platform);
    await workFor(this.#platform, hospital, USAGE_TASK, async (work) => work.addTask(task, {}, { key: 'count' }));
  }
}
