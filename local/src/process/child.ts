/** A supervised process: started, awaited, restarted when it dies, stopped. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { poll } from '../poll.ts';
import { Problem } from '../problem.ts';
import { duration } from '../report.ts';
import { afterDeath, NO_DEATHS } from './backoff.ts';
import { lastLines, openLog } from './log.ts';
import { fellSilent, MOST_UNANSWERED } from './silence.ts';
import type { ProcessStep } from './spec.ts';
import { type Identity, signal, signalGroup, startTimeOf } from './table.ts';

export type ChildState = 'waiting' | 'starting' | 'running' | 'restarting' | 'stopping' | 'stopped';

/** The public status of a child. */
export interface ChildStatus {
  readonly name: string;
  readonly state: ChildState;
  readonly pid: number | undefined;
  readonly startTime: string | undefined;
  /** The number of restarts. */
  readonly restarts: number;
  /** How the previous run ended, with the ISO time. Undefined if it was never restarted. */
  readonly lastEnd: { readonly how: string; readonly at: string } | undefined;
  readonly address: string;
  /** ISO time of the latest start. */
  readonly since: string | undefined;
  readonly log: string;
  /** Signal for a clean stop. */
  readonly stopSignal: NodeJS.Signals;
}

const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 5_000;
const ALIVE_EVERY_MS = 5_000;

interface Run {
  readonly identity: Identity;
  readonly startedAt: number;
  readonly logFrom: number;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
}

export class Child {
  readonly step: ProcessStep;
  readonly #changed: () => void;
  readonly #log: (what: string) => void;
  readonly #stop = new AbortController();
  #state: ChildState = 'waiting';
  #run: Run | undefined;
  #restarts = 0;
  #lastEnd: ChildStatus['lastEnd'];
  #keeping: Promise<void> = Promise.resolve();

  /**
   * @param changed called immediately after each change of the status.
   * @param log called for each event. The text continues the child's name to a sentence.
   */
  constructor(step: ProcessStep, changed: () => void, log: (what: string) => void = () => undefined) {
    this.step = step;
    this.#changed = changed;
    this.#log = log;
  }

  get status(): ChildStatus {
    const { name, address, log, stopSignal } = this.step;
    const run = this.#run;
    const since = run && new Date(run.startedAt).toISOString();
    return {
      name,
      state: this.#state,
      pid: run?.identity.pid,
      startTime: run?.identity.startTime,
      restarts: this.#restarts,
      lastEnd: this.#lastEnd,
      address,
      since,
      log,
      stopSignal,
    };
  }

  /**
   * Starts it and waits until it is ready. From then on it is restarted when it dies. Throws with its last lines if it
   * dies before.
   */
  async start(): Promise<void> {
    this.#become('starting');
    await this.step.prepare?.();
    this.#stop.signal.throwIfAborted();
    const run = this.#spawn();
    const ended = await this.#readyOrEnded(run);
    if (ended !== undefined) {
      this.#stop.signal.throwIfAborted();
      this.#log(ended);
      const lines = lastLines(this.step.log, run.logFrom, 12).map((line) => `    ${line}`);
      throw new Problem(
        [`${this.step.name} ${ended}. Its last lines:`, ...lines, `All of them are in ${this.step.log}`].join('\n'),
      );
    }
    this.#serves(run);
    this.#keeping = this.#keep(run);
  }

