import type { Upstream } from '../entities/upstreams.ts';

/** The outcome of a check or a request. */
export type Outcome = 'success' | 'http_failure' | 'tcp_failure' | 'timeout';

/** How many consecutive outcomes change the state. 0 never changes it. */
export interface Limits {
  readonly successes: number;
  readonly http_failures: number;
  readonly tcp_failures: number;
  readonly timeouts: number;
}

/** Counts the outcomes of one target. Active and passive checks share its state. */
export class Health {
  healthy = true;
  #successes = 0;
  #failures = { http_failure: 0, tcp_failure: 0, timeout: 0 };

  /** Returns whether the state changed. */
  count(outcome: Outcome, limits: Limits): boolean {
    return outcome === 'success' ? this.#success(limits) : this.#failure(outcome, limits);
  }

  set(healthy: boolean): void {
    this.healthy = healthy;
    this.#successes = 0;
    this.#failures = { http_failure: 0, tcp_failure: 0, timeout: 0 };
  }

  #success(limits: Limits): boolean {
    this.#failures = { http_failure: 0, tcp_failure: 0, timeout: 0 };
    if (this.healthy) return false;
    this.#successes += 1;
    if (limits.successes === 0 || this.#successes < limits.successes) return false;
    this.set(true);
    return true;
  }

  #failure(outcome: Exclude<Outcome, 'success'>, limits: Limits): boolean {
    this.#successes = 0;
    this.#failures[outcome] += 1;
    const limit = { http_failure: limits.http_failures, tcp_failure: limits.tcp_failures, timeout: limits.timeouts }[
      outcome
    ];
    if (!this.healthy || limit === 0 || this.#failures[outcome] < limit) return false;
    this.set(false);
    return true;
  }
}

type Statuses = {
  readonly healthy: { readonly http_statuses: readonly (number | null)[] };
  readonly unhealthy: { readonly http_statuses: readonly (number | null)[] };
};

/** A status in neither list is no outcome. */
export function statusOutcome(status: number, check: Statuses): Outcome | undefined {
  if (check.healthy.http_statuses.includes(status)) return 'success';
  return check.unhealthy.http_statuses.includes(status) ? 'http_failure' : undefined;
}

export function limitsOf({
  healthy,
  unhealthy,
}: Upstream['healthchecks']['active'] | Upstream['healthchecks']['passive']): Limits {
  const { http_failures, tcp_failures, timeouts } = unhealthy;
  return { successes: healthy.successes, http_failures, tcp_failures, timeouts };
}

export function hasActiveChecks({ healthchecks: { active } }: Upstream): boolean {
  return active.healthy.interval > 0 || active.unhealthy.interval > 0;
}

export function hasPassiveChecks({ healthchecks: { passive } }: Upstream): boolean {
  const { successes, http_failures, tcp_failures, timeouts } = limitsOf(passive);
  return successes + http_failures + tcp_failures + timeouts > 0;
}
