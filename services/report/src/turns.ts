/** Lets reports wait for each other, so that those of one hospital leave the database to the others. */
import { type ErrorKind, Problem } from '@hms/service';
import PQueue from 'p-queue';

export const TOO_MANY_REPORTS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_REPORTS',
  message: 'Too many reports of this hospital wait already: retry when some have ended',
  retryAfter: 10,
};

export interface TurnsOptions {
  /** Reports of one hospital at the same time, in this process. */
  readonly ofHospital: number;
  /** Reports of all hospitals. */
  readonly all: number;
}

/** Reports of one hospital that may wait. A page asks for one or two at a time. */
const MOST_WAITING = 20;

export class Turns {
  readonly #ofHospital: number;
  readonly #all: PQueue;
  readonly #hospitals = new Map<string, PQueue>();

  constructor({ ofHospital, all }: TurnsOptions) {
    this.#ofHospital = ofHospital;
    this.#all = new PQueue({ concurrency: all });
  }

  /**
   * Runs `work` when it is its turn.
   * @param hospital its id.
   * @param abandoned ends the waiting, with its reason.
   * @throws Problem TOO_MANY_REPORTS
   */
  async take<T>(hospital: string, abandoned: AbortSignal, work: () => Promise<T>): Promise<T> {
    const queue = this.#hospitals.get(hospital) ?? new PQueue({ concurrency: this.#ofHospital });
    if (queue.size >= MOST_WAITING) throw new Problem(TOO_MANY_REPORTS);
    this.#hospitals.set(hospital, queue);
    const options = { signal: abandoned };
    try {
      return (await queue.add(() => this.#all.add(work, options), options)) as T;
    } finally {
      if (queue.size + queue.pending === 0) this.#hospitals.delete(hospital);
    }
  }
}
