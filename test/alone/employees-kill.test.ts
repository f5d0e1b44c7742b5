/**
 * Processes of the auth module are killed at every request with which they create, change and close accounts. Neither an
 * employee without an account nor an account without an employee is left.
 */
import type { Schemas } from '@hms/api-client';
import { send } from '@hms/service/testing';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { AuthProcesses } from '../support/auth-processes.ts';
import { tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { signal } from '../support/signal.ts';
import { until } from '../support/until.ts';

type Employee = Schemas['Employee'];

const EMPLOYEES = '/api/hms/employees';
/** Requests with which an account is created, changed or closed, and the first one after them. */
const STEPS = [1, 2, 3, 4, 5, 6];
/** 1 kills at each step either before the request reaches Keycloak or after. 2 does both. */
const ROUNDS = Number(process.env.HMS_KILL_ROUNDS ?? 1);
/** How soon rows and accounts agree again. */
const AGREED_WITHIN_MS = 60_000;

let hospital: string;
let owner: string;
const auth = new AuthProcesses();

beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  owner = await tokenOf(hospital, 'OWNER');
  // Keycloak has the module's keys from then on, which the frozen process does not serve.
  const { id } = (await hms('POST', EMPLOYEES, person(0))).data<Employee>();
  await until(
    'an account',
    () => read(id),
    ({ accountId }) => accountId !== null,
  );
}, 120_000);
afterEach(() => {
  auth.kill();
  signal('auth', 'SIGCONT');
});
afterAll(() => auth.end());

const hms = (method: string, at: string, body?: object) =>
  send(`http://127.0.0.1:${platform().ports['hms-1']}`, method, at, { token: owner, ...(body ? { body } : {}) });
const read = async (id: string) => (await hms('GET', `${EMPLOYEES}/${id}`)).data<Employee>();
const person = (n: number) => ({
  firstName: 'Nora',
  lastName: `Night ${n}`,
  email: `nora${n}@example.org`,
  roles: ['NURSE', 'ADMIN'],
});

interface Pair {
  readonly email: string;
  readonly status: string;
  readonly roles: readonly string[];
  readonly enabled: boolean;
}

const byEmail = (one: { readonly email: string }, other: { readonly email: string }) =>
  one.email < other.email ? -1 : 1;

/** What the rows say about accounts. */
async function wanted(): Promise<readonly Pair[]> {
  const rows = (await hms('GET', `${EMPLOYEES}?limit=100`)).data<Employee[]>();
  return rows
    .map(({ email, status, roles }) => {
      const enabled = status !== 'terminated';
      return { email, status: enabled ? 'open' : 'closed', roles: enabled ? [...roles].sort() : [], enabled };
    })
    .sort(byEmail);
}

/** The accounts of employees in Keycloak. */
async function observed(): Promise<readonly Pair[]> {
  const { users } = await asKeycloakAdmin();
  const all = (await users.find({ realm: hospital, search: 'nora', max: 1000 })) as {
    id: string;
    email: string;
    enabled: boolean;
  }[];
  const pairs = await Promise.all(
    all.map(async ({ id, email, enabled }) => {
      const roles = (await users.listRealmRoleMappings({ realm: hospital, id })).map(({ name = '' }) => name);
      const own = roles.filter((name) => /^[A-Z_]+$/.test(name)).sort();
      return { email, status: enabled ? 'open' : 'closed', roles: own, enabled };
    }),
  );
  return pairs.sort(byEmail);
}

const PARITIES = Array.from({ length: ROUNDS }, (_, round) => round);
let people: Employee[] = [];

it.each(
  PARITIES.flatMap((parity) => [
    ['created', parity] as const,
    ['changed', parity] as const,
    ['terminated', parity] as const,
  ]),
)(
  'an employee who is %s has a matching account, wherever the process dies (%i)',
  async (change, parity) => {
    owner = await tokenOf(hospital, 'OWNER');
    signal('auth', 'SIGSTOP');
    if (change === 'created') {
      const bodies = STEPS.map((step) => person(100 * (parity + 1) + step));
      people = await Promise.all(bodies.map(async (body) => (await hms('POST', EMPLOYEES, body)).data<Employee>()));
    } else if (change === 'changed') {
      const changes = { roles: ['NURSE', 'CASHIER'], lastName: 'Noon' };
      for (const { id } of people) expect((await hms('PUT', `${EMPLOYEES}/${id}`, changes)).status).toBe(200);
    } else {
      for (const { id } of people) expect((await hms('POST', `${EMPLOYEES}/${id}/terminate`)).status).toBe(200);
    }
    const processes = await Promise.all(
      STEPS.map((step) => auth.doomed(step, (step + parity) % 2 === 0 ? 'before' : 'after')),
    );
    // The last steps are beyond what some changes take: those processes finish their task.
    const deaths = await until(
      'most processes to be killed',
      async () => processes.filter(({ signalCode }) => signalCode === 'SIGKILL').length,
      (count) => count >= STEPS.length - 2,
      60_000,
    );
    expect(deaths).toBeGreaterThanOrEqual(STEPS.length - 2);
    auth.kill();
    const killed = Date.now();
    signal('auth', 'SIGCONT');
    const rows = await wanted();
    await until(
      'rows and accounts to agree',
      observed,
      (accounts) => JSON.stringify(accounts) === JSON.stringify(rows),
      AGREED_WITHIN_MS,
    );
    const linked = async () => (await hms('GET', `${EMPLOYEES}?limit=100`)).data<Employee[]>();
    await until(
      'linked rows',
      linked,
      (all) => all.every(({ accountId }) => accountId !== null),
      AGREED_WITHIN_MS - (Date.now() - killed),
    );
  },
  180_000,
);
