/** Users to try the platform with. They exist only on the one-machine platform, and are created on demand. */
import { ApiError, apiClient, dataOf, type Schemas } from '@hms/api-client';
import { CONSOLE_REALM, type ConsoleRole, type HospitalRole, STAFF } from '@hms/tenancy';
import { keycloakAdmin } from './platform/keycloak-admin.ts';
import { poll } from './poll.ts';
import { Problem } from './problem.ts';
import type { PlatformState } from './state.ts';

/** How long a code may take to arrive. */
const CODE_MS = 20_000;
/** How long the account of an employee may take. */
const ACCOUNT_MS = 60_000;

export interface Login {
  readonly hospital: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Ensures that a realm has the demonstration user of a role. @param hospital prefix, or `console` for the platform's own
 * users. @param who tells several users of one role apart, such as `-2`. @returns the credentials of this user.
 */
export async function demonstrationUser(
  state: PlatformState,
  hospital: string,
  role: HospitalRole | ConsoleRole,
  who = '',
): Promise<Login> {
  return ensureUser(await keycloakAdmin(state.keycloakUrl, state.keycloakAdmin), state, hospital, role, who);
}

/** Everybody of a hospital, and an administrator of the platform. */
export interface Logins {
  readonly hospital: string;
  /** Of all of them. */
  readonly password: string;
  /** By role. */
  readonly emails: readonly string[];
  /** Of the administrator, who also needs a code that is mailed. */
  readonly administrator: string;
}

/** Ensures that a hospital has an employee of each role, who can log in, and the platform an administrator. */
export async function demonstrationUsers(state: PlatformState, hospital: string): Promise<Logins> {
  const admin = await keycloakAdmin(state.keycloakUrl, state.keycloakAdmin);
  await employ(state, hospital);
  const [administrator, ...people] = await Promise.all([
    ensureUser(admin, state, CONSOLE_REALM, 'PLATFORM_ADMIN'),
    ...STAFF.map((role) => ensureUser(admin, state, hospital, role)),
  ]);
  return {
    ...{ hospital, password: state.demonstrationPassword, administrator: administrator.email },
    emails: people.map(({ email }) => email),
  };
}

/** Hires who is no employee yet, as the owner does, and waits for their accounts. */
async function employ(state: PlatformState, hospital: string): Promise<void> {
  const { accessToken } = await demonstrationSession(state, hospital, 'OWNER');
  const api = apiClient(state.gateway.proxy, accessToken);
  /** Those who have an account, or will have one, by address. */
  const read = async () => {
    const all = await dataOf(api.GET('/api/hms/employees', { params: { query: { q: 'Demo', limit: 100 } } }));
    return new Map(all.flatMap((one) => (one.status === 'terminated' ? [] : [[one.email, one] as const])));
  };
  const others = STAFF.filter((role) => role !== 'OWNER');
  const known = await read();
  for (const role of others) {
    const email = emailOf(role, hospital);
    const body = { firstName: 'Demo', lastName: lastNameOf(role), email, roles: [role] };
    if (!known.has(email)) await dataOf(api.POST('/api/hms/employees', { body }));
  }
  const areThere = async () => {
    const hired = await read();
    return others.every((role) => hired.get(emailOf(role, hospital))?.accountId != null) || undefined;
  };
  // The gateway counts each request.
  if (!(await poll(areThere, { timeout: ACCOUNT_MS, interval: 1_000 })))
    throw new Problem(`The employees got no accounts within ${ACCOUNT_MS / 1000} s: see the log of auth.`);
}

function emailOf(role: string, hospital: string, who = ''): string {
  return `${role.toLowerCase().replaceAll('_', '-')}${who}@${hospital}.example`;
}

async function ensureUser(
  admin: Awaited<ReturnType<typeof keycloakAdmin>>,
  state: PlatformState,
  realm: string,
  role: HospitalRole | ConsoleRole,
  who = '',
): Promise<Login> {
  const email = emailOf(role, realm, who);
  const password = state.demonstrationPassword;
  const granted = await admin.roles.findOneByName({ realm, name: role }).catch(() => undefined);
  if (!granted?.id) {
    throw new Problem(
      `Hospital ${realm} has no role ${role} yet: see hmsctl hospital get ${realm}, and retry when it is Ready.`,
    );
  }
  const profile = {
    email,
    enabled: true,
    emailVerified: true,
    firstName: 'Demo',
    lastName: lastNameOf(role),
    requiredActions: [],
  };
  const [existing] = await admin.users.find({ realm, email, exact: true });
  const id = existing?.id ?? (await admin.users.create({ realm, username: email, ...profile })).id;
  // The first owner has a name of their own.
  const { firstName = profile.firstName, lastName = profile.lastName } = existing ?? {};
  if (existing) await admin.users.update({ realm, id }, { ...profile, firstName, lastName });
  await admin.users.resetPassword({ realm, id, credential: { type: 'password', value: password, temporary: false } });
  await admin.users.addRealmRoleMappings({ realm, id, roles: [{ id: granted.id, name: role }] });
  return { hospital: realm, email, password };
}

/**
 * Logs in the demonstration user of a role, with the code from the mail catcher where one is required.
 * @throws ApiError if a login is refused.
 */
export async function demonstrationSession(
  state: PlatformState,
  hospital: string,
  role: HospitalRole | ConsoleRole,
  who = '',
): Promise<Schemas['Session']> {
  const credentials = await demonstrationUser(state, hospital, role, who);
  const api = apiClient(state.gateway.proxy);
  const former = new Set((await mailsTo(state, credentials.email)).map(({ id }) => id));
  const outcome = await dataOf(api.POST('/api/auth/login', { body: credentials }));
  if ('accessToken' in outcome) return outcome;
  const { challenge } = outcome;
  const session = await poll(
    async () => {
      // A login of the same user elsewhere gets a code too.
      for (const { id, subject } of await mailsTo(state, credentials.email)) {
        const [code] = /\b\d{6}\b/.exec(subject) ?? [];
        if (former.has(id) || code === undefined) continue;
        former.add(id);
        const answer = await dataOf(api.POST('/api/auth/verify', { body: { challenge, code } })).catch(unlessWrong);
        if (answer) return answer;
      }
      return undefined;
    },
    { timeout: CODE_MS },
  );
  if (!session) throw new Problem(`The mail catcher ${state.mail.webUrl} got no code for ${credentials.email}.`);
  return session;
}

function unlessWrong(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_CODE') throw error;
}

interface CaughtMail {
  readonly id: string;
  readonly subject: string;
  readonly to: readonly { readonly address: string }[];
}

async function mailsTo({ mail }: PlatformState, address: string): Promise<readonly CaughtMail[]> {
  const answer = await fetch(`${mail.webUrl}/api/email`);
  if (!answer.ok) throw new Problem(`The mail catcher ${mail.webUrl} answers ${answer.status}.`);
  const mails = (await answer.json()) as readonly CaughtMail[];
  return mails.filter(({ to }) => to.some((recipient) => recipient.address === address));
}

/** DOCTOR is Demo Doctor, LAB_TECH is Demo Lab Tech. */
function lastNameOf(role: string): string {
  return role
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(' ');
}
