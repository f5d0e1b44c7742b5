/** Whether a statement adds up, and which of its entries are known from another file. */
import { createHash } from 'node:crypto';
import { sum } from '@hms/money';
import type { Entry, Statement } from './statement.ts';

/** Closing − (opening + Σ of what is booked). 0: all right. Null: the file has no balances. */
export function sumDifference({ opening, closing, entries }: Statement): number | null {
  if (opening === null || closing === null) return null;
  const booked = entries.filter(({ status }) => status === 'booked').map(({ amount }) => -amount);
  return sum([closing, -opening, ...booked]);
}

/**
 * A key for each entry, in their order, that is the same in a file that overlaps. Two equal entries of one day have two
 * keys, so that only the surplus is new.
 */
export function identitiesOf({ account, entries }: Statement): readonly string[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { bookedOn, amount, status, parts } = entry;
    const what =
      referenceOfBank(entry) ?? parts.map(({ text, partyName, endToEndId }) => [text, partyName, endToEndId]);
    const key = JSON.stringify([account, bookedOn, amount, status, what]);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return createHash('sha256').update(`${key}${ordinal}`).digest('hex');
  });
}

/** What the bank calls an entry. Null: nothing, or a word that says so. */
export function referenceOfBank({ bankReference }: Pick<Entry, 'bankReference'>): string | null {
  return bankReference === null || NO_REFERENCE.test(bankReference) ? null : bankReference;
}

const NO_REFERENCE = /^[\s0/.-]*$|^(?:NON ?REF|NOT ?PROVIDED|NOT ?AVAILABLE|N\/?A|NONE|UNKNOWN|NOREF)$/i;
