import type { Backend, DeletionPolicy, Descriptor, Owned, Tenant } from '../backend.ts';
import type { RealmChange } from './change.ts';
import type { Keycloak } from './client.ts';
import { type ObservedRealm, realmChanges } from './diff.ts';
import { type ManagedRealm, realmRepresentation, type SmtpSettings } from './realm.ts';
import { disableRealm, type Realms } from './realms.ts';

export interface IdentitySettings {
  readonly authJwksUrl: string;
  readonly smtp: SmtpSettings;
}

/** Gives roles to the accounts of everybody who should have them, as soon as the roles exist. */
export type GiveBack = (hospital: Owned, roles: readonly string[]) => Promise<void>;

/** Keycloak does not create realms faster with more parallel requests. */
export const IDENTITY: Descriptor = {
  name: 'identity',
  condition: 'IdentityReady',
  part: 'realm',
  needs: [],
  servesPeople: true,
  budget: { concurrency: 4, perSecond: 50 },
};

/** The hospital's realm in Keycloak. Its id is the hospitalId, which marks it as the hospital's. */
export class IdentityBackend implements Backend<ObservedRealm | undefined, RealmChange> {
  readonly descriptor = IDENTITY;
  readonly #keycloak: Keycloak;
  readonly #realms: Realms;
  readonly #settings: IdentitySettings;
  readonly #giveBack: GiveBack;

  /** @param giveBack called for roles that are created in an existing realm: Keycloak takes a role that is deleted or renamed from everybody. */
  constructor(keycloak: Keycloak, realms: Realms, settings: IdentitySettings, giveBack: GiveBack) {
    this.#keycloak = keycloak;
    this.#realms = realms;
    this.#settings = settings;
    this.#giveBack = giveBack;
  }

  ping(): Promise<void> {
    return this.#keycloak.ping();
  }

  externalId({ names }: Tenant): string {
    return names.realm;
  }

  wanted(tenant: Tenant): ManagedRealm {
    return realmRepresentation({
      name: tenant.names.realm,
      id: tenant.hospitalId,
      ownerUid: tenant.uid,
      displayName: tenant.profile.displayName,
      enabled: !tenant.suspended,
      secondFactor: tenant.profile.secondFactor,
      roles: tenant.roles,
      claims: { hospital_id: tenant.hospitalId, hospital_prefix: tenant.names.prefix },
      accessTokenSeconds: tenant.accessTokenSeconds,
      impersonation: true,
      origins: tenant.origins,
      ...this.#settings,
    });
  }

  async observe(tenant: Tenant): Promise<ObservedRealm | undefined> {
    return this.#realms.observe(this.wanted(tenant));
  }

  diff(tenant: Tenant, observed: ObservedRealm | undefined): readonly RealmChange[] {
    return realmChanges(this.wanted(tenant), observed);
  }

  async apply(tenant: Tenant, changes: readonly RealmChange[]): Promise<void> {
    const roles = changes.flatMap(({ newRole }) => newRole ?? []);
    // First, because a process that ends in between never learns that they were missing.
    if (roles.length > 0) await this.#giveBack(tenant, roles);
    await this.#realms.apply(this.wanted(tenant), changes);
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
