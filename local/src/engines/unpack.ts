/** Unpacks archives to folders. */
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

/**
 * Unpacks a zip file and keeps executable bits.
 * @param strip how many leading folders of each name to remove.
 */
export async function unzip(archive: string, into: string, strip: number): Promise<void> {
  // yauzl refuses absolute names and `..`.
  const zip = await yauzl.openPromise(archive, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.split('/').slice(strip).join('/');
      if (name === '') continue;
      const target = path.join(into, name);
      if (name.endsWith('/')) {
        await fs.mkdir(target, { recursive: true });
        continue;
      }
      await fs.mkdir(path.dirname(target), { recursive: true });
      // The upper half of the external attributes is the file's Unix mode.
      const mode = (entry.externalFileAttributes >>> 16) & 0o777;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: mode || 0o644 }));
    }
  } finally {
    zip.close();
  }
}
