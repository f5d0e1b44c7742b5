/**
 * Each table has one owner: no two folders hold statements on the same table. This reads the code.
 * test/journeys/statement-owners.test.ts has the statements that run.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { folderOf, REPORTS, ROOT, TABLES } from '../../../test/support/tables.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const SOURCES = globSync(['packages/{service,domain}/src/**/*.ts', 'services/*/src/**/*.ts'], {
  cwd: ROOT,
}).filter((file) => !/\.test\.ts$|\/testing(?:\.ts$|\/)/.test(file) && !file.startsWith(REPORTS));

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
