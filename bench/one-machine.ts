/**
 * The platform on one machine: how long it takes to start, how long until a hospital is served, what memory it needs.
 * Each figure stands beside what it is measured against in the same run: the start beside Keycloak's own start, which
 * is the slowest engine; a hospital beside the bare POST of the same realm; memory beside what is allowed.
 *
 * `make bench` takes about two minutes. HMS_BENCH_ROUNDS (5) sets how many hospitals are made.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, memoryOf, type PlatformState, startPlatform } from '@hms/local';
import { Hospitals } from './hospitals.ts';
import { createBareRealm, keycloakAdmin } from './realms.ts';
import { against, type Row, table, timed } from './table.ts';

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
  const hospitals = new Hospitals(state);
  const times = { hospitals: [] as number[], realms: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const admin = await keycloakAdmin(state);
    times.realms.push(await timed(() => createBareRealm(admin, `bare-${round}`)));
    times.hospitals.push(
      await timed(async () => {
        await hospitals.apply(`bench-${round}`);
        await hospitals.ready([`bench-${round}`]);
      }),
    );
  }
  return times;
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
