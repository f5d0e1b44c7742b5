/**
 * The shared parts of PostgreSQL: the schema `platform`, the schema of the background tasks, the roles with which the
 * modules log in, and the extensions.
 * Privileges are restored. Everything else, and foreign objects that affect every hospital, is reported.
 */
import { randomBytes } from 'node:crypto';
import {
  compareShapes,
  type Difference,
  EXTENSIONS_SCHEMA,
  type Fact,
  type Hospital,
  listHospitals,
  migratePlatform,
  PLATFORM_SCHEMA,
  platformReferenceScript,
  readShape,
  strayPlatformMigrations,
  TASKS_SCHEMA,
  TENANT_SCHEMA_VERSION,
  tasksReferenceScript,
  withNames,
  withoutStrangers,
  withPlaceholders,
} from '@hms/database';
import { MODULE_ROLES, TENANT_ROLES } from '@hms/tenancy';
import type { Knex } from 'knex';
import { type Change, listed } from '../backends/backend.ts';
import type { Postgres } from '../backends/database/client.ts';
import { REFERENCE_COMMENT } from '../backends/database/reference.ts';
import { judgeShape, roleFacts } from '../backends/database/shape-changes.ts';
import { tryStatement } from '../backends/database/try-statement.ts';
import { BackendError } from '../backends/errors.ts';
import { compareExtensions } from './extensions.ts';
import type { Foreign } from './foreign.ts';

export interface EnsuredDatabase {
  readonly changes: readonly Change[];
  readonly foreign: readonly Foreign[];
  /** What somebody has changed that affects only speed. */
  readonly tuning: readonly string[];
}

/** Privileges outside of `platform` of the roles that act as hospitals. */
const OF_TENANT_ROLES: ReadonlySet<string> = new Set(['ROUTINE pg_catalog.pg_notify(pg_catalog.text,pg_catalog.text)']);

/** The schema of the background tasks, and the tables and policies in it. */
const OF_TASKS = new RegExp(`\\b${TASKS_SCHEMA}\\b`);

/** A schema that the release creates, and that is compared whole. */
interface SharedSchema {
  readonly schema: string;
  /** Roles whose attributes, memberships and privileges elsewhere are compared with it. */
  readonly roles: readonly string[];
  /** Creates it under another name. */
  script(schema: string): string | Promise<string>;
}

const SCHEMAS: readonly SharedSchema[] = [
  { schema: PLATFORM_SCHEMA, roles: MODULE_ROLES, script: platformReferenceScript },
  { schema: TASKS_SCHEMA, roles: [], script: tasksReferenceScript },
];

/** Restores the shared part of PostgreSQL. */
export class PlatformDatabase {
  readonly #postgres: Postgres;
  readonly #isHospital: (prefix: string) => boolean;
  #references: Promise<readonly (readonly Fact[])[]> | undefined;
  #isSetUp = false;

  /** @param isHospital whether there is a hospital of that prefix, or what is left of one. */
  constructor(postgres: Postgres, isHospital: (prefix: string) => boolean) {
    this.#postgres = postgres;
    this.#isHospital = isHospital;
  }

