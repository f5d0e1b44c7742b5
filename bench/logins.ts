/**
 * What the auth module adds to a login at Keycloak, and whether the time of a response reveals that an account or a
 * hospital exists. HMS_BENCH_SAMPLES (500) makes it shorter or longer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { updateHospital } from '@hms/database';
import { freePorts, layout, lineReport, startPlatform } from '@hms/local';
import { type AuthScene, authScene, PASSWORD } from '../test/support/auth-scene.ts';
import { compare, median, type Row, table, timed } from './table.ts';

const SAMPLES = Number(process.env.HMS_BENCH_SAMPLES ?? 500);
/** Keycloak locks an account after ten wrong passwords, and the time of a locked one is another. */
const FAILURES_PER_ACCOUNT = 5;
const GOAL_MS = 150;
const NO_LIMIT = { failures: 1_000_000, window: 600 };
const NO_CODE_LIMITS = { tries: NO_LIMIT, mails: NO_LIMIT, requests: NO_LIMIT };

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-logins-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const only = ['database', 'keycloak'];
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only });
process.env.HMS_TEST_STATE = layout(dataDir).state;
let scene: AuthScene | undefined;
try {
  const people = Array.from({ length: Math.ceil(SAMPLES / FAILURES_PER_ACCOUNT) }, (_, n) => `person${n}`);
  scene = await authScene('None', Object.fromEntries(people.map((name) => [name, {}])));
  const rows = [...(await cost(scene)), ...(await secrecy(scene, people))];
  process.stdout.write(`${table(rows)}\n`);
} finally {
  await scene?.end();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Durations of requests in ms, one at a time, in an order that gives each the same neighbors. */
async function measure<Name extends string>(
  what: string,
  requests: Readonly<Record<Name, (n: number) => Promise<unknown>>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(requests) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  await report.during(what, async () => {
    for (let n = 0; n < SAMPLES; n += 1) {
      const order = n % 2 === 0 ? names : names.toReversed();
      for (const name of order) times[name].push(1000 * (await timed(() => requests[name](n))));
    }
  });
  return times;
}

async function cost(at: AuthScene): Promise<readonly Row[]> {
  const { prefix } = at.hospital;
  const unlimited = await at.start({ codeLimits: NO_CODE_LIMITS });
  const login = async () => {
    const body = { hospital: prefix, email: 'jane@example.org', password: PASSWORD };
    const { status } = await unlimited.send('POST', '/api/auth/login', { body });
    if (status !== 200) throw new Error(`a login answered ${status}`);
  };
  const keycloak = () => at.keycloak.login(prefix, 'jane@example.org', PASSWORD, '');
  const plain = await measure('logins with a password', { login, keycloak });
  await updateHospital(at.auth.operator, prefix, { secondFactor: 'Email' });
  const coded = await measure('logins with a second factor', { login, keycloak });
  await updateHospital(at.auth.operator, prefix, { secondFactor: 'None' });
  const added = (times: typeof plain) => median(times.login) - median(times.keycloak);
  return [
    compare('login', plain.login, 'Keycloak alone', plain.keycloak, 'ms'),
    compare('login with a second factor, until the challenge', coded.login, 'Keycloak alone', coded.keycloak, 'ms'),
    compare('added to a login', [added(plain)], 'goal', [GOAL_MS], 'ms'),
    compare('added to a login with a second factor', [added(coded)], 'goal', [GOAL_MS], 'ms'),
  ];
}

async function secrecy(at: AuthScene, people: readonly string[]): Promise<readonly Row[]> {
  const { prefix } = at.hospital;
  const limits = { account: NO_LIMIT, address: NO_LIMIT };
  const unlimited = await at.start({ limits, codeLimits: NO_CODE_LIMITS });
  const login = (hospital: string, email: string) =>
    unlimited.send('POST', '/api/auth/login', { body: { hospital, email, password: 'a wrong passphrase' } });
  const person = (n: number) => `${people[n % people.length]}@example.org`;
  const stranger = (n: number) => `stranger${n % people.length}@example.org`;
  const refused = await measure('refused logins', {
    wrong: (n) => login(prefix, person(n)),
    account: (n) => login(prefix, stranger(n)),
    hospital: (n) => login(`none-${prefix}`, person(n)),
  });
  const forgotten = (email: string) =>
    unlimited.send('POST', '/api/auth/password/forgotten', { body: { hospital: prefix, email } });
  const requested = await measure('forgotten passwords', {
    known: (n) => forgotten(person(n)),
    unknown: (n) => forgotten(stranger(n)),
  });
  return [
    compare('refused: wrong password', refused.wrong, 'unknown account', refused.account, 'ms'),
    compare('refused: wrong password', refused.wrong, 'unknown hospital', refused.hospital, 'ms'),
    compare('forgotten password: account', requested.known, 'no such account', requested.unknown, 'ms'),
  ];
}
