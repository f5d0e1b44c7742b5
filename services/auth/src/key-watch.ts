import { decodeProtectedHeader } from 'jose';

export interface KeyWatchOptions {
  /** Told that a realm signs with a key that was not seen before. */
  readonly onNewKey: (realm: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Realms come from the registry, so there are as many as hospitals; the one seen longest ago goes first. */
const MOST_REALMS = 5_000;

/**
 * Sees by the tokens that Keycloak hands out when a realm has changed its signing key. The gateway knows one key for
 * each hospital and refuses tokens of a new one before any module meets them, so this is where it shows first.
 * The tokens are Keycloak's own answers: nobody outside can forge a key id into them.
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions;
  readonly #keys = new Map<string, string>();

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  /** @param accessToken as Keycloak gave it. Returns at once; nobody's login waits for the gateway. */
  saw(realm: string, accessToken: string): void {
    const key = keyOf(accessToken);
    if (key === undefined || this.#keys.get(realm) === key) return;
    this.#keys.delete(realm);
    this.#keys.set(realm, key);
    if (this.#keys.size > MOST_REALMS) {
      const [oldest] = this.#keys.keys();
      if (oldest !== undefined) this.#keys.delete(oldest);
    }
    this.#options.onNewKey(realm).catch((error: unknown) => {
      // The next login asks again.
      if (this.#keys.get(realm) === key) this.#keys.delete(realm);
      this.#options.onError(error);
    });
  }
}

function keyOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}
