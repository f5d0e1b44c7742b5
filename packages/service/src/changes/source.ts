/** Where the changes come from that streams tell. */
import { hospitalNames } from '@hms/tenancy';
import type { ChangeListener, Notice } from './listener.ts';

export interface ChangeSource {
  /** Resolves when no later change can be missed. */
  ready(): Promise<void>;
  /** Tells of each change of the records of a kind. @returns ends it. */
  subscribe(record: string, onNotice: (notice: Notice) => void): () => void;
}

/** The tables of a hospital. @param prefix of it. */
export function tablesOf(listener: ChangeListener, prefix: string): ChangeSource {
  const { role } = hospitalNames(prefix);
  return {
    ready: () => listener.ready(),
    subscribe: (record, onNotice) => listener.subscribe(role, record, onNotice),
  };
}
