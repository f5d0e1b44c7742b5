import { hash, type KeyObject } from 'node:crypto';
import type { Token } from './tokens.ts';

interface Verified {
  readonly token: Token;
  readonly key: KeyObject;
}

/**
 * Tokens whose signature was found to be right, with the key that said so: a client sends the same one many times. What
 * may change from one request to the next (times, credential, consumer) is never answered from here; another key of the
 * credential finds nothing. The least recently used go first. Tokens themselves are not kept, only what they hold.
 */
export class VerifiedTokens {
  readonly #byHash = new Map<string, Verified>();
  readonly #capacity: number;

  constructor(capacity = 10_000) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#byHash.size;
  }

  find(text: string): Verified | undefined {
    if (text.length > MAX_LENGTH || this.#byHash.size === 0) return undefined;
    const key = hashOf(text);
    const found = this.#byHash.get(key);
    if (!found) return undefined;
    this.#byHash.delete(key);
    this.#byHash.set(key, found);
    return found;
  }

  remember(text: string, token: Token, key: KeyObject): void {
    if (text.length > MAX_LENGTH) return;
    this.#byHash.set(hashOf(text), { token, key });
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > this.#capacity && oldest !== undefined) this.#byHash.delete(oldest);
  }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Longer ones are rare, and would make the memory that this takes a matter of who sends them. */
const MAX_LENGTH = 4096;