  /** Stops it permanently: a signal, time to finish, then SIGKILL to its process group. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const run = this.#run;
    if (run) {
      this.#become('stopping');
      const { stopSignal, stopTimeout } = this.step;
      signal(run.identity.pid, stopSignal);
      const ended = await Promise.race([run.ended, delay(stopTimeout, undefined, { ref: false })]);
      if (ended === undefined) {
        this.#log(`did not end within ${duration(stopTimeout)} and is killed`);
        signalGroup(run.identity.pid, 'SIGKILL');
      }
      this.#log(`${await run.ended}, as requested`);
    }
    await this.#keeping;
    this.#become('stopped');
    if (run) this.step.stopped?.();
  }

  #become(state: ChildState): void {
    this.#state = state;
    this.#changed();
  }

  #spawn(): Run {
    const { step } = this;
    const { descriptor, from } = openLog(step.log);
    const child = spawn(step.command, step.args, {
      cwd: step.cwd,
      env: step.env,
      // Its own process group, so that a signal reaches all its children, and a terminal's Ctrl-C reaches none.
      detached: true,
      stdio: ['ignore', descriptor, descriptor],
      ...(step.uid === undefined ? {} : { uid: step.uid }),
      ...(step.gid === undefined ? {} : { gid: step.gid }),
    });
    fs.closeSync(descriptor);
    const { pid } = child;
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`can't be started: ${error.message}`));
      child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`));
    }).then((how) => {
      if (pid !== undefined) signalGroup(pid, 'SIGKILL'); // What the process itself left behind.
      this.#run = undefined;
      return how;
    });
    const run: Run = {
      identity: { pid: pid ?? 0, startTime: (pid && startTimeOf(pid)) || '' },
      startedAt: Date.now(),
      logFrom: from,
      ended,
    };
    if (pid !== undefined) this.#run = run;
    this.#log(`was started, pid ${pid ?? 'none'}`);
    this.#changed();
    return run;
  }

  #serves(run: Run): void {
    this.#log(`is ready after ${duration(Date.now() - run.startedAt)}`);
    this.#become('running');
  }

  /** @returns how it ended, or undefined if it is ready. */
  async #readyOrEnded(run: Run): Promise<string | undefined> {
    const over = new AbortController();
    const ready = poll(() => this.#isReady(over.signal), {
      timeout: this.step.startTimeout,
      interval: PROBE_INTERVAL_MS,
      signal: over.signal,
    }).catch(() => undefined);
    const first = await Promise.race([
      ready.then((is) => ({ ready: is === true })),
      run.ended.then((how) => ({ how })),
    ]);
    over.abort();
    if ('how' in first) return first.how;
    return first.ready ? undefined : `was not ready after ${this.step.startTimeout / 1000} s`;
  }

  async #isReady(signal: AbortSignal): Promise<true | undefined> {
    try {
      return (await this.step.ready(AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]))) || undefined;
    } catch {
      return undefined;
    }
  }

  /** Restarts it until `stop`. */
  async #keep(first: Run): Promise<void> {
    let run = first;
    let deaths = NO_DEATHS;
    let how: string | undefined;
    for (;;) {
      how ??= await this.#endOf(run);
      if (this.#stop.signal.aborted) return;
      deaths = afterDeath(deaths, Date.now() - run.startedAt);
      this.#lastEnd = { how, at: new Date().toISOString() };
      this.#log(`${how}; it is restarted in ${duration(deaths.delay)}`);
      this.#become('restarting');
      await delay(deaths.delay, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      this.#restarts += 1;
      run = this.#spawn();
      how = await this.#readyOrEnded(run);
      if (how === undefined) this.#serves(run);
      else {
        if (this.#run && !this.#stop.signal.aborted) signalGroup(run.identity.pid, 'SIGKILL');
        await run.ended;
      }
    }
  }

  /** Waits for the end of a run, and kills a hanging process. @returns how it ended. */
  async #endOf(run: Run): Promise<string> {
    const over = new AbortController();
    const hung = this.#killSilent(run, AbortSignal.any([over.signal, this.#stop.signal]));
    const how = await run.ended;
    over.abort();
    return (await hung) ? 'stopped answering and was killed' : how;
  }

  /** @returns whether it was silent for too long and was killed. */
  async #killSilent(run: Run, signal: AbortSignal): Promise<boolean> {
    const { alive, aliveEvery: every = ALIVE_EVERY_MS } = this.step;
    if (!alive) return false;
    const unanswered = (inRow: number) =>
      this.#log(`does not answer (${inRow} of ${MOST_UNANSWERED} times, ${duration(every)} each, until it is killed)`);
    const hangs = await fellSilent({ ask: alive, every, unanswered, signal });
    if (hangs) signalGroup(run.identity.pid, 'SIGKILL');
    return hangs;
  }
}
