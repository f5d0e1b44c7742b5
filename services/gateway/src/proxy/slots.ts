/** A slot for a request at a service, pending or held. It is released once. */
export interface Slot {
  readonly release: () => void;
}

interface Waiting {
  readonly key: string;
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Limits how many requests are in progress at services, because each takes a connection and so a file descriptor.
 * One service may hold half of all slots, so that one that hangs leaves slots for the others. A request without a slot
 * waits in a bounded queue.
 */
export class Slots {
  readonly #total: number;
  readonly #perKey: number;
  readonly #held = new Map<string, number>();
  readonly #queue = new Set<Waiting>();
  #heldInAll = 0;

  constructor(total: number) {
    this.#total = total;
    this.#perKey = Math.ceil(total / 2);
  }

  /**
   * Takes a slot, now or when one is free.
   * @param key what the slot is counted for
   * @param start called when the slot is granted, possibly before this returns
   * @param refused called instead if the queue is full or no slot became free in time
   */
  take(key: string, patienceMs: number, start: () => void, refused: (why: 'full' | 'late') => void): Slot {
    if (this.#isFree(key)) {
      this.#hold(key);
      const slot = this.#heldSlot(key);
      start();
      return slot;
    }
    if (this.#queue.size >= this.#total) {
      refused('full');
      return NONE;
    }
    let slot: Slot | undefined;
    const waiting: Waiting = {
      key,
      start: () => {
        slot = this.#heldSlot(key);
        start();
      },
      timer: setTimeout(() => {
        this.#queue.delete(waiting);
        refused('late');
      }, patienceMs),
    };
    this.#queue.add(waiting);
    return {
      release: () => {
        if (slot) slot.release();
        else this.#leave(waiting);
      },
    };
  }

  #isFree(key: string): boolean {
    return this.#heldInAll < this.#total && (this.#held.get(key) ?? 0) < this.#perKey;
  }

  #hold(key: string): void {
    this.#heldInAll += 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  #heldSlot(key: string): Slot {
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#heldInAll -= 1;
        const remaining = (this.#held.get(key) ?? 1) - 1;
        if (remaining > 0) this.#held.set(key, remaining);
        else this.#held.delete(key);
        this.#startNext();
      },
    };
  }

  #startNext(): void {
    for (const waiting of this.#queue) {
      if (!this.#isFree(waiting.key)) continue;
      this.#leave(waiting);
      this.#hold(waiting.key);
      waiting.start();
      return;
    }
  }

  #leave(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    this.#queue.delete(waiting);
  }
}

const NONE: Slot = { release: () => undefined };
