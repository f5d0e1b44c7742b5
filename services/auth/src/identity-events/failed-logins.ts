/**
 * The failed logins that the audit log keeps. The auth module limits those that people send to it. Nothing limits
 * Keycloak's own login page, and its clients choose the address that Keycloak records. Anybody could fill the audit log
 * there.
 */
import { CLIENT_ID } from '../keycloak.ts';
import type { IdentityEvent } from './events.ts';
import type { EventStore } from './stores.ts';

/** How many of a realm are kept in any ten minutes. */
export const KEPT_FAILURES = 100;
const WINDOW_MS = 600_000;

/** The failed logins of one reading, whose events are in the order of time. */
export class FailedLogins {
  readonly #store: Pick<EventStore, 'failuresBeside'>;
  readonly #kept: number;
  /** When those that are recorded happened, oldest first. */
  #times: number[] | undefined;

  constructor(store: Pick<EventStore, 'failuresBeside'>, kept: number) {
    this.#store = store;
    this.#kept = kept;
  }

  /** @returns the event as it is recorded, or undefined beyond the limit. The last one says so. */
  async admit(event: IdentityEvent): Promise<IdentityEvent | undefined> {
    if (event.action !== 'login.failed' || event.details.client === CLIENT_ID) return event;
    const at = event.at.getTime();
    this.#times ??= await this.#store.failuresBeside(CLIENT_ID, new Date(at - WINDOW_MS));
    const recent = this.#times.filter((time) => time > at - WINDOW_MS);
    if (recent.length >= this.#kept) return undefined;
    this.#times = [...recent, at];
    if (this.#times.length < this.#kept) return event;
    const noMoreUntil = new Date((this.#times[0] ?? at) + WINDOW_MS).toISOString();
    return { ...event, details: { ...event.details, noMoreUntil } };
  }
}
