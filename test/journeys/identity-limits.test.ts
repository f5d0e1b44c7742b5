/**
 * What the platform accepts, Keycloak accepts as well, in a realm as the operator sets it. Otherwise a person would be
 * told that a value was saved which their account can't get.
 */
import { employees } from '@hms/domain/employees';
import type { HospitalSpec } from '@hms/hospitals';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { NetworkError } from '@keycloak/keycloak-admin-client';
import { ownerAccount } from '../../operator/src/backends/identity/invitation.ts';
import { matchAccount } from '../../services/auth/src/employees/match.ts';
import { passwordChange } from '../../services/auth/src/passwords/passwords.schema.ts';
import { newRoleTemplate } from '../../services/console/src/role-templates/role-templates.schema.ts';
import { freshHospital, freshPrefix, HOSPITALS, kubernetes } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';

const SLOW = 120_000;
let realm: string;

beforeAll(async () => {
  realm = (await freshHospital()).metadata.name;
}, SLOW);

const a = (length: number, letter = 'a') => letter.repeat(length);
/** A name of this length in DNS, of labels of 49 characters and the rest. */
const domainOf = (length: number) =>
  `${`${a(49)}.`
    .repeat(6)
    .slice(0, length - 4)
    .replace(/[.]$/, 'a')}a.ie`.slice(-length);

/** Characters of ASCII that are no letters and digits, some others with a meaning, and some that look like another. */
const CHARACTERS = [
  ...Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).filter((one) => !/[b-zB-Z1-9]/.test(one)),
  ...['\u0085', '\u00a0', '§', 'é', 'ß', 'ı', '\u212a', '\u2028', '\u2029', '\u200b', '\u202e', '\u3000', '\ufffd'],
  ...['\ufeff', 'а', 'ο', 'ｅ', '李', '\u0627', '😀', '\ud800', 'e\u0301'],
];
const around = (character: string) => [`n${character}n`, `${character}n`, `n${character}`];

const EMAILS = [
  ...[63, 64, 65, 70].map((length) => `${a(length)}@example.org`),
  ...[63, 64].map((length) => `nora@${a(length)}.org`),
  ...[63, 64].map((length) => `nora@x.${a(length)}`),
  ...[188, 189, 190, 249, 250, 251].map((length) => `nora@${domainOf(length)}`),
  ...[188, 189, 190].map((length) => `${a(64)}@${domainOf(length)}`),
  ...CHARACTERS.flatMap((character) => [
    ...around(character).map((part) => `${part}@example.org`),
    ...around(character).map((part) => `nora@${part}.org`),
    `nora@example.${character}o`,
  ]),
  ...['"nora night"@example.org', '"nora"@example.org', 'nora+ward@example.org', '+@example.org', '-@example.org'],
  ...['nora@[192.0.2.1]', 'nora@[IPv6:2001:db8::1]', 'nora@192.0.2.1', 'nora@localhost', 'nora@example.org.', 'nora'],
  ...[' nora@example.org ', 'nora night@example.org', 'nora@example .org', 'nora@@example.org', 'nora@a@example.org'],
  ...['.nora@example.org', 'nora.@example.org', 'no..ra@example.org', 'nora@example..org', 'nora@.example.org'],
  ...['nora@-example.org', 'nora@example-.org', 'nora@exa--mple.org', 'nora@xn--80ak6aa92e.com', 'nora@xn--.com'],
  ...[
    'nora@xn--a.com',
    'nora@xn--999999999.com',
    'nora@аррӏе.com',
    'nora@bücher.example',
    'NORA@EXAMPLE.ORG',
    'n@e.ie',
  ],
];

const NAMES = [
  ...[1, 2, 100, 101].map((length) => a(length)),
  ...[100, 101].flatMap((length) => [
    a(length, '😀'),
    a(length, '李'),
    `${'e\u0301'.repeat(length / 2)}`,
    a(length, '<'),
  ]),
  ...[
    '\u0958'.repeat(100),
    'ﷺ'.repeat(100),
    'Nora Ann',
    ' Nora ',
    "O'Brien-Ł, J.-P.",
    'محمد‌رضا',
    'Dr. (Nora)',
    '-',
    '...',
  ],
  ...['https://example.org', 'example.org/login', '{{name}}', "'; DROP TABLE users; --"],
  ...CHARACTERS.flatMap(around),
];