  async ensure(): Promise<EnsuredDatabase> {
    const { changes, foreign: unmigrated } = await this.#migrate();
    const first = await this.#compare();
    const { tuning } = first;
    if (first.repairs.length === 0) return { changes, tuning, foreign: [...unmigrated, ...first.foreign] };
    const refused: string[] = [];
    await this.#postgres.transaction('restore-platform', async (trx) => {
      for (const { object, statement } of first.repairs) refused.push(...(await tryStatement(trx, object, statement)));
    });
    const { foreign, repairs } = await this.#compare();
    return {
      tuning,
      changes: [
        ...changes,
        ...first.repairs.filter(({ object }) => repairs.every((unrestored) => unrestored.object !== object)),
      ],
      foreign: [
        ...unmigrated,
        ...foreign,
        ...repairs.map(({ object }) => ({ kind: 'database', message: `${object} is not restored` }) as const),
      ],
    };
  }

  /** Once the schema was set up, a refused migration is reported like other damage, and the rest is still compared. */
  async #migrate(): Promise<Omit<EnsuredDatabase, 'tuning'>> {
    try {
      const { from, to, tasksChanged, tasksBlockedBy, templatesChanged } = await this.#postgres.patiently(
        'migrate-platform',
        (db) => migratePlatform(db),
      );
      this.#isSetUp = true;
      const detail = `version ${from} to ${to}`;
      return {
        changes: [
          ...(from === to ? [] : [{ action: 'update', object: 'schema platform', detail } as const]),
          ...(tasksChanged ? [{ action: 'update', object: `schema ${TASKS_SCHEMA}` } as const] : []),
          ...templatesChanged.map((name) => ({ action: 'update', object: `role template ${name}` }) as const),
        ],
        foreign: tasksBlockedBy === undefined ? [] : [{ kind: 'database', message: blocked(tasksBlockedBy) }],
      };
    } catch (error) {
      if (!this.#isSetUp || !(error instanceof BackendError) || error.kind === 'Unavailable') throw error;
      return {
        changes: [],
        foreign: [{ kind: 'database', message: `schema platform can't be migrated: ${error.message}` }],
      };
    }
  }

  async #compare() {
    this.#references ??= Promise.all(SCHEMAS.map((schema) => this.#readReference(schema)));
    const references = await this.#references.catch((error: unknown) => {
      this.#references = undefined;
      throw error;
    });
    const { shapes, extensions, global, hospitals, migrations } = await this.#postgres.call(
      'read-platform',
      async (db) => ({
        shapes: await Promise.all(SCHEMAS.map((schema) => readShape(db, schema, NO_ID))),
        extensions: await compareExtensions(db),
        hospitals: await listHospitals(db),
        migrations: await strayPlatformMigrations(db),
        global: (await db.raw<{ rows: { message: string }[] }>(GLOBAL_QUERY, GLOBAL_BINDINGS)).rows,
      }),
    );
    const verdicts = SCHEMAS.map((schema, index) => judge(schema, references[index] ?? [], shapes[index] ?? []));
    const messages = [
      ...verdicts.flatMap(({ damage }) => damage),
      ...migrations.map((message) => `schema ${PLATFORM_SCHEMA}: ${message}`),
      ...laterSchemas(hospitals),
      ...extensions.foreign,
      ...global.map(({ message }) => message),
      ...hospitals
        .filter(({ prefix, state }) => state !== 'Retained' && !this.#isHospital(prefix))
        .map(({ prefix }) => `registry row ${prefix} belongs to no hospital, and the modules trust it`),
    ];
    return {
      tuning: verdicts.flatMap(({ tuning }) => tuning),
      repairs: [...extensions.repairs, ...verdicts.flatMap(({ repairs }) => repairs)],
      foreign: messages.map((message): Foreign => ({ kind: 'database', message })),
    };
  }

  #readReference({ schema: name, roles, script }: SharedSchema): Promise<readonly Fact[]> {
    const schema = `reference_${randomBytes(6).toString('hex')}`;
    return this.#postgres.rolledBack('reference', async (trx) => {
      await trx.raw(`${REFERENCE_COMMENT} ${await script(schema)}`.replaceAll('?', '\\?'));
      // The body of a function that runs as its owner names its schema.
      const facts = withPlaceholders(await readShape(trx, { schema, roles }, NO_ID), { schema: name }, NO_ID);
      const role = new Set<Fact>(roleFacts(facts));
      return withoutStrangers(
        facts.filter((fact) => !role.has(fact)),
        [await currentUser(trx), 'PUBLIC', ...MODULE_ROLES],
      );
    });
  }
}

function blocked(migration: number): string {
  return `migration ${migration} of schema ${TASKS_SCHEMA} belongs to a later release, and the modules run no tasks with it`;
}

