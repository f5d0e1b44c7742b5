/** Nobody learns from the time of an answer whether an account or a hospital exists. */
import { randomUUID } from 'node:crypto';
import { send } from '@hms/service/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { freshHospital } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';

const SLOW = 300_000;
/** Of each kind of account, so many that no limit of failures is met. */
const ACCOUNTS = 8;
/** Attempts with each account. */
const ATTEMPTS = 5;
/** A tenth of a second of hashing would be missing without an account, and a request to Keycloak without a hospital. */
const NOTICEABLE = { ms: 12, share: 0.3 };
const KINDS = ['known', 'unknown', 'without a password', 'disabled'] as const;
type Kind = (typeof KINDS)[number];

let hospital: string;
const emailOf = (kind: Kind, n: number) => `${kind.replaceAll(' ', '-')}-${n}@${hospital}.example`;

beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  const { users } = await asKeycloakAdmin();
  for (const kind of KINDS.filter((one) => one !== 'unknown')) {
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const email = emailOf(kind, n);
      const credentials = kind === 'without a password' ? [] : [{ type: 'password', value: `Test-1-${randomUUID()}` }];
      const names = { firstName: 'Test', lastName: 'Person' };
      const enabled = kind !== 'disabled';
      await users.create({
        ...names,
        realm: hospital,
        username: email,
        email,
        emailVerified: true,
        enabled,
        credentials,
      });
    }
  }
}, SLOW);

let network = 0;

/** How long one answer takes, in milliseconds. Each request comes from another network, because those are limited. */
async function time(path: string, body: object, wanted: number): Promise<number> {
  network += 1;
  const headers = { 'X-Forwarded-For': `10.77.${network >> 8}.${network & 255}` };
  const started = performance.now();
  const { status } = await send(`http://127.0.0.1:${platform().ports.auth}`, 'POST', path, { body, headers });
  const took = performance.now() - started;
  expect(status).toBe(wanted);
  return took;
}

const median = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN;

/** Measures the kinds in turns, so that a slow moment concerns all of them. */
async function medians<Name extends string>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name, round: number) => Promise<number>,
): Promise<Readonly<Record<Name, number>>> {
  const times = new Map(names.map((name) => [name, [] as number[]]));
  // The first ones are slow: connections and keys.
  for (const name of names) await measure(name, 0);
  for (let round = 1; round < rounds; round += 1)
    for (const name of names.toSorted(() => Math.random() - 0.5)) times.get(name)?.push(await measure(name, round));
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}

function expectAlike({ known, ...others }: Readonly<Record<string, number>>): void {
  const usual = known ?? Number.NaN;
  const told = Object.entries(others).filter(
    ([, ms]) => Math.abs(ms - usual) > Math.max(NOTICEABLE.ms, NOTICEABLE.share * usual),
  );
  expect({ known: usual, told }).toEqual({ known: usual, told: [] });
}

it(
  'a refused login takes as long for an account, for none, for one that can not log in, and for no hospital',
  async () => {
    const login = (kind: Kind | 'of no hospital', round: number) => {
      const isNowhere = kind === 'of no hospital';
      const email = emailOf(isNowhere ? 'known' : kind, round % ACCOUNTS);
      const body = { hospital: isNowhere ? 'no-such-hospital' : hospital, email, password: 'a wrong passphrase' };
      return time('/api/auth/login', body, 401);
    };
    expectAlike(await medians([...KINDS, 'of no hospital'], ACCOUNTS * ATTEMPTS, login));
  },
  SLOW,
);

it(
  'a code for a forgotten password takes as long for an account and for none',
  async () => {
    const forgotten = (kind: Kind, round: number) =>
      time('/api/auth/password/forgotten', { hospital, email: emailOf(kind, round % ACCOUNTS) }, 200);
    expectAlike(await medians(KINDS, ACCOUNTS * ATTEMPTS, forgotten));
  },
  SLOW,
);
