/**
 * What people notice of a key rotation: requests that the gateway refuses while it changes from one key of the issuer
 * to the other, under a load of logins and requests. HMS_BENCH_ROUNDS (10) is the number of rotations.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demonstrationUser, freePorts, lineReport, type PlatformState, startPlatform } from '@hms/local';
import { decodeProtectedHeader } from 'jose';
import { request } from 'undici';
import { PROBE_CLIENT } from '../operator/src/backends/identity/realm.ts';
import { Hospitals } from './hospitals.ts';
import { keycloakAdmin } from './realms.ts';
import { compare, median, table, timed } from './table.ts';

const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 10);
const NAME = 'rotating';
const LOGINS = 2;
const PEOPLE = 4;
const NO_LIMIT = { minute: 1_000_000, hour: 100_000_000 };

const dataDir = mkdtempSync(join(tmpdir(), 'hms-bench-keys-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report });
try {
  process.stdout.write(`${await measure(platform.state)}\n`);
} finally {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(state: PlatformState): Promise<string> {
  const hospitals = new Hospitals(state);
  await hospitals.apply(NAME, { gateway: { rateLimits: { auth: NO_LIMIT, hms: NO_LIMIT } } });
  await hospitals.ready([NAME]);
  const { email, password } = await demonstrationUser(state, NAME, 'DOCTOR');
  const secret = await probeSecret(state);
  const { proxy } = state.gateway;
  /** A request on the hospital's own host, whose limits are the hospital's. */
  const send = async (method: 'GET' | 'POST', path: string, token?: string, body?: object) => {
    const answer = await request(proxy + path, {
      method,
      headers: {
        host: `${NAME}.${state.domain}`,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as { readonly data?: Partial<Session> } };
  };
  const isServed = async (token = '') => (await send('GET', '/api/hms/check', token)).status === 200;
  const session = async (path: string, body: object): Promise<Partial<Session>> => {
    const { status, body: answer } = await send('POST', path, undefined, body);
    if (status !== 200) counts.loginsRefused += 1;
    return answer.data ?? {};
  };
  const login = () => session('/api/auth/login', { hospital: NAME, email, password });
  const counts = { logins: 0, loginsRefused: 0, firstRefused: 0, kept: 0, keptRefused: 0 };
  const refreshes: number[] = [];
  const withoutService: number[] = [];
  const moments: number[] = [];
  let running = true;

  /** Logs in again and again, and uses each token once. */
  async function logins(): Promise<void> {
    while (running) {
      const { accessToken } = await login();
      counts.logins += 1;
      if (accessToken && !(await isServed(accessToken))) counts.firstRefused += 1;
    }
  }

  /** Uses one token until it is refused, and refreshes it then. */
  async function person(): Promise<void> {
    let { accessToken, refreshToken } = await login();
    let refusedAt: number | undefined;
    while (running) {
      counts.kept += 1;
      if (await isServed(accessToken)) {
        if (refusedAt !== undefined) withoutService.push(performance.now() - refusedAt);
        refusedAt = undefined;
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      counts.keptRefused += 1;
      refusedAt ??= performance.now();
      const duration = await timed(async () => {
        ({ accessToken, refreshToken } = await session('/api/auth/refresh', { refreshToken }));
      });
      refreshes.push(1000 * duration);
    }
  }

  /** The time from the first token of the new key until the gateway accepts it. */
  async function moment(): Promise<void> {
    const old = kidOf(await probeToken(state, secret));
    await hospitals.annotate(NAME, { 'hms.dev/rotate-key-requested-at': new Date().toISOString() });
    let token = '';
    do {
      token = await probeToken(state, secret);
    } while (kidOf(token) === old);
    const since = performance.now();
    while (!(await isServed(token)));
    moments.push(performance.now() - since);
    await hospitals.until(NAME, ({ status }) => status?.signingKey?.state === 'Current');
  }

  const load = Promise.all([...Array.from({ length: LOGINS }, logins), ...Array.from({ length: PEOPLE }, person)]);
  const floor = await putsOf(state);
  await report.during(`${ROUNDS} rotations`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await moment();
  });
  running = false;
  await load;
  const each = (count: number) => [count / ROUNDS];
  return table([
    compare('new tokens are refused for', moments, 'one PUT of the credential, same load', floor, 'ms'),
    compare('logins and refreshes refused', [counts.loginsRefused], 'goal', [0], ''),
    compare(
      'first requests after a login refused, each rotation',
      each(counts.firstRefused),
      'logins',
      each(counts.logins),
      '',
    ),
    compare('requests with an earlier token refused, each rotation', each(counts.keptRefused), 'people', [PEOPLE], ''),
    compare('a person is refused for', [median(withoutService)], 'one refresh', [median(refreshes)], 'ms'),
  ]);
}

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
}

function kidOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? '';
}

async function probeSecret(state: PlatformState): Promise<string> {
  const admin = await keycloakAdmin(state);
  const [client] = await admin.clients.find({ realm: NAME, clientId: PROBE_CLIENT });
  return (await admin.clients.getClientSecret({ realm: NAME, id: client?.id ?? '' })).value ?? '';
}

async function probeToken({ keycloakUrl }: PlatformState, secret: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: PROBE_CLIENT,
    client_secret: secret,
  });
  const answer = await fetch(`${keycloakUrl}/realms/${NAME}/protocol/openid-connect/token`, { method: 'POST', body });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
}

/** Durations in ms of replacing the credential in the gateway with the same one. */
async function putsOf({ gateway }: PlatformState): Promise<readonly number[]> {
  const consumer = `${gateway.admin}/consumers/${NAME}/jwt`;
  const { data } = (await (await fetch(consumer)).json()) as { readonly data: readonly { readonly id: string }[] };
  const [credential] = data;
  const durations: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    const put = async () => {
      const headers = { 'content-type': 'application/json' };
      const url = `${consumer}/${credential?.id}`;
      const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(credential) });
      await answer.text();
      if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`);
    };
    durations.push(1000 * (await timed(put)));
  }
  return durations;
}
