/**
 * Which command runs a suite: the rule of docs/development.md. Beside the code, `x.test.ts` and `x.engine.test.ts` belong
 * to the gate, and `x.<part>.test.ts` to that part. Below `test/`, the folder names the part.
 */
import fs from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The parts of `make test-all`, in the order in which it runs them. */
export const PARTS = ['long', 'journeys', 'web', 'chart', 'fuzz', 'alone', 'faults', 'cluster'] as const;

/** `make test` runs the gate. */
export type Part = 'gate' | (typeof PARTS)[number];

/** Folders with suites. */
const FOLDERS = ['packages', 'operator', 'services', 'local', 'cli', 'web', 'test'];

export interface Suite {
  /** Relative to the root, with slashes. */
  readonly file: string;
  readonly part: Part;
  /** What the run starts for it: nothing, PostgreSQL with S3 and mail, or the whole platform. */
  readonly needs: 'nothing' | 'engines' | 'platform';
}

/** @returns the part of a suite, or undefined if its name follows no rule. */
export function partOf(file: string): Part | undefined {
  const name = /^(?:test\/(?<folder>[^/]+)\/)?(?:.*\/)?[^/.]+(?:\.(?<word>[^/.]+))?\.test\.ts$/.exec(file)?.groups;
  if (!name) return undefined;
  const { folder, word } = name;
  if (file.startsWith('test/')) return word === undefined ? known(folder) : undefined;
  return word === undefined || word === 'engine' ? 'gate' : known(word);
}

function known(name: string | undefined): Part | undefined {
  return name === 'gate' ? name : PARTS.find((part) => part === name);
}

/** All suites. @throws Error that names a suite which no command would run. */
export function allSuites(root = ROOT): readonly Suite[] {
  const files = FOLDERS.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => path.posix.join(folder, name.split(path.sep).join('/'))),
  ).sort();
  return files.map((file) => {
    const part = partOf(file);
    if (part === undefined) {
      throw new Error(
        `${file} belongs to neither make test nor make test-all. Beside the code, name it x.test.ts, x.engine.test.ts or x.<part>.test.ts. Below test/, move it to test/gate/ or test/<part>/. The parts are ${PARTS.join(', ')}.`,
      );
    }
    return { file, part, needs: needsOf(file, part) };
  });
}

function needsOf(file: string, part: Part): Suite['needs'] {
  // They start what they need themselves.
  if (part === 'faults' || part === 'cluster') return 'nothing';
  if (part !== 'gate' || file.startsWith('test/')) return 'platform';
  return file.endsWith('.engine.test.ts') ? 'engines' : 'nothing';
}
