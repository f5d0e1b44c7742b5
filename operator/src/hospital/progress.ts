import { BACKEND_NAMES, type BackendName } from '../backends/backend.ts';
import { conditionOf } from './conditions.ts';
import type { Outcome, Outcomes } from './outcome.ts';
import type { HospitalObject } from './resource.ts';

/** Writes the status of a new hospital as its backends finish, one write after the other. */
export class Progress {
  readonly #show: (hospital: HospitalObject, outcomes: Outcomes) => Promise<HospitalObject>;
  readonly #outcomes: Partial<Record<BackendName, Outcome>> = {};
  readonly #wanted: boolean;
  #last: Promise<HospitalObject>;

  constructor(
    hospital: HospitalObject,
    show: (hospital: HospitalObject, outcomes: Outcomes) => Promise<HospitalObject>,
  ) {
    this.#show = show;
    this.#wanted = conditionOf(hospital.status, 'Ready') === undefined;
    this.#last = Promise.resolve(hospital);
    if (this.#wanted) this.#last = show(hospital, {});
    // `end` rethrows the error. Until then, an unhandled rejection would end the process.
    this.#last.catch(() => undefined);
  }

  add(outcome: Outcome): Outcome {
    this.#outcomes[outcome.backend] = outcome;
    // The last one is written with the final status.
    if (!this.#wanted || BACKEND_NAMES.every((name) => this.#outcomes[name])) return outcome;
    const outcomes = { ...this.#outcomes };
    this.#last = this.#last.then((hospital) => this.#show(hospital, outcomes));
    this.#last.catch(() => undefined);
    return outcome;
  }

  /** @returns the last written object. */
  end(): Promise<HospitalObject> {
    return this.#last;
  }
}
