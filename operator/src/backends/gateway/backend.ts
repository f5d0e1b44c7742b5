import type { Backend, DeletionPolicy, Owned, Tenant } from '../backend.ts';
import type { Kong } from './client.ts';
import type { Collection, Entity } from './entities.ts';
import { hospitalEntities, withoutOthers } from './hospital-entities.ts';
import { applyEntities, type EntityChange, entityChanges, type ObservedEntities, observeEntities } from './sync.ts';

/** Gives the key that a hospital's realm signs tokens with. */
export type SigningKeyOf = (tenant: Tenant) => Promise<string>;

export interface ObservedGateway {
  readonly wanted: readonly Entity[];
  readonly found: ObservedEntities;
}

const TENANT_COLLECTIONS: readonly Collection[] = ['consumers', 'jwts', 'acls', 'routes', 'plugins'];

/** The hospital's consumer, credential, acl group, routes and plugins in Kong, all with the hospital's tag. */
export class GatewayBackend implements Backend<ObservedGateway, EntityChange> {
  readonly name = 'gateway';
  readonly #kong: Kong;
  readonly #signingKeyOf: SigningKeyOf;

  constructor(kong: Kong, signingKeyOf: SigningKeyOf) {
    this.#kong = kong;
    this.#signingKeyOf = signingKeyOf;
  }

  ping(): Promise<void> {
    return this.#kong.ping();
  }

  externalId({ names }: Tenant): string {
    return names.consumer;
  }

  /** The signing key is read here too, as the credential follows from it; so a rotated key is a difference. */
  async observe(tenant: Tenant): Promise<ObservedGateway> {
    const wanted = hospitalEntities(tenant, await this.#signingKeyOf(tenant));
    return { wanted, found: await observeEntities(this.#kong, tenant.names.tag, wanted) };
  }

  diff(_: Tenant, { wanted, found }: ObservedGateway): readonly EntityChange[] {
    return entityChanges(wanted, found);
  }

  apply(_: Tenant, changes: readonly EntityChange[]): Promise<void> {
    return applyEntities(this.#kong, changes);
  }

  /** The same for both policies: nothing here is data. */
  async remove({ names, hospitalId }: Owned, _: DeletionPolicy): Promise<void> {
    const found = await this.#kong.listTagged(names.tag, TENANT_COLLECTIONS);
    await applyEntities(this.#kong, entityChanges([], withoutOthers(found, hospitalId)));
  }
}
