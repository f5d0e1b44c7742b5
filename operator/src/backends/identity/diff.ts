import type { RealmChange, RealmExport } from './change.ts';
import { clientChanges, clientDeletions, defaultScopeChanges, scopeChanges } from './clients.ts';
import { expectedRealm } from './expected.ts';
import { type Executions, flowChanges, flowDeletions } from './flows.ts';
import { otherChanges } from './others.ts';
import type { ManagedRealm } from './realm.ts';
import { groupChanges, scopeMappingChanges, serviceAccountChanges } from './rights.ts';
import { roleChanges, roleDeletions } from './roles.ts';
import { settingsChanges } from './settings.ts';

export interface ObservedRealm {
  /** Export of a new realm of this Keycloak. */
  readonly reference: RealmExport;
  readonly actual: RealmExport;
  /** The executions of flows that differ from the reference. */
  readonly executions: Executions;
  /** Ids of initial access tokens, with which anybody can register a client. */
  readonly initialAccessTokens: readonly string[];
}

/**
 * Compares the expected and the actual realm completely and in both directions. Only people, their
 * sessions and their groups are not managed. Dependencies come first, deletions last.
 */
export function realmChanges(wanted: ManagedRealm, observed: ObservedRealm | undefined): RealmChange[] {
  if (!observed) {
    // Keycloak says nothing about what it refuses in a new realm. Of a single provider, it names the field.
    const requests = [{ method: 'POST', path: '', body: { ...wanted, identityProviders: [] } } as const];
    const object = `realm ${wanted.realm}`;
    return [{ action: 'create', object, requests, loss: accountsOf(object) }];
  }
  const { reference, actual, executions, initialAccessTokens } = observed;
  const expected = expectedRealm(wanted, reference);
  return [
    ...flowChanges(expected, actual, executions),
    ...settingsChanges(expected, actual),
    ...roleChanges(expected, actual),
    ...scopeChanges(expected, actual),
    ...clientChanges(expected, actual),
    ...defaultScopeChanges(expected, actual),
    ...scopeMappingChanges(expected, actual),
    ...serviceAccountChanges(expected, actual),
    ...groupChanges(actual),
    ...otherChanges(expected, actual, initialAccessTokens),
    ...clientDeletions(expected, actual),
    ...roleDeletions(expected, actual),
    ...flowDeletions(expected, actual),
  ];
}

/** A lost realm can be restored, but not its accounts. */
function accountsOf(realm: string) {
  const message = `${realm} was missing with all its accounts and was created again without them: restore the accounts from a backup (docs/operations.md, Data that is lost)`;
  return { reason: 'AccountsLost', message };
}
