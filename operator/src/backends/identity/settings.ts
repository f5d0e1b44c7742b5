import type { AdminRequest, RealmChange, RealmExport } from './change.ts';
import { overwriting, unequal, without } from './compare.ts';
import { INVITED_ATTRIBUTE, SMTP_PASSWORD_ATTRIBUTE } from './realm.ts';

/** Parts of a realm with separate requests. */
const PARTS = [
  'id',
  'keycloakVersion',
  'adminPermissionsClient',
  'roles',
  'defaultRole',
  'groups',
  'defaultGroups',
  'users',
  'clients',
  'clientScopes',
  'defaultDefaultClientScopes',
  'defaultOptionalClientScopes',
  'scopeMappings',
  'clientScopeMappings',
  'components',
  'authenticationFlows',
  'authenticatorConfig',
  'requiredActions',
  'identityProviders',
  'identityProviderMappers',
  'localizationTexts',
];
/** Maps that a request replaces completely. The others keep omitted keys. */
const REPLACED = ['attributes', 'smtpServer'];

/** The realm's own settings, and whether it is open. Pure. */
export function settingsChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const wanted: Record<string, unknown> = { ...without(expected, PARTS), attributes: attributesOf(expected, actual) };
  const present: Record<string, unknown> = { ...without(actual, PARTS), smtpServer: mailServerOf(expected, actual) };
  const differing = unequal(wanted, present);
  if (differing.length === 0) return [];
  // All of them, because Keycloak accepts some only together with others, such as those of a policy.
  const settings = Object.fromEntries(
    Object.entries<unknown>(overwriting(wanted, present)).map(([field, value]) => [
      field,
      REPLACED.includes(field) ? value : emptying(value, present[field]),
    ]),
  );
  return [
    {
      action: 'update',
      object: `realm ${expected.realm}`,
      detail: differing.join(', '),
      requests: requestsFor(expected, actual, settings),
    },
  ];
}

/**
 * Closing or opening a realm ends its sessions. Ending them changes `notBefore`, which is restored last, so that an
 * interrupted change is found by the next comparison.
 */
function requestsFor(expected: RealmExport, actual: RealmExport, settings: object): AdminRequest[] {
  const path = `/${expected.realm}`;
  const logout: AdminRequest = { method: 'POST', path: `${path}/logout-all`, body: {} };
  const update: AdminRequest = { method: 'PUT', path, body: settings };
  const opens = expected.enabled && !actual.enabled;
  // The process that disabled it may have stopped before it ended the sessions, which must not become valid again.
  if (opens) return [logout, { ...update, body: { ...settings, notBefore: expected.notBefore ?? 0 } }];
  const closes = !expected.enabled && (actual.enabled || actual.notBefore !== expected.notBefore);
  if (!closes) return [update];
  const done: AdminRequest = { method: 'PUT', path, body: { notBefore: expected.notBefore ?? 0 } };
  return [{ ...update, body: { ...settings, notBefore: 1 } }, logout, done];
}

/** What Keycloak shows instead of a password. */
const MASK = '**********';

/** The mail server with its password, which is the expected one if the realm has the mark of that. */
function mailServerOf(expected: RealmExport, actual: RealmExport): RealmExport['smtpServer'] {
  const mark = expected.attributes?.[SMTP_PASSWORD_ATTRIBUTE];
  const isExpected = mark !== undefined && actual.attributes?.[SMTP_PASSWORD_ATTRIBUTE] === mark;
  if (!isExpected || actual.smtpServer?.password !== MASK) return actual.smtpServer;
  return { ...actual.smtpServer, password: expected.smtpServer?.password };
}

/** The operator stores its own record there, and Keycloak stores copies of some settings. */
function attributesOf(expected: RealmExport, actual: RealmExport): Record<string, unknown> {
  const present: Readonly<Record<string, unknown>> = actual.attributes ?? {};
  const fields: Readonly<Record<string, unknown>> = { ...expected };
  const kept = Object.entries(present).filter(
    ([key, value]) => key === INVITED_ATTRIBUTE || (fields[key] !== undefined && String(fields[key]) === value),
  );
  return { ...Object.fromEntries(kept), ...expected.attributes };
}

function emptying(value: unknown, present: unknown): unknown {
  const isMap = (candidate: unknown): candidate is object =>
    typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
  return isMap(value) && isMap(present) ? overwriting(value, present) : value;
}
