/**
 * Boards on thousands of displays: from the commit of a change until the last display has it, with two processes of the
 * module queue, without and with the gateway, beside two bare servers (`bare.ts`) that get the same changes alternately.
 * Then one process is killed. HMS_BENCH_CHANGES (100) and HMS_BENCH_STREAMS (1000,5000) make it shorter or longer.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@hms/database';
import { clinics } from '@hms/domain/clinics';
import { callNext, join } from '@hms/domain/queue';
import { rooms } from '@hms/domain/rooms';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { records, workFor } from '@hms/service';
import { createIssuer, createTestHospital, startTestModule, type TestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { queueModule } from '../../services/queue/src/module.ts';
import { type Server, Servers } from '../api/processes.ts';
import { call, residentKb, startGateway } from '../gateway/process.ts';
import { request } from '../load.ts';
import { median, type Row, table } from '../table.ts';
import type { Order, Report } from './viewers.ts';

const CHANGES = Number(process.env.HMS_BENCH_CHANGES ?? 100);
const SIZES = (process.env.HMS_BENCH_STREAMS ?? '1000,5000').split(',').map(Number);
/** Changes of one kind in a row. */
const BLOCK = 10;
/** Streams with one token. */
const OF_A_TOKEN = 25;
const WAITING = 15;
const SETTLED_MS = 500;

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-stream-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const { databaseUrls } = platform.state;
const issuer = await createIssuer();
const writer = await startTestModule({ databaseUrls, define: queueModule, identity: issuer });
const operator = connect(databaseUrls.operator);
const processes = new Servers(platform.state, issuer);
const viewers = fork(path.join(import.meta.dirname, 'viewers.ts'));
const children: ChildProcess[] = [viewers];
try {
  const hospital = await createTestHospital(operator, issuer);
  const clinicId = await prepare(hospital);
  const { role, schema } = hospitalNames(hospital.hospital.prefix);
  const url = `/api/queue/${clinicId}/stream`;
  const app = connect(databaseUrls.app, { poolSize: 1 });
  const own = {
    /** A person is called again. @returns the revision, before the commit. */
    change: async (commit: (revision: number) => Promise<void>) =>
      app.transaction(async (trx) => {
        await trx.raw(`SET LOCAL ROLE "${role}"`);
        await trx.raw(`SET LOCAL search_path TO "${schema}"`);
        await trx.raw("UPDATE queue_entries SET calls = calls + 1, called_at = now() WHERE status = 'called'");
        const { rows } = await trx.raw(
          'UPDATE queue_boards SET revision = revision + 1, changed_at = now() WHERE clinic_id = ? RETURNING revision',
          [clinicId],
        );
        await trx.raw("SELECT platform.notify_change('queue_boards', ?)", [clinicId]);
        await commit(Number(rows[0].revision));
      }),
  };
  const [board = ''] = await firstBoard(await processes.module('queue'));
  await operator.raw('CREATE TABLE public.bench_board (revision integer, board text)');
  await operator.raw('INSERT INTO public.bench_board VALUES (1, ?)', [board]);
  const bare = {
    change: async (commit: (revision: number) => Promise<void>) =>
      operator.transaction(async (trx) => {
        const { rows } = await trx.raw('UPDATE public.bench_board SET revision = revision + 1 RETURNING revision');
        await trx.raw('NOTIFY bench_board');
        await commit(Number(rows[0].revision));
      }),
  };
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  process.stdout.write(`${table(rows)}\n`);
  await app.destroy();

  async function firstBoard({ port }: Server): Promise<readonly string[]> {
    const headers = { authorization: `Bearer ${await hospital.token(['NURSE'])}` };
    const answer = await fetch(`http://127.0.0.1:${port}/api/queue/${clinicId}/board`, { headers });
    return [JSON.stringify(((await answer.json()) as { data: object }).data)];
  }

  async function measure(size: number): Promise<Row[]> {
    const servers = [await processes.module('queue'), await processes.module('queue')];
    const floors = [await floor(), await floor()];
    const gateway = await startGateway(mkdtempSync(path.join(dataDir, 'gateway-')), {
      // One service may have half of them.
      GATEWAY_UPSTREAM_REQUESTS: String(4 * size),
    });
    children.push(gateway.child);
    await configure(gateway.admin, servers, hospital);
    const requests = await Promise.all(
      Array.from({ length: Math.ceil(size / OF_A_TOKEN) }, async () => {
        const token = await hospital.token(['NURSE'], { expiresIn: 3_600 });
        return request('GET', url, { authorization: `Bearer ${token}`, accept: 'text/event-stream' }).toString(
          'latin1',
        );
      }),
    );
    const memory = (some: readonly { readonly pid: number }[]) =>
      some.reduce((sum, { pid }) => sum + residentKb(pid), 0) / size;
    const opened = async (name: string, ports: readonly number[], some: readonly { readonly pid: number }[]) => {
      const before = memory(some);
      await report.during(`opening ${size} streams: ${name}`, () =>
        ordered({ open: name, ports, requests, count: size }, (sent) => 'opened' in sent && sent.opened === name),
      );
      await sleep(SETTLED_MS);
      return memory(some) - before;
    };
    const kb = {
      bare: await opened(
        'bare',
        floors.map(({ port }) => port),
        floors,
      ),
      own: await opened(
        'own',
        servers.map(({ port }) => port),
        servers,
      ),
    };
    const direct = await alternate('own', size);
    tell({ close: 'own' });
    await sleep(2_000);
    await opened('gateway', [gateway.port], servers);
    const through = await alternate('gateway', size);
    const back = ordered({ watch: 'gateway', revision: -2 }, (sent) => 'back' in sent);
    process.kill(servers[0]?.pid ?? 0, 'SIGKILL');
    const { returns } = (await report.during(
      'coming back after one of two processes was killed',
      () => back,
    )) as Extract<Report, { back: string }>;
    for (const name of ['gateway', 'bare']) tell({ close: name });
    for (const { pid } of [...servers.slice(1), ...floors, gateway]) process.kill(pid, 'SIGKILL');
    const what = `${size} displays`;
    return [
      ...figures(`${what}: change to the last one`, direct),
      ...figures(`${what}, with the gateway: change to the last one`, through),
      row(`${what}: memory of a stream`, kb.own, 'bare', kb.bare, 'kB'),
      row(`${what}: all back after a kill, of ${returns.length}`, Math.max(...returns) / 1000, 'goal', 10, 's'),
      row(`${what}: most that come back in 100 ms`, most(returns), 'if all came evenly', returns.length / 35, ''),
    ];
  }

  /** Changes of both, in turns. */
  async function alternate(name: 'own' | 'gateway', size: number): Promise<Record<'own' | 'bare', number[]>> {
    const times = { own: [] as number[], bare: [] as number[] };
    await report.during(`${CHANGES} changes on ${size} displays: ${name}`, async () => {
      for (let number = -BLOCK; number < CHANGES; number += BLOCK) {
        for (let one = 0; one < BLOCK; one += 1) {
          const taken = { own: await timed(name, own.change), bare: await timed('bare', bare.change) };
          if (number < 0) continue;
          times.own.push(taken.own);
          times.bare.push(taken.bare);
        }
      }
    });
    return times;
  }

  /** From the commit until the last of a group has the change, in ms. */
  async function timed(watch: string, change: typeof own.change): Promise<number> {
    let seen: Promise<Report> | undefined;
    let begun = 0n;
    await change(async (revision) => {
      seen = ordered({ watch, revision }, (sent) => 'seen' in sent && sent.seen === revision);
      await sleep(30);
      begun = process.hrtime.bigint();
    });
    const { lastAt } = (await seen) as Extract<Report, { lastAt: string }>;
    return Number(BigInt(lastAt) - begun) / 1e6;
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  processes.stop();
  await writer.close();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function tell(order: Order): void {
  viewers.send(order);
}

/** Gives an order, and waits for its report. */
function ordered(order: Order, is: (report: Report) => boolean): Promise<Report> {
  return new Promise((resolve) => {
    const listener = (sent: Report) => {
      if (!is(sent)) return;
      viewers.off('message', listener);
      resolve(sent);
    };
    viewers.on('message', listener);
    tell(order);
  });
}

function floor(): Promise<Server> {
  return processes.peer('../stream/bare.ts', [databaseUrls.operator]);
}

/** A clinic with people who wait, and one who is called. */
function prepare({ hospital }: TestHospital): Promise<string> {
  return workFor(writer.platform, hospital, 'bench', async (work) => {
    const { id } = await records(work, clinics).insert({
      code: 'ENT',
      name: 'Ear, nose and throat',
      isQueueEnabled: true,
    });
    const room = await records(work, rooms).insert({ code: 'R1', name: 'Room 1', clinicId: id });
    for (let one = 0; one < WAITING; one += 1) await join(work, id, { priority: 0 });
    await callNext(work, id, { roomId: room.id, finish: false });
    return id;
  });
}

/** The interface's plugins, with limits that this does not reach. */
async function configure(admin: number, servers: readonly Server[], { hospital }: TestHospital): Promise<void> {
  const active = { type: 'http', http_path: '/health', timeout: 2, healthy: { interval: 5, successes: 2 } };
  const unhealthy = { interval: 5, http_failures: 3, tcp_failures: 3, timeouts: 3 };
  await call(admin, 'POST', '/upstreams', { name: 'queues', healthchecks: { active: { ...active, unhealthy } } });
  for (const { port } of servers)
    await call(admin, 'POST', '/upstreams/queues/targets', { target: `127.0.0.1:${port}` });
  await call(admin, 'POST', '/services', { name: 'queue', host: 'queues', port: 80, read_timeout: 3_600_000 });
  const route = { name: 'queue', paths: ['/api/queue'], strip_path: false, response_buffering: false };
  await call(admin, 'POST', '/services/queue/routes', route);
  const certs = `${issuer.keycloakUrl}/realms/${hospital.prefix}/protocol/openid-connect/certs`;
  const { keys } = (await (await fetch(certs)).json()) as { keys: [JsonWebKey] };
  const key = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  await call(admin, 'POST', '/consumers', { username: hospital.prefix });
  await call(admin, 'POST', `/consumers/${hospital.prefix}/acls`, { group: 'hospital' });
  await call(admin, 'POST', `/consumers/${hospital.prefix}/jwt`, {
    ...{ algorithm: 'RS256', key: hospital.issuer, rsa_public_key: key },
  });
  const limits = { minute: 1e9, hour: 1e9, policy: 'local', limit_by: 'header', header_name: 'Authorization' };
  const plugins = {
    jwt: { key_claim_name: 'iss', claims_to_verify: ['exp'], uri_param_names: ['jwt'] },
    ...{ acl: { allow: ['hospital'] }, 'rate-limiting': limits },
    cors: { origins: ['https://bench.example'], credentials: true },
    'correlation-id': { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true },
    ...{ 'request-size-limiting': { allowed_payload_size: 10 } },
    prometheus: { status_code_metrics: true, latency_metrics: true },
  };
  for (const [name, config] of Object.entries(plugins))
    await call(admin, 'POST', '/services/queue/plugins', { name, config });
}

function figures(measurement: string, { own, bare }: Record<'own' | 'bare', number[]>): Row[] {
  const rows = (['p50', 'p99'] as const).map((name) =>
    row(`${measurement}, ${name}`, at(own, name), 'bare, without a gateway', at(bare, name), 'ms'),
  );
  for (const one of rows) process.stderr.write(`${one.measurement}: ${(one.value / one.baselineValue).toFixed(2)}\n`);
  return rows;
}

function at(times: readonly number[], name: 'p50' | 'p99'): number {
  if (name === 'p50') return median(times);
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

function row(measurement: string, value: number, baseline: string, baselineValue: number, unit: string): Row {
  return { measurement, value, baseline, baselineValue, unit };
}

/** The most of some moments that fall into the same 100 ms. */
function most(moments: readonly number[]): number {
  const counts = Map.groupBy(moments, (moment) => Math.floor(moment / 100));
  return Math.max(...[...counts.values()].map(({ length }) => length));
}
