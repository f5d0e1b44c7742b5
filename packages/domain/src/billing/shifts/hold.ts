/** Which shift money belongs to. */
import { Problem, type Work } from '@hms/service';
import { NO_OPEN_SHIFT } from './record.ts';

/**
 * Holds the open shift of the caller, so that nobody closes it before this transaction ends. Whoever waits for a close
 * gets the shift that is open then, if there is one.
 * @returns its id, or null.
 */
export async function holdShift({ trx, caller }: Work): Promise<string | null> {
  const held = async () => (await trx.query<{ id: string }>(HOLD, [caller.sub]))[0]?.id ?? null;
  // A statement that has waited for a close does not see a shift that was opened after it began.
  return (await held()) ?? held();
}

/** @throws Problem NO_OPEN_SHIFT for cash without a shift, if the hospital demands one. */
export function demandShiftFor(
  { hospital }: Work,
  shift: string | null,
  parts: readonly { readonly method: string }[],
): void {
  if (shift !== null || !hospital.settings.requireOpenShift) return;
  if (parts.some(({ method }) => method === 'CASH')) throw new Problem(NO_OPEN_SHIFT);
}

const HOLD = `SELECT id FROM shifts WHERE cashier = $1 AND status = 'open' FOR SHARE`;
