/** People of the platform, of one test only: somebody has one impersonation at a time. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Schemas } from '@hms/api-client';
import { send } from '@hms/service/testing';
import { CONSOLE_REALM, type ConsoleRole } from '@hms/tenancy';
import { decodeJwt } from 'jose';
import { platform } from '../platform.ts';
import { asKeycloakAdmin } from './keycloak-admin.ts';
import { codesTo } from './mails.ts';
import { until } from './until.ts';

export interface ConsolePerson {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** Takes the role away, and gives it back. */
  setRole(has: boolean): Promise<void>;
}

const PASSWORD = 'a long passphrase';
const realm = CONSOLE_REALM;
/** Logins are limited by the client's network, which other suites share. */
const NETWORK = { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.2` };

/** Creates somebody of the platform. */
export async function consolePerson(name: ConsoleRole): Promise<ConsolePerson> {
  const admin = await asKeycloakAdmin();
  const email = `sam.${randomUUID().slice(0, 8)}@console.example`;
  const { id } = await admin.users.create({
    ...{ realm, username: email, email, emailVerified: true, firstName: 'Sam', lastName: 'Support', enabled: true },
    credentials: [{ type: 'password', value: PASSWORD }],
  });
  const setRole = async (has: boolean) => {
    const { users, roles } = await asKeycloakAdmin();
    const role = await roles.findOneByName({ realm, name });
    const mapping = { realm, id, roles: [{ id: role?.id ?? '', name }] };
    await (has ? users.addRealmRoleMappings(mapping) : users.delRealmRoleMappings(mapping));
  };
  await setRole(true);
  return { id, email, password: PASSWORD, setRole };
}

type Credentials = Pick<ConsolePerson, 'email' | 'password'>;

/** Logs somebody of the platform in. @returns the access token. */
export async function consoleToken(person: Credentials): Promise<string> {
  return (await consoleSession(person)).accessToken;
}

/** Logs somebody of the platform in, with the code of a new email. */
export async function consoleSession({ email, password }: Credentials): Promise<Schemas['Session']> {
  const url = `http://127.0.0.1:${platform().ports.auth}`;
  const post = (path: string, body: object) => send(url, 'POST', `/api/auth/${path}`, { body, headers: NETWORK });
  const former = (await codesTo(email)).length;
  const { challenge } = (await post('login', { hospital: realm, email, password })).data<{ challenge: string }>();
  const [code = ''] = await until(
    'a code',
    async () => (await codesTo(email)).slice(former),
    ({ length }) => length > 0,
  );
  const session = (await post('verify', { challenge, code })).data<Schemas['Session']>();
  if (decodeJwt(session.accessToken).email !== email) throw new Error('the token is of somebody else');
  return session;
}
