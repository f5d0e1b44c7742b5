/** The cache of engines. Its entries are complete, because they get their final name only when they are finished. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withLock } from '../lock.ts';
import { Problem, sentence } from '../problem.ts';
import type { Progress, Report } from '../report.ts';

/** A source of an engine: fills the empty folder `into`, or throws an error that says why it can't. */
export interface Source {
  /** The current activity, such as `downloading Keycloak 26.7.3`. */
  readonly doing: string;
  fill(into: string, progress: Progress): Promise<void>;
}

export interface Wanted {
  /** Folder inside the cache, with the version: `keycloak-26.7.3`. */
  readonly folder: string;
  /** Its name for people: `Keycloak 26.7.3`. */
  readonly title: string;
  /** What to install or set if no source works. */
  readonly advice: string;
  readonly sources: readonly Source[];
}

/** The engine's folder in the cache. If it is missing, the sources are tried in order. */
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
  for (const [index, source] of wanted.sources.entries()) {
    const next = wanted.sources[index + 1];
    const temporary = `${folder}.${randomBytes(6).toString('hex')}.tmp`;
    fs.mkdirSync(temporary, { recursive: true });
    try {
      await report.during(source.doing, (progress) => source.fill(temporary, progress), next?.doing);
      fs.renameSync(temporary, folder);
      return folder;
    } catch (error) {
      tried.push(`  - ${source.doing}: ${sentence(error)}`);
    } finally {
      fs.rmSync(temporary, { recursive: true, force: true });
    }
  }
  throw new Problem(`${wanted.title} can't be obtained. Tried:\n${tried.join('\n')}\n${wanted.advice}`);
}

/** Removes what an interrupted attempt left behind. Call it only under the engine's lock. */
function discardLeftovers(folder: string): void {
  const parent = path.dirname(folder);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(folder)}.`) && name.endsWith('.tmp')) {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}
