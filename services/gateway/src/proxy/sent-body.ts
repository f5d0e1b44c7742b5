import { Readable } from 'node:stream';
import { Patience, TimedOut } from './timeouts.ts';

/** A body that is sent upstream. It fails if the upstream accepts nothing during its `write_timeout`. */
export abstract class SentBody extends Readable {
  readonly #patience: Patience | undefined;

  /** @param writeTimeout in milliseconds. Without it there is no timeout. */
  constructor(writeTimeout?: number) {
    super();
    this.#patience =
      writeTimeout === undefined
        ? undefined
        : new Patience(writeTimeout, () => this.destroy(new TimedOut('The upstream takes no more of the body')));
  }

  /** Reads more of the body. */
  protected abstract more(): void;

  /** Releases the source of the body. */
  protected abstract free(): void;

  /** Passes on a chunk, or null after the last. Returns whether the upstream is ready for more. */
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
