/**
 * Compares a module with a bare server that verifies the same token and runs the same statements (`replay.ts`), without
 * the gateway, on one PostgreSQL. The statements are recorded from a module in this process. Both get the same load
 * alternately.
 *
 * What is recorded in one hospital is replayed in a twin of it that has the same ids, because some requests can be sent
 * once only. HMS_BENCH_SECONDS (2) and HMS_BENCH_ROUNDS (7) make it shorter or longer.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@hms/database';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { createIssuer, createTestHospital, startTestModule, type TestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { load, percentile, request, type TimedLoad } from '../load.ts';
import { compare, median, type Row, table } from '../table.ts';
import { type Server, Servers } from './processes.ts';
import { type Operation, recordStatements } from './recorder.ts';

const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 7);

type Requests = Operation['requests'];
type Operator = ReturnType<typeof connect>;

interface Measurement<Name extends string> {
  readonly operation: Operation<Name>;
  /** Those that the module gets, if it has done the recorded ones already, which the bare server replays. */
  readonly fresh?: Requests;
  readonly connections?: number;
  /** The longest p99 that is wanted, in milliseconds. */
  readonly goal?: number;
}

interface Bench<Name extends string> {
  readonly module: Name;
  readonly define: Parameters<typeof startTestModule>[0]['define'];
  readonly roles: readonly string[];
  /** What it writes. */
  readonly filling: string;
  /** Statements that fill a hospital, run in its schema. */
  readonly fill: readonly string[];
  readonly measurements: readonly Measurement<Name>[];
}

/** Measures, and prints a table. @throws Error if there are fewer fresh requests than a server answers in the time. */
export async function benchTwins<Name extends 'hms' | 'payment' | 'queue'>({
  module: name,
  define,
  roles,
  filling,
  fill,
  measurements,
}: Bench<Name>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), `hms-bench-${name}-`));
  const report = lineReport((line) => process.stderr.write(`${line}\n`));
  const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
  const { databaseUrls } = platform.state;
  const issuer = await createIssuer();
  const module = await startTestModule({ databaseUrls, define, identity: issuer });
  const processes = new Servers(platform.state, issuer);
  const operator = connect(databaseUrls.operator);
  try {
    const [own, twin] = [await createTestHospital(operator, issuer), await createTestHospital(operator, issuer)];
    await report.during(`writing ${filling}`, async () => {
      for (const one of [own, twin]) await fillHospital(operator, one, fill);
      await operator.raw('VACUUM ANALYZE');
    });
    const tokens = {
      own: await own.token([...roles], { expiresIn: 7200 }),
      peer: await twin.token([...roles], { expiresIn: 7200 }),
    };
    const recordings = await report.during('recording the statements', () =>
      recordStatements(
        measurements.map(({ operation }) => operation),
        { [name]: module } as Record<Name, typeof module>,
        { token: tokens.own, hospital: own.hospital, variants: Number.POSITIVE_INFINITY },
      ),
    );
    const file = path.join(dataDir, 'recordings.json');
    writeFileSync(file, JSON.stringify(recordings));
    await module.close();
    const servers = { own: await processes.module(name), peer: await processes.peer('replay.ts', [file]) };
    const rows: Row[] = [];
    for (const measurement of measurements) rows.push(...(await measure(measurement, servers, tokens)));
    process.stdout.write(`${table(rows)}\n`);
  } finally {
    processes.stop();
    await operator.destroy();
    await issuer.close();
    await platform.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fillHospital(operator: Operator, { hospital }: TestHospital, fill: readonly string[]): Promise<void> {
  await operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(hospital.prefix).schema}, extensions`);
    for (const statement of fill) await trx.raw(statement);
  });
}

type Both<Value> = Readonly<Record<'own' | 'peer', Value>>;

async function measure(
  { operation: { name, title, method, requests: recorded }, fresh, connections = 32, goal }: Measurement<string>,
  servers: Both<Server>,
  tokens: Both<string>,
): Promise<Row[]> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const bytes = {
    own: (fresh ?? recorded).map(({ path: url, body }) => request(method, url, bearer(tokens.own), body)),
    peer: recorded.map(({ body }, index) => request(method, `/replay/${name}/${index}`, bearer(tokens.peer), body)),
  };
  const sent = { own: 0, peer: 0 };
  const loads = { own: [] as TimedLoad[], peer: [] as TimedLoad[] };
  const run = (which: 'own' | 'peer', seconds: number) => {
    const all = bytes[which];
    const next = () => {
      const number = sent[which]++;
      if (fresh && number >= all.length) throw new Error(`${name}: ${all.length} requests are too few`);
      return all[number % all.length] as Buffer;
    };
    return load(servers[which].port, next, { connections, seconds });
  };
  for (const which of ['own', 'peer'] as const) await run(which, SECONDS / 2);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const which of ['own', 'peer'] as const) loads[which].push(await run(which, SECONDS));
  const rates = (which: 'own' | 'peer') => loads[which].map(({ rate }) => rate);
  process.stderr.write(`${title}: ${(median(rates('own')) / median(rates('peer'))).toFixed(2)}\n`);
  // Of the requests of all rounds: a round may have fewer than a hundred.
  const p99 = (which: 'own' | 'peer') => [
    percentile(
      loads[which].flatMap(({ times }) => times).sort((one, other) => one - other),
      0.99,
    ),
  ];
  return [
    compare(`${title}: requests a second`, rates('own'), 'same statements', rates('peer'), ''),
    compare(`${title}: p99`, p99('own'), 'same statements', p99('peer'), 'ms'),
    ...(goal === undefined ? [] : [compare(`${title}: p99`, p99('own'), 'goal', [goal], 'ms')]),
  ];
}
