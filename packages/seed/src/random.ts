/** Numbers that look random and are the same in each run. */
export class Random {
  #state: number;

  /** @param parts whatever tells this sequence from others, such as a seed, a subject and an index. */
  constructor(...parts: readonly (number | string)[]) {
    this.#state = hash(parts.join('/'));
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** A whole number, both limits included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  oneOf<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('there is nothing to choose from');
    return values[this.below(values.length)] as T;
  }

  /** One of the values. Those with a larger share come more often. */
  byShare<T>(values: readonly T[], shareOf: (value: T) => number): T {
    let left = this.next() * values.reduce((sum, value) => sum + shareOf(value), 0);
    for (const value of values) {
      left -= shareOf(value);
      if (left < 0) return value;
    }
    throw new Error('there is nothing to choose from');
  }

  /** Some of the values, in their order. */
  some<T>(values: readonly T[], count: number): readonly T[] {
    const left = [...values];
    while (left.length > count) left.splice(this.below(left.length), 1);
    return left;
  }

  /** Around 0, mostly between -1 and 1: a sum of uniform numbers is nearly normal. */
  normal(): number {
    let sum = 0;
    for (let times = 0; times < 6; times += 1) sum += this.next();
    return (sum - 3) / Math.SQRT1_2;
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
