/** What the status says about an unavailable engine. */
import { BACKEND_NAMES, type BackendName } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { PROBE_BACKOFF, type Recovery } from '../runtime/recovery.ts';
import type { Outcome } from './outcome.ts';
import type { HospitalObject } from './resource.ts';
import { timestamp } from './status.ts';

/** Backoff between two attempts of one hospital, in ms. */
export const RETRY = { baseMs: 500, maxMs: 30_000 };

/** Leaves room for the rest of the sentence. */
const MAX_CAUSE = 320;

/** Tracks which hospital waits for which engine. */
export class Outages {
  readonly #recoveries: Readonly<Record<BackendName, Recovery>>;

  constructor(recoveries: Readonly<Record<BackendName, Recovery>>) {
    this.#recoveries = recoveries;
  }

  /** Records the outcome of one backend. @returns it, with the outage's details in the error. */
  note(hospital: HospitalObject, outcome: Outcome): Outcome {
    const { backend, error } = outcome;
    if (!error) {
      this.#recoveries[backend].forget(hospital.metadata.name);
      return outcome;
    }
    const lastMessage = hospital.status?.backends?.[backend]?.message;
    return { ...outcome, error: this.noteError(hospital.metadata.name, backend, error, lastMessage) };
  }

  /** @param lastMessage the error in the current status, kept during an outage, so that retries write nothing. */
  noteError(name: string, backend: BackendName, error: BackendError, lastMessage: string | undefined): BackendError {
    const recovery = this.#recoveries[backend];
    if (error.kind === 'Unavailable') return outageError(error, recovery.failed(name), lastMessage);
    recovery.forget(name);
    return error;
  }

  /** The unavailable engines, one sentence each. */
  problems(): readonly string[] {
    return BACKEND_NAMES.flatMap((backend) => {
      const { silentSince, waiting } = this.#recoveries[backend];
      if (silentSince === undefined) return [];
      return [
        `${backend}: no answer since ${timestamp(new Date(silentSince))}; hospitals that wait for it: ${waiting}`,
      ];
    });
  }

  /** The hospital no longer waits for any engine. */
  forget(name: string): void {
    for (const backend of BACKEND_NAMES) this.#recoveries[backend].forget(name);
  }
}

/**
 * Adds since when the engine is unavailable and when the next attempt is. Pure.
 * Causes vary between attempts (refused, reset, timed out) of one outage: the first one stays.
 * @param since ms since 1970.
 */
export function outageError(error: BackendError, since: number, lastMessage: string | undefined): BackendError {
  const rest = ` (unavailable since ${timestamp(new Date(since))}; the operator checks every ${PROBE_BACKOFF.maxMs / 1000} s and retries as soon as it answers, at the latest ${RETRY.maxMs / 1000} s after the last attempt)`;
  const message = lastMessage?.endsWith(rest) ? lastMessage : error.message.slice(0, MAX_CAUSE) + rest;
  return new BackendError('Unavailable', message, error.cause, error.retryAfterMs);
}
