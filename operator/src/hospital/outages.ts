/** What the status says about an unavailable engine. */

import type { HospitalObject } from '@hms/hospitals';
import type { Logger } from 'pino';
import type { Backend } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { PROBE_BACKOFF, Recovery } from '../runtime/recovery.ts';
import { REGISTRY_BACKEND } from './claim.ts';
import type { Outcome } from './outcome.ts';
import { timestamp } from './status.ts';

/** Backoff between two attempts of one hospital, in ms. */
export const RETRY = { baseMs: 500, maxMs: 30_000 };

/** Leaves room for the rest of the sentence. */
const MAX_CAUSE = 320;

export interface OutagesOptions {
  readonly backends: readonly Backend[];
  /** Throws a BackendError while an engine lacks the shared parts of the platform. */
  readonly requirePlatform: (backend: string) => Promise<void>;
  readonly logger: Logger;
  /** Called with the backend whose engine answers again, and the hospitals that failed by it. */
  readonly onRecovered: (backend: string, hospitals: readonly string[]) => void;
}

/** Tracks which hospital waits for which engine. */
export class Outages {
  readonly #recoveries: ReadonlyMap<string, Recovery>;
  readonly #requirePlatform: (backend: string) => Promise<void>;

  constructor({ backends, requirePlatform, logger, onRecovered }: OutagesOptions) {
    this.#requirePlatform = requirePlatform;
    this.#recoveries = new Map(
      backends.map((backend) => {
        const { name } = backend.descriptor;
        const probe = () => backend.ping();
        return [name, new Recovery({ name, probe, onRecovered: (names) => onRecovered(name, names), logger })];
      }),
    );
  }

  /** Records the outcome of one backend. @returns it, with the outage's details in the error. */
  note(hospital: HospitalObject, outcome: Outcome): Outcome {
    const { backend, error } = outcome;
    if (!error) {
      this.#recoveries.get(backend.name)?.forget(hospital.metadata.name);
      return outcome;
    }
    const lastMessage = hospital.status?.backends?.[backend.name]?.message;
    return { ...outcome, error: this.noteError(hospital.metadata.name, backend.name, error, lastMessage) };
  }

  /**
   * @param cause any thrown value.
   * @param lastMessage the error in the current status, kept during an outage, so that retries write nothing.
   */
  noteError(name: string, backend: string, cause: unknown, lastMessage: string | undefined): BackendError {
    const error = toBackendError(cause, backend);
    const recovery = this.#recoveries.get(backend);
    if (recovery && error.kind === 'Unavailable') return outageError(error, recovery.failed(name), lastMessage);
    recovery?.forget(name);
    return error;
  }

  /**
   * Asks the registry. @param lastMessage as in `noteError`.
   * @returns the answer, or the error with the outage's details.
   */
  async ask<T>(name: string, lastMessage: string | undefined, registry: () => Promise<T>): Promise<T | BackendError> {
    try {
      await this.#requirePlatform(REGISTRY_BACKEND.name);
      return await registry();
    } catch (cause) {
      return this.noteError(name, REGISTRY_BACKEND.name, cause, lastMessage);
    }
  }

  /** How many hospitals wait for the engine. */
  waiting(backend: string): number {
    return this.#recoveries.get(backend)?.waiting ?? 0;
  }

  /** The unavailable engines, one sentence each. */
  problems(): readonly string[] {
    return [...this.#recoveries].flatMap(([backend, { silentSince, waiting }]) => {
      if (silentSince === undefined) return [];
      return [
        `${backend}: no answer since ${timestamp(new Date(silentSince))}; hospitals that wait for it: ${waiting}`,
      ];
    });
  }

  /** The hospital no longer waits for any engine. */
  forget(name: string): void {
    for (const recovery of this.#recoveries.values()) recovery.forget(name);
  }

  stop(): void {
    for (const recovery of this.#recoveries.values()) recovery.stop();
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
