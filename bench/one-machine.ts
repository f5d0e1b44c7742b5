/**
 * The platform on one machine: how long it takes to start, how long until a hospital is served, what memory it needs.
 * Each figure stands beside what it is measured against in the same run: the start beside Keycloak's own start, which
 * is the slowest engine; a hospital beside the bare POST of the same realm; memory beside what is allowed.
 *
 * `make bench` takes about two minutes. HMS_BENCH_ROUNDS (5) sets how many hospitals are made.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyManifest, KubernetesClient } from '@hms/kubernetes';
import { conditionsOf, freePorts, memoryOf, type PlatformState, startPlatform } from '@hms/local';
import { HOSPITAL_ROLES } from '@hms/tenancy';
import KcAdminClient from '@keycloak/keycloak-admin-client';
import { KubeConfig } from '@kubernetes/client-node';
import { realmRepresentation } from '../operator/src/backends/identity/realm.ts';
import { HOSPITALS_PATH } from '../operator/src/hospital/resource.ts';
import { median, type Row, table } from './table.ts';

const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 5);
const MEMORY_LIMIT = 3_000;
const MODULE_LIMIT = 150;

const dataDir = mkdtempSync(join(tmpdir(), 'hms-bench-'));
const ports = await freePorts();
try {
  const first = await start();
  await first.stop();
  const second = await start();
  const { hospitals, realms } = await makeHospitals(second.state);
  const memory = measureMemory(second.state);
  await second.stop();
  const rows: Row[] = [
    against('start on empty data', [first.seconds], "Keycloak's own first start", [first.keycloakSeconds], 's'),
    against('start again', [second.seconds], "Keycloak's own start", [second.keycloakSeconds], 's'),
    against('hospital: apply to Ready', hospitals, 'bare POST of the same realm', realms, 's'),
    against('memory of everything', [memory.total], 'allowed', [MEMORY_LIMIT], 'MB'),
    against(
      `memory of the largest module (${memory.largest.name})`,
      [memory.largest.mb],
      'allowed',
      [MODULE_LIMIT],
      'MB',
    ),
  ];
  process.stdout.write(`${table(rows)}\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

interface Run {
  readonly state: PlatformState;
  readonly seconds: number;
  readonly keycloakSeconds: number;
  stop(): Promise<void>;
}

async function start(): Promise<Run> {
  const began = performance.now();
  const told = new Map<string, number>();
  const started = await startPlatform({
    dataDir,
    ports,
    fast: false,
    tell: ({ step, took }) => {
      if (took !== undefined) told.set(step, took / 1000);
    },
  });
  return {
    state: started.state,
    seconds: (performance.now() - began) / 1000,
    keycloakSeconds: told.get('keycloak') ?? Number.NaN,
    stop: () => started.stop(),
  };
}

/** Hospitals and bare realms by turns, so that both meet the same machine. Times in seconds. */
async function makeHospitals(state: PlatformState): Promise<{ hospitals: number[]; realms: number[] }> {
  const config = new KubeConfig();
  config.loadFromFile(state.kubeconfig);
  const kubernetes = new KubernetesClient(config);
  const admin = new KcAdminClient({ baseUrl: state.keycloakUrl });
  const hospitals: number[] = [];
  const realms: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await admin.auth({ grantType: 'password', clientId: 'admin-cli', ...state.keycloakAdmin });
    realms.push(await timed(() => admin.realms.create(bareRealm(`bare-${round}`))));
    hospitals.push(await timed(() => applyUntilReady(kubernetes, `bench-${round}`)));
  }
  return { hospitals, realms };
}

async function applyUntilReady(kubernetes: KubernetesClient, name: string): Promise<void> {
  const spec = { displayName: `Hospital ${name}` };
  await applyManifest(
    kubernetes,
    { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name }, ...{ spec } },
    'bench',
  );
  for (;;) {
    const hospital = await kubernetes.request('GET', `${HOSPITALS_PATH}/${name}`);
    if (conditionsOf(hospital).some(({ type, status }) => type === 'Ready' && status === 'True')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function bareRealm(name: string) {
  return realmRepresentation({
    name,
    id: randomUUID(),
    ownerUid: 'bench',
    displayName: name,
    enabled: true,
    roles: HOSPITAL_ROLES,
    claims: { hospital_id: randomUUID(), hospital_prefix: name },
    accessTokenSeconds: 300,
    origins: [`http://${name}.localhost`],
    authJwksUrl: 'http://127.0.0.1/.well-known/jwks.json',
    smtp: { host: '127.0.0.1', port: 25, from: 'no-reply@hms.example' },
  });
}

/** Resident memory in MB. */
function measureMemory({ processes, supervisor }: PlatformState) {
  const pids = processes.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  const bytes = memoryOf([...pids, supervisor.pid]);
  const of = (pid: number | undefined) => (bytes.get(pid ?? -1) ?? 0) / 1e6;
  const modules = processes.filter(({ name }) => /^(hms-\d|crm|auth)$/.test(name));
  const [largest = { name: 'none', mb: 0 }] = modules
    .map(({ name, pid }) => ({ name, mb: of(pid) }))
    .sort((a, b) => b.mb - a.mb);
  return { total: [...bytes.values()].reduce((sum, one) => sum + one, 0) / 1e6, largest };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function against(what: string, ours: readonly number[], peer: string, theirs: readonly number[], unit: string): Row {
  return { what, ours: median(ours), peer, theirs: median(theirs), unit };
}
