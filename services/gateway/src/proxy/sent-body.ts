import { Readable } from 'node:stream';
import { Patience, TimedOut } from './timeouts.ts';

/** A body on its way upstream. It fails where the upstream takes nothing for as long as its `write_timeout`. */
export abstract class SentBody extends Readable {
  readonly #patience: Patience | undefined;

  /** @param writeTimeout in milliseconds; without one nobody is waited for */
  constructor(writeTimeout?: number) {
    super();
    this.#patience =
      writeTimeout === undefined
        ? undefined
        : new Patience(writeTimeout, () => this.destroy(new TimedOut('The upstream takes no more of the body')));
  }

  /** Gets more of the body to give on. */
  protected abstract more(): void;

  /** Frees what the body was read from. */
  protected abstract free(): void;

  /** Gives a piece on, null after the last; answers whether the upstream wants more at once. */
  protected give(chunk: Buffer | null): boolean {
    const isWanted = this.push(chunk);
    if (!isWanted) this.#patience?.start();
    return isWanted;
  }

  override _read(): void {
    this.#patience?.stop();
    this.more();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#patience?.stop();
    this.free();
    callback(error);
  }
}
