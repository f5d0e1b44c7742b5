import { platform } from '../platform.ts';

/** Engines whose supervisor does not restart them when they hang. */
export type HangingEngine = 's3' | 'keycloak';

/** Stops or continues a process of the test platform: with SIGSTOP it accepts connections but does not answer. */
export function signal(engine: HangingEngine, how: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = platform().processes.find(({ name }) => name === engine)?.pid;
  if (!pid) throw new Error(`there is no ${engine} process`);
  // Keycloak is a script and its child process.
  process.kill(-pid, how);
}

/** For `afterEach`. */
export function continueAll(): void {
  signal('s3', 'SIGCONT');
  signal('keycloak', 'SIGCONT');
}
