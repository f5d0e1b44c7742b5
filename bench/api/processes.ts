/** The servers that are compared, each a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { freePorts, moduleEnv, type PlatformState } from '@hms/local';

export interface Server {
  readonly port: number;
  readonly pid: number;
}

export class Servers {
  readonly #state: PlatformState;
  readonly #issuer: { readonly baseUrl: string; readonly keycloakUrl: string };
  readonly #children: ChildProcess[] = [];

  constructor(state: PlatformState, issuer: { readonly baseUrl: string; readonly keycloakUrl: string }) {
    this.#state = state;
    this.#issuer = issuer;
  }

  /** Starts a module, and waits until it is ready. @param limits options of Node. Default: none. */
  async module(name: 'hms' | 'crm' | 'payment' | 'queue' | 'report', limits: readonly string[] = []): Promise<Server> {
    const port = (await freePorts())['hms-1'];
    const { pid = 0 } = this.#fork(`../../services/${name}/src/main.ts`, [], port, limits);
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
      if (ready?.ok) return { port, pid };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Starts a server of this folder, which sends its port. */
  async peer(file: string, args: readonly string[]): Promise<Server> {
    const child = this.#fork(file, args, 0);
    return {
      port: await new Promise((resolve) => child.once('message', (sent) => resolve(Number(sent)))),
      pid: child.pid ?? 0,
    };
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  #fork(file: string, args: readonly string[], port: number, limits: readonly string[] = []): ChildProcess {
    const { baseUrl, keycloakUrl } = this.#issuer;
    const child = fork(path.resolve(import.meta.dirname, file), [...args], {
      env: {
        ...process.env,
        ...moduleEnv(this.#state),
        ...{ PORT: String(port), BASE_URL: baseUrl, KEYCLOAK_URL: keycloakUrl, JWKS_BASE: keycloakUrl },
        LOG_LEVEL: 'info',
      },
      execArgv: [...limits],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#children.push(child);
    return child;
  }
}
