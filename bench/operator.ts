/**
 * The operator: one hospital, a hundred at once, a restart with a hundred, and its memory while many are created and
 * deleted. The baseline of a hospital is the bare POST of the same realm on the same Keycloak in the same run.
 *
 * `make bench` runs it after bench/one-machine.ts. HMS_BENCH_HOSPITALS (100), HMS_BENCH_ROUNDS (15), HMS_BENCH_CYCLES
 * (300) make it shorter or longer; with these it takes about half an hour on two cores.
 */
import { readFileSync } from 'node:fs';
import { BACKEND_NAMES, type BackendName, Scene } from '../test/faults/scene.ts';
import { platform } from '../test/platform.ts';
import { Hospitals } from './hospitals.ts';
import { createBareRealm, keycloakAdmin } from './realms.ts';
import { compare, type Row, table, timed } from './table.ts';

const MANY = Number(process.env.HMS_BENCH_HOSPITALS ?? 100);
/** Many, because Keycloak needs one to four seconds to generate the keys of a realm. */
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 15);
/** Many for the same reason. */
const NEWCOMERS = numbered('newcomer', 9);
const CYCLES = Number(process.env.HMS_BENCH_CYCLES ?? 300);
const READY_GOAL_S = 5;

const scene = await Scene.set();
const rows: Row[] = [];
try {
  const hospitals = new Hospitals(platform());
  await applyAll(hospitals, numbered('warm-up', 3));
  const best = await bestConcurrency();
  for (const measure of [oneByOne, manyAtOnce, restart, deletion, createAndDelete]) {
    const measured = await measure(hospitals, best);
    process.stderr.write(`${table(measured)}\n`);
    rows.push(...measured);
  }
} finally {
  await scene.strike();
}
process.stdout.write(`${table(rows)}\n`);

/** The number of parallel POSTs of a realm that is the fastest on this machine, in two rounds each. */
async function bestConcurrency(): Promise<number> {
  const took = new Map([1, 2, 4].map((atOnce) => [atOnce, 0]));
  for (const round of [1, 2]) {
    for (const [atOnce, before] of took) {
      const names = numbered(`bare-${round}-at-${atOnce}`, 12);
      took.set(atOnce, before + (await timed(() => bareRealms(names, atOnce))));
      await deleteBareRealms(names, atOnce);
    }
  }
  return [...took].reduce((best, next) => (next[1] < best[1] ? next : best))[0];
}

/** One hospital and one bare realm alternately, so that both run under the same conditions. */
async function oneByOne(hospitals: Hospitals): Promise<Row[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const admin = await keycloakAdmin(platform());
    bare.push(await timed(() => createBareRealm(admin, `bare-one-${round}`)));
    ours.push(await timed(() => applyAll(hospitals, [`one-${round}`])));
    await removeAll(hospitals, [`one-${round}`]);
    await admin.realms.del({ realm: `bare-one-${round}` });
  }
  return [compare('one hospital: apply to Ready', ours, 'bare POST of its realm', bare, 's')];
}

/** Half of the bare realms before and half after, because each realm makes the next one slower. */
async function manyAtOnce(hospitals: Hospitals, best: number): Promise<Row[]> {
  const half = async (name: string) => {
    const names = numbered(`bare-${name}`, MANY / 2);
    const took = await timed(() => bareRealms(names, best));
    await deleteBareRealms(names, best);
    return took;
  };
  const before = await half('before');
  const ours = await timed(() => applyAll(hospitals, numbered('many', MANY)));
  const after = await half('after');
  return [
    compare(`${MANY} hospitals at once`, [ours], `${MANY} bare realms, ${best} at a time`, [before + after], 's'),
  ];
}

async function bareRealms(names: readonly string[], atOnce: number): Promise<void> {
  await inParallel(names, atOnce, async (realm) => createBareRealm(await keycloakAdmin(platform()), realm));
}

