import { platform } from '../platform.ts';

/** Engines whose supervisor does not start them anew when they hang. */
export type HangingEngine = 's3' | 'keycloak';

/** Stops or continues a process of the test platform: SIGSTOP makes of it one that takes connections and is silent. */
export function signal(engine: HangingEngine, how: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = platform().processes.find(({ name }) => name === engine)?.pid;
  if (!pid) throw new Error(`there is no ${engine} process`);
  // Keycloak is a script and what it runs.
  process.kill(-pid, how);
}

/** For `afterEach`. */
export function continueAll(): void {
  signal('s3', 'SIGCONT');
  signal('keycloak', 'SIGCONT');
}