const ROLES = [
  ...[1, 2, 62, 63, 64, 255, 256].map((length) => a(length, 'A')),
  ...['WARD_CLERK', 'A_', '_A', '1A', 'A1', 'a', 'OFFLINE_ACCESS', 'UMA_AUTHORIZATION', 'DEFAULT-ROLES', 'ADMIN', ''],
  ...CHARACTERS.map((character) => `A${character}A`),
];

const HOSTS = [
  ...[100, 200, 237, 238, 239, 240, 241, 244, 245, 246, 247, 252, 253, 254].map(domainOf),
  ...[`${a(63)}.example`, `${a(64)}.example`, 'xn--80ak6aa92e.com', 'a--b.example', 'a.b', 'example', '1.example'],
];
const ORIGINS = [
  ...HOSTS.map((host) => `https://${host}`),
  ...HOSTS.map((host) => `https://${host}:65535`),
  ...['https://a..b', 'https://a.-b', 'https://a-.b', 'https://1.2.3.4', 'https://256.1', 'https://example:1'],
  ...['http://localhost:3000', 'http://a.localhost', 'https://xn--.com', 'https://a.b.', 'https://1..2'],
];
const DISPLAY_NAMES = [
  ...[1, 120, 121].map((length) => a(length)),
  ...[120].flatMap((length) => [a(length, '😀'), a(length, '李')]),
  ...['<b>St. Mary</b>', '{{name}}', "St. Mary's", '"St" Mary'],
  ...CHARACTERS.map((character) => `St${character}Mary`),
];
const PASSWORDS = [
  ...[10, 11, 64, 65, 128, 129, 255, 256, 512, 1023, 1024].map((length) => a(length)),
  ...CHARACTERS.map((character) => `a long pass${character}phrase`),
];

type Refusal = string | undefined;
type Values = readonly string[];

/** A field whose values go to Keycloak: the platform's answer about a value, and Keycloak's. */
interface Field {
  readonly values: Values;
  /** @returns what goes to Keycloak, or undefined if the platform refuses the value. */
  readonly accepted: (value: string) => unknown | Promise<unknown>;
  readonly refusedByKeycloak: (accepted: never, keycloak: KeycloakAdminClient) => Promise<Refusal>;
}

const NORA = { firstName: 'Nora', lastName: 'Night', email: 'nora@example.org', roles: ['NURSE'] };
const CARL = { email: 'carl@example.org', firstName: 'Carl', lastName: 'Byrne' };

type Employed = typeof NORA;
let people = 0;

const employee = (field: keyof Employed): Omit<Field, 'values'> => ({
  accepted: (value) => employees.create.safeParse({ ...NORA, [field]: field === 'roles' ? [value] : value }).data,
  refusedByKeycloak: async ({ email, firstName, lastName }: Employed, keycloak) => {
    people += 1;
    const username = `emp-${String(people).padStart(6, '0')}`;
    const wanted = { id: null, username, email, firstName, lastName, enabled: true, roles: [], decided: [] };
    const matched = await matchAccount(keycloak, wanted, async () => true);
    if (matched.kind === 'matches') await keycloak.users.del({ id: matched.id });
    return matched.kind === 'refused' ? matched.reason : undefined;
  },
});

/** The specification of a hospital, as the API server accepts it. */
async function hospital(spec: object): Promise<HospitalSpec | undefined> {
  const body = { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name: freshPrefix() } };
  return kubernetes()
    .request<{ spec: HospitalSpec }>('POST', HOSPITALS, {
      query: { dryRun: 'All' },
      body: { ...body, spec: { displayName: 'Good Hope', ...spec } },
    })
    .then(
      (answer) => answer.spec,
      () => undefined,
    );
}

