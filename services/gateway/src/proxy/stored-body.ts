import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SentBody } from './sent-body.ts';
import { type Upload, UploadError } from './upload.ts';

/** What a request may take of memory for its body; what is larger is streamed, or kept in a file. */
export const MEMORY_BYTES = 64 * 1024;

/**
 * A request's body that is wholly here, so that it can be measured, and sent as often as needed: in memory up to 64 KB,
 * beyond that in a file of the system's folder for such, which has no name and ends with the process at the latest.
 */
export class StoredBody {
  readonly bytes: number;
  /** The body itself where it is small. */
  readonly memory: Buffer | undefined;
  readonly #file: FileHandle | undefined;

  /** Takes in a body to its end; rejects with an UploadError, or with the file system's own. */
  static async read(upload: Upload): Promise<StoredBody> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let file: FileHandle | undefined;
    let reserved = 0;
    try {
      for await (const chunk of upload as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > MEMORY_BYTES) {
          if (disk.free < bytes - reserved) throw new UploadError('too many');
          disk.free -= bytes - reserved;
          reserved = bytes;
        }
        if (!file) chunks.push(chunk);
        else await file.appendFile(chunk);
        if (file || bytes <= MEMORY_BYTES) continue;
        file = await openUnnamed();
        await file.appendFile(Buffer.concat(chunks.splice(0)));
      }
    } catch (error) {
      disk.free += reserved;
      await file?.close();
      throw error;
    }
    return new StoredBody(bytes, file ?? Buffer.concat(chunks), reserved);
  }

  #reserved: number;

  private constructor(bytes: number, content: Buffer | FileHandle, reserved: number) {
    this.bytes = bytes;
    this.#reserved = reserved;
    if (Buffer.isBuffer(content)) this.memory = content;
    else this.#file = content;
  }

  /**
   * From its beginning.
   * @param writeTimeout how long the upstream is waited for
   */
  content(writeTimeout: number): Buffer | Readable {
    if (!this.#file) return this.memory ?? Buffer.alloc(0);
    // It may be closed while an upstream that has answered already still takes it.
    return new FileBody(this.#file, writeTimeout).on('error', () => undefined);
  }

  close(): void {
    this.#file?.close().catch(() => undefined);
    disk.free += this.#reserved;
    this.#reserved = 0;
  }
}

/** What all bodies together may take of the disk, where a pod that takes more than its share is evicted. */
const DISK_BYTES = 1024 ** 3;
export const disk = { free: DISK_BYTES };

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `gateway-body-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

class FileBody extends SentBody {
  readonly #file: FileHandle;
  #position = 0;

  constructor(file: FileHandle, writeTimeout: number) {
    super(writeTimeout);
    this.#file = file;
  }

  protected override more(): void {
    this.#file.read(Buffer.allocUnsafe(MEMORY_BYTES), 0, MEMORY_BYTES, this.#position).then(
      ({ bytesRead, buffer }) => {
        this.#position += bytesRead;
        this.give(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
      },
      (error: Error) => this.destroy(error),
    );
  }

  /** The file is for the next attempt, too. */
  protected override free(): void {}
}
