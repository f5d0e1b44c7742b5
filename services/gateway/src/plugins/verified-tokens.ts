import type { KeyObject } from 'node:crypto';
import type { Token } from './tokens.ts';

interface Verified {
  readonly token: Token;
  readonly key: KeyObject;
}

/**
 * Tokens with a verified signature, with the key that verified it: a client sends the same token many times. What
 * may change between requests (times, credential, consumer) is never cached here, and a changed key of the
 * credential misses the cache. The least recently used are evicted first.
 */
export class VerifiedTokens {
  readonly #byText = new Map<string, Verified>();
  readonly #capacity: number;

  constructor(capacity = 10_000) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#byText.size;
  }

  find(text: string): Verified | undefined {
    const cached = this.#byText.get(text);
    if (!cached) return undefined;
    this.#byText.delete(text);
    this.#byText.set(text, cached);
    return cached;
  }

  remember(text: string, token: Token, key: KeyObject): void {
    if (text.length > MAX_LENGTH) return;
    this.#byText.set(text, { token, key });
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > this.#capacity && oldest !== undefined) this.#byText.delete(oldest);
  }
}

/** Longer tokens are rare, and would let clients decide how much memory the cache takes. */
const MAX_LENGTH = 4096;
