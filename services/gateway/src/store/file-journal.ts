import type { Change, Holder, Journal, OpenJournal } from './journal.ts';
import { JournalFile } from './journal-file.ts';

export interface FileJournalOptions {
  /** Called when the file could not be compacted, which loses nothing. */
  readonly warn: (error: unknown) => void;
  /** How long deleted and replaced rows may stay in the file, in ms. */
  readonly forgetAfterMs?: number;
}

/** The configuration of one gateway, in a file of this folder. No other process may use the folder. */
export function fileJournal(folder: string, options: FileJournalOptions): OpenJournal {
  return (holder) => FileJournal.open(folder, holder, options);
}

/** Deleted and replaced rows stay in the file for at most ten minutes, and not after the journal is closed. */
class FileJournal implements Journal {
  readonly #file: JournalFile;
  readonly #holder: Holder;
  readonly #warn: (error: unknown) => void;
  readonly #forgetAfterMs: number;
  /** Set while the file contains more than the current rows. */
  #forgetting: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(file: JournalFile, holder: Holder, { warn, forgetAfterMs }: FileJournalOptions) {
    this.#file = file;
    this.#holder = holder;
    this.#warn = warn;
    this.#forgetAfterMs = forgetAfterMs ?? FORGET_AFTER_MS;
  }

  static async open(folder: string, holder: Holder, options: FileJournalOptions): Promise<FileJournal> {
    const { file, changes } = await JournalFile.open(folder);
    const journal = new FileJournal(file, holder, options);
    // In order, because the history may contain an entity more than once.
    for (const change of changes) holder.apply([change]);
    // A crash prevented the last compaction.
    if (changes.length > [...holder.rows()].length) await journal.#compact();
    return journal;
  }

  write(prepare: () => readonly Change[]): Promise<void> {
    return this.#inTurn(async () => {
      const changes = prepare();
      if (changes.length === 0) return;
      const outdates = changes.some((change) => this.#outdates(change));
      await this.#file.append(changes);
      this.#holder.apply(changes);
      if (this.#file.isLarge) await this.#compact();
      else if (outdates) this.#forgetLater();
    });
  }

  async refresh(): Promise<void> {
    // No other process writes to the folder.
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#forgetting) await this.#compact();
      clearTimeout(this.#forgetting);
      await this.#file.close();
    });
  }

  /** The timer's compaction must not overlap with a write. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #outdates(change: Change): boolean {
    return 'delete' in change || this.#holder.get(change.put, change.row.id) !== undefined;
  }

  #forgetLater(): void {
    this.#forgetting ??= setTimeout(() => void this.#inTurn(() => this.#compact()), this.#forgetAfterMs).unref();
  }

  async #compact(): Promise<void> {
    clearTimeout(this.#forgetting);
    this.#forgetting = undefined;
    await this.#file.compact(this.#holder.rows()).catch((error: unknown) => {
      this.#warn(error);
      this.#forgetLater();
    });
  }
}

const FORGET_AFTER_MS = 10 * 60_000;
