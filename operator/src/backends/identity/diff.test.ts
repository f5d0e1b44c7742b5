import { describe, expect, it } from '@jest/globals';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import { realmChanges } from './diff.ts';
import { realmRepresentation } from './realm.ts';

const wanted = realmRepresentation({
  name: 'st-mary',
  id: '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e',
  ownerUid: 'uid',
  displayName: "St. Mary's Hospital",
  enabled: true,
  roles: ['OWNER', 'DOCTOR'],
  claims: { hospital_prefix: 'st-mary' },
  accessTokenSeconds: 300,
  origins: ['https://st-mary.example'],
  authJwksUrl: 'http://auth/.well-known/jwks.json',
  smtp: { host: 'mail', port: 25, from: 'no-reply@hms.example' },
});

/** The realm as Keycloak exports it: what was sent, with ids. */
function exported(): RealmRepresentation {
  const copy = JSON.parse(JSON.stringify(wanted)) as typeof wanted;
  for (const client of copy.clients) client.id = `id of ${client.clientId}`;
  for (const scope of copy.clientScopes) {
    scope.id = `id of ${scope.name}`;
    for (const mapper of scope.protocolMappers ?? []) mapper.id = `id of ${mapper.name}`;
  }
  return copy;
}

describe('realmChanges', () => {
  it('makes a missing realm in one go', () => {
    expect(realmChanges(wanted, undefined)).toEqual([expect.objectContaining({ kind: 'realm', action: 'create' })]);
  });

  it('finds nothing in a realm as it was made', () => {
    expect(realmChanges(wanted, exported())).toEqual([]);
  });

  it('leaves alone what somebody added', () => {
    const actual = exported();
    actual.clients?.push({ id: 'x', clientId: 'reporting' });
    actual.roles?.realm?.push({ name: 'WARD_CLERK' });
    expect(realmChanges(wanted, actual)).toEqual([]);
  });

  it('keeps attributes of others when it changes a setting, as a PUT replaces them all', () => {
    const actual = { ...exported(), accessTokenLifespan: 60, attributes: { ...wanted.attributes, theirs: 'x' } };
    const [change] = realmChanges(wanted, actual);
    expect(change).toMatchObject({ kind: 'settings', detail: 'accessTokenLifespan', logoutAll: false });
    expect(change?.kind === 'settings' && change.settings.attributes).toMatchObject({
      theirs: 'x',
      'hms.ownerUid': 'uid',
    });
  });

  it('ends all sessions when it disables a realm, and when it enables one that somebody else disabled', () => {
    const [change] = realmChanges({ ...wanted, enabled: false }, exported());
    expect(change).toMatchObject({ kind: 'settings', logoutAll: true });
    const [back] = realmChanges(wanted, { ...exported(), enabled: false });
    expect(back).toMatchObject({ kind: 'settings', logoutAll: true });
  });

  it('closes the door that somebody opened for passwords', () => {
    const actual = exported();
    const adminCli = actual.clients?.find(({ clientId }) => clientId === 'admin-cli');
    if (adminCli) adminCli.enabled = true;
    expect(realmChanges(wanted, actual)).toEqual([
      expect.objectContaining({ object: 'client admin-cli', detail: 'enabled', clientId: 'id of admin-cli' }),
    ]);
  });

  it('puts back a claim, a role and the rights of the auth module', () => {
    const actual = exported();
    for (const scope of actual.clientScopes ?? []) {
      if (scope.name === 'hospital')
        scope.protocolMappers =
          scope.protocolMappers?.filter((mapper: { name?: string }) => mapper.name !== 'audience') ?? [];
    }
    if (actual.roles) actual.roles.realm = [{ name: 'OWNER' }];
    for (const user of actual.users ?? []) user.clientRoles = {};
    expect(realmChanges(wanted, actual).map(({ kind }) => kind)).toEqual(['role', 'mapper', 'authRoles']);
  });
});
