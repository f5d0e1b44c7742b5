/** The Java that Keycloak runs on. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';
import { findOnPath } from './command.ts';

export const OLDEST_JAVA = 17;
const INSTALL = `Keycloak needs Java ${OLDEST_JAVA} or newer: install one (Debian and Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk), or set JAVA_HOME to it.`;

export interface Java {
  readonly binary: string;
  readonly major: number;
  /** Identifies a build of Java, because its class-data archive can't be used with another. */
  readonly build: string;
}

/** JAVA_HOME's Java, otherwise the one on PATH. Throws a `Problem` if there is none or it is too old. */
export async function findJava(env: NodeJS.ProcessEnv = process.env): Promise<Java> {
  const home = env.JAVA_HOME;
  const binary = home ? path.join(home, 'bin', 'java') : findOnPath('java', env);
  if (!binary) throw new Problem(`There is no java on PATH. ${INSTALL}`);
  let version: string;
  try {
    version = (await promisify(execFile)(binary, ['-version'], { env })).stderr;
  } catch {
    throw new Problem(`${binary}${home ? ' (from JAVA_HOME)' : ''} can't be run. ${INSTALL}`);
  }
  const major = majorOf(version);
  if (major === undefined) throw new Problem(`${binary} doesn't say which Java it is. ${INSTALL}`);
  if (major < OLDEST_JAVA) throw new Problem(`${binary} is Java ${major}. ${INSTALL}`);
  return { binary, major, build: createHash('sha256').update(version).digest('hex').slice(0, 12) };
}

/** Parses the output of `java -version`: 8 from `"1.8.0_402"`, 17 from `"17.0.15"`. */
export function majorOf(version: string): number | undefined {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  if (first === undefined) return undefined;
  return Number(first === '1' && second !== undefined ? second : first);
}
