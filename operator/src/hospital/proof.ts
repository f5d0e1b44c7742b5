import type { Tenant } from '../backends/backend.ts';
import { toBackendError } from '../backends/errors.ts';
import { notClosed, notServed, type ProbeOptions } from '../backends/gateway/probe.ts';
import type { ProbeTokens } from '../backends/identity/probe-tokens.ts';

/** Verifies that a hospital's people are served, or refused while it is suspended. */
export class Proof {
  readonly #tokens: ProbeTokens;
  readonly #probe: ProbeOptions;
  readonly #modulesProblem: () => string | undefined;

  /** @param modulesProblem what module is not served, as a sentence. */
  constructor(tokens: ProbeTokens, probe: ProbeOptions, modulesProblem: () => string | undefined) {
    this.#tokens = tokens;
    this.#probe = probe;
    this.#modulesProblem = modulesProblem;
  }

  /**
   * Called before the proof, and before the realm of a suspended hospital is closed: without an earlier token,
   * it can't be verified that the gateway is closed.
   */
  async prepare({ names, suspended }: Tenant): Promise<void> {
    // A token from before a key rotation proves nothing about current tokens.
    this.#tokens.forget(names.realm);
    // A closed realm issues none.
    if (suspended) await this.#tokens.fresh(names.realm).catch(() => undefined);
  }

  /**
   * Acts as a person of the hospital.
   * @returns a sentence about what does not work, or is still open while the hospital is suspended.
   * @throws BackendError if the gateway's proxy can't be reached.
   */
  async missing(tenant: Tenant): Promise<string | undefined> {
    const { realm } = tenant.names;
    const last = this.#tokens.last(realm);
    if (tenant.suspended) return last === undefined ? undefined : notClosed(this.#probe, tenant, last);
    let token: string;
    try {
      token = last ?? (await this.#tokens.fresh(realm));
    } catch (cause) {
      return `nobody can get a token yet: ${toBackendError(cause, 'identity').message}`;
    }
    return (await notServed(this.#probe, tenant, token)) ?? this.#modulesProblem();
  }
}
