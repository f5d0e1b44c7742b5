/** Keycloak, unpacked and built once for PostgreSQL under /auth. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Progress, Report } from '../report.ts';
import { obtain, type Source, type Wanted } from './cache.ts';
import { findOnPath, inTurn, run } from './command.ts';
import { download } from './download.ts';
import { type Java, OLDEST_JAVA } from './java.ts';
import { KEYCLOAK_MAVEN, keycloakArchive, PINS } from './pins.ts';
import { unzip } from './unpack.ts';

export interface Keycloak {
  readonly home: string;
  readonly java: Java;
  /**
   * Class-data archive of this Keycloak and this Java. It exists after the first clean stop, and halves the start time.
   */
  readonly classes: string;
}

/**
 * Build options of Keycloak. The others are passed at start. Metrics are off, because Keycloak would expose them to the
 * pages of every site.
 */
const BUILD = ['--db=postgres', '--http-relative-path=/auth', '--health-enabled=true'];

export async function obtainKeycloak(cache: string, java: Java, dirs: Layout, report: Report): Promise<Keycloak> {
  const home = await obtain(cache, wanted(java, dirs), report);
  return { home, java, classes: path.join(home, `classes-${java.build}.jsa`) };
}

function wanted(java: Java, dirs: Layout): Wanted {
  const own = process.env.KEYCLOAK_HOME;
  const log = logFile(dirs, 'build-keycloak');
  const unpack = (archive: string, into: string) => unzip(archive, into, 1);
  const sources: Source[] = [];
  if (own) {
    sources.push({
      doing: `copying Keycloak from KEYCLOAK_HOME, ${own}`,
      fill: (into, progress) => copyHome(own, into).then(() => build(into, java, log, progress)),
    });
  }
  sources.push({
    doing: `downloading Keycloak ${PINS.keycloak} (160 MB) and building it`,
    async fill(into, progress) {
      const archive = `${into}.zip.tmp`;
      try {
        await download(keycloakArchive(), archive, progress);
        await unpack(archive, into);
      } finally {
        fs.rmSync(archive, { force: true });
      }
      await build(into, java, log, progress);
    },
  });
  sources.push({
    doing: `fetching Keycloak ${PINS.keycloak} with Maven and building it`,
    fill: async (into, progress) => {
      await unpack(await fetchWithMaven(log, progress), into);
      await build(into, java, log, progress);
    },
  });
  return {
    // The options are part of the name, so that other options cause another build.
    folder: `keycloak-${PINS.keycloak}-${digest(BUILD.join(' ') + (own ?? ''))}`,
    title: `Keycloak ${PINS.keycloak}`,
    advice: `Allow downloads from github.com, or install Maven (mvn), or unpack Keycloak ${PINS.keycloak} and set KEYCLOAK_HOME to its folder. Java ${OLDEST_JAVA} or newer is needed in any case.`,
    sources,
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

async function copyHome(home: string, into: string): Promise<void> {
  const version = fs.readFileSync(path.join(home, 'version.txt'), 'utf8').trim();
  if (!version.endsWith(PINS.keycloak)) throw new Error(`it holds "${version}", ${PINS.keycloak} is needed`);
  await fs.promises.cp(home, into, { recursive: true });
}

async function fetchWithMaven(log: string, progress: Progress): Promise<string> {
  const mvn = findOnPath('mvn');
  if (!mvn) throw new Error('there is no mvn on PATH');
  const repository = path.join(os.homedir(), '.m2', 'repository');
  await run(
    mvn,
    [
      '--batch-mode',
      'dependency:get',
      `-Dartifact=${KEYCLOAK_MAVEN.artifact}`,
      '-Dtransitive=false',
      `-Dmaven.repo.local=${repository}`,
    ],
    { log, progress },
  );
  return path.join(repository, KEYCLOAK_MAVEN.file);
}

function build(home: string, java: Java, log: string, progress: Progress): Promise<void> {
  const script = path.join(home, 'bin', 'kc.sh');
  fs.chmodSync(script, 0o755);
  const env = { ...process.env, JAVA: java.binary };
  return inTurn(progress, () => run(script, ['build', ...BUILD], { log, progress, env }));
}
