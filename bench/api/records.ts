/**
 * Lists, searches and creations of the laboratory, the pharmacy and the desk, compared with a bare server that verifies
 * the same token and runs the same statements (`replay.ts`), without the gateway, on one PostgreSQL. The statements are
 * recorded from a module in this process. Both get the same load alternately. The hospital is seeded with
 * HMS_BENCH_PATIENTS (20,000) patients and 30 days. HMS_BENCH_SECONDS (2) and HMS_BENCH_ROUNDS (4) make it shorter or
 * longer.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@hms/database';
import { employees, setAccount } from '@hms/domain/employees';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { seedHospital } from '@hms/seed';
import { newId, records, workFor } from '@hms/service';
import { createIssuer, createTestHospital, startTestModule } from '@hms/service/testing';
import { crmModule } from '../../services/crm/src/module.ts';
import { hmsModule } from '../../services/hms/src/module.ts';
import { type Load, load, request } from '../load.ts';
import { compare, median, type Row, table } from '../table.ts';
import { type Server, Servers } from './processes.ts';
import { type Operation as Recorded, recordStatements } from './recorder.ts';

const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 4);
const PATIENTS = Number(process.env.HMS_BENCH_PATIENTS ?? 20_000);
const DAYS = 30;
const CONNECTIONS = 32;
/** Different requests of an operation. */
const VARIANTS = 40;

