/**
 * The generated types of the API in packages/api-client/src/types: one file for each module, one with the paths
 * and schemas of all, one that says who may call what, and one for the limits of each record's fields, which a form loads.
 * `npm run api-types` writes them. With --check, ends with 1 if they are not those of today's routes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { typesOf } from '@hms/api-client/generator';
import { type ModuleDocument, moduleDocuments } from './documents.ts';
import { limitsOf } from './limits.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'packages', 'api-client', 'src', 'types');
/** Paths of single reports. */
const DERIVED = /^\/api\/report\/(?!reports$|(?:dashboards|exports|schedules)(?:\/|$))/;
const isCheck = process.argv.includes('--check');

const documents = await moduleDocuments();
const wanted = new Map<string, string>();
for (const { module, document } of documents) wanted.set(`${module}.d.ts`, await typesOf(document));
wanted.set('paths.d.ts', allPaths(documents.map(({ module }) => module)));
wanted.set('operations.ts', operations(documents));
for (const { document } of documents)
  for (const [name, source] of limitsOf(document)) wanted.set(path.join('limits', `${name}.ts`), source);

const files = fs.readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const known = new Map(files.map((file) => [file, fs.readFileSync(path.join(FOLDER, file), 'utf8')]));
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
  else {
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, source);
  }
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

/** Who may call each operation. The only place that reads it from the documents. */
function operations(documents: readonly ModuleDocument[]): string {
  const lines = documents.flatMap(({ document }) =>
    Object.entries(document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>)
      // The pages load this list first. FHIR is for programs of others, and GET /api/report/reports says who may see what.
      .filter(([path]) => !path.includes('/fhir/') && !DERIVED.test(path))
      .flatMap(([, methods]) => Object.values(methods).map(access)),
  );
  return [
    '/**',
    ' * Who may call an operation: everybody, everybody who is logged in, or people with a permission. With `!` after it,',
    ' * nobody may who acts as somebody else to read only. With `!!`, nobody may who acts as somebody else. Generated.',
    ' */',
    'export const OPERATIONS = {',
    // Every module has the operation `check`.
    ...[...new Set(lines)].sort(),
    '} as const;',
    '',
  ].join('\n');
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly responses: unknown;
  readonly 'x-permission'?: string;
}

function access({ operationId, security, responses, 'x-permission': permission }: Operation): string {
  const who = permission ?? (security.length === 0 ? 'public' : 'authenticated');
  const failures = JSON.stringify(responses);
  const mark = failures.includes('IMPERSONATION_FORBIDDEN')
    ? '!!'
    : failures.includes('IMPERSONATION_READ_ONLY')
      ? '!'
      : '';
  return `  ${operationId}: ${JSON.stringify(who + mark)},`;
}
