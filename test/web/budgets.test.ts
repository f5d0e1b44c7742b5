/** How many bytes a browser loads before a page can be used, compressed with gzip. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** In kilobytes. */
const BUDGETS = { portal: 278, console: 264, tv: 90, visit: 80, verify: 80, landing: 8, page: 44, list: 17 };

/** Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

const build = path.resolve(import.meta.dirname, '../../web/tools/build.ts');
const folder = execFileSync(process.execPath, [build], { encoding: 'utf8' }).trim();
const manifest = JSON.parse(fs.readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8')) as Readonly<
  Record<string, Chunk>
>;

/** The files of a chunk and of all that it imports. */
function filesOf(name: string, found = new Set<string>(), seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || seen.has(name)) return found;
  seen.add(name);
  for (const file of [chunk.file, ...(chunk.css ?? [])]) if (!file.endsWith('.html')) found.add(file);
  for (const imported of chunk.imports ?? []) filesOf(imported, found, seen);
  return found;
}

function kilobytes(files: Iterable<string>): number {
  const bytes = [...files].map((file) => {
    const packed = path.join(folder, `${file}.gz`);
    return fs.statSync(fs.existsSync(packed) ? packed : path.join(folder, file)).size;
  });
  return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 100) / 10;
}

/** Arabic has the longest words. */
const wordsIn = (folder: string) => filesOf(`${folder}/words/ar.ts`);
const pages = Object.keys(manifest).filter((name) => name.endsWith('.page.tsx'));
/** A page that is a list, and not one that has a list as a part. */
const isList = (name: string) => {
  const source = fs.readFileSync(path.resolve(import.meta.dirname, '../../web', name), 'utf8');
  return /pagesOf\(|<ListPage(?!\s+isPart)/.test(source);
};

describe('the first load', () => {
  it.each(['portal', 'console'] as const)('of the %s is within its budget', (entry) => {
    const files = filesOf(`${entry}/index.html`).union(wordsIn(entry));
    const size = kilobytes(files);
    process.stderr.write(`${entry}: ${size} kB of ${BUDGETS[entry]}\n`);
    expect([...files].some((file) => file.endsWith('.css'))).toBe(true);
    expect(wordsIn(entry).size).toBeGreaterThan(0);
    expect(size).toBeGreaterThan(20);
    expect(size).toBeLessThanOrEqual(BUDGETS[entry]);
  });

  it.each(['tv', 'visit', 'verify'] as const)(
    'of the page %s is within its budget, and has nothing of the portal',
    (entry) => {
      const files = filesOf(`${entry}/index.html`);
      const size = kilobytes(files);
      process.stderr.write(`${entry}: ${size} kB of ${BUDGETS[entry]}\n`);
      expect(size).toBeGreaterThan(20);
      expect(size).toBeLessThanOrEqual(BUDGETS[entry]);
      const code = [...files].map((file) => fs.readFileSync(path.join(folder, file), 'utf8')).join();
      expect(code).not.toMatch(/mantine|tanstack|useNavigate/i);
    },
  );

  it('of the landing page has no script', () => {
    const files = filesOf('landing/index.html');
    expect([...files].filter((file) => file.endsWith('.js'))).toEqual([]);
    expect(kilobytes(files)).toBeLessThanOrEqual(BUDGETS.landing);
  });
});

it.each(pages)('%s adds little to it', (name) => {
  const words = wordsIn(path.dirname(name));
  expect(words.size).toBeGreaterThan(0);
  const own = filesOf(name).union(words).difference(filesOf('portal/index.html'));
  const budget = isList(name) ? BUDGETS.list : BUDGETS.page;
  process.stderr.write(`${name}: ${kilobytes(own)} kB of ${budget}\n`);
  expect(kilobytes(own)).toBeLessThanOrEqual(budget);
});

it('measures every page of the portal', () => {
  expect(pages.length).toBeGreaterThanOrEqual(5);
  expect(pages.filter(isList).length).toBeGreaterThanOrEqual(5);
});