async function deleteBareRealms(names: readonly string[], atOnce: number): Promise<void> {
  const admin = await keycloakAdmin(platform());
  await inParallel(names, atOnce, (realm) => admin.realms.del({ realm }));
}

async function inParallel(
  names: readonly string[],
  atOnce: number,
  work: (name: string) => Promise<unknown>,
): Promise<void> {
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) await work(name);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/**
 * With all hospitals: one restart to count the cost of a complete reconcile, others with a new hospital during the
 * restart.
 */
async function restart(hospitals: Hospitals): Promise<Row[]> {
  let start = 0;
  const synced = await timed(async () => {
    start = await timed(restartOperator);
    await allReconciled();
  });
  const count = (of: (backend: BackendName) => readonly string[]) =>
    BACKEND_NAMES.reduce((sum, backend) => sum + of(backend).length, 0);
  const requests = count((backend) => scene.recorded(backend));
  const writes = count((backend) => scene.writesTo(backend));
  const newcomers: number[] = [];
  for (const name of NEWCOMERS) {
    await restartOperator();
    newcomers.push(await timed(() => applyAll(hospitals, [name])));
    await allReconciled();
  }
  return [
    compare(`restart with ${MANY} hospitals: all reconciled`, [synced], 'start of the process', [start], 's'),
    compare('new hospital during a restart: apply to Ready', newcomers, 'goal', [READY_GOAL_S], 's'),
    compare(
      'packets sent for each hospital that matches the spec',
      [requests / MANY],
      'engines',
      [BACKEND_NAMES.length],
      '',
    ),
    compare('writes to all engines in that restart', [writes], 'goal', [0], ''),
  ];
}

/** Deletes complete hospitals. The baseline is the deletion of a realm by Keycloak alone. */
async function deletion(hospitals: Hospitals, best: number): Promise<Row[]> {
  const bare = numbered('bare-removed', MANY / 10);
  await bareRealms(bare, best);
  const bareSeconds = (await timed(() => deleteBareRealms(bare, best))) / bare.length;
  const names = [...numbered('many', MANY), ...NEWCOMERS];
  const ours = (await timed(() => removeAll(hospitals, names))) / names.length;
  const traces = await Promise.all(names.map((name) => scene.engines.traces(name)));
  const leftovers = traces.flatMap((counts) => Object.values(counts)).filter((count) => Number(count) > 0).length;
  return [
    compare(`${names.length} hospitals deleted, each`, [ours], 'DELETE of a bare realm', [bareSeconds], 's'),
    compare('resources left in all engines', [leftovers], 'goal', [0], ''),
  ];
}

async function restartOperator(): Promise<void> {
  await scene.operator.stop('SIGTERM');
  scene.record();
  await scene.operator.start();
}

async function allReconciled(): Promise<void> {
  const reconciled = () => scene.recorded('identity').filter((piece) => piece.includes('partial-export')).length;
  while (reconciled() < MANY) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Memory after a first batch and at the end, with the same number of hospitals. */
async function createAndDelete(hospitals: Hospitals): Promise<Row[]> {
  const batch = 10;
  let early = 0;
  for (let cycle = 0; cycle < CYCLES / batch; cycle++) {
    const names = numbered(`cycle-${cycle}`, batch);
    await applyAll(hospitals, names);
    await removeAll(hospitals, names);
    if (cycle === 2) early = residentMb();
  }
  return [
    compare(`memory after ${CYCLES} hospitals were created and deleted`, [residentMb()], 'after 30', [early], 'MB'),
  ];
}

async function applyAll(hospitals: Hospitals, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => hospitals.apply(name)));
  await hospitals.ready(names);
}

async function removeAll(hospitals: Hospitals, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => hospitals.delete(name)));
  await hospitals.gone(names);
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${name}-${i}`);
}

function residentMb(): number {
  const [, pages = '0'] = readFileSync(`/proc/${scene.operator.pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4096) / 1e6;
}
