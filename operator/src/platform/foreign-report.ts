import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { type BackendName, listed } from '../backends/backend.ts';
import { FOREIGN_KINDS, type Foreign } from './foreign.ts';

export interface ForeignReportOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  /** Writes an event about the platform. */
  readonly tell: (reason: string, message: string) => void;
}

/** Says what is foreign in the engines: as a metric all the time, in the log and by an event when it changes. */
export class ForeignReport {
  readonly #options: ForeignReportOptions;
  readonly #gauge: Gauge<'kind'>;
  /** What each engine had at the last look. */
  readonly #found = new Map<BackendName, readonly Foreign[]>();
  #last = '';

  constructor(options: ForeignReportOptions) {
    this.#options = options;
    this.#gauge = new Gauge({
      name: 'hms_platform_foreign',
      help: 'Parts of the engines that the platform did not create, that affect every hospital and that the operator leaves in place',
      labelNames: ['kind'],
      registers: [options.registry],
    });
    for (const kind of FOREIGN_KINDS) this.#gauge.set({ kind }, 0);
  }

  update(engine: BackendName, found: readonly Foreign[]): void {
    this.#found.set(engine, found);
    const foreign = [...this.#found.values()].flat();
    for (const kind of FOREIGN_KINDS) this.#gauge.set({ kind }, foreign.filter((one) => one.kind === kind).length);
    const messages = foreign.map(({ message }) => message).sort();
    const text = listed(messages);
    if (messages.join('\n') === this.#last) return;
    this.#last = messages.join('\n');
    if (messages.length === 0) this.#options.logger.info('the engines no longer have foreign parts');
    else {
      this.#options.logger.warn({ foreign: messages }, 'the engines have parts that the platform did not create');
      this.#options.tell('ForeignParts', `not created by the platform, and left in place: ${text}`);
    }
  }
}
