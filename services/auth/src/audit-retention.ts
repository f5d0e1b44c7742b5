/** Removes audit events that are older than their hospital keeps them. Once a day, in every process. */
import { AuditDamaged, addAuditKey, listHospitals, removeOldAudit } from '@hms/database';
import type { Platform } from '@hms/service';
import type { SigningKey } from './signing-key.ts';

export interface RetentionOptions {
  readonly platform: Pick<Platform, 'db' | 'tenants' | 'log'>;
  readonly key: Pick<SigningKey, 'publicJwk' | 'sign'>;
}

/** After the start of the process, which is busy then. */
const FIRST_MS = 60_000;
const DAY_MS = 86_400_000;
/** Another process has removed the same events. */
const SERIALIZATION_FAILURE = '40001';

export class AuditRetention {
  readonly #options: RetentionOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(waitMs = FIRST_MS): void {
    this.#timer = setTimeout(() => {
      this.#running = this.run()
        .catch((error: unknown) => this.#options.platform.log.warn({ error }, 'could not remove old audit events'))
        .then(() => {
          if (!this.#ended) this.start(DAY_MS);
        });
    }, waitMs).unref();
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Removes the old events of all hospitals. @returns how many. */
  async run(): Promise<number> {
    const { platform, key } = this.#options;
    const kid = key.publicJwk.kid ?? '';
    await addAuditKey(platform.db, kid, key.publicJwk);
    let removed = 0;
    for (const hospital of await listHospitals(platform.db)) {
      if (hospital.state !== 'Active') continue;
      try {
        for (let more = true; more && !this.#ended; ) {
          const sign = async (summary: string) => ({ kid, signature: key.sign(summary) });
          const count = await platform.tenants.inTenant(hospital, (trx) => removeOldAudit(trx, hospital, sign));
          removed += count;
          more = count > 0;
        }
      } catch (error) {
        if ((error as { code?: unknown }).code === SERIALIZATION_FAILURE) continue;
        const { prefix } = hospital;
        if (error instanceof AuditDamaged) platform.log.error({ hospital: prefix }, error.message);
        else platform.log.warn({ error, hospital: prefix }, 'could not remove old audit events');
      }
    }
    return removed;
  }
}
