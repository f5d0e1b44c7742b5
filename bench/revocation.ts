/**
 * How soon every process refuses the access token of a person who is suspended, while each of them is asked again and
 * again. HMS_BENCH_ROUNDS (20) is the number of people.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  demonstrationSession,
  freePorts,
  keycloakAdmin,
  lineReport,
  type PlatformState,
  type PortName,
  startPlatform,
} from '@hms/local';
import { request } from 'undici';
import { Hospitals } from './hospitals.ts';
import { median, type Row, table, timed } from './table.ts';

const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 20);
const NAME = 'revoking';
const PASSWORD = 'a long passphrase';
/** What docs/modules.md promises. */
const GOAL_MS = 2_000;
const PROCESSES: readonly (readonly [PortName, string])[] = [
  ['hms-1', '/api/hms/check'],
  ['hms-2', '/api/hms/check'],
  ['crm', '/api/crm/check'],
  ['queue-1', '/api/queue/check'],
  ['queue-2', '/api/queue/check'],
  ['auth', '/api/auth/check'],
];

const dataDir = mkdtempSync(join(tmpdir(), 'hms-bench-revocation-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report });
try {
  process.stdout.write(`${table(await measure(platform.state))}\n`);
} finally {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface Answer {
  readonly status: number;
  readonly data: { readonly id: string; readonly accountId: string | null; readonly accessToken: string };
}

async function measure(state: PlatformState): Promise<readonly Row[]> {
  const hospitals = new Hospitals(state);
  await hospitals.apply(NAME);
  await hospitals.ready([NAME]);
  const { accessToken: owner } = await demonstrationSession(state, NAME, 'OWNER');

  async function send(process: PortName, method: 'GET' | 'POST', path: string, token = '', body?: object) {
    const answer = await request(`http://127.0.0.1:${state.ports[process]}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { data } = (await answer.body.json()) as Pick<Answer, 'data'>;
    return { status: answer.statusCode, data };
  }

  /** An employee with a token. */
  async function hired(n: number) {
    const email = `nora${n}@${NAME}.example`;
    const body = { firstName: 'Nora', lastName: 'Night', email, roles: ['NURSE'] };
    const { id } = (await send('hms-1', 'POST', '/api/hms/employees', owner, body)).data;
    const read = () => send('hms-1', 'GET', `/api/hms/employees/${id}`, owner);
    let account = (await read()).data.accountId;
    while (account === null) account = (await read()).data.accountId;
    const { users } = await keycloakAdmin(state.keycloakUrl, state.keycloakAdmin);
    const credential = { type: 'password', value: PASSWORD, temporary: false };
    await users.resetPassword({ realm: NAME, id: account, credential });
    const login = { hospital: NAME, email, password: PASSWORD };
    const token = (await send('auth', 'POST', '/api/auth/login', '', login)).data.accessToken;
    return { id, token };
  }

  const refusals: number[] = [];
  const requests: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const { id, token } = await hired(n);
    // The login makes the employee active, which a suspension needs.
    while ((await send('hms-1', 'POST', `/api/hms/employees/${id}/suspend`, owner)).status !== 200);
    const suspended = performance.now();
    const refusal = async ([process, path]: (typeof PROCESSES)[number]): Promise<void> => {
      for (;;) {
        let status = 0;
        const seconds = await timed(async () => ({ status } = await send(process, 'GET', path, token)));
        if (status === 401) break;
        requests.push(seconds * 1000);
      }
      refusals.push(performance.now() - suspended);
    };
    await Promise.all(PROCESSES.map(refusal));
  }
  const goal = { baseline: 'goal', baselineValue: GOAL_MS, unit: 'ms' };
  return [
    { measurement: 'a process refuses the token after', value: median(refusals), ...goal },
    { measurement: 'the slowest one after', value: Math.max(...refusals), ...goal },
    {
      measurement: 'a process refuses the token after',
      value: median(refusals),
      baseline: 'one served request',
      baselineValue: median(requests),
      unit: 'ms',
    },
  ];
}
