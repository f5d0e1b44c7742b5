import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import type { Workqueue } from './workqueue.ts';

/** What happens after a reconcile. */
export type Result =
  /** Everything matches the spec: resync after this time. */
  | { readonly requeueAfterMs: number }
  /** It failed: retry with backoff. */
  | { readonly retry: true }
  /** Nothing more to do for this key. */
  | { readonly forget: true };

export interface ControllerOptions {
  readonly name: string;
  readonly queue: Workqueue;
  /** How many keys are reconciled in parallel. */
  readonly workers: number;
  readonly reconcile: (key: string) => Promise<Result>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Workers that take keys from the queue and reconcile them. An error thrown by reconcile causes a retry. */
export class Controller {
  readonly #options: ControllerOptions;
  #workers: Promise<void>[] = [];

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#workers = Array.from({ length: this.#options.workers }, () => this.#work());
  }

  /** Takes no more keys and waits for the running reconciles. */
  async stop(): Promise<void> {
    this.#options.queue.close();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    const { queue } = this.#options;
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      try {
        await this.#reconcile(key);
      } finally {
        queue.done(key);
      }
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { name, queue, metrics, logger } = this.#options;
    const end = metrics.startReconcile(name);
    try {
      const result = await this.#options.reconcile(key);
      if ('retry' in result) {
        const delay = queue.retry(key);
        logger.info({ key, retryInMs: Math.round(delay) }, 'retrying');
        end('requeue');
        return;
      }
      queue.forget(key);
      if ('requeueAfterMs' in result) queue.addAfter(key, result.requeueAfterMs);
      end('requeueAfterMs' in result ? 'requeue_after' : 'success');
    } catch (error) {
      const delay = queue.retry(key);
      logger.error({ key, err: error, retryInMs: Math.round(delay) }, 'reconcile failed');
      end('error');
    }
  }
}