/** Schemas that a later release has migrated, as after a rollback: this release can compare only their roles. Pure. */
function laterSchemas(hospitals: readonly Hospital[]): readonly string[] {
  const later = hospitals.filter(({ schemaVersion }) => schemaVersion > TENANT_SCHEMA_VERSION);
  if (later.length === 0) return [];
  const names = listed(later.map(({ prefix, schemaVersion }) => `${prefix} (version ${schemaVersion})`));
  return [`a later release has migrated the schemas of these hospitals, and this one does not compare them: ${names}`];
}

/** A placeholder: nothing in the schemas has an id. */
const NO_ID = '{none}';

/** Compares a schema with its reference. Pure. */
function judge(names: SharedSchema, reference: readonly Fact[], facts: readonly Fact[]) {
  const role = new Set<Fact>(roleFacts(facts));
  const differences = compareShapes(
    reference,
    facts.filter((fact) => !role.has(fact) || isForeignToRole(fact)),
  );
  const { repairs, damage, tuning, lost } = judgeShape(
    [...differences, ...lostColumns(reference, differences)].map(({ expected, actual }) => ({
      expected: expected && withNames(expected, names, NO_ID),
      actual: actual && withNames(actual, names, NO_ID),
    })),
  );
  return { repairs, tuning, damage: [...damage, ...lost.map((table) => `table ${table} of ${names.schema} is gone`)] };
}

/**
 * The privileges on columns that the withdrawal of the same privilege on their table takes away. They are given again in
 * the same transaction, because the modules need them.
 */
function lostColumns(reference: readonly Fact[], differences: readonly Difference[]): readonly Difference[] {
  const withdrawn = differences.flatMap(({ expected, actual }) =>
    actual?.kind === 'grant' && !expected ? [actual] : [],
  );
  const isLost = (fact: Fact) =>
    fact.kind === 'grant' &&
    withdrawn.some(
      ({ target, item, grantee }) =>
        fact.target === target && fact.grantee === grantee && fact.item.startsWith(`${item} (`),
    );
  return reference.filter(isLost).map((expected) => ({ expected, actual: undefined }));
}

/** The roles have no privileges in a hospital's schema, because they switch to the hospital's role. */
function isForeignToRole({ kind, target, grantee, value }: Fact): boolean {
  if (kind === 'attribute') return value !== 'false' && value !== 'infinity';
  // GLOBAL_QUERY has what they may not do with the database.
  if (kind === 'grant outside the schema' && target.startsWith('DATABASE ')) return false;
  if (kind.endsWith('outside the schema') && TENANT_ROLES.includes(grantee))
    return !OF_TENANT_ROLES.has(target) && !OF_TASKS.test(target);
  return true;
}

async function currentUser(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { owner: string }[] }>('SELECT current_user::regrole::text AS owner');
  return rows[0]?.owner ?? '';
}

/** Settings that change what statements mean or which data survives a crash. Others of the server are its administrator's. */
const SERVER_SETTINGS = [
  'session_replication_role',
  'default_transaction_read_only',
  'default_transaction_isolation',
  'transform_null_equals',
  'array_nulls',
  'standard_conforming_strings',
  'row_security',
  'ignore_system_indexes',
  'zero_damaged_pages',
  'ignore_checksum_failure',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
] as const;

