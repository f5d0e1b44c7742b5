/** The server of the pages with settings of the test, in a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePorts, layout, moduleTargets } from '@hms/local';
import { platform } from '../platform.ts';
import { until } from './until.ts';

const WEB = path.resolve(import.meta.dirname, '..', '..', 'web');

export class WebProcess {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.#child = child;
  }

  /** Starts it and waits until it serves. @param environment what differs from the platform's own. */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<WebProcess> {
    const { baseUrl, domain, ports, dataDir } = platform();
    const { web: port } = await freePorts();
    const child = spawn(process.execPath, [path.join(WEB, 'server', 'main.ts')], {
      env: {
        ...process.env,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        BASE_URL: baseUrl,
        PLATFORM_DOMAIN: domain,
        CONSOLE_ORIGIN: `http://console.${domain}:${ports.gateway}`,
        AUTH_URL: `http://127.0.0.1:${ports.auth}`,
        MODULE_TARGETS: moduleTargets(ports),
        S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${ports.s3}`,
        WEB_COOKIE_KEYS_FILE: layout(dataDir).cookieKeys,
        WEB_PAGES: builtPages(),
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const web = new WebProcess(port, child);
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('a server of the pages', isReady, Boolean);
    return web;
  }

  async stop(): Promise<void> {
    const ended = this.#child.exitCode === null && once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Folder of the pages that the platform serves. */
export function builtPages(): string {
  const build = path.join(WEB, 'tools', 'build.ts');
  return execFileSync(process.execPath, [build, '--find'], { encoding: 'utf8' }).trim();
}
