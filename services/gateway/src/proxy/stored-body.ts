import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SentBody } from './sent-body.ts';
import { type Upload, UploadError } from './upload.ts';

/** How much memory a request's body may take. A larger one is streamed or stored in a file. */
export const MEMORY_BYTES = 64 * 1024;

/**
 * A completely received request body, so that it can be measured and sent as often as needed: in memory up to 64 KB,
 * otherwise in an unnamed file of the system's temporary folder, which the kernel deletes with the process at the
 * latest.
 */
export class StoredBody {
  readonly bytes: number;
  /** The body itself if it is small. */
  readonly memory: Buffer | undefined;
  readonly #file: FileHandle | undefined;

  /** Receives a body completely. Rejects with an UploadError or an error of the file system. */
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
   * Sends the body from its beginning.
   * @param writeTimeout how long to wait for the upstream
   */
  content(writeTimeout: number): Buffer | Readable {
    if (!this.#file) return this.memory ?? Buffer.alloc(0);
    // It may be closed while an upstream that has already answered still reads it.
    return new FileBody(this.#file, writeTimeout).on('error', () => undefined);
  }

  close(): void {
    this.#file?.close().catch(() => undefined);
    disk.free += this.#reserved;
    this.#reserved = 0;
  }
}

/** The disk space of all bodies together. A pod that exceeds its limit would be evicted. */
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

  /** The file stays open for the next attempt. */
  protected override free(): void {}
}
