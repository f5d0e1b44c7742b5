/** Where the programs that are a single file come from: what a project publishes, or a build with Go. */
import fs from 'node:fs';
import path from 'node:path';
import type { Source } from './cache.ts';
import { findOnPath, inTurn, run } from './command.ts';
import { type Archive, download } from './download.ts';

/**
 * Unpacks a published .tar.gz without its top folder.
 * @param archive undefined if the project publishes nothing for this machine.
 * @param log receives the output of tar.
 */
export function published(title: string, archive: Archive | undefined, log: string): Source {
  return {
    doing: `downloading ${title}`,
    async fill(into, progress) {
      if (!archive) throw new Error(`nothing is published for ${process.platform} on ${process.arch}`);
      const file = path.join(into, 'download.tar.gz');
      await download(archive, file, progress);
      await run('tar', ['-xzf', file, '-C', into, '--strip-components=1'], { log, progress });
      fs.rmSync(file);
    },
  };
}

/**
 * Builds a Go module's command.
 * @param log receives the output of Go.
 */
export function builtWithGo(title: string, module: string, log: string): Source {
  return {
    doing: `building ${title} with Go (a minute or two, once)`,
    fill(into, progress) {
      const go = findOnPath('go');
      if (!go) return Promise.reject(new Error('there is no go on PATH'));
      return inTurn(progress, () =>
        run(go, ['install', '-v', module], { env: { ...process.env, GOBIN: into }, log, progress }),
      );
    },
  };
}
