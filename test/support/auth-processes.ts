/** More processes of the auth module, with the key of the test platform's own. They can be killed in the middle of work. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { freePorts, layout, moduleEnv } from '@hms/local';
import { request } from 'undici';
import { platform } from '../platform.ts';
import { FaultProxy } from './proxy.ts';
import { until } from './until.ts';

const MAIN = path.join(import.meta.dirname, '..', '..', 'services', 'auth', 'src', 'main.ts');
/** Every request about accounts has it in its path. */
const ABOUT_ACCOUNTS = '/admin/realms/';

/** A process that serves requests, through proxies before its engines. */
export interface ServingAuth {
  readonly child: ChildProcess;
  readonly url: string;
  readonly postgres: FaultProxy;
  readonly keycloak: FaultProxy;
}

export class AuthProcesses {
  readonly #children = new Set<ChildProcess>();
  readonly #servers = new Set<Server>();
  readonly #proxies = new Set<FaultProxy>();

  /** Starts one without waiting. It serves on any port. */
  start(environment: Readonly<Record<string, string>> = {}): ChildProcess {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        ...moduleEnv(platform(), 'auth'),
        PORT: '0',
        LOG_LEVEL: 'silent',
        AUTH_SIGNING_KEY_FILE: layout(platform().dataDir).signingKey,
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.add(child);
    return child;
  }

  /** Starts one and waits until it serves. */
  async serving(environment: Readonly<Record<string, string>> = {}): Promise<ServingAuth> {
    const env = moduleEnv(platform(), 'auth');
    const through = async (address: string) => {
      const url = new URL(address);
      const proxy = await FaultProxy.before(url.host);
      this.#proxies.add(proxy);
      url.host = proxy.address;
      return { proxy, address: url.href.replace(/\/$/, '') };
    };
    const [postgres, keycloak, { auth: port }] = await Promise.all([
      through(env.DATABASE_URL),
      through(env.KEYCLOAK_URL),
      freePorts(),
    ]);
    const child = this.start({
      PORT: String(port),
      DATABASE_URL: postgres.address,
      KEYCLOAK_URL: keycloak.address,
      ...environment,
    });
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('the process to be ready', isReady, Boolean, 120_000);
    return { child, url, postgres: postgres.proxy, keycloak: keycloak.proxy };
  }

  /**
   * Starts one that is killed at its nth request about accounts, before Keycloak gets it or before the response is read.
   * It runs one background task at a time.
   */
  async doomed(step: number, when: 'before' | 'after'): Promise<ChildProcess> {
    const target = new URL(platform().keycloakUrl).origin;
    let requests = 0;
    let child: ChildProcess | undefined;
    const server = createServer(async (incoming, outgoing) => {
      const { url = '', method = 'GET', headers } = incoming;
      const body = Buffer.concat(await incoming.toArray());
      if (url.includes(ABOUT_ACCOUNTS)) requests += 1;
      const isFatal = url.includes(ABOUT_ACCOUNTS) && requests === step;
      if (isFatal && when === 'before') child?.kill('SIGKILL');
      if (child?.killed) return;
      const { connection: _, ...sent } = headers as Record<string, string>;
      const answer = await request(`${target}${url}`, {
        method: method as 'GET',
        headers: sent,
        ...(body.length > 0 ? { body } : {}),
      });
      const answered = Buffer.from(await answer.body.arrayBuffer());
      if (isFatal) child?.kill('SIGKILL');
      const { 'transfer-encoding': __, connection: ___, ...shown } = answer.headers;
      outgoing.writeHead(answer.statusCode, shown as Record<string, string>).end(answered);
    });
    this.#servers.add(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    child = this.start({
      KEYCLOAK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`,
      TASK_CONCURRENCY: '1',
    });
    return child;
  }

  /** Kills all that still run. */
  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    this.#children.clear();
  }

  /** Kills all, and ends the proxies. */
  async end(): Promise<void> {
    this.kill();
    await Promise.all([...this.#proxies].map((proxy) => proxy.close()));
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
