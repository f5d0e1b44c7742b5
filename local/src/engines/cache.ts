/** The cache of engines: what is in it is whole, because it gets its name only when it is finished. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../lock.ts';
import { Problem, sentence } from '../problem.ts';
import type { Progress, Report } from '../report.ts';

/** One way to get an engine: fills the empty folder `into`, or throws a sentence that says why it can't. */
export interface Way {
  /** What is being done, like `downloading Keycloak 26.7.3`. */
  readonly doing: string;
  fill(into: string, progress: Progress): Promise<void>;
}

export interface Wanted {
  /** Folder inside the cache, with the version: `keycloak-26.7.3`. */
  readonly folder: string;
  /** What a person calls it: `Keycloak 26.7.3`. */
  readonly title: string;
  /** What to install, or to set, when no way works. */
  readonly advice: string;
  readonly ways: readonly Way[];
}

/** The engine's folder in the cache; when it is not there yet, the ways are tried in their order. */
export async function obtain(cache: string, wanted: Wanted, report: Report): Promise<string> {
  const folder = path.join(cache, wanted.folder);
  if (fs.existsSync(folder)) return folder;
  const waiting = (holder: string) => report.note(`waiting for ${holder}, which is getting ${wanted.title}`);
  return withLock(path.join(cache, `${wanted.folder}.lock`), () => fillFirst(folder, wanted, report), {
    onWait: waiting,
  });
}

async function fillFirst(folder: string, wanted: Wanted, report: Report): Promise<string> {
  if (fs.existsSync(folder)) return folder;
  discardLeftovers(folder);
  const tried: string[] = [];
  for (const [index, way] of wanted.ways.entries()) {
    const next = wanted.ways[index + 1];
    const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`;
    fs.mkdirSync(temporary, { recursive: true });
    try {
      await report.during(way.doing, (progress) => way.fill(temporary, progress), next?.doing);
      fs.renameSync(temporary, folder);
      return folder;
    } catch (error) {
      tried.push(`  - ${way.doing}: ${sentence(error)}`);
    } finally {
      fs.rmSync(temporary, { recursive: true, force: true });
    }
  }
  throw new Problem(`${wanted.title} can't be obtained. Tried:\n${tried.join('\n')}\n${wanted.advice}`);
}

/** What an attempt left that was cut off; only called under the engine's lock. */
function discardLeftovers(folder: string): void {
  const parent = path.dirname(folder);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(folder)}.`) && name.endsWith('.tmp')) {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}
