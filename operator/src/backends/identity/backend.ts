import { HOSPITAL_ROLES } from '@hms/tenancy';
import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js';
import type { Backend, DeletionPolicy, Owned, Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';
import type { Keycloak } from './client.ts';
import { type RealmChange, realmChanges } from './diff.ts';
import { type ManagedRealm, realmRepresentation, type SmtpSettings } from './realm.ts';
import { changeRealm, disableRealm, readRealm } from './realms.ts';

export interface IdentitySettings {
  readonly authJwksUrl: string;
  readonly smtp: SmtpSettings;
}

/** The hospital's realm in Keycloak. Its id is the hospitalId, which is how the operator knows it as its own. */
export class IdentityBackend implements Backend<RealmRepresentation | undefined, RealmChange> {
  readonly name = 'identity';
  readonly #keycloak: Keycloak;
  readonly #settings: IdentitySettings;

  constructor(keycloak: Keycloak, settings: IdentitySettings) {
    this.#keycloak = keycloak;
    this.#settings = settings;
  }

  ping(): Promise<void> {
    return this.#keycloak.ping();
  }

  externalId({ names }: Tenant): string {
    return names.realm;
  }

  wanted(tenant: Tenant): ManagedRealm {
    if (tenant.secondFactor === 'Email') {
      throw new BackendError(
        'Invalid',
        'spec.identity.secondFactor: one-time codes by e-mail are not served yet, and a password alone would be less than asked for: set it to None',
      );
    }
    return realmRepresentation({
      name: tenant.names.realm,
      id: tenant.hospitalId,
      ownerUid: tenant.uid,
      displayName: tenant.profile.displayName,
      enabled: !tenant.suspended,
      // Keycloak makes no realm in which a role is given twice.
      roles: [...new Set([...HOSPITAL_ROLES, ...tenant.extraRoles])],
      claims: { hospital_id: tenant.hospitalId, hospital_prefix: tenant.names.prefix },
      accessTokenSeconds: tenant.accessTokenSeconds,
      origins: tenant.origins,
      ...this.#settings,
    });
  }

  observe({ names, hospitalId }: Tenant): Promise<RealmRepresentation | undefined> {
    return readRealm(this.#keycloak, names.realm, hospitalId);
  }

  diff(tenant: Tenant, observed: RealmRepresentation | undefined): readonly RealmChange[] {
    return realmChanges(this.wanted(tenant), observed);
  }

  apply({ names }: Tenant, changes: readonly RealmChange[]): Promise<void> {
    return changeRealm(this.#keycloak, names.realm, changes);
  }

  async remove({ names, hospitalId }: Owned, policy: DeletionPolicy): Promise<readonly string[]> {
    const { realm } = names;
    const found = await this.#keycloak.call('read', (admin) => admin.realms.findOne({ realm }));
    if (!found) return [];
    if (found.id !== hospitalId) return [`realm ${realm}, whose id is not the hospital's`];
    if (policy === 'Delete') await this.#keycloak.call('delete', (admin) => admin.realms.del({ realm }));
    else if (found.enabled) await disableRealm(this.#keycloak, realm);
    return [];
  }
}
