import { Histogram, type Registry } from 'prom-client';
import type { Budget } from '../runtime/budget.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { BackendName } from './backend.ts';
import { BackendError } from './errors.ts';

/** Time of calls to the engines. */
export class CallMetrics {
  readonly #seconds: Histogram<'backend' | 'op' | 'code'>;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'hms_backend_request_seconds',
      help: 'Time of a call to an engine, by operation and by how it ended',
      labelNames: ['backend', 'op', 'code'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  /** @returns a function to call with `ok` or the error's kind. */
  start(backend: BackendName, op: string): (code: string) => void {
    const stop = this.#seconds.startTimer({ backend, op });
    return (code) => void stop({ code });
  }
}

/** How long an engine may take for a sign of life. */
export const PING_TIMEOUT_MS = 3_000;

export interface CallsOptions {
  readonly backend: BackendName;
  readonly budget: Budget;
  readonly metrics: CallMetrics;
  readonly tracing: Tracing;
  /** Throws when this process may not write any more. */
  readonly fence: () => void;
}

/** How one engine is called: within its budget, only by the leader, measured and traced. */
export class Calls {
  readonly #options: CallsOptions;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Throws when this process may not write any more; engines' clients ask before each request of a longer call. */
  fence(): void {
    this.#options.fence();
  }

  /** @param op what is done, for the metrics: few, fixed words. */
  run<T>(op: string, work: () => Promise<T>): Promise<T> {
    return this.#options.budget.run(() => this.#measured(op, work));
  }

  /** Beside the budget: calls that hang use it up, and the question whether the engine is back must not wait behind them. */
  ping(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    return this.#measured('ping', async () => {
      await work(AbortSignal.timeout(PING_TIMEOUT_MS));
    });
  }

  #measured<T>(op: string, work: () => Promise<T>): Promise<T> {
    const { backend, budget, metrics, tracing } = this.#options;
    return tracing.span(`${backend} ${op}`, { 'hms.backend': backend, 'hms.op': op }, async (add) => {
      this.fence();
      const end = metrics.start(backend, op);
      try {
        const result = await work();
        end('ok');
        add({ 'hms.outcome': 'ok' });
        return result;
      } catch (error) {
        const known = error instanceof BackendError ? error : undefined;
        end(known?.kind ?? 'unexpected');
        add({ 'hms.outcome': known?.kind ?? 'unexpected', ...(known ? { 'error.message': known.message } : {}) });
        if (known?.retryAfterMs !== undefined) budget.pause(known.retryAfterMs);
        throw error;
      }
    });
  }
}
