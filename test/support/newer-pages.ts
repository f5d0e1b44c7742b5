/** The server of the pages as a newer release has it: the same files under another version, in a process of the test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePorts, layout } from '@hms/local';
import { platform } from '../platform.ts';
import { until } from './until.ts';

const WEB = path.resolve(import.meta.dirname, '..', '..', 'web');

export class NewerPages {
  readonly build: string;
  readonly port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(build: string, port: number, folder: string, child: ChildProcess) {
    this.build = build;
    this.port = port;
    this.#folder = folder;
    this.#child = child;
  }

  static async start(): Promise<NewerPages> {
    const built = execFileSync(process.execPath, [path.join(WEB, 'tools', 'build.ts'), '--find'], { encoding: 'utf8' });
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-newer-pages-'));
    fs.cpSync(built.trim(), folder, { recursive: true });
    const version = fs.readFileSync(path.join(folder, 'build.txt'), 'utf8').trim();
    const build = [...version].reverse().join('');
    for (const file of ['build.txt', 'tv-worker.js'].map((name) => path.join(folder, name)))
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(version, build));
    const { baseUrl, domain, ports, dataDir } = platform();
    const { web: port } = await freePorts();
    const child = spawn(process.execPath, [path.join(WEB, 'server', 'main.ts')], {
      env: {
        ...process.env,
        PORT: String(port),
        LOG_LEVEL: 'warn',
        BASE_URL: baseUrl,
        PLATFORM_DOMAIN: domain,
        CONSOLE_ORIGIN: baseUrl,
        AUTH_URL: `http://127.0.0.1:${ports.auth}`,
        S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${ports.s3}`,
        WEB_COOKIE_KEYS_FILE: layout(dataDir).cookieKeys,
        WEB_PAGES: folder,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const newer = new NewerPages(build, port, folder, child);
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('the newer pages', isReady, Boolean);
    return newer;
  }

  async stop(): Promise<void> {
    const ended = this.#child.exitCode === null && once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
