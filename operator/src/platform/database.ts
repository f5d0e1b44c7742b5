/**
 * The shared parts of PostgreSQL: the schema `platform`, and the role with which the modules log in. Privileges are
 * restored. Everything else, and foreign objects that affect every hospital, is reported.
 */
import { randomBytes } from 'node:crypto';
import {
  compareShapes,
  type Fact,
  migratePlatform,
  PLATFORM_SCHEMA,
  platformReferenceScript,
  readShape,
  withNames,
  withoutStrangers,
} from '@hms/database';
import { APP_ROLE, type HospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import type { Change } from '../backends/backend.ts';
import type { Postgres } from '../backends/database/client.ts';
import { REFERENCE_COMMENT } from '../backends/database/reference.ts';
import { judgeShape, roleFacts } from '../backends/database/shape-changes.ts';
import { tryStatement } from '../backends/database/try-statement.ts';
import type { Foreign } from './foreign.ts';

export interface EnsuredDatabase {
  readonly changes: readonly Change[];
  readonly foreign: readonly Foreign[];
}

/** Privileges of the modules' role outside of `platform` and the hospitals' schemas. */
const OF_APP: ReadonlySet<string> = new Set(['ROUTINE pg_catalog.pg_notify(pg_catalog.text,pg_catalog.text)']);

/** Restores the shared part of PostgreSQL. */
export class PlatformDatabase {
  readonly #postgres: Postgres;
  #reference: Promise<readonly Fact[]> | undefined;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async ensure(): Promise<EnsuredDatabase> {
    const { from, to } = await this.#postgres.patiently('migrate-platform', (db) => migratePlatform(db));
    const changes: Change[] =
      from === to ? [] : [{ action: 'update', object: 'schema platform', detail: `version ${from} to ${to}` }];
    const first = await this.#compare();
    if (first.repairs.length === 0) return { changes, foreign: first.foreign };
    const refused: string[] = [];
    await this.#postgres.transaction('restore-platform', async (trx) => {
      for (const { object, statement } of first.repairs) refused.push(...(await tryStatement(trx, object, statement)));
    });
    const { foreign, repairs } = await this.#compare();
    return {
      changes: [
        ...changes,
        ...first.repairs.filter(({ object }) => repairs.every((unrestored) => unrestored.object !== object)),
      ],
      foreign: [
        ...foreign,
        ...repairs.map(({ object }) => ({ kind: 'database', message: `${object} is not restored` }) as const),
      ],
    };
  }

  async #compare() {
    this.#reference ??= this.#readReference();
    const reference = await this.#reference.catch((error: unknown) => {
      this.#reference = undefined;
      throw error;
    });
    const { facts, global } = await this.#postgres.call('read-platform', async (db) => ({
      facts: await readShape(db, NAMES, NO_ID),
      global: (await db.raw<{ rows: { message: string }[] }>(GLOBAL_QUERY)).rows,
    }));
    const role = new Set<Fact>(roleFacts(facts));
    const differences = compareShapes(
      reference,
      facts.filter((fact) => !role.has(fact) || isForeignToApp(fact)),
    );
    const named = differences.map(({ expected, actual }) => ({
      expected: expected && withNames(expected, NAMES, NO_ID),
      actual: actual && withNames(actual, NAMES, NO_ID),
    }));
    const { repairs, damage, lost } = judgeShape(named);
    const messages = [
      ...damage,
      ...lost.map((table) => `table ${table} of platform is gone`),
      ...global.map(({ message }) => message),
    ];
    return { repairs, foreign: messages.map((message): Foreign => ({ kind: 'database', message })) };
  }

  #readReference(): Promise<readonly Fact[]> {
    const schema = `reference_${randomBytes(6).toString('hex')}`;
    return this.#postgres.rolledBack('reference', async (trx) => {
      await trx.raw(`${REFERENCE_COMMENT} ${platformReferenceScript(schema)}`.replaceAll('?', '\\?'));
      const facts = await readShape(trx, { ...NAMES, schema }, NO_ID);
      const role = new Set<Fact>(roleFacts(facts));
      return withoutStrangers(
        facts.filter((fact) => !role.has(fact)),
        [await currentUser(trx), APP_ROLE],
      );
    });
  }
}

const NAMES: HospitalNames = {
  ...{ prefix: PLATFORM_SCHEMA, realm: '', folder: '', consumer: '', group: '', tag: '' },
  schema: PLATFORM_SCHEMA,
  role: APP_ROLE,
};
/** A placeholder: nothing in the schema has an id. */
const NO_ID = '{none}';

/** The role has no privileges in a hospital's schema, because it switches to the hospital's role. */
function isForeignToApp({ kind, target, value }: Fact): boolean {
  if (kind === 'attribute') return value !== 'false' && value !== 'infinity';
  if (kind === 'grant outside the schema') return !OF_APP.has(target) && !target.startsWith('DATABASE ');
  return true;
}

async function currentUser(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { owner: string }[] }>('SELECT current_user::regrole::text AS owner');
  return rows[0]?.owner ?? '';
}

/** Objects that affect every hospital and belong to none. */
const GLOBAL_QUERY = `
  SELECT 'everybody has ' || x.privilege_type || ' on database ' || quote_ident(datname) AS message
  FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) x WHERE datname = current_database() AND x.grantee = 0
  UNION ALL
  SELECT 'everybody has ' || x.privilege_type || ' on schema public'
  FROM pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) x WHERE nspname = 'public' AND x.grantee = 0
  UNION ALL
  SELECT 'role ' || member::regrole || ' may act as ' || roleid::regrole FROM pg_auth_members
  WHERE roleid = current_user::regrole AND (inherit_option OR set_option)
  UNION ALL
  SELECT 'event trigger ' || quote_ident(evtname) || ' runs at every change of a schema'
  FROM pg_event_trigger WHERE evtenabled <> 'D'
  UNION ALL
  SELECT 'publication ' || quote_ident(pubname) || ' sends the tables of every hospital' FROM pg_publication WHERE puballtables
  UNION ALL
  SELECT 'setting ' || split_part(one, '=', 1) || ' of ' || CASE setdatabase WHEN 0 THEN 'all roles' ELSE 'database ' || current_database() END
    || ' holds for every module'
  FROM pg_db_role_setting, unnest(setconfig) AS one
  WHERE setrole = 0 AND (setdatabase = 0 OR setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND split_part(one, '=', 1) IN ('role', 'search_path', 'session_preload_libraries', 'local_preload_libraries', 'row_security',
      'default_transaction_read_only', 'session_replication_role')
  UNION ALL
  SELECT 'default privileges of role ' || d.defaclrole::regrole || ' give new objects to ' || CASE x.grantee WHEN 0 THEN 'everybody'
    ELSE x.grantee::regrole::text END
  FROM pg_default_acl d, aclexplode(d.defaclacl) x
  WHERE d.defaclnamespace = 0 AND d.defaclrole = current_user::regrole AND x.grantee <> d.defaclrole
    AND NOT (x.grantee = 0 AND d.defaclobjtype IN ('f', 'T'))`;
