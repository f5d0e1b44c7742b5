/**
 * The operator: one hospital, a hundred at once, a restart with a hundred, and its memory over many that come and go.
 * Hospitals are measured against the bare POST of the same realm on the same Keycloak in the same run.
 *
 * `make bench` runs it after bench/one-machine.ts. HMS_BENCH_HOSPITALS (100), HMS_BENCH_ROUNDS (15), HMS_BENCH_CYCLES
 * (300) make it shorter or longer; with these it takes about half an hour on two cores.
 */
import { readFileSync } from 'node:fs';
import { BACKEND_NAMES, type BackendName } from '../operator/src/backends/backend.ts';
import { Scene } from '../test/faults/scene.ts';
import { platform } from '../test/platform.ts';
import { Hospitals } from './hospitals.ts';
import { createBareRealm, keycloakAdmin } from './realms.ts';
import { against, type Row, table, timed } from './table.ts';

const MANY = Number(process.env.HMS_BENCH_HOSPITALS ?? 100);
/** Many, as Keycloak needs between one and four seconds to find the keys of a realm. */
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
  for (const measure of [oneByOne, manyAtOnce, restart, removal, comeAndGo]) {
    const measured = await measure(hospitals, best);
    process.stderr.write(`${table(measured)}\n`);
    rows.push(...measured);
  }
} finally {
  await scene.strike();
}
process.stdout.write(`${table(rows)}\n`);

/** How many POSTs of a realm at a time are the fastest on this machine, in two rounds of each. */
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

/** One hospital and one bare realm by turns, so that both meet the same machine. */
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
  return [against('one hospital: apply to Ready', ours, 'bare POST of its realm', bare, 's')];
}

/** Half of the bare realms before and half after, as realms get slower the more there are. */
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
    against(`${MANY} hospitals at once`, [ours], `${MANY} bare realms, ${best} at a time`, [before + after], 's'),
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

/** With all of them there: one restart to count what a full look costs, others with a new hospital in the midst. */
async function restart(hospitals: Hospitals): Promise<Row[]> {
  let start = 0;
  const synced = await timed(async () => {
    start = await timed(restartOperator);
    await looked();
  });
  const count = (of: (backend: BackendName) => readonly string[]) =>
    BACKEND_NAMES.reduce((sum, backend) => sum + of(backend).length, 0);
  const requests = count((backend) => scene.recorded(backend));
  const writes = count((backend) => scene.writesTo(backend));
  const newcomers: number[] = [];
  for (const name of NEWCOMERS) {
    await restartOperator();
    newcomers.push(await timed(() => applyAll(hospitals, [name])));
    await looked();
  }
  return [
    against(`restart with ${MANY} hospitals: all looked at`, [synced], 'until the process runs', [start], 's'),
    against('a new hospital in the midst of a restart: apply to Ready', newcomers, 'goal', [READY_GOAL_S], 's'),
    against(
      'pieces sent for each hospital that already matches its spec',
      [requests / MANY],
      'engines',
      [BACKEND_NAMES.length],
      '',
    ),
    against('writes to all engines in that restart', [writes], 'goal', [0], ''),
  ];
}

/** Everything that was a hospital's, against what Keycloak alone needs to delete a realm. */
async function removal(hospitals: Hospitals, best: number): Promise<Row[]> {
  const bare = numbered('bare-removed', MANY / 10);
  await bareRealms(bare, best);
  const theirs = (await timed(() => deleteBareRealms(bare, best))) / bare.length;
  const names = [...numbered('many', MANY), ...NEWCOMERS];
  const ours = (await timed(() => removeAll(hospitals, names))) / names.length;
  const traces = await Promise.all(names.map((name) => scene.engines.traces(name)));
  const left = traces.flatMap((found) => Object.values(found)).filter((found) => Number(found) > 0).length;
  return [
    against(`${names.length} hospitals deleted, each`, [ours], 'DELETE of a bare realm', [theirs], 's'),
    against('left of them in all engines', [left], 'goal', [0], ''),
  ];
}

async function restartOperator(): Promise<void> {
  await scene.operator.stop('SIGTERM');
  scene.record();
  await scene.operator.start();
}

async function looked(): Promise<void> {
  const seen = () => scene.recorded('identity').filter((piece) => piece.includes('partial-export')).length;
  while (seen() < MANY) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Memory after a first batch and at the end, when as many hospitals are there. */
async function comeAndGo(hospitals: Hospitals): Promise<Row[]> {
  const batch = 10;
  let early = 0;
  for (let cycle = 0; cycle < CYCLES / batch; cycle++) {
    const names = numbered(`cycle-${cycle}`, batch);
    await applyAll(hospitals, names);
    await removeAll(hospitals, names);
    if (cycle === 2) early = residentMb();
  }
  return [against(`memory after ${CYCLES} hospitals came and went`, [residentMb()], 'after 30', [early], 'MB')];
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
