/** A newer release of the platform: a copy of its code with further migrations. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
const SCOPE = '@hms';

export interface Release {
  /** Entry point of its operator. */
  readonly operatorMain: string;
  /** Folder of its modules. */
  readonly services: string;
  /** Changes a file of the release. @throws Error if `before` is not in it. */
  edit(file: string, before: string, after: string): void;
  remove(): void;
}

/** @param migrations text of each tenant migration that this release does not have, in order. */
export function nextRelease(present: number, migrations: readonly string[]): Release {
  const folder = mkdtempSync(join(tmpdir(), 'hms-test-release-'));
  for (const part of ['operator', 'packages', 'services', 'package.json']) {
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  }
  // Third-party packages are shared. Its own are copies.
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, SCOPE), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'node_modules')).filter((one) => one !== SCOPE)) {
    symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(modules, SCOPE, name));
  }
  migrations.forEach((sql, index) => {
    const number = String(present + index + 1).padStart(3, '0');
    writeFileSync(join(folder, 'packages/database/migrations/tenant', `${number}_next_${index}.sql`), sql);
  });
  return {
    operatorMain: join(folder, 'operator/src/main.ts'),
    services: join(folder, 'services'),
    edit: (file, before, after) => {
      const text = readFileSync(join(folder, file), 'utf8');
      if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
      writeFileSync(join(folder, file), text.replace(before, after));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
