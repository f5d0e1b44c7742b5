/** Which calls are new, so that each is announced once. */
import type { Board } from './boards.ts';

/** An older call is no news: a display that comes back does not ring for what has been. In ms. */
export const NEWS = 60_000;
/** Calls of a clinic that are remembered. */
const MOST = 500;

export interface Call {
  readonly clinicId: string;
  readonly label: string;
  readonly room: string | null;
  /** When, by the clock of the server, in ISO 8601. */
  readonly since: string;
}

export class Calls {
  /** By clinic. A second call of the same person is another call. */
  readonly #known = new Map<string, Set<string>>();

  /**
   * The calls of a board that have not been there before, the oldest first. On the first board of a clinic, none is new.
   * @param now by the clock of the server
   */
  newOn({ clinicId, called }: Board, now: number): readonly Call[] {
    const before = this.#known.get(clinicId);
    const known = before ?? new Set<string>();
    this.#known.set(clinicId, known);
    const all = called.map((call) => ({ ...call, clinicId, key: `${call.label} ${call.since} ${call.calls}` }));
    const fresh = all.filter(({ key, since }) => !known.has(key) && now - Date.parse(since) < NEWS);
    for (const { key } of all) known.add(key);
    // The oldest are long over.
    for (const key of known) if (known.size > MOST) known.delete(key);
    return before ? fresh.toSorted((one, other) => Date.parse(one.since) - Date.parse(other.since)) : [];
  }
}
