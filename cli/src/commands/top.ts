/** top: how much each hospital holds, as the platform's database tells. */
import { findHospitalByPrefix, type Hospital, listHospitals } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { Command, Option } from 'commander';
import type { Knex } from 'knex';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals, hospitalPrefix } from '../options.ts';
import { print } from '../output.ts';
import { databaseHelp, withDatabase } from '../platform-database.ts';

interface Figures {
  readonly hospital: string;
  /** Of the registry, such as Active. */
  readonly state: string;
  /** Of tables with their indexes, in bytes. */
  readonly size: number;
  /** Of all tables, as PostgreSQL estimates them. */
  readonly rows: number;
  readonly patients: number;
  /** Employees. */
  readonly people: number;
  /** Of the hospital's own role. The modules use their own. */
  readonly connections: number;
}

const SORTS = ['hospital', 'size', 'rows', 'patients', 'people', 'connections'] as const;
type Sort = (typeof SORTS)[number];

export function topCommand(): Command {
  return new Command('top')
    .description('show how much each hospital holds: size, rows, patients, people, connections')
    .argument('[prefix]', 'only this hospital', hospitalPrefix)
    .addOption(new Option('--sort <column>', 'the largest first, or hospital by name').choices(SORTS).default('size'))
    .addHelpText(
      'after',
      databaseHelp('top') + examples('hmsctl top', 'hmsctl top --sort patients', 'hmsctl top -o json'),
    )
    .action(async (prefix: string | undefined, { sort }: { sort: Sort }, command: Command) => {
      const figures = await withDatabase(async (db) => {
        const hospitals = prefix === undefined ? await listHospitals(db) : [await one(db, prefix)];
        const all: Figures[] = [];
        for (const hospital of hospitals) all.push(await figuresOf(db, hospital));
        return all;
      });
      print(figures.sort(by(sort)), globals(command).output, rows);
    });
}

async function one(db: Knex, prefix: string): Promise<Hospital> {
  const hospital = await findHospitalByPrefix(db, prefix);
  if (!hospital) throw new Exit(EXIT.notFound, `there is no hospital ${prefix}: hmsctl top shows all.`);
  return hospital;
}

async function figuresOf(db: Knex, { prefix, state }: Hospital): Promise<Figures> {
  const { schema, role } = hospitalNames(prefix);
  const [[sums], [connected], patients, people] = await Promise.all([
    read<{ size: string | null; rows: string | null }>(
      db,
      `SELECT sum(pg_total_relation_size(c.oid))::text AS size,
              sum(greatest(c.reltuples, coalesce(s.n_live_tup, 0), 0))::bigint::text AS rows
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
        WHERE n.nspname = ? AND c.relkind = 'r'`,
      [schema],
    ),
    read<{ count: number }>(db, 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = ?', [role]),
    countOf(db, schema, 'patients'),
    countOf(db, schema, 'employees'),
  ]);
  return {
    ...{ hospital: prefix, state, size: Number(sums?.size ?? 0), rows: Number(sums?.rows ?? 0) },
    ...{ patients, people, connections: connected?.count ?? 0 },
  };
}

/** Zero without the table: a hospital that is being created, or whose schema is lost. */
async function countOf(db: Knex, schema: string, table: string): Promise<number> {
  const [there] = await read<{ yes: boolean }>(db, 'SELECT to_regclass(?) IS NOT NULL AS yes', [`${schema}.${table}`]);
  if (!there?.yes) return 0;
  const [counted] = await db.withSchema(schema).table(table).count<{ count: string }[]>('* as count');
  return Number(counted?.count ?? 0);
}

async function read<Row>(db: Knex, sql: string, bindings: readonly string[]): Promise<Row[]> {
  return ((await db.raw(sql, [...bindings])) as { rows: Row[] }).rows;
}

function by(sort: Sort): (a: Figures, b: Figures) => number {
  return (a, b) => (sort === 'hospital' ? 0 : b[sort] - a[sort]) || a.hospital.localeCompare(b.hospital);
}

function rows(figures: readonly Figures[]): string[][] {
  return [
    ['HOSPITAL', 'STATE', 'SIZE', 'ROWS', 'PATIENTS', 'PEOPLE', 'CONNECTIONS'],
    ...figures.map(({ hospital, state, size, rows: estimate, patients, people, connections }) => [
      ...[hospital, state, `${(size / 1024 / 1024).toFixed(1)} MB`],
      ...[estimate, patients, people, connections].map(String),
    ]),
  ];
}
