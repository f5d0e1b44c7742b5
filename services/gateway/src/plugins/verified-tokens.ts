import type { KeyObject } from 'node:crypto';
import type { Token } from './tokens.ts';

interface Verified {
  readonly token: Token;
  readonly key: KeyObject;
}

/**
 * Tokens whose signature was found to be right, with the key that said so: a client sends the same one many times. What
 * may change from one request to the next (times, credential, consumer) is never answered from here; another key of the
 * credential finds nothing. The least recently used go first.
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
    const found = this.#byText.get(text);
    if (!found) return undefined;
    this.#byText.delete(text);
    this.#byText.set(text, found);
    return found;
  }

  remember(text: string, token: Token, key: KeyObject): void {
    if (text.length > MAX_LENGTH) return;
    this.#byText.set(text, { token, key });
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > this.#capacity && oldest !== undefined) this.#byText.delete(oldest);
  }
}

/** Longer ones are rare, and would make the memory that this takes a matter of who sends them. */
const MAX_LENGTH = 4096;
