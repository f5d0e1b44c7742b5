import type { Tenant } from '../backends/backend.ts';
import { toBackendError } from '../backends/errors.ts';

export interface ProofOptions {
  /** A new token of a person of the hospital. @throws BackendError */
  readonly freshToken: (realm: string) => Promise<string>;
  /** Discards the last token. */
  readonly forgetToken: (realm: string) => void;
  /** The last token, if it is still valid. */
  readonly lastToken: (realm: string) => string | undefined;
  /**
   * Sends requests as a person. @returns what does not work. @throws BackendError if the gateway's proxy is
   * unavailable.
   */
  readonly notServed: (tenant: Tenant, token: string) => Promise<string | undefined>;
  /** @returns what is still open. @throws BackendError if the gateway's proxy is unavailable. */
  readonly notClosed: (tenant: Tenant, token: string) => Promise<string | undefined>;
}

/** Verifies that a hospital's people are served, or refused while it is suspended. */
export class Proof {
  readonly #o: ProofOptions;

  constructor(options: ProofOptions) {
    this.#o = options;
  }

  /**
   * Called before the proof, and before the realm of a suspended hospital is closed: without an earlier token,
   * it can't be verified that the gateway is closed.
   */
  async prepare({ names, suspended }: Tenant): Promise<void> {
    // A token from before a key rotation proves nothing about current tokens.
    this.#o.forgetToken(names.realm);
    // A closed realm issues none.
    if (suspended) await this.#o.freshToken(names.realm).catch(() => undefined);
  }

  /** @returns a sentence about what is missing. @throws BackendError if the gateway's proxy can't be reached. */
  async missing(tenant: Tenant): Promise<string | undefined> {
    const { freshToken, lastToken, notServed, notClosed } = this.#o;
    const { realm } = tenant.names;
    if (tenant.suspended) {
      const token = lastToken(realm);
      return token === undefined ? undefined : notClosed(tenant, token);
    }
    let token: string;
    try {
      token = lastToken(realm) ?? (await freshToken(realm));
    } catch (cause) {
      return `nobody can get a token yet: ${toBackendError(cause, 'identity').message}`;
    }
    return notServed(tenant, token);
  }
}
