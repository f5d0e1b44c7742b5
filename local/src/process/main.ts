/**
 * The supervisor's process: owns every process of one platform. Its parent sends it over IPC what to run.
 * Until it is released, it ends with its parent. A tied one always does.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { madeOnce, writeAtomic } from '../files.ts';
import { logFile } from '../layout.ts';
import { addressesOf } from '../platform/addresses.ts';
import { ensureSigningKey } from '../platform/kubernetes.ts';
import { type Engines, type PlatformOptions, platformOf } from '../platform/options.ts';
import { stepsOf } from '../platform/steps.ts';
import { sentence } from '../problem.ts';
import type { PlatformState } from '../state.ts';
import { rotate } from './log.ts';
import { type StepNews, Supervisor } from './supervisor.ts';
import { startTimeOf } from './table.ts';

/** Messages from the parent. */
export type Order =
  | { readonly order: 'start'; readonly options: PlatformOptions; readonly engines: Engines }
  | { readonly order: 'release' };

/** Messages to the parent. */
export type News = StepNews | { readonly news: 'up' } | { readonly news: 'failed'; readonly message: string };

const ROTATE_EVERY_MS = 10_000;

// Only the user of the platform's processes may read their files.
process.umask(0o077);

let released = false;
let stop: (code: number) => void = (code) => process.exit(code);
process.on('disconnect', () => {
  if (!released) stop(1);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(0));
process.on('message', (order: Order) => {
  if (order.order === 'release') {
    released = true;
    process.disconnect();
  } else void run(order.options, order.engines);
});

function tell(news: News): void {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
}

/** Standard output is the supervisor's log. */
function log(name: string, what: string): void {
  console.log(`${new Date().toISOString()} ${name} ${what}`);
}

async function run(options: PlatformOptions, engines: Engines): Promise<void> {
  const since = new Date().toISOString();
  const identity = { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' };
  let phase: PlatformState['phase'] = 'starting';
  try {
    const platform = await platformOf(options, engines);
    const { dirs } = platform;
    await ensureSigningKey(dirs.signingKey);
    await madeOnce(dirs.cookieKeys, () => `${randomBytes(32).toString('base64')}\n`);
    const addresses = addressesOf(platform);
    const supervisor: Supervisor = new Supervisor(stepsOf(platform), { changed: save, tell, log });
    function save(): void {
      const state: PlatformState = {
        ...addresses,
        dataDir: options.dataDir,
        ports: options.ports,
        phase,
        supervisor: identity,
        since,
        processes: supervisor.statuses,
      };
      writeAtomic(dirs.state, `${JSON.stringify(state, null, 2)}\n`);
    }
    log('supervisor', `starts the platform in ${options.dataDir}, pid ${process.pid}`);
    stop = (code) => {
      // Repeated request: the first stop continues.
      stop = () => undefined;
      phase = 'stopping';
      log('supervisor', 'stops the platform');
      save();
      void supervisor.stop().then(() => {
        log('supervisor', 'has stopped the platform');
        fs.rmSync(dirs.state, { force: true });
        process.exit(code);
      });
    };
    save();
    setInterval(() => {
      for (const { log: file } of supervisor.statuses) rotate(file);
      rotate(logFile(dirs, 'supervisor'));
    }, ROTATE_EVERY_MS).unref();
    await supervisor.start();
    phase = 'running';
    save();
    log('supervisor', 'has started everything');
    tell({ news: 'up' });
  } catch (error) {
    log('supervisor', `gives up: ${sentence(error)}`);
    tell({ news: 'failed', message: sentence(error) });
    stop(1);
  }
}
