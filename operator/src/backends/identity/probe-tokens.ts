import { BackendError } from '../errors.ts';
import type { Keycloak } from './client.ts';
import { PROBE_CLIENT } from './realm.ts';

interface ProbeToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** A token that is about to expire may expire in transit. */
const LEEWAY_MS = 10_000;

/**
 * Access tokens of each realm's client `hms-probe`, with which the operator verifies that people of the hospital are
 * served. They carry no role and expire after a minute. Keycloak generates the client's secret, which is read on demand
 * and kept only in memory.
 */
export class ProbeTokens {
  readonly #keycloak: Keycloak;
  readonly #secrets = new Map<string, string>();
  readonly #last = new Map<string, ProbeToken>();

  constructor(keycloak: Keycloak) {
    this.#keycloak = keycloak;
  }

  /** A new token. @throws BackendError if the realm issues none. */
  async fresh(realm: string): Promise<string> {
    const cachedSecret = this.#secrets.get(realm);
    const token =
      (cachedSecret === undefined ? undefined : await this.#request(realm, cachedSecret)) ??
      (await this.#request(realm, await this.#readSecret(realm)));
    if (!token) {
      this.#secrets.delete(realm);
      throw new BackendError('NotFound', `realm ${realm} gives its client ${PROBE_CLIENT} no token`);
    }
    this.#last.set(realm, token);
    return token.value;
  }

  /** The last token while it is valid, because a disabled realm issues no new one. */
  last(realm: string): string | undefined {
    const token = this.#last.get(realm);
    return token && token.until > Date.now() + LEEWAY_MS ? token.value : undefined;
  }

  /** Makes the next call request a new token. */
  forget(realm: string): void {
    this.#last.delete(realm);
  }

  async #request(realm: string, secret: string): Promise<ProbeToken | undefined> {
    const answer = await this.#keycloak.clientToken(realm, PROBE_CLIENT, secret);
    return answer && { value: answer.value, until: answer.until * 1000 };
  }

  #readSecret(realm: string): Promise<string> {
    return this.#keycloak.call('read-probe', async (admin) => {
      const [client] = await admin.clients.find({ realm, clientId: PROBE_CLIENT });
      const { value } = client?.id ? await admin.clients.getClientSecret({ realm, id: client.id }) : {};
      if (!value) throw new BackendError('NotFound', `client ${PROBE_CLIENT} of realm ${realm} has no secret`);
      this.#secrets.set(realm, value);
      return value;
    });
  }
}
