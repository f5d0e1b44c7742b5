/**
 * The generated types of the API in packages/api-client/src/types: one file for each module, and one with the paths
 * and schemas of all. `npm run api-types` writes them. With --check, ends with 1 if they are not those of today's routes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { typesOf } from '@hms/api-client/generator';
import { moduleDocuments } from './documents.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'packages', 'api-client', 'src', 'types');
const isCheck = process.argv.includes('--check');

const documents = await moduleDocuments();
const wanted = new Map<string, string>();
for (const { module, document } of documents) wanted.set(`${module}.d.ts`, await typesOf(document));
wanted.set('paths.d.ts', allPaths(documents.map(({ module }) => module)));

const known = new Map(fs.readdirSync(FOLDER).map((file) => [file, fs.readFileSync(path.join(FOLDER, file), 'utf8')]));
const differing = [...new Set([...wanted.keys(), ...known.keys()])].filter(
  (file) => wanted.get(file) !== known.get(file),
);
if (isCheck && differing.length > 0) {
  const files = differing.map((file) => path.relative(process.cwd(), path.join(FOLDER, file))).join(', ');
  process.stderr.write(`The routes have changed, but not their types in ${files}: run npm run api-types\n`);
  process.exit(1);
}
for (const file of differing) {
  const target = path.join(FOLDER, file);
  const source = wanted.get(file);
  if (source === undefined) fs.rmSync(target);
  else fs.writeFileSync(target, source);
}

/** Paths of different modules never meet, as each has its own prefix. A schema of several modules is the same in all. */
function allPaths(modules: readonly string[]): string {
  const all = (part: string) => modules.map((module) => `${module}.${part}`).join(', ');
  const schemas = modules.map((module) => `${module}.components['schemas']`).join(' & ');
  return [
    ...modules.map((module) => `import type * as ${module} from './${module}.d.ts';`),
    '',
    `export interface Paths extends ${all('paths')} {}`,
    `export type Schemas = ${schemas};`,
    '',
  ].join('\n');
}
