import { type ChildProcess, spawn } from 'node:child_process';
import { NODE_LIMITS, OPERATOR_MAIN } from '@hms/local';
import { until } from './until.ts';

/** The test's own operator, which can be killed and restarted. */
export class OperatorProcess {
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  /** The logs of it and its predecessors. */
  get log(): string {
    return this.#log;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts it with a changed environment. Returns when the process runs, not when it is ready.
   * @param main entry point of another release.
   */
  async start(changes: Readonly<Record<string, string>> = {}, main = OPERATOR_MAIN): Promise<void> {
    const from = this.#log.length;
    const child = spawn(process.execPath, [...NODE_LIMITS, main], {
      env: { ...process.env, ...this.#env, ...changes },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const take = (chunk: Buffer) => {
      this.#log += chunk.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    this.#child = child;
    await until(
      'the operator to run',
      async () => this.#log.slice(from),
      (text) => text.includes('the operator runs'),
    );
  }

  /** Ends it: SIGKILL like a crash, SIGTERM like Kubernetes. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}
