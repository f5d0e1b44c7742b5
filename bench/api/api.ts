/**
 * The module hms compared with a bare server that verifies the same token and runs the same statements
 * (`bare.ts`), without the gateway, on one PostgreSQL. All get the same load alternately. One hospital has 100,000
 * patients, 49 others 1,000 each. HMS_BENCH_SECONDS (2), HMS_BENCH_ROUNDS (5) and HMS_BENCH_PATIENTS make it
 * shorter or longer.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@hms/database';
import { freePorts, layout, lineReport, startPlatform } from '@hms/local';
import { createIssuer, createTestHospital, type TestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';
import { type Load, load, request } from '../load.ts';
import { compare, median, type Row, table } from '../table.ts';
import { type Server, Servers } from './processes.ts';

const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 5);
const CONNECTIONS = 32;
const HOSPITALS = 50;
const PATIENTS = { first: Number(process.env.HMS_BENCH_PATIENTS ?? 100_000), others: 1_000 };
/** Rows of a statement, which may take as long as one of the operator. */
const BATCH = 5_000;
/** Prime, so that requests for different hospitals follow each other. */
const STEP = 104_729;
/** Of Linux, in ms. */
const TICK_MS = 10;

const TITLES: Readonly<Record<Operation, string>> = {
  read: 'read a patient',
  list: 'list page 1',
  phone: 'search by phone',
  name: 'search by name',
  create: 'create a patient',
};

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-api-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const issuer = await createIssuer();
const operator = connect(platform.state.databaseUrls.operator);
const processes = new Servers(platform.state, issuer);
try {
  const hospitals = await report.during(`creating ${HOSPITALS} hospitals with patients`, () =>
    createHospitals(operator),
  );
  const servers = {
    hms: await processes.module('hms'),
    bare: await processes.peer('bare.ts', []),
    query: await processes.peer('bare.ts', ['query-only']),
    unaudited: await processes.peer('bare.ts', ['no-audit']),
  };
  await demandSame(hospitals[0] as Prepared, Object.values(servers));
  const rows: Row[] = [];
  const names = ['read', 'list', 'phone', 'name', 'create'] as const;
  for (const some of [hospitals.slice(0, 1), hospitals])
    for (const name of names) rows.push(...(await measure(name, some, servers)));
  rows.push(...(await measurePages(hospitals[0] as Prepared, servers.hms)));
  process.stdout.write(`${table(rows)}\n`);
} finally {
  processes.stop();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** A hospital with a token and ids of some of its patients. */
interface Prepared {
  readonly token: string;
  readonly ids: readonly string[];
}

type Name = 'hms' | 'bare' | 'query' | 'unaudited';
type Operation = 'read' | 'list' | 'phone' | 'name' | 'create';

async function measure(
  operation: Operation,
  hospitals: readonly Prepared[],
  servers: Readonly<Record<Name, Server>>,
): Promise<Row[]> {
  const requests = hospitals.flatMap((hospital) => requestsOf(operation, hospital));
  const next = (number: number) => requests[(number * STEP) % requests.length] as Buffer;
  const loads: Record<Name, Load[]> = { hms: [], bare: [], query: [], unaudited: [] };
  const cpu: Record<Name, { server: number[]; postgres: number[] }> = {
    hms: { server: [], postgres: [] },
    bare: { server: [], postgres: [] },
    query: { server: [], postgres: [] },
    unaudited: { server: [], postgres: [] },
  };
  const run = async (name: Name, seconds: number) => {
    const { port, pid } = servers[name];
    const before = { server: cpuOf([pid]), postgres: cpuOf(postgresPids()) };
    const result = await load(port, next, { connections: CONNECTIONS, seconds });
    const count = result.rate * seconds;
    const used = {
      server: (cpuOf([pid]) - before.server) / count,
      postgres: (cpuOf(postgresPids()) - before.postgres) / count,
    };
    return { result, used };
  };
  const everyName: readonly Name[] = ['hms', 'bare', 'query', 'unaudited'];
  for (const name of everyName) await run(name, 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of everyName) {
      const { result, used } = await run(name, SECONDS);
      loads[name].push(result);
      cpu[name].server.push(used.server);
      cpu[name].postgres.push(used.postgres);
    }
  }
  const what = `${TITLES[operation]}, ${hospitals.length === 1 ? 'one hospital' : `${hospitals.length} hospitals`}`;
  const all = (name: Name, of: keyof Load) => loads[name].map((result) => result[of]);
  process.stderr.write(`${what}: ${(median(all('hms', 'rate')) / median(all('bare', 'rate'))).toFixed(2)}\n`);
  return [
    compare(`${what}: requests a second`, all('hms', 'rate'), 'same statements', all('bare', 'rate'), ''),
    compare(`${what}: requests a second`, all('hms', 'rate'), 'the query only', all('query', 'rate'), ''),
    compare(`${what}, audit: requests a second`, all('bare', 'rate'), 'without audit', all('unaudited', 'rate'), ''),
    compare(`${what}, role: requests a second`, all('unaudited', 'rate'), 'the query only', all('query', 'rate'), ''),
    compare(`${what}: p50`, all('hms', 'p50'), 'same statements', all('bare', 'p50'), 'ms'),
    compare(`${what}: p99`, all('hms', 'p99'), 'same statements', all('bare', 'p99'), 'ms'),
    ...(['server', 'postgres'] as const).flatMap((of) => {
      const title = `${what}: CPU of ${of === 'server' ? 'the server' : 'PostgreSQL'}`;
      return [
        compare(title, cpu.hms[of], 'same statements', cpu.bare[of], 'ms'),
        compare(title, cpu.bare[of], 'without audit', cpu.unaudited[of], 'ms'),
        compare(title, cpu.unaudited[of], 'the query only', cpu.query[of], 'ms'),
      ];
    }),
  ];
}