/** The values of GLOBAL_QUERY. */
const GLOBAL_BINDINGS = [TENANT_ROLES, SERVER_SETTINGS, MODULE_ROLES, MODULE_ROLES, MODULE_ROLES, TENANT_ROLES].map(
  (names) => [...names],
);
/** Objects that affect every hospital and belong to none. */
const GLOBAL_QUERY = `
  SELECT 'everybody has ' || x.privilege_type || ' on database ' || quote_ident(datname) AS message
  FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) x WHERE datname = current_database() AND x.grantee = 0
  UNION ALL
  -- The operator restores those on its own schemas.
  SELECT 'everybody has ' || x.privilege_type || ' on schema ' || quote_ident(nspname)
  FROM pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) x
  WHERE x.grantee = 0 AND nspname NOT IN ('pg_catalog', 'information_schema', '${PLATFORM_SCHEMA}', '${TASKS_SCHEMA}', '${EXTENSIONS_SCHEMA}')
    AND NOT EXISTS (SELECT FROM ${PLATFORM_SCHEMA}.hospitals WHERE nspname = 'h_' || replace(prefix, '-', '_'))
  UNION ALL
  SELECT 'role ' || member::regrole || ' may act as ' || roleid::regrole FROM pg_auth_members
  WHERE roleid = current_user::regrole AND (inherit_option OR set_option)
  UNION ALL
  -- Anybody who creates a role can give it the mark of a hospital.
  SELECT 'role ' || member::regrole || ' may act as ' || roleid::regrole || ', which is the role of no hospital' FROM pg_auth_members
  WHERE member::regrole::text = ANY (?) AND set_option AND shobj_description(roleid, 'pg_authid') LIKE 'hms hospital %'
    AND NOT EXISTS (SELECT FROM ${PLATFORM_SCHEMA}.hospitals
      WHERE roleid::regrole::text = 'h_' || replace(prefix, '-', '_') AND shobj_description(roleid, 'pg_authid') = 'hms hospital ' || id)
  UNION ALL
  SELECT 'role ' || rolname || ' has ' || v.attribute || ', which the operator does not need' FROM pg_roles,
    LATERAL (VALUES ('SUPERUSER', rolsuper), ('BYPASSRLS', rolbypassrls), ('REPLICATION', rolreplication), ('CREATEDB', rolcreatedb)) AS v (attribute, has)
  WHERE rolname = current_user AND v.has
  UNION ALL
  SELECT 'event trigger ' || quote_ident(evtname) || ' runs at every change of a schema'
  FROM pg_event_trigger WHERE evtenabled <> 'D'
  UNION ALL
  SELECT 'publication ' || quote_ident(pubname) || ' sends the tables of every hospital' FROM pg_publication WHERE puballtables
  UNION ALL
  SELECT 'subscription ' || quote_ident(subname) || ' writes to tables of this database' FROM pg_subscription
  WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  UNION ALL
  SELECT 'setting ' || split_part(one, '=', 1) || ' of ' || CASE WHEN setrole <> 0 THEN 'role ' || setrole::regrole
    WHEN setdatabase = 0 THEN 'all roles' ELSE 'database ' || current_database() END
    || ' holds for ' || CASE setrole WHEN 0 THEN 'every module' ELSE 'the operator' END
  FROM pg_db_role_setting, unnest(setconfig) AS one LEFT JOIN pg_settings ON lower(name) = lower(split_part(one, '=', 1))
  WHERE setrole IN (0, current_user::regrole) AND (setdatabase = 0 OR setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()))
    -- Settings for performance and logging are the administrator's. An unknown one belongs to an extension.
    AND (category IS NULL AND split_part(one, '=', 1) NOT LIKE '%.%' OR category ~ '^(Client Connection Defaults|Developer Options|Ungrouped|Version and Platform Compatibility)'
      OR name IN ('synchronous_commit', 'password_encryption', 'exit_on_error'))
  UNION ALL
  SELECT 'setting ' || name || ' of the server is ' || setting FROM pg_settings
  WHERE source = 'configuration file' AND setting <> boot_val AND name = ANY (?)
  UNION ALL
  SELECT 'database ' || quote_ident(datname) || ' is limited to ' || datconnlimit || ' connections' FROM pg_database
  WHERE datname = current_database() AND datconnlimit <> -1
  UNION ALL
  SELECT 'database ' || quote_ident(datname) || ' belongs to role ' || datdba::regrole FROM pg_database
  WHERE datname = current_database() AND datdba <> current_user::regrole
  UNION ALL
  SELECT 'database ' || quote_ident(datname) || ' is a template that others may copy' FROM pg_database
  WHERE datname = current_database() AND datistemplate
  UNION ALL
  SELECT 'role ' || rolname || ' may not connect to database ' || current_database() FROM pg_roles
  WHERE rolname = ANY (?) AND NOT (rolcanlogin AND has_database_privilege(oid, current_database(), 'CONNECT'))
  UNION ALL
  SELECT 'role ' || rolname || ' is limited to ' || rolconnlimit || ' connections' FROM pg_roles
  WHERE rolname = ANY (?) AND rolconnlimit <> -1
  UNION ALL
  SELECT 'role ' || rolname || ' has ' || x.privilege_type || ' on database ' || quote_ident(datname)
  FROM pg_database, aclexplode(datacl) x JOIN pg_roles r ON r.oid = x.grantee
  WHERE datname = current_database() AND rolname = ANY (?) AND x.privilege_type <> 'CONNECT'
  UNION ALL
  SELECT 'role ' || rolname || ' may not call pg_notify, which requests reconciles' FROM pg_roles
  WHERE rolname = ANY (?) AND NOT has_function_privilege(oid, 'pg_catalog.pg_notify(text, text)', 'EXECUTE')
  UNION ALL
  SELECT 'cast from ' || castsource::regtype || ' to ' || casttarget::regtype || ' changes what statements mean' FROM pg_cast c
  WHERE castcontext <> 'e' AND c.oid >= 16384
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT pg_describe_object(o.class, o.id, 0) || ' in pg_catalog changes what statements mean'
  FROM (SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND oid >= 16384
    UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oid >= 16384) AS o (class, id)
  WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = o.class AND d.objid = o.id AND d.deptype = 'e')
  UNION ALL
  -- privileges.sql has given these to the operator by name, and taken them from everybody. Nobody had the others.
  SELECT 'everybody may call ' || string_agg(p.oid::regprocedure::text, ', ' ORDER BY p.oid) FROM pg_proc p
    LEFT JOIN pg_init_privs i ON i.classoid = 'pg_proc'::regclass AND i.objoid = p.oid
  WHERE pronamespace = 'pg_catalog'::regnamespace AND EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0)
    AND (EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = current_user::regrole)
      OR i.initprivs IS NOT NULL AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) WHERE grantee = 0))
  HAVING count(*) > 0
  UNION ALL
  SELECT 'everybody may use language ' || lanname || ', and so run DO blocks' FROM pg_language
  WHERE EXISTS (SELECT FROM aclexplode(lanacl) WHERE grantee = current_user::regrole)
    AND EXISTS (SELECT FROM aclexplode(lanacl) WHERE grantee = 0)
  UNION ALL
  SELECT 'everybody has ' || x.privilege_type || ' on ' || pg_describe_object('pg_class'::regclass, o.id, o.part)
  FROM (SELECT oid, 0, relacl FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace
    UNION ALL SELECT attrelid, attnum, attacl FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE attacl IS NOT NULL AND relnamespace = 'pg_catalog'::regnamespace) AS o (id, part, acl), aclexplode(o.acl) x
  WHERE x.grantee = 0
    -- Where privileges.sql ran, it has taken the right to update pg_settings from everybody.
    AND (o.id = 'pg_settings'::regclass AND x.privilege_type = 'UPDATE'
        AND EXISTS (SELECT FROM pg_language, aclexplode(lanacl) WHERE grantee = current_user::regrole)
      OR NOT EXISTS (SELECT FROM pg_init_privs i, aclexplode(i.initprivs) y WHERE i.classoid = 'pg_class'::regclass
        AND i.objoid = o.id AND i.objsubid = o.part AND y.grantee = 0 AND y.privilege_type = x.privilege_type))
  UNION ALL
  SELECT 'everybody may set ' || parname FROM pg_parameter_acl, aclexplode(paracl) x WHERE x.grantee = 0
  UNION ALL
  SELECT 'default privileges of role ' || d.defaclrole::regrole || ' give new objects to ' || CASE x.grantee WHEN 0 THEN 'everybody'
    ELSE x.grantee::regrole::text END
  FROM pg_default_acl d, aclexplode(d.defaclacl) x
  WHERE d.defaclnamespace = 0 AND d.defaclrole = current_user::regrole AND x.grantee <> d.defaclrole
    AND NOT (x.grantee = 0 AND d.defaclobjtype IN ('f', 'T'))`;
