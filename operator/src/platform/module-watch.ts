/**
 * Watches whether each module is served: the gateway asks every process each five seconds, so an outage between two
 * resyncs shows there first.
 */
import { MODULES, type ModuleName, servesHospitals } from '@hms/tenancy';
import type { Logger } from 'pino';
import type { Kong } from '../backends/gateway/client.ts';

/** Between two looks at the gateway. */
const WATCH_MS = 10_000;

export interface ModuleWatchOptions {
  readonly kong: Pick<Kong, 'healthOf'>;
  /** Those that the gateway has targets for. */
  readonly modules: readonly ModuleName[];
  readonly logger: Logger;
  /** Called when a module goes down or comes back. */
  readonly onChanged: (module: ModuleName, isDown: boolean) => void;
  /** Between two looks. */
  readonly everyMs?: number;
}

/** The modules of hospitals none of whose processes answers the gateway. */
export class ModuleWatch {
  readonly #options: ModuleWatchOptions;
  readonly #down = new Set<ModuleName>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ModuleWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#look().finally(() => {
        this.#running = undefined;
      });
    }, this.#options.everyMs ?? WATCH_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** What is not served, as a sentence. Undefined if every module is. */
  problem(): string | undefined {
    const names = MODULES.filter(({ name }) => this.#down.has(name)).map(({ name }) => name);
    if (names.length === 0) return undefined;
    return `no process of ${names.length === 1 ? 'module' : 'modules'} ${names.join(', ')} answers the gateway`;
  }

  async #look(): Promise<void> {
    const { modules, kong, logger } = this.#options;
    for (const module of modules.filter(servesHospitals)) {
      try {
        const targets = await kong.healthOf(`${module}-upstream`);
        // Without targets, the platform's shared part of the gateway is not set up, or was changed: that is not an outage.
        if (targets.length > 0)
          this.#note(
            module,
            targets.every((health) => health === 'UNHEALTHY'),
          );
      } catch (error) {
        // The gateway itself is away: the hospitals' reconciles report that.
        logger.debug({ err: error, module }, "could not read a module's health");
      }
    }
  }

  #note(module: ModuleName, isDown: boolean): void {
    if (this.#down.has(module) === isDown) return;
    if (isDown) this.#down.add(module);
    else this.#down.delete(module);
    this.#options.onChanged(module, isDown);
  }
}
