/** Starting and stopping one platform. */
import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findJava } from './engines/java.ts';
import { obtainKeycloak } from './engines/keycloak.ts';
import { obtainKubernetes } from './engines/kubernetes.ts';
import { obtainPages } from './engines/pages.ts';
import { findPostgres } from './engines/postgres.ts';
import { obtainS3 } from './engines/s3.ts';
import { cacheDir, type Layout, layout, logFile } from './layout.ts';
import { withLock } from './lock.ts';
import type { Engines, PlatformOptions } from './platform/options.ts';
import { poll } from './poll.ts';
import { demandFree, PORT_NAMES } from './ports.ts';
import { Problem } from './problem.ts';
import type { News, Order } from './process/main.ts';
import type { StepNews } from './process/supervisor.ts';
import { isAlive, signal, signalGroup } from './process/table.ts';
import { type Report, silent } from './report.ts';
import { leftoverProcesses, livingState, type PlatformState, readState } from './state.ts';

export interface StartOptions extends PlatformOptions {
  readonly report?: Report;
  readonly tell?: (news: StepNews) => void;
  /** Aborts the start and leaves nothing running. */
  readonly signal?: AbortSignal;
}

/** This platform is already running. */
export class AlreadyRunning extends Problem {}

/** A platform started by this process, which ends with it unless it is released. */
export interface Started {
  readonly state: PlatformState;
  /** Detaches the platform from this process. */
  release(): void;
  /** Stops it and waits for its end. */
  stop(): Promise<void>;
}

/** Starts a platform that ends with this process. If it can't, it throws and leaves nothing running. */
export function startPlatform(options: StartOptions): Promise<Started> {
  const dirs = layout(options.dataDir);
  const report = options.report ?? silent;
  return withLock(dirs.lock, () => startLocked(dirs, options, report), {
    onWait: (holder) => report.note(`waiting for ${holder}, which is starting or stopping this platform`),
  });
}

