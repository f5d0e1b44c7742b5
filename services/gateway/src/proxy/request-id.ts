import { randomFillSync } from 'node:crypto';

/** 32 random hexadecimal digits. Randomness is fetched for many at a time: for one it takes longer than the rest. */
export function requestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.toString('hex', used - BYTES, used);
}

const BYTES = 16;
const pool = Buffer.alloc(256 * BYTES);
let used = pool.length;
