import { HOSPITALS_PATH, type HospitalObject } from '@hms/hospitals';
import { Reflector } from '@hms/kubernetes';
import type { Context } from '../context.ts';
import { PRIORITY, type Workqueue } from '../runtime/workqueue.ts';
import { ORPHANS_PATH, type OrphanObject } from './orphans.ts';
import { isRelevant, urgencyOf, urgencyOfChange } from './urgency.ts';

interface Listener {
  /** Called when an object is deleted. */
  readonly onDeleted: (name: string) => void;
  /** Called if the deleted object leaves no orphan. */
  readonly onGone: (name: string) => void;
}

/** After this time without data from the API server, the caches are stale. */
const SILENT_MS = 180_000;

/** Caches the Hospital and Orphan objects, and enqueues those that change while this process leads. */
export class Watch {
  readonly hospitals: Reflector<HospitalObject>;
  readonly orphans: Reflector<OrphanObject>;
  readonly #queue: Workqueue;
  /** A standby enqueues nothing: old keys would come before current requests when it becomes the leader. */
  #leads = false;

  constructor({ client, queue, logger }: Context, { onDeleted, onGone }: Listener) {
    this.#queue = queue;
    this.hospitals = new Reflector<HospitalObject>({
      client,
      path: HOSPITALS_PATH,
      logger,
      onChange: (change) => {
        if (!this.#leads) return;
        const { name } = change.object.metadata;
        if (change.type !== 'deleted') {
          // The operator's own status writes arrive as changes too, but need no reconcile.
          const urgency = urgencyOfChange(change);
          if (urgency !== undefined) queue.add(name, urgency);
          return;
        }
        queue.remove(name);
        onDeleted(name);
        // An orphan has the same key as its hospital.
        if (this.orphans.get(name)) queue.add(name, PRIORITY.deletion);
        else onGone(name);
      },
    });
    this.orphans = new Reflector<OrphanObject>({
      client,
      path: ORPHANS_PATH,
      logger,
      onChange: (change) => {
        if (this.#leads && isRelevant(change)) queue.add(change.object.metadata.name, PRIORITY.deletion);
      },
    });
  }

  /** Starts to enqueue, first everything that is cached. */
  lead(): void {
    this.#leads = true;
    this.enqueueHospitals();
    for (const { metadata } of this.orphans.list()) this.#queue.add(metadata.name, PRIORITY.deletion);
  }

  enqueueHospitals(): void {
    for (const hospital of this.hospitals.list()) this.#queue.add(hospital.metadata.name, urgencyOf(hospital));
  }

  /** Why the caches can't be trusted, one sentence each. */
  problems(): readonly string[] {
    return [
      ...(this.hospitals.synced && this.orphans.synced ? [] : ['the list of hospitals has not been read yet']),
      ...(this.hospitals.silentMs > SILENT_MS ? ['the API server has been silent for too long'] : []),
    ];
  }

  start(): void {
    this.hospitals.start();
    this.orphans.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.hospitals.stop(), this.orphans.stop()]);
  }
}
