/**
 * Processes of the auth module are killed in the middle of pairing: while a display gets its code, an administrator enters
 * it, the display signs in, and its account is made or removed. Each display is then paired, or can be paired with the
 * same code. Neither a display without an account nor an account without a display is left.
 */
import { hospitalNames } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { AuthProcesses } from '../support/auth-processes.ts';
import {
  accountsOfDisplays,
  claimsOf,
  type Display,
  type Displays,
  displaysOf,
  newClinic,
  outcome,
  type StartedPairing,
} from '../support/displays.ts';
import { Engines } from '../support/engines.ts';
import { tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { signal } from '../support/signal.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
const PENDING = 'AUTHORIZATION_PENDING';
const CHANGES_SECRET = 'UPDATE display_secrets SET next';
/** Requests with which an account is made: find, create, read its roles, read all roles, give the role. */
const STEPS = [1, 2, 3, 4, 5];
/** How soon rows and accounts agree again. */
const AGREED_WITHIN_MS = 60_000;
/** Each round kills at other points. */
const ROUNDS = Number(process.env.HMS_KILL_ROUNDS ?? 1);
const EVERY = Array.from({ length: ROUNDS }, (_, round) => round);

let hospital: string;
let admin: string;
let clinic: string;
const processes = new AuthProcesses();
const engines = new Engines(platform());
/** Of the test platform's own process, which also stands for the one that is started again. */
let displays: Displays;

beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  displays = displaysOf(hospital);
  admin = await tokenOf(hospital, 'ADMIN');
  clinic = await newClinic('ENT', admin);
  // Keycloak has the module's keys from then on, which the frozen process does not serve.
  const { deviceCode, userCode } = await displays.begin();
  expect(await displays.pair(userCode, admin, clinic)).toMatchObject({ status: 201 });
  await displays.tokenFor(deviceCode);
}, SLOW);
afterEach(() => {
  processes.kill();
  signal('auth', 'SIGCONT');
});
afterAll(() => Promise.all([processes.end(), engines.close()]));

/** Waits until each display has an account and each account a display. */
async function agreed(): Promise<void> {
  const both = async () => {
    const rows = (await displays.list(admin)).map(({ id, accountId }) => `${id} ${accountId}`).sort();
    return { rows, accounts: await accountsOfDisplays(hospital) };
  };
  await until(
    'displays and accounts to agree',
    both,
    ({ rows, accounts }) => JSON.stringify(rows) === JSON.stringify(accounts),
    AGREED_WITHIN_MS,
  );
}

/** What a display and its administrator do at a process, one after the other. */
const PAIRING = {
  'asks for its code': (at: Displays) => at.begin(),
  'is approved': (at: Displays, { userCode }: StartedPairing) => at.pair(userCode, admin, clinic),
  'signs in': (at: Displays, { deviceCode }: StartedPairing) => at.ask(deviceCode),
} as const;
type Step = keyof typeof PAIRING;

/** How far a display is before a step of its pairing. */
async function before(step: Step): Promise<StartedPairing> {
  const started = await displays.begin();
  if (step !== 'signs in') return started;
  const { id } = (await displays.pair(started.userCode, admin, clinic)).data<Display>();
  await displays.tokenFor(started.deviceCode);
  // The next answer has another secret.
  const { schema } = hospitalNames(hospital);
  await engines.db.raw(`UPDATE ??.display_secrets SET since = since - interval '8 days' WHERE display_id = ?`, [
    schema,
    id,
  ]);
  return started;
}

