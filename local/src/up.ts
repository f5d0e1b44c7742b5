/** `make up`: starts a platform that serves a hospital. */
import path from 'node:path';
import { CONSOLE_REALM } from '@hms/tenancy';
import { Agent, fetch } from 'undici';
import { demonstrationUsers, type Logins } from './demonstration.ts';
import { DATA_DIR, layout, logFile, PROJECT } from './layout.ts';
import { poll } from './poll.ts';
import { type Ports, portsFrom, unmetWishes } from './ports.ts';
import { Problem } from './problem.ts';
import { duration, lineReport } from './report.ts';
import { applySample } from './sample.ts';
import { AlreadyRunning, type Started, startPlatform } from './start.ts';
import { livingState, type PlatformState } from './state.ts';

const SAMPLE = path.join(PROJECT, 'crds', 'samples', 'st-mary.yaml');
const READY_TIMEOUT_MS = 120_000;

export interface UpOptions {
  readonly dataDir?: string;
  readonly ports?: Ports;
  readonly write: (line: string) => void;
  /** Stops what was started and rejects. */
  readonly signal: AbortSignal;
}

/**
 * Starts everything, applies the first hospital, and leaves the platform running. If it runs already, checks that
 * all of it does. Throws an error for people if it can't.
 */
export async function up({
  dataDir = DATA_DIR,
  ports = portsFrom(process.env),
  write,
  signal,
}: UpOptions): Promise<void> {
  const begin = performance.now();
  const started = await startUnlessUp(dataDir, ports, write, signal);
  const state = started?.state ?? (await recheck(dataDir, signal));
  let logins: Logins;
  try {
    const hint = logFile(layout(dataDir), 'operator');
    const hospital = await applySample({
      kubeconfig: state.kubeconfig,
      manifest: SAMPLE,
      timeout: READY_TIMEOUT_MS,
      write,
      hint,
      signal,
    });
    logins = await demonstrationUsers(state, hospital);
  } catch (error) {
    if (signal.aborted) await started?.stop();
    else {
      started?.release();
      write('The processes keep running for inspection: hmsctl status, hmsctl logs; make down stops them.');
    }
    throw error;
  }
  started?.release();
  write('');
  write(
    started
      ? `The platform is up after ${duration(performance.now() - begin)}.`
      : `The platform was already up, since ${state.since}; all ${state.processes.length} processes run.`,
  );
  write(summary(state, logins));
}

/** @returns undefined if it is already up. */
async function startUnlessUp(...[dataDir, ...rest]: Parameters<typeof start>): Promise<Started | undefined> {
  if (livingState(dataDir)?.phase === 'running') return undefined;
  try {
    return await start(dataDir, ...rest);
  } catch (error) {
    if (error instanceof AlreadyRunning) return undefined;
    throw error;
  }
}

function start(dataDir: string, ports: Ports, write: (line: string) => void, signal: AbortSignal): Promise<Started> {
  return startPlatform({
    dataDir,
    ports,
    fast: false,
    report: lineReport(write),
    signal,
    tell(news) {
      if (news.news === 'ready')
        write(`  ✓ ${news.step.padEnd(18)} ${duration(news.took ?? 0).padEnd(10)} ${news.address ?? ''}`.trimEnd());
    },
  });
}

/** Checks a running platform: all of it runs, with the wanted ports. */
async function recheck(dataDir: string, signal: AbortSignal): Promise<PlatformState> {
  const settled = await poll(
    () => {
      const state = livingState(dataDir);
      return state?.processes.every((child) => child.state === 'running') ? state : undefined;
    },
    { timeout: 15_000, signal },
  );
  const state = settled ?? livingState(dataDir);
  if (!state) throw new Problem('The platform has just been stopped: run make up again.');
  const elsewhere = unmetWishes(process.env, state.ports);
  if (elsewhere.length > 0) {
    throw new Problem(
      `The platform is already up with other ports: ${elsewhere.join(', ')}. To change ports, run make down first.`,
    );
  }
  const dead = state.processes.filter((child) => child.state !== 'running');
  if (dead.length > 0) {
    throw new Problem(
      `The platform is up, but ${dead.map((child) => `${child.name} is ${child.state} (log: ${child.log})`).join(' and ')}. Run make down and make up if its log doesn't say what to do.`,
    );
  }
  const served = await fetch(`${state.gateway.admin}/status`, { dispatcher: new Agent(), signal }).catch(
    () => undefined,
  );
  if (!served?.ok)
    throw new Problem(`The gateway's ${state.gateway.admin}/status doesn't answer: see hmsctl logs gateway.`);
  return state;
}

function summary(state: PlatformState, { hospital, emails, password, administrator }: Logins): string {
  const doctor = `doctor@${hospital}.example`;
  const others = emails.filter((email) => email !== doctor).map((email) => email.split('@')[0]);
  const addresses = [
    ['front door', state.baseUrl],
    ['portal', `http://${hospital}.${state.domain}:${state.ports.gateway}`],
    ['console', `http://${CONSOLE_REALM}.${state.domain}:${state.ports.gateway}`],
    [
      'gateway',
      `${state.baseUrl}  (TLS: https://${state.domain}:${state.ports.gatewayTls}, Admin API: ${state.gateway.admin})`,
    ],
    [
      'Keycloak',
      `${state.keycloakUrl}/admin  (user admin; password: "keycloakAdmin" in ${layout(state.dataDir).secrets})`,
    ],
    ['mail', state.mail.webUrl],
    ['Kubernetes', `export KUBECONFIG=${state.kubeconfig}`],
    ['login', `hospital ${hospital}, ${doctor}, password ${password}`],
    ['', `${others.join(', ')} instead of doctor: the same password`],
    ['', `console: ${administrator}, the same password, and the code in the mail above`],
  ];
  return [
    ...addresses.map(([name = '', value]) => `  ${name.padEnd(11)} ${value}`),
    '',
    'Try next:',
    `  bin/hmsctl hospital list`,
    `  curl -H "Authorization: Bearer $(bin/hmsctl token --hospital st-mary --role DOCTOR)" ${state.baseUrl}/api/hms/patients`,
    `  bin/hmsctl hospital apply -f crds/samples/city-general.yaml --wait`,
  ].join('\n');
}
