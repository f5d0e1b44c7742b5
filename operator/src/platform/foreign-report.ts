import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { listed } from '../backends/backend.ts';
import { FOREIGN_KINDS, type Foreign } from './foreign.ts';

export interface ForeignReportOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  /** Records an event about the platform. */
  readonly record: (reason: string, message: string) => void;
}

/** Reports foreign parts of the engines: always as a metric, and on changes in the log and with an event. */
export class ForeignReport {
  readonly #options: ForeignReportOptions;
  readonly #gauge: Gauge<'kind'>;
  /** The foreign parts of each engine at the last check. */
  readonly #found = new Map<string, readonly Foreign[]>();
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

  update(engine: string, found: readonly Foreign[]): void {
    this.#found.set(engine, found);
    const foreign = [...this.#found.values()].flat();
    for (const kind of FOREIGN_KINDS) this.#gauge.set({ kind }, foreign.filter((part) => part.kind === kind).length);
    const messages = foreign.map(({ message }) => message).sort();
    const text = listed(messages);
    if (messages.join('\n') === this.#last) return;
    this.#last = messages.join('\n');
    if (messages.length === 0) this.#options.logger.info('the engines no longer have foreign parts');
    else {
      this.#options.logger.warn({ foreign: messages }, 'the engines have parts that the platform did not create');
      this.#options.record('ForeignParts', `not created by the platform, and left in place: ${text}`);
    }
  }
}
