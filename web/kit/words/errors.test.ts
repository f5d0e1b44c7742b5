/** Every code with which a module refuses something has words. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../../..');

function textsOf(pattern: string): string {
  const files = fs.globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' });
  return files
    .filter((file) => !/\.test\.ts$|testing/.test(file))
    .map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'))
    .join('\n');
}

it('each error code has words in the language of the page', () => {
  const declared = textsOf('{packages,services}/*/src/**/*.ts').matchAll(/status: \d{3},\s+code: '([A-Z][A-Z_]+)'/g);
  const codes = [...new Set([...declared].map(([, code = '']) => code))];
  expect(codes.length).toBeGreaterThan(180);
  for (const language of ['en', 'ar']) {
    const words = textsOf(`web/**/words/**/${language}.ts`);
    const known = new Set([...words.matchAll(/\b([A-Z][A-Z_]+):\s/g)].map(([, code]) => code));
    expect([language, codes.filter((code) => !known.has(code))]).toEqual([language, []]);
  }
});
