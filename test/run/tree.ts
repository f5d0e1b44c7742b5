/** What the tests ran on, and what the project remembers of them in `.hms/`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './suites.ts';

export interface Tree {
  readonly commit: string;
  /** Whether the files are those of the commit. */
  readonly isClean: boolean;
  /** Hash of all files that git doesn't ignore. */
  readonly hash: string;
}

export function currentTree(): Tree {
  const index = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'hms-index-')), 'index');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, GIT_INDEX_FILE: index } }).trim();
  try {
    git('read-tree', 'HEAD');
    git('add', '--all');
    const hash = git('write-tree');
    return { commit: git('rev-parse', 'HEAD'), isClean: hash === git('rev-parse', 'HEAD^{tree}'), hash };
  } finally {
    fs.rmSync(path.dirname(index), { recursive: true, force: true });
  }
}

/** A file in the folder `.hms`, which git ignores. */
export function remembered(name: string): string {
  const folder = path.join(ROOT, '.hms');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, name);
}
