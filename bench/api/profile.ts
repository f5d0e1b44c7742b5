/**
 * Where the processor time of the module hms goes when it reads patients: a profile of its process under the load of
 * `api.ts`, summed up by what the code does. HMS_BENCH_SECONDS (15) makes it shorter or longer.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@hms/database';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { newId } from '@hms/service';
import { createIssuer, createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { load, request } from '../load.ts';
import { type Row, table } from '../table.ts';
import { Servers } from './processes.ts';

const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 15);
const CONNECTIONS = 32;
const PATIENTS = 1_000;

/** The first that matches the address of a function's file decides. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['token and its signature', /node_modules\/jose\/|service\/src\/token-check|node:internal\/crypto/],
  ['role, permissions, registry', /service\/src\/(?:caller|registry|handler)/],
  ['audit log', /service\/src\/audit\//],
  ['building statements', /node_modules\/knex\/|service\/src\/records\//],
  ['PostgreSQL: sending statements, reading rows', /node_modules\/pg|database\/src\/tenant-pool/],
  ['checking input, making the response', /node_modules\/zod\/|service\/src\//],
  ['log', /node_modules\/(?:pino|sonic-boom|thread-stream|quick-format)/],
  ['metrics', /node_modules\/prom-client\//],
  ['HTTP: Express, sending the response', /node_modules\//],
];
const REST = 'reading HTTP and sockets, timers';
/** What V8 calls time outside of JavaScript. */
const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'native code'],
]);

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly children?: readonly number[];
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-profile-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const issuer = await createIssuer();
const operator = connect(platform.state.databaseUrls.operator);
const processes = new Servers(platform.state, issuer);
try {
  const hospital = await createTestHospital(operator, issuer);
  const { schema } = hospitalNames(hospital.hospital.prefix);
  const ids = Array.from({ length: PATIENTS }, newId);
  await operator.raw(
    `INSERT INTO ??.patients (id, patient_code, first_name, last_name, phone, date_of_birth, created_by, updated_by)
     SELECT id, 'HSP-' || lpad(n::text, 6, '0'), 'Ann' || n, 'Doe', '+62812' || (3000000 + n), '1990-05-17', 'bench', 'bench'
     FROM unnest(?::uuid[]) WITH ORDINALITY AS one (id, n)`,
    [schema, ids],
  );
  const headers = { authorization: `Bearer ${await hospital.token(['DOCTOR'])}` };
  const requests = ids.map((id) => request('GET', `/api/hms/patients/${id}`, headers));
  const started = performance.now();
  const server = await processes.module('hms', ['--cpu-prof', `--cpu-prof-dir=${dataDir}`]);
  const starting = performance.now() - started;
  const { rate } = await load(server.port, (n) => requests[n % PATIENTS] as Buffer, {
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  process.kill(server.pid, 'SIGTERM');
  process.stdout.write(`${table(rowsOf(await profile(), starting, rate * SECONDS))}\n`);
} finally {
  processes.stop();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** What the module writes when it has ended. */
async function profile(): Promise<Profile> {
  for (;;) {
    const file = readdirSync(dataDir).find((name) => name.endsWith('.cpuprofile'));
    const text = file ? readFileSync(path.join(dataDir, file), 'utf8') : '';
    if (text.endsWith('}')) return JSON.parse(text);
    await delay(100);
  }
}

/** @param starting the first milliseconds, which are left out. @param count of requests. */
function rowsOf({ nodes, samples, timeDeltas }: Profile, starting: number, count: number): readonly Row[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  /** A function of Node, or of V8, belongs to whoever calls it. */
  const partOf = (id: number | undefined): string => {
    const frame = id === undefined ? undefined : frames.get(id);
    if (!frame) return REST;
    const { url, functionName } = frame;
    return OUTSIDE.get(functionName) ?? PARTS.find(([, files]) => files.test(url))?.[0] ?? partOf(parents.get(id ?? 0));
  };
  const spent = new Map<string, number>();
  let at = 0;
  for (const [index, id] of samples.entries()) {
    const took = (timeDeltas[index] ?? 0) / 1000;
    at += took;
    if (at < starting || frames.get(id)?.functionName === '(idle)') continue;
    const part = partOf(id);
    spent.set(part, (spent.get(part) ?? 0) + took);
  }
  const all = [...spent.values()].reduce((sum, one) => sum + one, 0);
  return [...spent]
    .sort(([, one], [, other]) => other - one)
    .map(([measurement, time]) => ({
      measurement,
      value: (time / count) * 1000,
      baseline: 'a request',
      baselineValue: (all / count) * 1000,
      unit: 'µs',
    }));
}
