/** Which batches units are taken from: the one that expires first comes first. Pure. */
import type { Batch } from './record.ts';

type Stocked = Pick<Batch, 'id' | 'batchNo' | 'location' | 'expiresOn' | 'onHand' | 'status' | 'statusReason'>;

/** Units of one batch, and why. */
interface Allocation {
  readonly batch: Stocked;
  readonly quantity: number;
  /** `expires_first`: of all that may be dispensed. `rest`: those that expire earlier did not have enough. */
  readonly why: 'expires_first' | 'rest';
}

/** A batch with units that were not taken, and why. */
interface PassedOver {
  readonly batch: Stocked;
  readonly why: 'expired' | 'quarantined' | 'recalled';
}

export interface Allocated {
  readonly taken: readonly Allocation[];
  readonly passedOver: readonly PassedOver[];
  /** Units that no batch has. */
  readonly missing: number;
}

/**
 * @param stock batches of one drug, in any order.
 * @param today `YYYY-MM-DD` in the hospital. A batch may be dispensed on the day on which it expires.
 */
export function allocate(stock: readonly Stocked[], wanted: number, today: string): Allocated {
  const full = stock.filter(({ onHand }) => onHand > 0).sort(byExpiry);
  const passedOver = full.flatMap((batch): PassedOver[] => {
    if (batch.status !== 'active') return [{ batch, why: batch.status }];
    return isExpired(batch, today) ? [{ batch, why: 'expired' }] : [];
  });
  const taken: Allocation[] = [];
  let missing = wanted;
  for (const batch of full) {
    if (missing === 0) break;
    if (passedOver.some((other) => other.batch === batch)) continue;
    const quantity = Math.min(missing, batch.onHand);
    taken.push({ batch, quantity, why: taken.length === 0 ? 'expires_first' : 'rest' });
    missing -= quantity;
  }
  return { taken, passedOver, missing };
}

/** Units that may be dispensed. @param today `YYYY-MM-DD` in the hospital. */
export function availableOf(stock: readonly Stocked[], today: string): number {
  const usable = stock.filter((batch) => batch.status === 'active' && !isExpired(batch, today));
  return usable.reduce((sum, { onHand }) => sum + onHand, 0);
}

/** @param today `YYYY-MM-DD` in the hospital. */
export function isExpired({ expiresOn }: Pick<Batch, 'expiresOn'>, today: string): boolean {
  return expiresOn.slice(0, 10) < today;
}

function byExpiry(one: Stocked, other: Stocked): number {
  return one.expiresOn < other.expiresOn ? -1 : one.expiresOn > other.expiresOn ? 1 : one.id < other.id ? -1 : 1;
}
