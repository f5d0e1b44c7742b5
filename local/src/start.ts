/** Starting and stopping one platform. */
import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findJava } from './engines/java.ts';
import { obtainKeycloak } from './engines/keycloak.ts';
import { obtainKubernetes } from './engines/kubernetes.ts';
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
import { livingState, type PlatformState, readState } from './state.ts';

export interface StartOptions extends PlatformOptions {
  readonly report?: Report;
  readonly tell?: (news: StepNews) => void;
  /** Gives up and leaves nothing running. */
  readonly signal?: AbortSignal;
}

/** Somebody has started this platform already. */
export class AlreadyRunning extends Problem {}

/** A platform that was started by this process and ends with it, until it is released. */
export interface Started {
  readonly state: PlatformState;
  /** Lets the platform live on its own. */
  release(): void;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
}

/** Starts a platform that ends with this process. Throws a sentence, and leaves nothing running, when it can't. */
export function startPlatform(options: StartOptions): Promise<Started> {
  const dirs = layout(options.dataDir);
  const report = options.report ?? silent;
  return withLock(dirs.lock, () => startLocked(dirs, options, report), {
    onWait: (holder) => report.note(`waiting for ${holder}, which is starting or stopping this platform`),
  });
}

async function startLocked(dirs: Layout, options: StartOptions, report: Report): Promise<Started> {
  // a supervisor that is neither serving nor being waited for is on its way out: its command was ended
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
  // before the builds write there: the outputs of programs are for their own user only
  fs.mkdirSync(dirs.logs, { recursive: true, mode: 0o700 });
  const engines = await unlessAborted(obtainEngines(dirs, report), options.signal);
  const child = forkSupervisor(dirs, options.dataDir);
  const { only, dataDir, ports, fast } = options;
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
  // the open channel is what ties the two; it must not keep this process from ending
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

/** Java first: its absence is told before anything is downloaded. */
async function obtainEngines(dirs: Layout, report: Report): Promise<Engines> {
  const cache = cacheDir();
  const [java, postgres] = await Promise.all([findJava(), findPostgres()]);
  const [keycloak, kubernetes, s3] = await Promise.all([
    obtainKeycloak(cache, java, dirs, report),
    obtainKubernetes(cache, dirs, report),
    obtainS3(cache, dirs, report),
  ]);
  return { postgres, keycloak, kubernetes, s3 };
}

/** The data folder is an argument so that a list of processes tells one supervisor from another. */
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

/** For a process whose supervisor was killed to end, before it is killed too. */
const LEFTOVER_TIMEOUT_MS = 20_000;

/** Stops the platform of a data folder, and what a supervisor that was killed has left. @returns whether anything ran. */
export async function stopPlatform(dataDir: string): Promise<boolean> {
  const state = livingState(dataDir);
  if (state) {
    process.kill(state.supervisor.pid, 'SIGTERM');
    await poll(() => !isAlive(state.supervisor) || undefined, { timeout: STOP_TIMEOUT_MS, interval: 50 });
    if (isAlive(state.supervisor)) process.kill(state.supervisor.pid, 'SIGKILL');
  }
  const left = await clearLeftovers(dataDir);
  return state !== undefined || left > 0;
}

/**
 * Ends exactly the processes that a dead supervisor has recorded: those whose pid still belongs to the same process.
 * @returns how many there were.
 */
export async function clearLeftovers(dataDir: string): Promise<number> {
  const state = readState(dataDir);
  if (!state) return 0;
  const left = state.processes.flatMap(({ pid, startTime, stopSignal }) =>
    pid !== undefined && startTime !== undefined && isAlive({ pid, startTime }) ? [{ pid, startTime, stopSignal }] : [],
  );
  const allGone = () => left.every((identity) => !isAlive(identity)) || undefined;
  // ended well where they can: after a SIGKILL, PostgreSQL refuses to start as long as nobody has reaped its old process
  for (const { pid, stopSignal } of left) signal(pid, stopSignal);
  if (!(await poll(allGone, { timeout: LEFTOVER_TIMEOUT_MS, interval: 50 }))) {
    for (const identity of left.filter(isAlive)) signalGroup(identity.pid, 'SIGKILL');
    if (!(await poll(allGone, { timeout: LEFTOVER_TIMEOUT_MS, interval: 50 }))) {
      const pids = left.filter(isAlive).map(({ pid }) => pid);
      throw new Problem(`Processes of the last run don't end: ${pids.join(', ')}. End them by hand.`);
    }
  }
  fs.rmSync(layout(dataDir).state, { force: true });
  return left.length;
}
