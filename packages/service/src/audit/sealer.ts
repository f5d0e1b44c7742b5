/**
 * Seals the audit logs of the hospitals that a process wrote to, about a second later. Other processes may seal the same
 * log: PostgreSQL lets one of them win, and the other one finds nothing left.
 */
import { type Hospital, listHospitals, sealBatch, type TenantPool, writeAuditHead } from '@hms/database';
import type { Knex } from 'knex';
import type { Logger } from 'pino';

export interface SealerOptions {
  readonly db: Knex;
  readonly tenants: TenantPool;
  readonly log: Logger;
  /** Milliseconds between an event and its sealing. */
  readonly delay?: number;
  /** Milliseconds between looks at all hospitals, for events of processes that ended before they sealed them. */
  readonly sweepInterval?: number;
}

type Sealed = Pick<Hospital, 'id' | 'prefix'>;

const DELAY = 1_000;
const SWEEP_INTERVAL = 5 * 60_000;
/** Seals of different hospitals at the same time. */
const PARALLEL = 2;

export class Sealer {
  readonly #options: SealerOptions;
  readonly #waiting = new Map<string, Sealed>();
  #timer: NodeJS.Timeout | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #ended = false;

  constructor(options: SealerOptions) {
    this.#options = options;
  }

  /** Starts to look for events that nobody sealed. */
  start(): void {
    void this.#sweep();
    const interval = this.#options.sweepInterval ?? SWEEP_INTERVAL;
    this.#sweepTimer = setInterval(() => void this.#sweep(), interval).unref();
  }

  /** Notes that the hospital's log has new events. */
  wrote({ id, prefix }: Sealed): void {
    this.#waiting.set(id, { id, prefix });
    if (this.#timer === undefined && !this.#ended) this.#schedule();
  }

  /** Seals what waits, and stops. */
  async end(): Promise<void> {
    this.#ended = true;
    clearInterval(this.#sweepTimer);
    clearTimeout(this.#timer);
    await this.#running;
    await this.#sealWaiting();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#sealWaiting().finally(() => {
        this.#timer = undefined;
        this.#running = undefined;
        if (this.#waiting.size > 0 && !this.#ended) this.#schedule();
      });
    }, this.#options.delay ?? DELAY);
  }

  async #sealWaiting(): Promise<void> {
    const hospitals = [...this.#waiting.values()];
    this.#waiting.clear();
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (let hospital = hospitals.pop(); hospital; hospital = hospitals.pop()) await this.#seal(hospital);
      }),
    );
  }

  async #sweep(): Promise<void> {
    const { db, log } = this.#options;
    try {
      for (const hospital of await listHospitals(db)) {
        if (this.#ended) return;
        if (hospital.state === 'Active') await this.#seal(hospital);
      }
    } catch (error) {
      log.warn({ error }, 'could not look for audit events that are not sealed');
    }
  }

  async #seal(hospital: Sealed): Promise<void> {
    const { db, tenants, log } = this.#options;
    try {
      for (;;) {
        const sealed = await tenants.inTenant(hospital, (trx) => sealBatch(trx, hospital.id));
        if (!sealed) return;
        await writeAuditHead(db, hospital.id, sealed.head);
        if (!sealed.more) return;
      }
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return;
      // A hospital that was suspended or deleted meanwhile. Nothing is lost: a later seal takes all events.
      log.warn({ error, hospital: hospital.prefix }, 'could not seal audit events');
    }
  }
}

/** Another process has sealed at the same time. */
const UNIQUE_VIOLATION = '23505';
