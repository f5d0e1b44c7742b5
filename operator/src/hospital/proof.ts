import type { Tenant } from '../backends/backend.ts';
import { toBackendError } from '../backends/errors.ts';

export interface ProofOptions {
  /** A new token of a person of the hospital. @throws BackendError */
  readonly freshToken: (realm: string) => Promise<string>;
  /** Has the next token be a new one. */
  readonly forgetToken: (realm: string) => void;
  /** The last token, where it is still valid. */
  readonly lastToken: (realm: string) => string | undefined;
  /** Asks the gateway as a person. @returns what does not work. @throws BackendError when its proxy is away. */
  readonly notServed: (tenant: Tenant, token: string) => Promise<string | undefined>;
  /** @returns what is still open. @throws BackendError when the gateway's proxy is away. */
  readonly notClosed: (tenant: Tenant, token: string) => Promise<string | undefined>;
}

/** Proof that a hospital's people are served, or shut out while it is suspended. */
export class Proof {
  readonly #o: ProofOptions;

  constructor(options: ProofOptions) {
    this.#o = options;
  }

  /**
   * Called before the proof, and for a hospital that is to be suspended before its realm is closed: without a token from
   * before, nobody can see when the gateway is closed.
   */
  async prepare({ names, suspended }: Tenant): Promise<void> {
    // A token from before a change of keys proves nothing about the tokens of now.
    this.#o.forgetToken(names.realm);
    // A realm that is closed already gives none.
    if (suspended) await this.#o.freshToken(names.realm).catch(() => undefined);
  }

  /** @returns what is missing, a sentence. @throws BackendError when the gateway's proxy can't be reached. */
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
