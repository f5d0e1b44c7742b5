/** The paths of the one-machine platform. */
import os from 'node:os';
import path from 'node:path';

/** The folder of the repository: `local/src/` is two levels below. */
export const PROJECT = path.resolve(import.meta.dirname, '..', '..');

/** Data folder of the platform that `make up` starts. HMS_DATA_DIR names another one. */
export const DATA_DIR = path.resolve(process.env.HMS_DATA_DIR || path.join(PROJECT, '.hms'));

/** Engines, shared by every checkout of this user: `${XDG_CACHE_HOME:-~/.cache}/hms`. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'hms');
}

/** Every path inside a data folder. */
export interface Layout {
  readonly dataDir: string;
  /** The state of the platform, written by the supervisor. */
  readonly state: string;
  /** Held while a platform starts or stops. */
  readonly lock: string;
  readonly logs: string;
  readonly secrets: string;
  readonly kubeconfig: string;
  readonly operatorKubeconfig: string;
  readonly consoleKubeconfig: string;
  readonly signingKey: string;
  /** Keys of the cookies of browsers. */
  readonly cookieKeys: string;
  readonly postgres: string;
  readonly etcd: string;
  readonly kubernetes: string;
  readonly s3: string;
  readonly s3Versions: string;
  readonly s3Accounts: string;
  readonly gateway: string;
  readonly mail: string;
  /** Certificates (PEM) that Keycloak trusts in addition to the well-known ones, if the folder exists. */
  readonly trust: string;
}

export function layout(dataDir: string): Layout {
  const inside = (...parts: string[]) => path.join(dataDir, ...parts);
  return {
    dataDir,
    state: inside('run', 'state.json'),
    lock: inside('run', 'up.lock'),
    logs: inside('logs'),
    secrets: inside('secrets.json'),
    kubeconfig: inside('kubeconfig'),
    operatorKubeconfig: inside('operator.kubeconfig'),
    consoleKubeconfig: inside('console.kubeconfig'),
    signingKey: inside('auth-signing-key.pem'),
    cookieKeys: inside('web-cookie-keys'),
    postgres: inside('postgres'),
    etcd: inside('etcd'),
    kubernetes: inside('kubernetes'),
    s3: inside('s3', 'buckets'),
    s3Versions: inside('s3', 'versions'),
    s3Accounts: inside('s3', 'accounts'),
    gateway: inside('gateway'),
    mail: inside('mail'),
    trust: inside('trust'),
  };
}

/** Log file of a process or of a build. */
export function logFile(dirs: Layout, name: string): string {
  return path.join(dirs.logs, `${name}.log`);
}