const owner = (field: keyof typeof CARL): Omit<Field, 'values'> => ({
  accepted: async (value) => (await hospital({ owner: { ...CARL, [field]: value } }))?.owner,
  refusedByKeycloak: (person: typeof CARL, { users }) =>
    refusal(async () => {
      const { id } = await users.create(ownerAccount(person));
      await users.del({ id });
    }),
});

const role = (accepted: Field['accepted']): Omit<Field, 'values'> => ({
  accepted,
  refusedByKeycloak: (name: string, { roles }) =>
    refusal(async () => {
      // The platform's own are there.
      if (await roles.findOneByName({ name })) return;
      await roles.create({ name });
      await roles.delByName({ name });
    }),
});

const origin = (accepted: Field['accepted']): Omit<Field, 'values'> => ({
  accepted,
  refusedByKeycloak: (value: string, { clients }) =>
    refusal(async () => {
      const portal = { clientId: freshPrefix(), publicClient: true, redirectUris: [`${value}/*`], webOrigins: [value] };
      const { id } = await clients.create(portal);
      await clients.del({ id });
    }),
});

const FIELDS: Readonly<Record<string, Field>> = {
  "an employee's address": { values: EMAILS, ...employee('email') },
  "an employee's given name": { values: NAMES, ...employee('firstName') },
  "an employee's family name": { values: NAMES, ...employee('lastName') },
  "an owner's address": { values: EMAILS, ...owner('email') },
  "an owner's given name": { values: NAMES, ...owner('firstName') },
  "an owner's family name": { values: NAMES, ...owner('lastName') },
  "a hospital's name": {
    values: DISPLAY_NAMES,
    accepted: async (displayName) => (await hospital({ displayName }))?.displayName,
    refusedByKeycloak: (displayName: string, { realms }) => refusal(() => realms.update({ realm }, { displayName })),
  },
  'a role of a hospital': {
    values: ROLES,
    ...role(async (name) => (await hospital({ identity: { roles: [name] } }))?.identity.roles[0]),
  },
  'a role template': {
    values: ROLES,
    ...role((name) => newRoleTemplate.safeParse({ name, description: 'x', permissions: [] }).data?.name),
  },
  'a host': {
    values: HOSTS,
    ...origin(async (host) => {
      const accepted = await hospital({ gateway: { hosts: [host] } });
      return accepted && `https://${accepted.gateway.hosts[0]}:65535`;
    }),
  },
  'an origin': {
    values: ORIGINS,
    ...origin(async (value) => (await hospital({ gateway: { origins: [value] } }))?.gateway.origins[0]),
  },
  'a password': {
    values: PASSWORDS,
    accepted: (newPassword) => passwordChange.safeParse({ currentPassword: 'x', newPassword }).data?.newPassword,
    refusedByKeycloak: (value: string, { users }) =>
      refusal(async () => {
        const { id } = await users.create({ username: freshPrefix(), enabled: true });
        await users.resetPassword({ id, credential: { type: 'password', value, temporary: false } });
        await users.del({ id });
      }),
  },
};

async function refusal(work: () => Promise<unknown>): Promise<Refusal> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return `${error.response.status} ${JSON.stringify(error.responseData)}`;
  }
}

describe.each(Object.entries(FIELDS))('%s', (_name, { values, accepted, refusedByKeycloak }) => {
  it(
    'is accepted only if Keycloak accepts it',
    async () => {
      // Its token is valid for a minute.
      const keycloak = await asKeycloakAdmin();
      keycloak.setConfig({ realmName: realm });
      const lost: string[] = [];
      let taken = 0;
      for (const value of new Set(values)) {
        const sent = await accepted(value);
        if (sent === undefined) continue;
        taken += 1;
        const reason = await refusedByKeycloak(sent as never, keycloak);
        if (reason !== undefined) lost.push(`${JSON.stringify(value)}: ${reason}`);
      }
      expect(lost).toEqual([]);
      expect(taken).toBeGreaterThan(3);
    },
    SLOW,
  );
});
