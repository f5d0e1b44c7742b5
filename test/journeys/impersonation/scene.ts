/** People of the platform and of two hospitals, and what they send. The files of the suite share them. */
import { randomInt } from 'node:crypto';
import type { Schemas } from '@hms/api-client';
import { demonstrationSession, demonstrationUser, layout, type PortName } from '@hms/local';
import { createMailer } from '@hms/mail';
import { type RequestOptions, send, startTestModule, type TestAnswer, type TestModule } from '@hms/service/testing';
import type { HospitalRole } from '@hms/tenancy';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { pino } from 'pino';
import { createAccounts } from '../../../services/auth/src/accounts.ts';
import { KeyWatch } from '../../../services/auth/src/key-watch.ts';
import { createKeycloak } from '../../../services/auth/src/keycloak.ts';
import { authModule } from '../../../services/auth/src/module.ts';
import { mailQueue } from '../../../services/auth/src/outgoing-mail.ts';
import {
  codeLimits,
  displayLimits,
  loginLimits,
  searchLimits,
} from '../../../services/auth/src/sessions/login-limits.ts';
import { readSigningKey } from '../../../services/auth/src/signing-key.ts';
import { platform } from '../../platform.ts';
import { type ConsolePerson, consolePerson, consoleToken } from '../../support/console-people.ts';
import { Engines } from '../../support/engines.ts';
import { freshHospital } from '../../support/hospitals.ts';
import { asKeycloakAdmin } from '../../support/keycloak-admin.ts';
import { HOSPITAL_PROCESSES } from '../../support/processes.ts';
import { until } from '../../support/until.ts';

export const SLOW = 120_000;
export const REASON = 'Ticket 4711: the list of patients stays empty';
export const IMPERSONATIONS = '/api/auth/impersonations';
export const state = platform();
export const engines = new Engines(state);
const NETWORK = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.3` };

export let hospital: string;
export let other: string;
export let support: ConsolePerson;
export let admin: ConsolePerson;
export let supportToken: string;
export let adminToken: string;
export let owner: string;
/** Another auth process, whose impersonations are short. */
export let short: TestModule;

beforeAll(async () => {
  [hospital, other, support, admin] = await Promise.all([
    freshHospital().then(({ metadata }) => metadata.name),
    freshHospital().then(({ metadata }) => metadata.name),
    consolePerson('PLATFORM_SUPPORT'),
    consolePerson('PLATFORM_ADMIN'),
  ]);
  for (const role of ['DOCTOR', 'RECEPTION', 'ADMIN', 'OWNER', 'DISPLAY'] as const)
    await demonstrationUser(state, hospital, role);
  await demonstrationUser(state, other, 'DOCTOR');
  short = await shortAuth();
}, SLOW);
beforeAll(async () => {
  supportToken = await consoleToken(support);
  adminToken = await consoleToken(admin);
  owner = (await demonstrationSession(state, hospital, 'OWNER')).accessToken;
}, SLOW);
afterAll(async () => {
  await short?.close();
  await engines.close();
}, SLOW);

/** Seconds. */
export const SHORT = 8;

async function shortAuth(): Promise<TestModule> {
  const { baseUrl, keycloakUrl, databaseUrls, ports } = state;
  const key = await readSigningKey(layout(state.dataDir).signingKey);
  const keycloak = createKeycloak({ baseUrl, keycloakUrl }, key);
  const log = pino({ level: 'silent' });
  const mailer = createMailer({ host: '127.0.0.1', port: ports.smtp, tls: 'none', from: 'test@example.org' });
  return startTestModule({
    databaseUrls,
    databaseRole: 'auth',
    identity: { baseUrl, keycloakUrl },
    define: (context) =>
      authModule({
        platform: context,
        registry: context.registry,
        ...{ baseUrl, key, keycloak, log, mailer },
        accounts: createAccounts(keycloak, keycloakUrl),
        limits: loginLimits(context.db),
        codeLimits: codeLimits(context.db),
        displayLimits: displayLimits(context.db),
        searchLimits: searchLimits(context.db),
        mails: mailQueue(mailer, log),
        keys: new KeyWatch({ onNewKey: async () => undefined, onError: () => undefined }),
        impersonationSeconds: SHORT,
      }),
  });
}

/** Directly at a process: the gateway would limit the requests. */
export const at = (process: PortName, method: string, path: string, options: RequestOptions = {}) =>
  send(`http://127.0.0.1:${state.ports[process]}`, method, path, { headers: NETWORK, ...options });
export const outcome = ({ status, success, error }: TestAnswer) => (success ? status : error.code);
export const email = (role: HospitalRole, at = hospital) => `${role.toLowerCase()}@${at}.example`;

interface Chosen {
  readonly token?: string;
  readonly role?: HospitalRole;
  readonly body?: object;
  readonly at?: TestModule;
}

/** A request to begin one. */
export function begin({
  token = supportToken,
  role = 'DOCTOR',
  body = {},
  at: module,
}: Chosen = {}): Promise<TestAnswer> {
  const request = { token, body: { hospital, email: email(role), reason: REASON, ...body } };
  return module ? module.send('POST', IMPERSONATIONS, request) : at('auth', 'POST', IMPERSONATIONS, request);
}

export const secretFor = (id: string, body: object, module?: TestModule) => {
  const path = `${IMPERSONATIONS}/${id}/token`;
  return module ? module.send('POST', path, { body }) : at('auth', 'POST', path, { body });
};

interface Live {
  readonly id: string;
  readonly token: string;
  readonly key: string;
  readonly code: string;
}

/** An impersonation with its first token. */
export async function acting(chosen: Chosen = {}): Promise<Live> {
  const begun = await begin(chosen);
  expect(outcome(begun)).toBe(201);
  const { impersonation, code } = begun.data<Schemas['StartedImpersonation']>();
  const first = await secretFor(impersonation.id, { hospital, code }, chosen.at);
  expect(outcome(first)).toBe(200);
  const { accessToken, key } = first.data<Schemas['ImpersonationToken']>();
  return { id: impersonation.id, token: accessToken, key, code };
}

export const renew = ({ id, key }: Pick<Live, 'id' | 'key'>, module?: TestModule) =>
  secretFor(id, { hospital, key }, module);
export const end = (id: string, token: string) => at('auth', 'POST', `${IMPERSONATIONS}/${id}/end`, { token });
export const patients = (token: string) => at('hms-1', 'GET', '/api/hms/patients', { token });
const PATIENT = { firstName: 'Ann', lastName: 'Lee', phone: '+353861234567', dateOfBirth: '1988-02-29' };
export const create = (token: string) => at('hms-1', 'POST', '/api/hms/patients', { token, body: PATIENT });

export const everywhere = (token: string) =>
  Promise.all(HOSPITAL_PROCESSES.map(async ([process, path]) => outcome(await at(process, 'GET', path, { token }))));

/** All modules refuse the token within two seconds. */
export async function expectRefused(token: string): Promise<void> {
  const answers = () => everywhere(token);
  await until('the token to be refused', answers, (all) => all.every((one) => one === 'UNAUTHENTICATED'), 2_000);
}

export async function audit(query: string): Promise<readonly Schemas['ShownAuditEvent'][]> {
  return (await at('auth', 'GET', `/api/auth/audit?${query}`, { token: owner })).data();
}

export async function accountOf(address: string, realm = hospital): Promise<string> {
  const [user] = await (await asKeycloakAdmin()).users.find({ realm, email: address, exact: true });
  return user?.id ?? '';
}
