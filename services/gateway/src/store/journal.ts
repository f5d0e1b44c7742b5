import type { Kind } from '../entities/index.ts';

export type Stored = Readonly<Record<string, unknown>> & { readonly id: string };

/** One change of one entity. All changes of a commit are atomic. */
export type Change = { readonly put: Kind; readonly row: Stored } | { readonly delete: Kind; readonly id: string };

/** Holds the configuration in memory, and receives each change in the order of the commits. */
export interface Holder {
  apply(changes: readonly Change[]): void;
  /** Replaces all rows. */
  replace(changes: readonly Change[]): void;
  rows(): Iterable<readonly [Kind, Stored]>;
  get(kind: Kind, id: string): Stored | undefined;
}

/** The durable form of the configuration. Its calls are serialised. */
export interface Journal {
  /**
   * Stores the changes that `prepare` derives from the newest configuration, and passes them to the holder once they
   * are durable. An error of `prepare` is rethrown, and nothing is stored.
   */
  write(prepare: () => readonly Change[]): Promise<void>;
  /** Passes the changes of other processes to the holder. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a journal and passes its content to the holder. */
export type OpenJournal = (holder: Holder) => Promise<Journal>;
