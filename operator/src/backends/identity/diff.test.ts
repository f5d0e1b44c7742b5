import { describe, expect, it } from '@jest/globals';
import { describe as described } from '../backend.ts';
import type { RealmExport } from './change.ts';
import { realmChanges } from './diff.ts';
import { REFERENCE_REALM } from './expected.ts';
import { realmRepresentation } from './realm.ts';

/** The parts of Keycloak's own realm that are needed here. drift.long.test.ts uses the real one. */
const OWN = {
  keycloakVersion: '26.7.3',
  notBefore: 0,
  eventsListeners: ['jboss-logging'],
  authenticationFlows: [
    {
      alias: 'browser',
      builtIn: true,
      topLevel: true,
      authenticationExecutions: [{ authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 }],
    },
  ],
};

const settings = {
  id: '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e',
  ownerUid: 'uid',
  secondFactor: 'None' as const,
  displayName: "St. Mary's Hospital",
  enabled: true,
  claims: { hospital_prefix: 'st-mary' },
  accessTokenSeconds: 300,
  impersonation: true,
  origins: ['https://st-mary.example'],
  authJwksUrl: 'http://auth/.well-known/jwks.json',
  smtp: { host: 'mail', port: 25, tls: 'none' as const, from: 'no-reply@hms.example' },
};
const wanted = realmRepresentation({ ...settings, name: 'st-mary', roles: ['OWNER', 'DOCTOR', 'DISPLAY'] });
const reference: RealmExport = { ...realmRepresentation({ ...settings, name: REFERENCE_REALM, roles: [] }), ...OWN };

/** The realm as Keycloak exports it, with ids. */
function exported(changes: object = {}): RealmExport {
  const copy = structuredClone({ ...wanted, ...OWN });
  for (const client of copy.clients) client.id = `id of ${client.clientId}`;
  for (const scope of copy.clientScopes) scope.id = `id of ${scope.name}`;
  for (const role of copy.roles.realm) role.id = `id of ${role.name}`;
  return { ...copy, ...changes };
}

const changesOf = (actual: RealmExport, goal = wanted) =>
  realmChanges(goal, { reference, actual, executions: new Map(), initialAccessTokens: [] });

describe('realmChanges', () => {
  it('creates a missing realm in one request', () => {
    expect(realmChanges(wanted, undefined)).toEqual([
      {
        action: 'create',
        object: 'realm st-mary',
        requests: [{ method: 'POST', path: '', body: { ...wanted, identityProviders: [] } }],
        loss: {
          reason: 'AccountsLost',
          message: expect.stringMatching(/^realm st-mary was missing with all its accounts/),
        },
      },
    ]);
  });

  it('finds no difference in an unchanged realm, in any order', () => {
    const actual = exported();
    expect(changesOf({ ...actual, clients: [...(actual.clients ?? [])].reverse() })).toEqual([]);
  });

  it('ignores fields that an older process sent empty, and finds added values', () => {
    expect(changesOf(exported({ loginTheme: '', supportedLocales: [], rememberMe: false }))).toEqual([]);
    const [change] = changesOf(exported({ loginTheme: 'x' }));
    expect(change).toMatchObject({ detail: 'loginTheme', requests: [{ method: 'PUT', body: { loginTheme: '' } }] });
  });

  it('keeps the record of the invited owner, and removes other attributes', () => {
    const attributes = { ...wanted.attributes, 'hms.invitedOwner': 'a@b.example', theirs: 'x' };
    const [change] = changesOf(exported({ attributes }));
    expect(change?.detail).toBe('attributes.theirs');
    expect(change?.requests[0]?.body).toMatchObject({
      attributes: { ...wanted.attributes, 'hms.invitedOwner': 'a@b.example' },
    });
  });

  it.each([
    ['before opening a realm', wanted, { enabled: false }, ['logout-all', 'PUT true 0']],
    ['after closing one', { ...wanted, enabled: false }, {}, ['PUT false 1', 'logout-all', 'PUT undefined 0']],
    [
      'of one that was closed and cut off',
      { ...wanted, enabled: false },
      { enabled: false, notBefore: 1 },
      ['PUT false 1', 'logout-all', 'PUT undefined 0'],
    ],
  ])('ends all sessions %s', (_, goal, actual, requests) => {
    const [change] = changesOf(exported(actual), goal);
    const sent = change?.requests.map(({ method, path, body }) => {
      const { enabled, notBefore } = body as { enabled?: boolean; notBefore?: number };
      return method === 'PUT' ? `PUT ${enabled} ${notBefore}` : path.split('/').pop();
    });
    expect(sent).toEqual(requests);
  });

  it("ignores steps of Keycloak's own flows that differ between versions", () => {
    const [flow] = OWN.authenticationFlows;
    const executions = [...(flow?.authenticationExecutions ?? []), { authenticator: 'new', requirement: 'REQUIRED' }];
    expect(changesOf(exported({ authenticationFlows: [{ ...flow, authenticationExecutions: executions }] }))).toEqual(
      [],
    );
    expect(changesOf(exported({ authenticationFlows: [] }))).toEqual([]);
  });

  it('keeps generated keys, and deletes imported ones', () => {
    const keys = ['rsa-generated', 'hmac-generated', 'rsa'].map((providerId) => ({
      id: providerId,
      name: providerId,
      providerId,
    }));
    const actual = exported({ components: { 'org.keycloak.keys.KeyProvider': keys } });
    expect(changesOf(actual).map(described)).toEqual(['delete component rsa (rsa)']);
  });

  it('leaves a user directory to an administrator', () => {
    const ldap = [{ id: 'x', name: 'staff', providerId: 'ldap' }];
    const [change] = changesOf(exported({ components: { 'org.keycloak.storage.UserStorageProvider': ldap } }));
    expect(change).toMatchObject({ object: 'component staff (ldap)', requests: [] });
  });
});
