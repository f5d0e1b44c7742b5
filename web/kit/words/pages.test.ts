/** A page must not show the key of a word: its route names the words that the page and its parts use. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { consolePages } from '../../console/pages/words.ts';
import consoleEn from '../../console/words/en.ts';
import { portalPages } from '../../portal/pages/words.ts';
import { RECORDS } from '../../portal/records.ts';
import portalEn from '../../portal/words/en.ts';
import { kitPages } from './pages.ts';

const WEB = path.resolve(import.meta.dirname, '../..');
const files = { kitPages, portalPages, consolePages };
const loads = Object.entries(files).flatMap(([list, pages]) =>
  Object.entries(pages).map(([name, { en }]) => [`${list}.${name}`, en] as const),
);
const words = new Map(
  await Promise.all(loads.map(async ([name, load]) => [name, keysOf((await load()).default)] as const)),
);
const ofPages = new Set([...words.values()].flat());

function keysOf(node: object, at = ''): string[] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${at}${key}`.replace(/_(one|other)$/, '')] : keysOf(value, `${at}${key}.`),
  );
}

/** A file and all that it imports, at once or later. */
function partsOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || /words/.test(path.relative(WEB, file))) return found;
  found.add(file);
  for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+\.tsx?)'/g))
    if (name) partsOf(path.resolve(path.dirname(file), name), found);
  return found;
}

/** Pages with what their route loads, such as `['console/pages/audit/events.page.tsx', ['consolePages.events']]`. */
function pagesOf(entry: string): readonly (readonly [string, readonly string[]])[] {
  return fs.globSync('{routes.tsx,routes/*.ts}', { cwd: path.join(WEB, entry) }).flatMap((source) => {
    const routes = fs.readFileSync(path.join(WEB, entry, source), 'utf8');
    const makers = new Map(
      [...routes.matchAll(/const (\w+) = page(?:With|ForAll)\(([^)]*)\)/g)].map(([, name = '', list = '']) => [
        name,
        list.split(',').flatMap((each) => each.trim() || []),
      ]),
    );
    const uses = [
      ...routes.matchAll(/component: (\w+)\(\s*'\w+',\s*\(\) => import\('([^']+)'\)/g),
      ...routes.matchAll(/const (AccountPage) = [^;]+import\('([^']+)'\)/g),
    ];
    return uses.map(([, maker = '', file = '']) => {
      return [path.join(entry, path.dirname(source), file), makers.get(maker) ?? []] as const;
    });
  });
}

/** The words that a file brings with its parts, or when it needs them. */
function loadedLater(source: string): readonly string[] {
  const lists = [
    ...source.matchAll(/\blater\(\s*\(\) => import\('[^']+'\),\s*'\w+',([^)]+)\)/g),
    ...source.matchAll(/\bneedWords\((\w+\.\w+)\)/g),
  ];
  return lists.flatMap(([, list = '']) => list.split(',').flatMap((each) => each.trim() || []));
}

/** Plain records, by name, with the file of their pages and the words that their routes load. */
function recordsOf(): readonly (readonly [string, string, readonly string[]])[] {
  const source = fs.readFileSync(path.join(WEB, 'portal/records.ts'), 'utf8');
  const entries = source.matchAll(
    /^ {2}'?([\w-]+)'?: \{[^}]*?words: \[([^\]]*)\],\s+load: \(\) => import\('([^']+)'\)/gm,
  );
  return [...entries].map(([, name = '', list = '', file = '']) => {
    const loaded = list.split(',').flatMap((each) => each.trim() || []);
    return [name, path.join('portal', file), ['portalPages.records', ...loaded]] as const;
  });
}

const records = recordsOf();
const pages = [
  ...[...pagesOf('portal'), ...pagesOf('console')],
  ...records.map(([, file, loaded]) => [file, loaded] as const),
];

it.each(records)('the record %s has the words of its lists and forms', (name, _, loaded) => {
  const known = new Set(loaded.flatMap((group) => words.get(group) ?? []));
  const needed = ['new', 'search', 'empty', 'confirm'].map((word) => `${name}.${word}`);
  expect(needed.filter((key) => !known.has(key))).toEqual([]);
  expect(Object.keys(portalEn.menu)).toContain(name);
});

describe.each(pages)('%s', (file, loaded) => {
  it('loads the words that it uses', () => {
    const first = keysOf(file.startsWith('console') ? consoleEn : portalEn);
    const parts = [...partsOf(path.join(WEB, file))].map((part) => fs.readFileSync(part, 'utf8'));
    const all = [...loaded, ...parts.flatMap(loadedLater)];
    const known = new Set([...first, ...all.flatMap((name) => words.get(name) ?? [])]);
    expect(all.filter((name) => !words.has(name))).toEqual([]);
    const used = parts.flatMap((part) => [...part.matchAll(/'([a-z]\w*(?:\.[\w-]+)+)'/g)].map(([, key = '']) => key));
    expect(used.filter((key) => ofPages.has(key) && !known.has(key))).toEqual([]);
    // A key that is made, such as `patients.tab.${name}`, begins with the page's subject.
    const made = parts.flatMap((part) => [...part.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/g)].map(([, key = '']) => key));
    const has = (keys: Iterable<string>, start: string) => [...keys].some((key) => key.startsWith(start));
    expect(made.filter((start) => has(ofPages, start) && !has(known, start))).toEqual([]);
  });
});

it('looks at every page', () => {
  expect(pages.length).toBeGreaterThan(35);
  expect(records.length).toBe(Object.keys(RECORDS).length);
  expect(pages.filter(([, loaded]) => loaded.length === 0)).toEqual([]);
});
