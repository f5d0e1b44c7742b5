/**
 * A paired display signs in again after each process that it needs was killed, and while two processes of the auth module
 * run.
 */
import { dataOf } from '@hms/api-client';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
} from '../support/displays.ts';
import { Engines } from '../support/engines.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { freshHospital, whenReady } from '../support/hospitals.ts';
import { kill } from '../support/signal.ts';
import { Television } from '../support/television.ts';
import { until } from '../support/until.ts';

const SLOW = 240_000;
/** Keycloak starts slowly on a busy machine. */
const AVAILABLE_MS = 180_000;
/** Every process between a display and its token. */
const PROCESSES = ['auth', 'gateway', 'web', 'postgres', 'keycloak'];

const engines = new Engines(platform());
let hospital: string;
let admin: string;
let clinic: string;

beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  admin = await tokenOf(hospital, 'ADMIN');
  clinic = await newClinic('ENT', admin);
}, SLOW);
afterAll(() => engines.close());

/** Signs a television in, as often as it takes. @returns the access token. */
const signedIn = (television: Television) =>
  until(
    'a token',
    async () => {
      const answer = await television.ask().catch(() => undefined);
      return (answer?.body?.data as { readonly accessToken: string } | undefined)?.accessToken ?? '';
    },
    Boolean,
    AVAILABLE_MS,
  );

const pair = async (code: string) =>
  dataOf(api(admin).POST('/api/auth/displays', { body: { code, name: 'Waiting room', clinicIds: [clinic] } }));

async function pairedTelevision(): Promise<{ television: Television; display: Display }> {
  const television = new Television(`${hospital}.${platform().domain}`);
  const display = await pair(await television.start());
  await signedIn(television);
  return { television, display };
}

describe('a paired display', () => {
  let television: Television;
  let display: Display;
  let account: string;

  beforeAll(async () => {
    ({ television, display } = await pairedTelevision());
    account = claimsOf(await signedIn(television)).sub;
  }, SLOW);

  it.each(PROCESSES)(
    'signs in again after %s was killed, as the same display',
    async (name) => {
      await kill(name);
      const token = await signedIn(television);
      const claims = claimsOf(token);
      expect(claims).toMatchObject({ display_id: display.id, sub: account, realm_access: { roles: ['DISPLAY'] } });
      const shown = await until(
        'what it shows',
        () =>
          api(token)
            .GET('/api/auth/displays/me')
            .catch(() => undefined),
        (answer) => answer?.data !== undefined,
        AVAILABLE_MS,
      );
      expect(shown?.data?.data).toMatchObject({ id: display.id, clinics: [{ id: clinic }] });
    },
    SLOW,
  );

  it(
    'is still known after all of that, and another one can be paired',
    async () => {
      await whenReady(hospital);
      admin = await tokenOf(hospital, 'ADMIN');
      const other = await pairedTelevision();
      const ids = (await displaysOf(hospital).list(admin)).map(({ id }) => id).sort();
      expect(ids).toEqual([display.id, other.display.id].sort());
      expect((await accountsOfDisplays(hospital)).map((line) => line.split(' ')[0])).toEqual(ids);
    },
    SLOW,
  );
});

describe('two processes of the auth module', () => {
  const processes = new AuthProcesses();
  let one: Displays;
  let two: Displays;

  beforeAll(async () => {
    await whenReady(hospital);
    admin = await tokenOf(hospital, 'ADMIN');
    one = displaysOf(hospital);
    two = displaysOf(hospital, (await processes.serving()).url);
  }, SLOW);
  afterAll(() => processes.end());

  it('find at either what was approved at the other', async () => {
    for (const [there, here] of [
      [one, two],
      [two, one],
    ] as const) {
      const { deviceCode, userCode } = await there.begin();
      expect(outcome(await here.ask(deviceCode))).toBe('AUTHORIZATION_PENDING');
      const { id } = (await here.pair(userCode, admin, clinic)).data<Display>();
      expect(claimsOf((await there.tokenFor(deviceCode)).accessToken).display_id).toBe(id);
    }
  });

  it('make one display of a code that is entered at both at a time', async () => {
    const { deviceCode, userCode } = await one.begin();
    const before = (await one.list(admin)).length;
    const answers = await Promise.all([one, two, one, two].map((at) => at.pair(userCode, admin, clinic)));
    expect(answers.map(outcome).sort()).toEqual([201, ...Array(3).fill('DISPLAY_CODE_UNKNOWN')]);
    await two.tokenFor(deviceCode);
    expect(await one.list(admin)).toHaveLength(before + 1);
    expect(await accountsOfDisplays(hospital)).toHaveLength(before + 1);
  });

  it('sign in one display, whichever of them it asks at a time', async () => {
    const { deviceCode, userCode } = await one.begin();
    const asked = Promise.all([one, two, one, two].map((at) => at.tokenFor(deviceCode)));
    const { id } = (await two.pair(userCode, admin, clinic)).data<Display>();
    for (const { accessToken, deviceCode: next } of await asked) {
      expect(claimsOf(accessToken).display_id).toBe(id);
      expect(next).toBeNull();
    }
  });

  it('replace a secret by the same one', async () => {
    const { deviceCode, userCode } = await one.begin();
    const { id } = (await two.pair(userCode, admin, clinic)).data<Display>();
    await one.tokenFor(deviceCode);
    const { schema } = hospitalNames(hospital);
    await engines.db.raw(`UPDATE ??.display_secrets SET since = since - interval '8 days' WHERE display_id = ?`, [
      schema,
      id,
    ]);
    const answers = await Promise.all([one, two, one, two].map((at) => at.tokenFor(deviceCode)));
    const [next] = answers.map((answer) => answer.deviceCode);
    expect(next).not.toBeNull();
    expect(new Set(answers.map((answer) => answer.deviceCode))).toEqual(new Set([next]));
    // The first use at one ends the former secret at the other.
    await one.tokenFor(next ?? '');
    expect(outcome(await two.ask(deviceCode))).toBe('EXPIRED_TOKEN');
    await two.tokenFor(next ?? '');
  });
});
