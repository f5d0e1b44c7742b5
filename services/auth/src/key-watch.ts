import { decodeProtectedHeader } from 'jose';

export interface KeyWatchOptions {
  /** Called when a realm signs with a new key. */
  readonly onNewKey: (realm: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Realms are those of hospitals, and `console`. The least recently seen is evicted first. */
const MOST_REALMS = 5_000;

/**
 * Detects from the tokens that Keycloak issues when a realm has changed its signing key. The gateway knows one key for
 * each realm and refuses tokens of a new one before any module sees them, so it is detected here first.
 * The tokens come directly from Keycloak, so nobody can forge their key id.
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions;
  readonly #keys = new Map<string, string>();

  constructor(options: KeyWatchOptions) {
    this.#options = options;
  }

  /** @param accessToken as Keycloak issued it. Returns immediately, so no login waits for the gateway. */
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
      // The next login retries.
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
