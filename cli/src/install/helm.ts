import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { codeOf } from '@hms/local';
import { atLeast } from '@hms/operator/doctor';
import { EXIT, Exit } from '../exit.ts';
import type { ClusterOptions } from '../kubeconfig.ts';
import { exit, handlingSignals, type Signal } from '../signals.ts';

const OLDEST = '3.14';
const WHERE = 'see https://helm.sh/docs/intro/install/ for how to get it; HELM can name one that is not on PATH';

/** The Helm program of this machine. */
export class Helm {
  readonly #program = process.env.HELM || 'helm';
  readonly #env: NodeJS.ProcessEnv;

  constructor({ kubeconfig, kubeContext }: ClusterOptions = {}) {
    this.#env = {
      ...process.env,
      ...(kubeconfig ? { KUBECONFIG: kubeconfig } : {}),
      ...(kubeContext ? { HELM_KUBECONTEXT: kubeContext } : {}),
    };
  }

  /** @throws Exit if it is missing or too old. */
  async check(): Promise<void> {
    const version = await this.read(['version', '--template', '{{.Version}}']);
    if (!atLeast(version, OLDEST))
      throw new Exit(EXIT.failure, `Helm is ${version}, and ${OLDEST} or newer is needed: ${WHERE}.`);
  }

  /** @returns its output. @throws Exit with its error. */
  async read(args: readonly string[]): Promise<string> {
    try {
      const options = { env: this.#env, maxBuffer: 64 * 1024 * 1024 };
      return (await promisify(execFile)(this.#program, args, options)).stdout;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new Exit(EXIT.failure, `there is no ${this.#program}: ${WHERE}.`);
      const { stderr = '' } = error as { stderr?: string };
      // Helm prints one line for each link of the chart.
      const errors = stderr.split('\n').filter((line) => !line.includes('found symbolic link'));
      throw new Exit(EXIT.failure, `helm ${args[0]}: ${errors.join('\n').trim() || String(error)}`);
    }
  }

  /** @returns a message on what to do about an unfinished operation of this release. */
  async unfinished(release: string, namespace: string): Promise<string | undefined> {
    const where = ['-n', namespace, '-o', 'json'];
    const pending = await this.read(['list', '--pending', '--filter', `^${release}$`, ...where]);
    if ((JSON.parse(pending) as unknown[]).length === 0) return undefined;
    const history = await this.read(['history', release, '--max', '256', ...where]);
    return unfinishedRemedy(release, namespace, JSON.parse(history) as Revision[]);
  }

  /** Runs it with visible output. If hmsctl is interrupted, Helm first records that. @returns whether it succeeded. */
  async run(args: readonly string[]): Promise<boolean> {
    const child = spawn(this.#program, args, { env: this.#env, stdio: 'inherit' });
    let interruption: Signal | undefined;
    const onSignal = (signal: Signal) => {
      interruption = signal;
      // The terminal sends Ctrl-C to Helm as well.
      if (signal !== 'SIGINT') child.kill(signal);
    };
    const [code] = await handlingSignals(onSignal, () => once(child, 'exit') as Promise<[number | null]>);
    if (interruption) exit(interruption);
    return code === 0;
  }
}

interface Revision {
  readonly revision: number;
  readonly status: string;
  readonly updated: string;
}

/** @param history oldest first. Exported for tests. */
export function unfinishedRemedy(release: string, namespace: string, history: readonly Revision[]): string {
  const last = history.at(-1);
  const complete = history.findLast(({ status }) => status === 'deployed' || status === 'superseded');
  const remedy = complete
    ? `helm rollback ${release} ${complete.revision} -n ${namespace} --wait`
    : `helm uninstall ${release} -n ${namespace}`;
  return `release ${release} is ${last?.status} since ${last?.updated}: another Helm is working on it, or was interrupted. If none is: ${remedy}, and run the same command again.`;
}
