import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { fetchWithError, NetworkError } from '@keycloak/keycloak-admin-client';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import { describe, listed } from '../backend.ts';
import { BackendError } from '../errors.ts';
import type { AdminRequest, RealmChange, RealmExport } from './change.ts';
import { type Keycloak, TIMEOUT_MS } from './client.ts';
import { type ObservedRealm, realmChanges } from './diff.ts';
import { expectedRealm } from './expected.ts';
import { differingFlows, type Execution } from './flows.ts';
import { type ManagedRealm, OWNER_ATTRIBUTE } from './realm.ts';
import { Reference } from './reference.ts';

/** How many rounds a repair may take, because a change may depend on one of the round before. */
const ROUNDS = 3;

/** The realms in Keycloak, which are read and compared completely. */
export class Realms {
  readonly #keycloak: Keycloak;
  readonly #reference: Reference;

  constructor(keycloak: Keycloak) {
    this.#keycloak = keycloak;
    this.#reference = new Reference(keycloak);
  }

  /**
   * Reads a realm with everything that belongs to it.
   * @returns undefined if there is none.
   * @throws BackendError Conflict if the realm has another id, and so another owner.
   */
  async observe(wanted: ManagedRealm): Promise<ObservedRealm | undefined> {
    const { realm } = wanted;
    const actual = await this.#keycloak.call('read', (admin) => exportOf(admin, wanted));
    if (!actual) return undefined;
    const reference = await this.#reference.of(actual.keycloakVersion);
    return this.#keycloak.call('read', async (admin) => {
      const tokens = await admin.realms.getClientsInitialAccess({ realm });
      const executions = new Map<string, readonly Execution[]>();
      for (const flow of differingFlows(expectedRealm(wanted, reference), actual)) {
        executions.set(flow, await admin.authenticationManagement.getExecutions({ realm, flow }));
      }
      return { reference, actual, executions, initialAccessTokens: tokens.flatMap(({ id }) => id ?? []) };
    });
  }

  /**
   * Applies the changes, and verifies the realm afterwards.
   * @throws BackendError RealmDamaged with what could not be restored.
   */
  async apply(wanted: ManagedRealm, changes: readonly RealmChange[]): Promise<void> {
    let remaining = changes;
    for (let round = 1; ; round += 1) {
      const refusals = await this.#send(remaining).catch((error) => this.#explain(wanted, error));
      remaining = realmChanges(wanted, await this.observe(wanted));
      if (remaining.length === 0) return;
      const isStuck = remaining.every(({ requests }) => requests.length === 0);
      if (isStuck || round === ROUNDS)
        throw new BackendError('RealmDamaged', unsolved(wanted.realm, remaining, refusals));
    }
  }

  /** Keycloak refuses to create a realm whose id is in use with 409, and does not say by which. */
  async #explain({ realm, id }: ManagedRealm, error: unknown): Promise<never> {
    const cause = error instanceof BackendError ? error.cause : undefined;
    if (cause instanceof NetworkError && cause.response.status === 409) {
      const all = await this.#keycloak.call('read', (admin) => admin.realms.find({ briefRepresentation: true }));
      const renamed = all.find((found) => found.id === id && found.realm !== realm);
      if (renamed) {
        const sentence = `realm ${realm} was renamed to ${renamed.realm} in Keycloak: rename it to ${realm} again`;
        throw new BackendError('Conflict', sentence, error);
      }
    }
    throw error;
  }

  /** One refusal must not prevent the other changes. @returns the refusals. */
  async #send(changes: readonly RealmChange[]): Promise<readonly BackendError[]> {
    const refusals: BackendError[] = [];
    for (const { requests } of changes) {
      try {
        await this.#keycloak.call('change', async (admin) => {
          for (const request of requests) await send(admin, request);
        });
      } catch (error) {
        if (!(error instanceof BackendError) || error.kind === 'Unavailable') throw error;
        refusals.push(error);
      }
    }
    return refusals;
  }
}

/**
 * Why a realm is not this hospital's, and what to do. A realm's id can't be changed, so a hospital must adopt the
 * realm's. Pure.
 */
export function realmConflict(name: string, { id, attributes }: RealmRepresentation): string {
  const start = `realm ${name} exists in Keycloak and is not this hospital's`;
  const rest = 'delete or rename it, or choose another name for the hospital';
  const adoptable = id !== undefined && UUID.test(id) && attributes?.[OWNER_ATTRIBUTE] === undefined;
  if (!adoptable) return `${start}: ${rest}`;
  return `${start}: ${rest}, or take it over: delete this Hospital with deletionPolicy Delete, and apply it with spec.hospitalId ${id}`;
}

/** Disables a realm and ends all of its sessions. Issued access tokens stay valid until they expire. */
export function disableRealm(keycloak: Keycloak, realm: string): Promise<void> {
  return keycloak.call('disable', async (admin) => {
    await admin.realms.update({ realm }, { enabled: false });
    await admin.realms.logoutAll({ realm });
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A realm that the operator has no rights on is returned as a stub without an id, and can't be exported. */
async function exportOf(admin: KeycloakAdminClient, { realm, id }: ManagedRealm): Promise<RealmExport | undefined> {
  try {
    const found = await admin.realms.export({ realm, exportClients: true, exportGroupsAndRoles: true });
    if (found.id === id) return { ...found, realm };
    throw new BackendError('Conflict', realmConflict(realm, found));
  } catch (error) {
    const status = error instanceof NetworkError ? error.response.status : undefined;
    if (status === 403) throw new BackendError('Conflict', realmConflict(realm, {}));
    if (status !== 404) throw error;
    return undefined;
  }
}

async function send(admin: KeycloakAdminClient, { method, path, body }: AdminRequest): Promise<void> {
  const answer = await fetchWithError(`${admin.baseUrl}/admin/realms${path}`, {
    method,
    headers: { authorization: `Bearer ${await admin.getAccessToken()}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // A connection can be reused only after its response was read.
  await answer.text();
}

function unsolved(realm: string, remaining: readonly RealmChange[], refusals: readonly BackendError[]): string {
  const [first] = refusals;
  return `realm ${realm} was changed in Keycloak, and the operator can't restore it: ${listed(remaining.map(describe))}${first ? `; ${first.message}` : ''}; undo the change in Keycloak`;
}
