/**
 * The embedded gateway compared with a minimal proxy in Node and with the upstream alone, which get the same load
 * alternately. HMS_BENCH_SECONDS (1) and HMS_BENCH_ROUNDS (15) make it shorter or longer. Many short
 * rounds, because other load on the machine varies within seconds.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Load, load, request } from '../load.ts';
import { compare, median, type Row, table } from '../table.ts';
import { call, residentKb, startGateway } from './process.ts';

const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 1);
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 15);
const ROUTES = [1, 100, 5_000];
const STREAMS = 1_000;
const GIGABYTE = 2 ** 30;
const ISSUER = 'http://localhost:8000/auth/realms/bench';

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), 'hms-bench-gateway-'));
const children: ChildProcess[] = [];
const rows: Row[] = [];
try {
  const upstream = await forked('upstream.ts');
  const floor = await forked('floor.ts', `http://127.0.0.1:${upstream.port}`);
  const gatewayProcess = await startGateway(folder);
  const { admin, child } = gatewayProcess;
  children.push(child);
  const token = await configure(admin, upstream.port);
  let routes = 2;
  for (const routeCount of ROUTES) {
    for (; routes < routeCount; routes += 1)
      await call(admin, 'POST', '/services/plain/routes', { paths: [`/other/${routes}`] });
    rows.push(...(await measure(routeCount, upstream.port, floor.port, gatewayProcess.port, token)));
  }
  rows.push(await streams(gatewayProcess, floor));
  rows.push(await gigabyte(gatewayProcess));
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${table(rows)}\n`);

async function measure(routes: number, upstream: number, floor: number, proxy: number, token: string): Promise<Row[]> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const [plainRequest, allRequest] = [request('GET', '/plain', headers), request('GET', '/all', headers)];
  const targets = {
    alone: (options: Options) => load(upstream, () => plainRequest, options),
    floor: (options: Options) => load(floor, () => plainRequest, options),
    plain: (options: Options) => load(proxy, () => plainRequest, options),
    all: (options: Options) => load(proxy, () => allRequest, options),
  };
  const busy: Record<keyof typeof targets, Load[]> = { alone: [], floor: [], plain: [], all: [] };
  const calm: Record<keyof typeof targets, Load[]> = { alone: [], floor: [], plain: [], all: [] };
  for (const [name, run] of Object.entries(targets)) if (name !== 'alone') await run({ connections: 32, seconds: 1 });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(targets)) {
      busy[name as keyof typeof targets].push(await run({ connections: 32, seconds: SECONDS }));
      calm[name as keyof typeof targets].push(await run({ connections: 2, seconds: SECONDS / 2 }));
    }
  }
  const rate = (name: keyof typeof targets) => busy[name].map((result) => result.rate);
  const added = (name: keyof typeof targets, of: 'p50' | 'p99') => [
    median(calm[name].map((result) => result[of])) - median(calm.alone.map((result) => result[of])),
  ];
  const label = `${routes} route${routes === 1 ? '' : 's'}`;
  return (['plain', 'all'] as const).flatMap((name) => {
    const what = `${label}, ${name === 'plain' ? 'no plugin' : 'all plugins'}`;
    return [
      compare(`${what}: requests a second`, rate(name), 'bare node:http and undici', rate('floor'), ''),
      compare(`${what}: p50 added`, added(name, 'p50'), 'added by the bare proxy', added('floor', 'p50'), 'ms'),
      compare(`${what}: p99 added`, added(name, 'p99'), 'added by the bare proxy', added('floor', 'p99'), 'ms'),
    ];
  });
}

interface Process {
  readonly port: number;
  readonly pid: number;
}

interface Options {
  readonly connections: number;
  readonly seconds: number;
}

/** The interface's complete set of plugins, with limits that the load does not reach. */
async function configure(admin: number, upstream: number): Promise<string> {
  const target = { host: '127.0.0.1', port: upstream };
  for (const name of ['plain', 'all']) {
    await call(admin, 'POST', '/services', { name, ...target });
    await call(admin, 'POST', `/services/${name}/routes`, { name, paths: [`/${name}`], strip_path: false });
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await call(admin, 'POST', '/consumers', { username: 'bench' });
  await call(admin, 'POST', '/consumers/bench/acls', { group: 'hospital-bench' });
  await call(admin, 'POST', '/consumers/bench/jwt', {
    algorithm: 'RS256',
    key: ISSUER,
    rsa_public_key: publicKey.export({ type: 'spki', format: 'pem' }),
  });
  const limits = { minute: 1e9, hour: 1e9, policy: 'local', limit_by: 'header', header_name: 'Authorization' };
  const plugins = {
    jwt: { key_claim_name: 'iss', claims_to_verify: ['exp'], uri_param_names: ['jwt'] },
    acl: { allow: ['hospital-bench'] },
    'rate-limiting': limits,
    cors: { origins: ['https://bench.example'], credentials: true },
    'correlation-id': { header_name: 'X-Request-ID', generator: 'uuid', echo_downstream: true },
    'request-size-limiting': { allowed_payload_size: 10 },
    prometheus: { status_code_metrics: true, latency_metrics: true },
  };
  for (const [name, config] of Object.entries(plugins))
    await call(admin, 'POST', '/services/all/plugins', { name, config });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iss: ISSUER, exp, realm_access: { roles: ['DOCTOR'] } })}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Memory of open event streams, each of which has sent its first event. */
async function streams(gateway: Process, floor: Process): Promise<Row> {
  const [value, baseline] = [await eachStream(gateway), await eachStream(floor)];
  return compare(`memory of each of ${STREAMS} open event streams`, [value], 'bare proxy', [baseline], 'kB');
}

async function eachStream({ port, pid }: Process): Promise<number> {
  const before = residentKb(pid);
  const opened = Array.from({ length: STREAMS }, async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const request = httpRequest({ port, host: '127.0.0.1', path: '/plain/events', agent: false }, (response) => {
      response.once('data', () => resolve());
      response.on('error', () => undefined);
    });
    request.on('error', reject);
    request.end();
    await promise;
    return request;
  });
  const requests = await Promise.all(opened);
  const each = (residentKb(pid) - before) / STREAMS;
  for (const request of requests) request.destroy();
  return each;
}

/** The maximum memory while a body of 1 GB passes. */
async function gigabyte({ port, pid }: Process): Promise<Row> {
  const before = residentKb(pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentKb(pid));
  }, 20);
  const chunk = Buffer.alloc(2 ** 20);
  const answer = await new Promise<string>((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', path: '/plain/body', method: 'PUT', headers: { 'content-length': GIGABYTE } },
      (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      },
    );
    request.on('error', reject);
    let chunksLeft = GIGABYTE / chunk.length;
    const pump = () => {
      while (chunksLeft > 0) {
        chunksLeft -= 1;
        if (!request.write(chunk)) return void request.once('drain', pump);
      }
      request.end();
    };
    pump();
  });
  clearInterval(watch);
  if (Number(answer) !== GIGABYTE) throw new Error(`of 1 GB the upstream got ${answer} bytes`);
  return compare('memory while a body of 1 GB passes', [most / 1000], 'before it', [before / 1000], 'MB');
}

function forked(file: string, ...args: string[]): Promise<Process> {
  const child = fork(path.join(here, file), args);
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ port: Number(port), pid: child.pid ?? 0 }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
}
