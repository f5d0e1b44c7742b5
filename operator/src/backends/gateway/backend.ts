import type { Backend, DeletionPolicy, Descriptor, Owned, Tenant } from '../backend.ts';
import { adoptionChanges } from './adoption.ts';
import type { Kong, KongEntity } from './client.ts';
import type { Collection, Entity } from './entities.ts';
import { hospitalEntities, withoutOthers } from './hospital-entities.ts';
import { pingProxy } from './probe.ts';
import type { Schemas } from './schemas.ts';
import { applyEntities, type EntityChange, entityChanges, type ObservedEntities, observeEntities } from './sync.ts';

/** Returns the key that a hospital's realm signs tokens with. */
export type SigningKeyOf = (tenant: Tenant) => Promise<string>;

export interface ObservedGateway {
  readonly wanted: readonly Entity[];
  readonly found: ObservedEntities;
  readonly schemas: Schemas;
  /** A consumer with the hospital's username that the operator did not create. */
  readonly foreignConsumer: KongEntity | undefined;
}

const TENANT_COLLECTIONS: readonly Collection[] = ['consumers', 'jwts', 'acls', 'routes', 'plugins'];

export const GATEWAY: Descriptor = {
  name: 'gateway',
  condition: 'GatewayReady',
  part: 'consumer',
  // Its credential is the realm's key, which the realm has despite these errors.
  needs: [{ name: 'identity', despite: ['Invalid', 'NotFound', 'RealmDamaged'] }],
  isEntrance: true,
  servesPeople: true,
  budget: { concurrency: 16, perSecond: 400 },
};

/** The hospital's consumer, credential, acl group, routes and plugins in Kong, all with the hospital's tag. */
export class GatewayBackend implements Backend<ObservedGateway, EntityChange> {
  readonly descriptor = GATEWAY;
  readonly #kong: Kong;
  readonly #proxyUrl: string;
  readonly #signingKeyOf: SigningKeyOf;

  constructor(kong: Kong, proxyUrl: string, signingKeyOf: SigningKeyOf) {
    this.#kong = kong;
    this.#proxyUrl = proxyUrl;
    this.#signingKeyOf = signingKeyOf;
  }

  /** Both listeners, because a failure of the proxy alone also affects hospitals. */
  async ping(): Promise<void> {
    await Promise.all([this.#kong.ping(), pingProxy(this.#proxyUrl)]);
  }

  externalId({ names }: Tenant): string {
    return names.consumer;
  }

  /** Without the signing key, which comes from the realm: a rotated key is corrected as drift. */
  wanted(tenant: Tenant): readonly Entity[] {
    return hospitalEntities(tenant, '');
  }

  /** Also reads the signing key, which determines the credential, so that a rotated key is a difference. */
  async observe(tenant: Tenant): Promise<ObservedGateway> {
    const wanted = hospitalEntities(tenant, await this.#signingKeyOf(tenant));
    const [found, schemas] = await Promise.all([
      observeEntities(this.#kong, tenant.names.tag, wanted, TENANT_COLLECTIONS),
      this.#kong.schemasFor(wanted),
    ]);
    const missing = (found.get('consumers') ?? []).length === 0;
    return {
      wanted,
      found,
      schemas,
      foreignConsumer: missing ? await this.#foreignConsumer(tenant, wanted) : undefined,
    };
  }

  diff(tenant: Tenant, { wanted, found, schemas, foreignConsumer }: ObservedGateway): readonly EntityChange[] {
    return [...adoptionChanges(tenant, foreignConsumer), ...entityChanges(wanted, found, schemas)];
  }

  async apply(_: Tenant, changes: readonly EntityChange[]): Promise<void> {
    await applyEntities(this.#kong, changes);
  }

  async #foreignConsumer({ names }: Tenant, wanted: readonly Entity[]): Promise<KongEntity | undefined> {
    const consumer = await this.#kong.findConsumer(names.consumer);
    return wanted.some(({ id }) => id === consumer?.id) ? undefined : consumer;
  }

  /** The same for both policies, because the gateway holds no data. */
  async remove({ names, hospitalId }: Owned, _: DeletionPolicy): Promise<readonly string[]> {
    const found = await this.#kong.listTagged(names.tag, TENANT_COLLECTIONS);
    const changes = entityChanges([], withoutOthers(found, hospitalId));
    await applyEntities(this.#kong, changes);
    const others = [...found.values()].flat().length - changes.length;
    if (others > 0) return [`${others} entities in the gateway, which have another hospital's mark`];
    const foreignConsumer = await this.#kong.findConsumer(names.consumer);
    return foreignConsumer
      ? [`consumer ${names.consumer} in the gateway, which does not have the hospital's mark`]
      : [];
  }
}
