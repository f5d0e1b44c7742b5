import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { codeOf } from '@hms/local';
import { atLeast } from '@hms/operator/doctor';
import { EXIT, Exit } from '../exit.ts';
import { exit, handlingSignals, type Signal } from '../signals.ts';

const OLDEST = '3.14';
const WHERE = 'https://helm.sh/docs/intro/install/ says how to get it; HELM names one that is not on PATH';

/** Helm as a program of this machine. */
export class Helm {
  readonly #program = process.env.HELM || 'helm';
  readonly #env: NodeJS.ProcessEnv;

  /** @param kubeconfig file that --kubeconfig names. */
  constructor(kubeconfig: string | undefined) {
    this.#env = { ...process.env, ...(kubeconfig ? { KUBECONFIG: kubeconfig } : {}) };
  }

  /** @throws Exit where there is none, or an old one. */
  async check(): Promise<void> {
    const version = await this.read(['version', '--template', '{{.Version}}']);
    if (!atLeast(version, OLDEST))
      throw new Exit(EXIT.failure, `Helm is ${version}, and ${OLDEST} or newer is needed: ${WHERE}.`);
  }

  /** @returns what it prints. @throws Exit with what it says is wrong. */
  async read(args: readonly string[]): Promise<string> {
    try {
      const options = { env: this.#env, maxBuffer: 64 * 1024 * 1024 };
      return (await promisify(execFile)(this.#program, args, options)).stdout;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new Exit(EXIT.failure, `there is no ${this.#program}: ${WHERE}.`);
      const { stderr = '' } = error as { stderr?: string };
      // links of the chart are told of, one line each
      const said = stderr.split('\n').filter((line) => !line.includes('found symbolic link'));
      throw new Exit(EXIT.failure, `helm ${args[0]}: ${said.join('\n').trim() || String(error)}`);
    }
  }

  /** @returns in words what to do where something was begun with this release that has not ended. */
  async unfinished(release: string, namespace: string): Promise<string | undefined> {
    const where = ['-n', namespace, '-o', 'json'];
    const pending = await this.read(['list', '--pending', '--filter', `^${release}$`, ...where]);
    if ((JSON.parse(pending) as unknown[]).length === 0) return undefined;
    const history = await this.read(['history', release, '--max', '256', ...where]);
    return wayOut(release, namespace, JSON.parse(history) as Revision[]);
  }

  /** Runs it with its output shown. When hmsctl is interrupted, Helm first records that. @returns whether it went well. */
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

/** @param history the oldest first. Exported for tests. */
export function wayOut(release: string, namespace: string, history: readonly Revision[]): string {
  const last = history.at(-1);
  const whole = history.findLast(({ status }) => status === 'deployed' || status === 'superseded');
  const remedy = whole
    ? `helm rollback ${release} ${whole.revision} -n ${namespace} --wait`
    : `helm uninstall ${release} -n ${namespace}`;
  return `release ${release} is ${last?.status} since ${last?.updated}: another Helm works on it, or was ended before it was done. When none does: ${remedy}, and run the same again.`;
}