async function startLocked(dirs: Layout, options: StartOptions, report: Report): Promise<Started> {
  // A supervisor that neither serves nor is awaited is stopping, because its command was interrupted.
  const settled = await poll(
    () => {
      const state = livingState(options.dataDir);
      return !state || state.phase === 'running' || undefined;
    },
    { timeout: STOP_TIMEOUT_MS, ...(options.signal ? { signal: options.signal } : {}) },
  );
  if (!settled || livingState(options.dataDir)) {
    throw new AlreadyRunning(`The platform in ${options.dataDir} is already running: hmsctl status shows it.`);
  }
  await clearLeftovers(options.dataDir);
  await demandFree(options.ports, PORT_NAMES);
  // Before the builds write there: only their own user may read the output of programs.
  fs.mkdirSync(dirs.logs, { recursive: true, mode: 0o700 });
  const { only, dataDir, ports, fast } = options;
  const engines = await unlessAborted(obtainEngines(dirs, report, only ? { only } : {}), options.signal);
  const child = forkSupervisor(dirs, options.dataDir);
  const plain: PlatformOptions = { dataDir, ports, fast, ...(only ? { only } : {}) };
  try {
    await unlessAborted(startedBy(child, { order: 'start', options: plain, engines }, options), options.signal);
  } catch (error) {
    if (child.connected) child.disconnect();
    await ended(child);
    await clearLeftovers(options.dataDir);
    throw error;
  }
  const state = livingState(options.dataDir);
  if (!state) throw new Problem(`The supervisor ended: see ${logFile(dirs, 'supervisor')}.`);
  // The open channel ties the two, but must not keep this process alive.
  child.unref();
  child.channel?.unref();
  return {
    state,
    release: () => void child.send({ order: 'release' } satisfies Order),
    stop: async () => void (await stopPlatform(options.dataDir)),
  };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/**
 * The engines, from the cache or from where they are published. Java first, so that its absence is reported before
 * anything is downloaded.
 * @throws Problem with what to do if one can't be had.
 */
export async function obtainEngines(
  dirs: Layout,
  report: Report,
  { only, oneByOne = false }: { readonly only?: PlatformOptions['only']; readonly oneByOne?: boolean } = {},
): Promise<Engines> {
  const cache = cacheDir();
  const [java, postgres] = await Promise.all([findJava(), findPostgres()]);
  const sources = {
    keycloak: () => obtainKeycloak(cache, java, dirs, report),
    kubernetes: () => obtainKubernetes(cache, dirs, report),
    s3: () => obtainS3(cache, dirs, report),
    pages: async () => (only && !only.includes('web') ? undefined : obtainPages(dirs, report)),
  };
  if (oneByOne) for (const source of Object.values(sources)) await source();
  const [keycloak, kubernetes, s3, pages] = await Promise.all([
    sources.keycloak(),
    sources.kubernetes(),
    sources.s3(),
    sources.pages(),
  ]);
  return { postgres, keycloak, kubernetes, s3, ...(pages === undefined ? {} : { pages }) };
}

/** The data folder is an argument, so that supervisors are distinguishable in a list of processes. */
function forkSupervisor(dirs: Layout, dataDir: string): ChildProcess {
  const log = fs.openSync(logFile(dirs, 'supervisor'), 'a', 0o600);
  try {
    return fork(path.join(import.meta.dirname, 'process', 'main.ts'), [dataDir], {
      detached: true,
      cwd: dataDir,
      execArgv: ['--max-old-space-size=128', '--max-semi-space-size=2', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    fs.closeSync(log);
  }
}

function startedBy(child: ChildProcess, order: Order, { tell, dataDir }: StartOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (news: News) => {
      if (news.news === 'up') resolve();
      else if (news.news === 'failed') reject(new Problem(news.message));
      else tell?.(news);
    });
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Problem(`The supervisor ended: see ${logFile(layout(dataDir), 'supervisor')}.`)),
    );
    child.send(order);
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Longer than the slowest stop: Keycloak's first, which writes its class archive. */
const STOP_TIMEOUT_MS = 150_000;

/** Time for a process of a killed supervisor to end, before it is killed too. */
const LEFTOVER_TIMEOUT_MS = 20_000;

/** Stops the platform of a data folder, and processes left by a killed supervisor. @returns whether anything ran. */
export async function stopPlatform(dataDir: string): Promise<boolean> {
  const state = livingState(dataDir);
  if (state) {
    process.kill(state.supervisor.pid, 'SIGTERM');
    await poll(() => !isAlive(state.supervisor) || undefined, { timeout: STOP_TIMEOUT_MS, interval: 50 });
    if (isAlive(state.supervisor)) process.kill(state.supervisor.pid, 'SIGKILL');
  }
  const leftovers = await clearLeftovers(dataDir);
  return state !== undefined || leftovers > 0;
}

/**
 * Ends the processes that a dead supervisor has recorded, if their pids still belong to the same processes.
 * @returns how many there were.
 */
export async function clearLeftovers(dataDir: string): Promise<number> {
  if (!readState(dataDir)) return 0;
  const leftovers = leftoverProcesses(dataDir);
  const allGone = () => leftovers.every((identity) => !isAlive(identity)) || undefined;
  // A clean stop if possible: after a SIGKILL, PostgreSQL refuses to start until its old process is reaped.
  for (const { pid, stopSignal } of leftovers) signal(pid, stopSignal);
  if (!(await poll(allGone, { timeout: LEFTOVER_TIMEOUT_MS, interval: 50 }))) {
    for (const identity of leftovers.filter(isAlive)) signalGroup(identity.pid, 'SIGKILL');
    if (!(await poll(allGone, { timeout: LEFTOVER_TIMEOUT_MS, interval: 50 }))) {
      const pids = leftovers.filter(isAlive).map(({ pid }) => pid);
      throw new Problem(`Processes of the last run don't end: ${pids.join(', ')}. End them manually.`);
    }
  }
  fs.rmSync(layout(dataDir).state, { force: true });
  return leftovers.length;
}
