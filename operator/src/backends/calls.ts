import { Histogram, type Registry } from 'prom-client';
import type { Budget } from '../runtime/budget.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { BackendError } from './errors.ts';

/** Time of calls to the engines. */
export class CallMetrics {
  readonly #seconds: Histogram<'backend' | 'op' | 'code'>;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'hms_backend_request_seconds',
      help: 'Time of a call to an engine, by operation and result',
      labelNames: ['backend', 'op', 'code'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  /** @returns a function to call with `ok` or the error's kind. */
  start(backend: string, op: string): (code: string) => void {
    const stop = this.#seconds.startTimer({ backend, op });
    return (code) => void stop({ code });
  }
}

/** Timeout of a ping. */
export const PING_TIMEOUT_MS = 3_000;

export interface CallsOptions {
  readonly backend: string;
  readonly budget: Budget;
  readonly metrics: CallMetrics;
  readonly tracing: Tracing;
  /** Throws if this process may no longer write. */
  readonly fence: () => void;
}

/** Calls to one engine: within its budget, only by the leader, measured and traced. */
export class Calls {
  readonly #options: CallsOptions;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Throws if this process may no longer write. Clients call it before each request of a longer call. */
  fence(): void {
    this.#options.fence();
  }

  /** @param op the operation, for the metrics: one of a few fixed words. */
  run<T>(op: string, work: () => Promise<T>): Promise<T> {
    return this.#options.budget.run(() => this.#measured(op, work));
  }

  /** Outside the budget: calls that hang use it up, and a ping must not wait behind them. */
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
        const backendError = error instanceof BackendError ? error : undefined;
        end(backendError?.kind ?? 'unexpected');
        add({
          'hms.outcome': backendError?.kind ?? 'unexpected',
          ...(backendError ? { 'error.message': backendError.message } : {}),
        });
        if (backendError?.retryAfterMs !== undefined) budget.pause(backendError.retryAfterMs);
        throw error;
      }
    });
  }
}
