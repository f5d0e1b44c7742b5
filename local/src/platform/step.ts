/** Common parts of the platform's steps. */
import { logFile, PROJECT } from '../layout.ts';
import type { ProcessStep } from '../process/spec.ts';
import type { Platform } from './options.ts';

type Own = Pick<ProcessStep, 'name' | 'after' | 'command' | 'args' | 'address' | 'ready'> & Partial<ProcessStep>;

/** A process with the default settings, which `own` overrides. */
export function processStep(platform: Platform, own: Own): ProcessStep {
  return {
    kind: 'process',
    cwd: PROJECT,
    log: logFile(platform.dirs, own.name),
    startTimeout: 60_000,
    stopSignal: 'SIGTERM',
    stopTimeout: 10_000,
    ...own,
    env: { ...inherited(), ...own.env },
  };
}

/**
 * Variables that a child inherits: those that locate programs, certificates and proxies, but none that change the
 * behaviour of Node or Java.
 */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|JAVA_HOME|XDG_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/;

function inherited(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && INHERITED.test(name)) env[name] = value;
  }
  return env;
}
