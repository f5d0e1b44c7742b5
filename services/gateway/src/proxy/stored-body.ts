import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Upload } from './upload.ts';

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
    try {
      for await (const chunk of upload as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (!file) chunks.push(chunk);
        else await file.appendFile(chunk);
        if (file || bytes <= MEMORY_BYTES) continue;
        file = await openUnnamed();
        await file.appendFile(Buffer.concat(chunks.splice(0)));
      }
    } catch (error) {
      await file?.close();
      throw error;
    }
    return new StoredBody(bytes, file ?? Buffer.concat(chunks));
  }

  private constructor(bytes: number, content: Buffer | FileHandle) {
    this.bytes = bytes;
    if (Buffer.isBuffer(content)) this.memory = content;
    else this.#file = content;
  }

  /** From its beginning. */
  content(): Buffer | Readable {
    if (!this.#file) return this.memory ?? Buffer.alloc(0);
    // It may be closed while an upstream that has answered already still takes it.
    return Readable.from(contentOf(this.#file), { objectMode: false }).on('error', () => undefined);
  }

  close(): void {
    this.#file?.close().catch(() => undefined);
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `gateway-body-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function* contentOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(MEMORY_BYTES), 0, MEMORY_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
