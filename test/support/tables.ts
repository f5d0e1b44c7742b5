/** Which code runs statements on which tables of hospitals. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Tables of every hospital, by their migrations. */
export const TABLES = globSync('packages/database/migrations/tenant/**/*.sql', { cwd: ROOT }).flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table = '']) => table),
);

/** Folders whose code is about no record: what all records share, and the operator's view of whole schemas. */
const SHARED = ['packages/service/src'];

/** Reports only read, and read what several records have in common: docs/decisions/074. */
export const REPORTS = 'services/report/src/';

/** The folder that may be the owner: `packages/domain/src/<record>`, or the shared one. @param file from the root */
export function folderOf(file: string): string {
  return SHARED.find((folder) => file.startsWith(folder)) ?? file.split('/').slice(0, 4).join('/');
}