const ALL = {
  ...{ page: 1, limit: 100, sort: [], q: undefined, byMatch: false, from: undefined, to: undefined },
  ...{ includeDeleted: false, filters: {} },
};

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-records-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const { databaseUrls } = platform.state;
const issuer = await createIssuer();
const hms = await startTestModule({ databaseUrls, define: hmsModule, identity: issuer });
const crm = await startTestModule({ databaseUrls, define: crmModule, identity: issuer });
const processes = new Servers(platform.state, issuer);
const operator = connect(databaseUrls.operator);
try {
  const created = await createTestHospital(operator, issuer);
  await seed();
  const token = await created.token(['DOCTOR', 'LAB_TECH', 'PHARMACIST', 'RECEPTION', 'ADMIN'], { expiresIn: 7200 });
  const operations = await operationsFor(`h_${created.hospital.prefix.replaceAll('-', '_')}`);
  const recordings = await report.during('recording the statements', () =>
    recordStatements(operations, { hms, crm }, { token, hospital: created.hospital, variants: VARIANTS }),
  );
  const file = path.join(dataDir, 'recordings.json');
  writeFileSync(file, JSON.stringify(recordings));
  await Promise.all([hms.close(), crm.close()]);
  const servers = {
    hms: await processes.module('hms'),
    crm: await processes.module('crm'),
    peer: await processes.peer('replay.ts', [file]),
  };
  const rows: Row[] = [];
  for (const operation of operations) rows.push(...(await measure(operation, token, servers)));
  process.stdout.write(`${table(rows)}\n`);

  /** Fills the hospital. No auth module runs, so that the staff gets its accounts here. */
  async function seed(): Promise<void> {
    const { hospital } = created;
    const appoint = () =>
      workFor(hms.platform, hospital, 'bench', async (work) => {
        const all = await records(work, employees).list(ALL);
        for (const { id, accountId } of all.data) if (accountId === null) await setAccount(work, id, newId());
      });
    const timer = setInterval(() => void appoint().catch(() => undefined), 200);
    try {
      await seedHospital({
        ...{ tenants: hms.platform.tenants, hospital, sealer: hms.platform.sealer, now: new Date() },
        ...{ patients: PATIENTS, days: DAYS, seed: 1, documentDays: 0, patience: 60_000 },
        part: (doing, work) => report.during(doing, work),
      });
    } finally {
      clearInterval(timer);
    }
    await operator.raw('ANALYZE');
  }
} finally {
  processes.stop();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

type Operation = Recorded<'hms' | 'crm'>;

async function operationsFor(schema: string): Promise<readonly Operation[]> {
  const column = async (sql: string) => {
    const { rows } = await operator.raw<{ rows: { value: string }[] }>(sql.replaceAll('$', schema));
    return rows.map(({ value }) => value);
  };
  const some = (table: string, value: string) =>
    column(`SELECT ${value} AS value FROM $.${table} ORDER BY md5(id::text) LIMIT ${VARIANTS}`);
  const patients = await some('patients', 'id');
  const names = await some('patients', "first_name || ' ' || last_name");
  const tests = await column("SELECT id AS value FROM $.lab_tests WHERE code IN ('HB', 'K', 'NA', 'CRP')");
  const get = (name: string, title: string, paths: readonly string[], module: 'hms' | 'crm' = 'hms'): Operation => {
    return { name, title, module, method: 'GET', requests: paths.map((one) => ({ path: `/api/${module}${one}` })) };
  };
  const post = (name: string, title: string, at: string, bodies: readonly object[]): Operation => {
    return { name, title, module: 'hms', method: 'POST', requests: bodies.map((body) => ({ path: at, body })) };
  };
  const search = (list: string) => names.map((text) => `${list}q=${encodeURIComponent(text)}`);
  return [
    get('worklist', 'worklist of the laboratory', ['/lab-orders?isOpen=true']),
    get('orders', 'orders, page 1', ['/lab-orders?sort=-createdAt']),
    get('order-search', 'orders by a name', search('/lab-orders?')),
    get(
      'scan',
      'orders by a specimen',
      (await some('lab_specimens', 'accession_no')).map((no) => `/lab-orders?q=${no}`),
    ),
    get(
      'order',
      'read an order',
      (await some('lab_orders', 'id')).map((id) => `/lab-orders/${id}`),
    ),
    get('queue', 'queue of the pharmacy', ['/prescriptions?open=true']),
    get('rx-search', 'prescriptions by a name', search('/prescriptions?')),
    get(
      'rx',
      'read a prescription',
      (await some('prescriptions', 'id')).map((id) => `/prescriptions/${id}`),
    ),
    get('levels', 'stock of all drugs', ['/drug-levels']),
    get('batches', 'batches', ['/stock-batches?inStock=true']),
    get(
      'drugs',
      'drugs by a name',
      ['par', 'amox', 'ibu', 'levo'].map((text) => `/drugs?q=${text}`),
    ),
    get(
      'timeline',
      'timeline of a patient',
      patients.map((id) => `/patients/${id}/timeline`),
    ),
    get(
      'duplicates',
      'duplicates of a patient',
      patients.map((id) => `/patients/${id}/duplicates`),
    ),
    get('patient-search', 'patients by a name', search('/patients?')),
    get('families', 'families by a name', search('/families?'), 'crm'),
    get('visitors', 'visitors', ['/visitors'], 'crm'),
    get('vip', 'VIP memberships', ['/vip-memberships'], 'crm'),
    post(
      'place',
      'create: an order of four tests',
      '/api/hms/lab-orders',
      patients.map((patientId) => ({ patientId, testIds: tests })),
    ),
  ];
}

async function measure(
  { name, module, title, method, requests }: Operation,
  token: string,
  servers: Readonly<Record<'hms' | 'crm' | 'peer', Server>>,
): Promise<Row[]> {
  const headers = { authorization: `Bearer ${token}` };
  const own = requests.map(({ path: url, body }) => request(method, url, headers, body));
  const peer = requests.map(({ body }, index) => request(method, `/replay/${name}/${index}`, headers, body));
  let sent = 0;
  const next = (all: readonly Buffer[]) => () => all[sent++ % all.length] as Buffer;
  const loads = { own: [] as Load[], peer: [] as Load[] };
  const run = async (seconds: number) => {
    const options = { connections: CONNECTIONS, seconds };
    return {
      own: await load(servers[module].port, next(own), options),
      peer: await load(servers.peer.port, next(peer), options),
    };
  };
  await run(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const result = await run(SECONDS);
    loads.own.push(result.own);
    loads.peer.push(result.peer);
  }
  const all = (which: 'own' | 'peer', of: keyof Load) => loads[which].map((result) => result[of]);
  process.stderr.write(`${title}: ${(median(all('own', 'rate')) / median(all('peer', 'rate'))).toFixed(2)}\n`);
  return [
    compare(`${title}: requests a second`, all('own', 'rate'), 'same statements', all('peer', 'rate'), ''),
    compare(`${title}: p99`, all('own', 'p99'), 'same statements', all('peer', 'p99'), 'ms'),
  ];
}
