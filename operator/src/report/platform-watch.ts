import { ANNOTATION } from '@hms/hospitals';
import { type MigrationState, PLATFORM_NAME, PLATFORMS_PATH, type PlatformObject } from '@hms/hospitals/platform';
import { type Change, Reflector } from '@hms/kubernetes';
import type { Context } from '../context.ts';

interface Listener {
  /** People have halted or resumed the migrations, or what they decided is known now. */
  readonly onState: () => void;
  /** People want failed migrations to be tried again. */
  readonly onRetry: () => void;
}

/** Follows the Platform object, into which people write what they decide about the platform. */
export class PlatformWatch {
  readonly #reflector: Reflector<PlatformObject>;

  constructor({ client, logger }: Context, { onState, onRetry }: Listener) {
    this.#reflector = new Reflector<PlatformObject>({
      client,
      path: PLATFORMS_PATH,
      logger,
      onChange: (change) => {
        if (change.object.metadata.name !== PLATFORM_NAME) return;
        if (change.type !== 'modified' || stateOf(change.object) !== stateOf(change.previous)) onState();
        if (isRetry(change)) onRetry();
      },
    });
  }

  get object(): PlatformObject | undefined {
    return this.#reflector.get(PLATFORM_NAME);
  }

  /** Undefined while it is not known. */
  get migrationState(): MigrationState | undefined {
    return this.object && stateOf(this.object);
  }

  /** Whether it is known that the object is missing. */
  get isMissing(): boolean {
    return this.#reflector.synced && !this.object;
  }

  /** Why no hospital can be migrated, one sentence each. */
  problems(): readonly string[] {
    return this.#reflector.synced
      ? []
      : ['the Platform object has not been read yet: its definition is crds/platforms.hms.dev.yaml'];
  }

  /** Keeps what this process has written. */
  replace(object: PlatformObject): void {
    this.#reflector.replace(object);
  }

  start(): void {
    this.#reflector.start();
  }

  async stop(): Promise<void> {
    await this.#reflector.stop();
  }
}

function stateOf({ spec }: PlatformObject): MigrationState {
  return spec?.migrations?.state ?? 'Running';
}

function isRetry(change: Change<PlatformObject>): boolean {
  return (
    change.type === 'modified' && requestOf(change.object) !== requestOf(change.previous) && !!requestOf(change.object)
  );
}

/** The latest request to try failed migrations again. */
export function requestOf({ metadata }: PlatformObject): string | undefined {
  return metadata.annotations?.[ANNOTATION.reconcileRequestedAt];
}