/** A peer that leaves something out would be compared with a module that does not. */
async function demandSame({ token, ids: [id] }: Prepared, servers: readonly Server[]): Promise<void> {
  const answers = servers.map(async ({ port }) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${port}/api/hms/patients/${id}`, { headers });
    return (await answer.json()) as { readonly data: object };
  });
  const [own, ...peers] = (await Promise.all(answers)).map(({ data }) => data);
  for (const peer of peers) assert.deepStrictEqual(peer, own, 'a bare server shows a patient in another way');
}

/** Pages of one list, compared with its first page. */
async function measurePages({ token }: Prepared, { port }: Server): Promise<Row[]> {
  const headers = { authorization: `Bearer ${token}` };
  const pages = [1, 50, 500].map((page) => ({ page, loads: [] as Load[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { page, loads } of pages) {
      const one = request('GET', `/api/hms/patients?page=${page}`, headers);
      loads.push(await load(port, () => one, { connections: CONNECTIONS, seconds: SECONDS }));
    }
  }
  const [first, ...others] = pages.map(({ page, loads }) => ({ page, rates: loads.map(({ rate }) => rate) }));
  return others.map(({ page, rates }) =>
    compare(`list page ${page}: requests a second`, rates, 'page 1', first?.rates ?? [], ''),
  );
}

function requestsOf(operation: Operation, { token, ids }: Prepared): Buffer[] {
  const headers = { authorization: `Bearer ${token}` };
  const get = (suffix: string) => request('GET', `/api/hms/patients${suffix}`, headers);
  switch (operation) {
    case 'read':
      return ids.map((id) => get(`/${id}`));
    case 'list':
      return [get('')];
    case 'phone':
      return ids.map((_, index) => get(`?q=0812${String(3_000_000 + index * 37).slice(0, 7)}`));
    case 'name':
      return ids.map((_, index) => get(`?q=Ann${index}%20Doe${index % 500}`));
    case 'create':
      return ids.map((_, index) =>
        request('POST', '/api/hms/patients', headers, {
          firstName: `New${index}`,
          lastName: 'Doe',
          phone: `+62811${1_000_000 + index}`,
          dateOfBirth: '1990-05-17',
        }),
      );
  }
}

async function createHospitals(db: Knex): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (let index = 0; index < HOSPITALS; index += 1) {
    const created = await createTestHospital(db, issuer);
    const ids = await fill(db, created, index === 0 ? PATIENTS.first : PATIENTS.others);
    prepared.push({ token: await created.token(['DOCTOR'], { expiresIn: 7200 }), ids });
  }
  // As a while after the import: pages far down a list are read from the index alone.
  await db.raw('VACUUM ANALYZE');
  return prepared;
}

/** @returns ids of 1,000 of the patients. */
async function fill(db: Knex, { hospital }: TestHospital, count: number): Promise<readonly string[]> {
  const { schema } = hospitalNames(hospital.prefix);
  return db.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${schema}`);
    await trx.raw(`CREATE TEMP TABLE people ON COMMIT DROP AS
      SELECT n, gen_random_uuid() AS patient, gen_random_uuid() AS family, gen_random_uuid() AS membership FROM generate_series(1, ${count}) n`);
    for (let done = 0; done < count; done += BATCH) {
      await trx.raw(`INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_at, created_by, updated_by)
        SELECT patient, 'HSP-' || lpad(n::text, 6, '0'), family, 'Ann' || n % 1000, 'Doe' || n % 500, '+62812' || (3000000 + n * 37),
          date '1950-01-01' + n % 25000, now() - n * interval '1 minute', 'bench', 'bench'
        FROM people WHERE n > ${done} AND n <= ${done + BATCH}`);
    }
    await trx.raw(`INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
      SELECT family, 'FAM-' || lpad(n::text, 6, '0'), 'Doe' || n % 500, patient, patient, 'bench', 'bench' FROM people`);
    await trx.raw(`INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
      SELECT membership, family, patient, 'self', 'bench', 'bench' FROM people`);
    await trx.raw(`INSERT INTO counters (series, value) VALUES ('patient', ${count}), ('family', ${count})`);
    const { rows } = await trx.raw<{ rows: { patient: string }[] }>('SELECT patient FROM people ORDER BY n LIMIT 1000');
    return rows.map(({ patient }) => patient);
  });
}

/** Processor time of processes, in milliseconds. */
function cpuOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return Number(fields[11]) + Number(fields[12]);
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** All processes of this run's PostgreSQL. */
function postgresPids(): number[] {
  const [postmaster = ''] = readFileSync(path.join(layout(dataDir).postgres, 'postmaster.pid'), 'utf8').split('\n');
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return running.filter((pid) => pid === postmaster || parentOf(pid) === postmaster).map(Number);
}

function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
  } catch {
    return undefined;
  }
}
