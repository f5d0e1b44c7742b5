/** The reference of a hospital's schema, by its version. */
import { randomBytes } from 'node:crypto';
import { type Fact, type Migration, readShape, referenceScript, withoutStrangers } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import type { Postgres } from './client.ts';

/** An arbitrary id, which is replaced by a placeholder. */
const ID = '00000000-0000-4000-8000-000000000000';
/** Starts the script, so that readers of a server's log know that it is rolled back. */
export const REFERENCE_COMMENT = '/* reference of a hospital, rolled back */';

/**
 * Shapes that the release's own migrations produce on this server. Each is created in a transaction that is rolled
 * back, read with the same query as a hospital, and kept for the life of the process. Texts of definitions differ
 * between versions of PostgreSQL, so they are never compared with texts from elsewhere.
 */
export class References {
  readonly #postgres: Postgres;
  readonly #migrations: readonly Migration[];
  readonly #shapes = new Map<number, Promise<readonly Fact[]>>();

  constructor(postgres: Postgres, migrations: readonly Migration[]) {
    this.#postgres = postgres;
    this.#migrations = migrations;
  }

  /** @returns the shape of a schema of that version, or undefined for a version of a later release. */
  async shape(version: number): Promise<readonly Fact[] | undefined> {
    if (version > this.#migrations.length) return undefined;
    const cached = this.#shapes.get(version);
    if (cached) return cached;
    const shape = this.#create(version);
    this.#shapes.set(version, shape);
    shape.catch(() => this.#shapes.delete(version));
    return shape;
  }

  #create(version: number): Promise<readonly Fact[]> {
    const names = hospitalNames(`reference-${randomBytes(6).toString('hex')}`);
    const script = referenceScript(names, ID, this.#migrations.slice(0, version));
    return this.#postgres.rolledBack('reference', async (trx) => {
      // knex's own `raw` would treat a `?` as a parameter.
      await trx.raw(`${REFERENCE_COMMENT} ${script}`.replaceAll('?', '\\?'));
      const facts = await readShape(trx, { schema: names.schema, roles: [names.role] }, ID);
      const { rows } = await trx.raw<{ rows: { owner: string }[] }>('SELECT current_user::regrole::text AS owner');
      return withoutStrangers(facts, rows[0] ? [rows[0].owner] : []);
    });
  }
}
