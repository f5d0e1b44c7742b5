import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleEnv, NODE_LIMITS, type PlatformState } from '@hms/local';
import { moduleNamed } from '@hms/tenancy';

const SERVICES = join(import.meta.dirname, '..', '..', 'services');

/** The test's own module process, for engines without modules. */
export class ModuleProcess {
  readonly #child: ChildProcess;

  /** Starts it without waiting. @param services folder of the modules. */
  constructor(name: string, port: number, state: PlatformState, services = SERVICES) {
    const keyFile = join(state.dataDir, `${name}.test.pem`);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    this.#child = spawn(process.execPath, [...NODE_LIMITS, join(services, name, 'src', 'main.ts')], {
      env: {
        ...process.env,
        PORT: String(port),
        ...moduleEnv(state, moduleNamed(name).databaseRole),
        LOG_LEVEL: 'warn',
        AUTH_SIGNING_KEY_FILE: keyFile,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}
