/**
 * The platform on one machine: the time to start, the time until a hospital is Ready, and the memory.
 * Each figure has a baseline from the same run: for the start, the start of Keycloak, which
 * is the slowest engine. For a hospital, the bare POST of the same realm. For the memory, its limit.
 *
 * `make bench` takes about two minutes. HMS_BENCH_ROUNDS (5) sets the number of hospitals.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, memoryOf, type PlatformState, startPlatform } from '@hms/local';
import { MODULES, processNames } from '@hms/tenancy';
import { Hospitals } from './hospitals.ts';
import { createBareRealm, keycloakAdmin } from './realms.ts';
import { compare, type Row, table, timed } from './table.ts';

const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 5);
const MEMORY_LIMIT = 3_000;
const MODULE_LIMIT = 150;
const MODULE_PROCESSES: ReadonlySet<string> = new Set(MODULES.flatMap(processNames));

const dataDir = mkdtempSync(join(tmpdir(), 'hms-bench-'));
const ports = await freePorts();
try {
  const first = await start();
  await first.stop();
  const second = await start();
  const { hospitals, realms } = await createHospitals(second.state);
  const memory = measureMemory(second.state);
  await second.stop();
  const rows: Row[] = [
    compare('start without data', [first.seconds], "Keycloak's own first start", [first.keycloakSeconds], 's'),
    compare('start with data', [second.seconds], "Keycloak's own start", [second.keycloakSeconds], 's'),
    compare('hospital: apply to Ready', hospitals, 'bare POST of the same realm', realms, 's'),
    compare('memory of all processes', [memory.total], 'limit', [MEMORY_LIMIT], 'MB'),
    compare(
      `memory of the largest module (${memory.largest.name})`,
      [memory.largest.mb],
      'limit',
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
  const startedAt = performance.now();
  const stepSeconds = new Map<string, number>();
  const started = await startPlatform({
    dataDir,
    ports,
    fast: false,
    tell: ({ step, took }) => {
      if (took !== undefined) stepSeconds.set(step, took / 1000);
    },
  });
  return {
    state: started.state,
    seconds: (performance.now() - startedAt) / 1000,
    keycloakSeconds: stepSeconds.get('keycloak') ?? Number.NaN,
    stop: () => started.stop(),
  };
}

/** Hospitals and bare realms alternately, so that both run under the same conditions. Times in seconds. */
async function createHospitals(state: PlatformState): Promise<{ hospitals: number[]; realms: number[] }> {
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
  const modules = processes.filter(({ name }) => MODULE_PROCESSES.has(name));
  const [largest = { name: 'none', mb: 0 }] = modules
    .map(({ name, pid }) => ({ name, mb: of(pid) }))
    .sort((a, b) => b.mb - a.mb);
  return { total: [...bytes.values()].reduce((sum, bytesOfProcess) => sum + bytesOfProcess, 0) / 1e6, largest };
}