// What the process has just sent when it dies, and what the display is told then.
it.each<readonly [Step, 'postgres' | 'keycloak', readonly string[], ReturnType<typeof outcome>]>([
  ['asks for its code', 'postgres', ['INSERT INTO display_pairings'], PENDING],
  ['asks for its code', 'postgres', ['INSERT INTO display_pairings', 'COMMIT'], PENDING],
  ['is approved', 'postgres', ['DELETE FROM display_pairings WHERE code'], PENDING],
  ['is approved', 'postgres', ['INSERT INTO "displays"'], PENDING],
  ['is approved', 'postgres', ['INSERT INTO display_secrets'], PENDING],
  ['is approved', 'postgres', ['INSERT INTO display_secrets', 'COMMIT'], 200],
  ['signs in', 'keycloak', ['client_id=hms-display'], 200],
  ['signs in', 'postgres', [CHANGES_SECRET], 200],
  ['signs in', 'postgres', [CHANGES_SECRET, 'COMMIT'], 200],
])(
  'a display %s at a process that dies after it has told %s %j, and gets %s',
  async (step, engine, texts, told) => {
    admin = await tokenOf(hospital, 'ADMIN');
    const earlier = (await displays.list(admin)).length;
    const started = await before(step);
    const auth = await processes.serving();
    const killed = auth[engine].afterTexts(...texts).then(() => auth.child.kill('SIGKILL'));
    await expect(PAIRING[step](displaysOf(hospital, auth.url), started)).rejects.toThrow();
    await killed;
    // Without the code, the display asks again.
    const { deviceCode, userCode } = step === 'asks for its code' ? await displays.begin() : started;
    await until(
      'what it is told',
      async () => outcome(await displays.ask(deviceCode)),
      (now) => now === told,
      AGREED_WITHIN_MS,
    );
    if (told === PENDING) expect(await displays.pair(userCode, admin, clinic)).toMatchObject({ status: 201 });
    const { accessToken, deviceCode: next } = await displays.tokenFor(deviceCode);
    expect(claimsOf(accessToken).realm_access).toEqual({ roles: ['DISPLAY'] });
    // The answer that was lost had this secret.
    if (step === 'signs in') await displays.tokenFor(next ?? '');
    await agreed();
    expect(await displays.list(admin)).toHaveLength(earlier + 1);
  },
  SLOW,
);

let deviceCodes: string[] = [];
let ids: string[] = [];

it.each(EVERY.flatMap((round) => [['paired', round] as const, ['unpaired', round] as const]))(
  'a display that is %s has a matching account, wherever the task dies (%i)',
  async (change, round) => {
    admin = await tokenOf(hospital, 'ADMIN');
    signal('auth', 'SIGSTOP');
    // It changes the rows. Its tasks fail, and the next process takes them.
    const cut = await processes.serving();
    const own = displaysOf(hospital, cut.url);
    const codes = change === 'paired' ? await Promise.all(STEPS.map(own.begin)) : [];
    // It has the realm's keys from then on.
    await own.list(admin);
    await cut.keycloak.set('refuse');
    if (change === 'paired') {
      const answers = await Promise.all(codes.map(({ userCode }) => own.pair(userCode, admin, clinic)));
      ids = answers.map((answer) => answer.data<Display>().id);
      deviceCodes = codes.map(({ deviceCode }) => deviceCode);
    } else {
      for (const id of ids) expect(await own.unpair(id, admin)).toMatchObject({ status: 200 });
    }
    cut.child.kill('SIGKILL');
    // An account is found and deleted with two requests.
    const steps = change === 'paired' ? STEPS : [1, 2];
    const doomed = await Promise.all(
      steps.map((step) => processes.doomed(step, (step + round) % 2 === 0 ? 'before' : 'after')),
    );
    await until(
      'the processes to be killed',
      async () => doomed.filter(({ signalCode }) => signalCode === 'SIGKILL').length,
      (deaths) => deaths === steps.length,
      60_000,
    );
    signal('auth', 'SIGCONT');
    await agreed();
    const paired = await displays.list(admin);
    expect(paired.filter(({ id }) => ids.includes(id))).toHaveLength(change === 'paired' ? ids.length : 0);
    for (const deviceCode of deviceCodes) {
      if (change === 'paired') await displays.tokenFor(deviceCode);
      else expect(outcome(await displays.ask(deviceCode))).toBe('EXPIRED_TOKEN');
    }
  },
  SLOW,
);
