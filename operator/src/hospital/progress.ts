import type { HospitalObject } from '@hms/hospitals';
import { conditionOf, REASON } from './conditions.ts';
import type { Outcome, Outcomes } from './outcome.ts';

/**
 * Writes the status of a hospital that is created, opened or closed as its backends finish, one write after the other.
 * Otherwise an engine that hangs would hide what the others have done already.
 */
export class Progress {
  readonly #show: (hospital: HospitalObject, outcomes: Outcomes) => Promise<HospitalObject>;
  readonly #wanted: boolean;
  #outcomes: Outcomes;
  #last: Promise<HospitalObject>;

  /** @param pending the outcomes before any backend has finished. */
  constructor(
    hospital: HospitalObject,
    pending: Outcomes,
    show: (hospital: HospitalObject, outcomes: Outcomes) => Promise<HospitalObject>,
  ) {
    this.#show = show;
    this.#outcomes = pending;
    this.#wanted = conditionOf(hospital.status, 'Ready') === undefined || isOpenedOrClosed(hospital);
    this.#last = Promise.resolve(hospital);
    if (this.#wanted) this.#last = show(hospital, pending);
    // `end` rethrows the error. Until then, an unhandled rejection would end the process.
    this.#last.catch(() => undefined);
  }

  add(outcome: Outcome): Outcome {
    const outcomes = { ...this.#outcomes, [outcome.backend.name]: outcome };
    this.#outcomes = outcomes;
    // The last one is written with the final status.
    if (!this.#wanted || Object.values(outcomes).every(({ pending }) => !pending)) return outcome;
    this.#last = this.#last.then((hospital) => this.#show(hospital, outcomes));
    this.#last.catch(() => undefined);
    return outcome;
  }

  /** @returns the last written object. */
  end(): Promise<HospitalObject> {
    return this.#last;
  }
}

/** Whether the status is of before the change of `spec.state`. */
function isOpenedOrClosed({ spec, status }: HospitalObject): boolean {
  const last = conditionOf(status, 'Suspended')?.reason;
  return last !== undefined && last !== (spec.state === 'Suspended' ? REASON.suspended : REASON.active);
}
