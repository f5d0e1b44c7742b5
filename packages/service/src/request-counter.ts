/**
 * Counts the requests of each hospital in memory, and adds them up in PostgreSQL about once a minute, for all hospitals
 * in one statement. A process that is killed loses what it has not added yet.
 */
import { addRequests, type RequestCount } from '@hms/database';
import type { RequestHandler } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Locals } from './requests.ts';

export interface RequestCounterOptions {
  readonly db: Knex;
  readonly log: Logger;
  /** Milliseconds between additions. */
  readonly interval?: number;
  readonly now?: () => number;
}

const INTERVAL = 60_000;

interface Count {
  requests: number;
  failed: number;
}

export class RequestCounter {
  readonly #options: RequestCounterOptions;
  /** Since the last addition, by the id of the hospital. */
  readonly #counts = new Map<string, Count>();
  /** What could not be added yet, by hospital and day: an outage of hours needs no memory for each minute. */
  readonly #waiting = new Map<string, RequestCount>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RequestCounterOptions) {
    this.#options = options;
  }

  /** Starts to add up. */
  start(): void {
    this.#timer = setInterval(() => void this.flush(), this.#options.interval ?? INTERVAL).unref();
  }

  /** @param hospitalId of a verified token. Another one would fill the table with names that somebody has made up. */
  count(hospitalId: string, hasFailed: boolean): void {
    const count = this.#counts.get(hospitalId) ?? { requests: 0, failed: 0 };
    count.requests += 1;
    if (hasFailed) count.failed += 1;
    this.#counts.set(hospitalId, count);
  }

  /** Adds up what was counted, one addition after the other. If PostgreSQL refuses, the next one adds it. */
  flush(): Promise<void> {
    this.#running = this.#running.then(() => this.#add());
    return this.#running;
  }

  /** Adds up the rest, and stops. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #add(): Promise<void> {
    const { db, log, now = Date.now } = this.#options;
    const day = new Date(now()).toISOString().slice(0, 10);
    for (const [hospitalId, { requests, failed }] of this.#counts) {
      const key = `${hospitalId} ${day}`;
      const before = this.#waiting.get(key) ?? { requests: 0, failed: 0 };
      const sum = { requests: before.requests + requests, failed: before.failed + failed };
      this.#waiting.set(key, { hospitalId, day, ...sum });
    }
    this.#counts.clear();
    if (this.#waiting.size === 0) return;
    try {
      await addRequests(db, [...this.#waiting.values()]);
      this.#waiting.clear();
    } catch (error) {
      log.warn({ error }, 'could not add up the requests of hospitals: trying again with the next ones');
    }
  }
}

/**
 * Counts the requests whose token was accepted, at their end. A stream is one request.
 * @param ownPath of the platform's own requests, which say nothing about the use of a hospital.
 */
export function countRequests(counter: RequestCounter, ownPath: string): RequestHandler {
  return (_request, response, next) => {
    response.once('close', () => {
      const { caller, route } = response.locals as Locals;
      if (caller?.hospital && route?.path !== ownPath) counter.count(caller.hospital.id, response.statusCode >= 500);
    });
    next();
  };
}
