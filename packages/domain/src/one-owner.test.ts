/** Each table has one owner: no two folders hold statements on the same table. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const ROOT = new URL('../../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');

/** Tables of every hospital, by their migrations. */
const TABLES = globSync('packages/database/migrations/tenant/**/*.sql', { cwd: ROOT }).flatMap((file) =>
  [...read(file).matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table = '']) => table),
);

/** Folders whose code is about no record: what all records share, and the operator's view of whole schemas. */
const SHARED = ['packages/service/src'];

/** Reports only read, and read what several records have in common: docs/decisions/074. */
const REPORTS = 'services/report/src/';

const SOURCES = globSync(['packages/{service,domain}/src/**/*.ts', 'services/*/src/**/*.ts'], {
  cwd: ROOT,
}).filter((file) => !/\.test\.ts$|\/testing(?:\.ts$|\/)/.test(file) && !file.startsWith(REPORTS));

/** The folder that may be the owner: `packages/domain/src/<record>`, or the shared one. */
function folderOf(file: string): string {
  return SHARED.find((folder) => file.startsWith(folder)) ?? file.split('/').slice(0, 4).join('/');
}

/** Folders with a statement on a table, in SQL or in knex. */
function usersOf(table: string, sources: ReadonlyMap<string, string>): readonly string[] {
  const inSql = `\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+"?${table}\\b`;
  const inKnex = `\\b(?:from|into|table|join|record|leftJoin)\\(\\s*['"\`]${table}\\b`;
  const statement = new RegExp(`${inSql}|${inKnex}`);
  const users = [...sources].filter(([, text]) => statement.test(text)).map(([file]) => folderOf(file));
  return [...new Set(users)].sort();
}

const sources = new Map(SOURCES.map((file) => [file, read(file)]));

it.each(TABLES)('%s', (table) => {
  expect(usersOf(table, sources).length).toBeLessThanOrEqual(1);
});

it('the owners of patients and families are their folders', () => {
  expect(usersOf('patients', sources)).toEqual(['packages/domain/src/patients']);
  expect(usersOf('families', sources)).toEqual(['packages/domain/src/families']);
  expect(usersOf('family_members', sources)).toEqual(['packages/domain/src/families']);
});

it('a statement of another folder is found', () => {
  const foreign = new Map(sources).set('services/crm/src/x.ts', "trx.query('SELECT 1 FROM patients')");
  expect(usersOf('patients', foreign)).toHaveLength(2);
  const built = new Map(sources).set('services/crm/src/x.ts', "build.from('family_members as m')");
  expect(usersOf('family_members', built)).toHaveLength(2);
});
