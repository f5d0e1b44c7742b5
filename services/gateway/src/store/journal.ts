import type { Kind } from '../entities/index.ts';

export type Stored = Readonly<Record<string, unknown>> & { readonly id: string };

/** One change of one entity; several in one commit hold together. */
export type Change = { readonly put: Kind; readonly row: Stored } | { readonly delete: Kind; readonly id: string };

/** Who has the configuration in memory, and hears of each change in the order of the commits. */
export interface Holder {
  apply(changes: readonly Change[]): void;
  /** Takes the place of everything. */
  replace(changes: readonly Change[]): void;
  rows(): Iterable<readonly [Kind, Stored]>;
  get(kind: Kind, id: string): Stored | undefined;
}

/** The durable form of the configuration. Its calls come one after the other. */
export interface Journal {
  /**
   * Keeps the changes that `prepare` makes of the newest configuration, and tells the holder of them once they can't
   * be lost. What `prepare` throws is thrown on, and nothing is kept.
   */
  write(prepare: () => readonly Change[]): Promise<void>;
  /** Tells the holder of what others have written. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a journal and hands what it has to the holder. */
export type OpenJournal = (holder: Holder) => Promise<Journal>;
