/** What the status says about an engine that is away. */
import { BACKEND_NAMES, type BackendName } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { PROBE_BACKOFF, type Recovery } from '../runtime/recovery.ts';
import type { Outcome } from './outcome.ts';
import type { HospitalObject } from './resource.ts';
import { timestamp } from './status.ts';

/** Longest delay between two tries of one hospital, in ms. */
export const RETRY = { baseMs: 500, maxMs: 30_000 };

/** Room for the rest of the sentence. */
const MAX_CAUSE = 320;

/** Keeps which hospital waits for which engine, one after the other. */
export class Outages {
  readonly #recoveries: Readonly<Record<BackendName, Recovery>>;

  constructor(recoveries: Readonly<Record<BackendName, Recovery>>) {
    this.#recoveries = recoveries;
  }

  /** Notes what came of one backend. @returns it, with the sentence of an outage complete. */
  note(hospital: HospitalObject, outcome: Outcome): Outcome {
    const { backend, error } = outcome;
    if (!error) {
      this.#recoveries[backend].forget(hospital.metadata.name);
      return outcome;
    }
    const said = hospital.status?.backends?.[backend]?.message;
    return { ...outcome, error: this.noteError(hospital.metadata.name, backend, error, said) };
  }

  /** @param said what the status says of the error now; kept while the outage is the same, so that retries write nothing. */
  noteError(name: string, backend: BackendName, error: BackendError, said: string | undefined): BackendError {
    const recovery = this.#recoveries[backend];
    if (error.kind === 'Unavailable') return outageError(error, recovery.failed(name), said);
    recovery.forget(name);
    return error;
  }

  /** Which engines give no answer, a sentence each. */
  problems(): readonly string[] {
    return BACKEND_NAMES.flatMap((backend) => {
      const { silentSince, waiting } = this.#recoveries[backend];
      if (silentSince === undefined) return [];
      return [
        `${backend}: no answer since ${timestamp(new Date(silentSince))}; hospitals that wait for it: ${waiting}`,
      ];
    });
  }

  /** The hospital waits for nothing any more. */
  forget(name: string): void {
    for (const backend of BACKEND_NAMES) this.#recoveries[backend].forget(name);
  }
}

/**
 * Which engine, since when, and when the next try is. Pure.
 * Causes change from try to try (refused, reset, timed out) while the outage is the same: the first one stays.
 * @param since ms since 1970.
 */
export function outageError(error: BackendError, since: number, said: string | undefined): BackendError {
  const rest = ` (unavailable since ${timestamp(new Date(since))}; the operator checks every ${PROBE_BACKOFF.maxMs / 1000} s and retries as soon as it answers, at the latest ${RETRY.maxMs / 1000} s after the last attempt)`;
  const message = said?.endsWith(rest) ? said : error.message.slice(0, MAX_CAUSE) + rest;
  return new BackendError('Unavailable', message, error.cause, error.retryAfterMs);
}
