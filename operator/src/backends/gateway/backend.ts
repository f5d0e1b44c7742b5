import type { Backend, DeletionPolicy, Descriptor, Owned, Report, Tenant } from '../backend.ts';
import { type KeyChange, type KeyStep, type RealmKeys, type Rotation, rotationOf } from '../key-rotation.ts';
import { adoptionChanges } from './adoption.ts';
import type { Kong, KongEntity } from './client.ts';
import type { Collection, Entity } from './entities.ts';
import { hospitalEntities, withoutOthers } from './hospital-entities.ts';
import { pingProxy } from './probe.ts';
import type { Schemas } from './schemas.ts';
import { applyEntities, type EntityChange, entityChanges, type ObservedEntities, observeEntities } from './sync.ts';

/** The keys that realms sign tokens with. */
export interface SigningKeys {
  read(realm: string): Promise<RealmKeys>;
  apply(realm: string, step: KeyStep): Promise<void>;
}

export interface ObservedGateway {
  readonly rotation: Rotation;
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

type GatewayChange = EntityChange | KeyChange;

/**
 * The hospital's consumer, credential, acl group, routes and plugins in Kong, all with the hospital's tag. The
 * credential is the realm's signing key, so the key is rotated here, together with it.
 */
export class GatewayBackend implements Backend<ObservedGateway, GatewayChange> {
  readonly descriptor = GATEWAY;
  readonly #kong: Kong;
  readonly #proxyUrl: string;
  readonly #signingKeys: SigningKeys;
  readonly #now: () => Date;

  constructor(kong: Kong, proxyUrl: string, signingKeys: SigningKeys, now = () => new Date()) {
    this.#kong = kong;
    this.#proxyUrl = proxyUrl;
    this.#signingKeys = signingKeys;
    this.#now = now;
  }

  /** Both listeners, because a failure of the proxy alone also affects hospitals. */
  async ping(): Promise<void> {
    await Promise.all([this.#kong.ping(), pingProxy(this.#proxyUrl)]);
  }

  externalId({ names }: Tenant): string {
    return names.consumer;
  }

  /** Without the signing key, which comes from the realm: a key that somebody else rotated is corrected as drift. */
  wanted(tenant: Tenant): readonly Entity[] {
    return hospitalEntities(tenant, '');
  }

  /** Also reads the signing key, which determines the credential, so that a rotated key is a difference. */
  async observe(tenant: Tenant): Promise<ObservedGateway> {
    const keys = await this.#signingKeys.read(tenant.names.realm);
    const wanted = hospitalEntities(tenant, keys.current.pem);
    const [found, schemas] = await Promise.all([
      observeEntities(this.#kong, tenant.names.tag, wanted, TENANT_COLLECTIONS),
      this.#kong.schemasFor(wanted),
    ]);
    const missing = (found.get('consumers') ?? []).length === 0;
    return {
      rotation: rotationOf(keys, tenant.keyRotation, this.#now()),
      wanted,
      found,
      schemas,
      foreignConsumer: missing ? await this.#foreignConsumer(tenant, wanted) : undefined,
    };
  }

  diff(tenant: Tenant, { wanted, found, schemas, foreignConsumer, rotation }: ObservedGateway): GatewayChange[] {
    const entities = [...adoptionChanges(tenant, foreignConsumer), ...entityChanges(wanted, found, schemas)];
    // Nobody logs in to a suspended hospital. Its key is rotated when it is active again.
    return rotation.change && !tenant.suspended ? [...entities, rotation.change] : entities;
  }

  report(tenant: Tenant, { rotation }: ObservedGateway): Report {
    const { answered, isUnderWay, nextMs, since } = rotation;
    return {
      ...(nextMs === undefined || tenant.suspended ? {} : { nextMs }),
      signingKey: {
        state: isUnderWay ? 'Rotating' : 'Current',
        since: since.toISOString().replace(/\.\d+Z$/, 'Z'),
        ...(answered === undefined ? {} : { requestedAt: answered.slice(0, 128) }),
      },
    };
  }

  async apply(tenant: Tenant, changes: readonly GatewayChange[]): Promise<void> {
    const entities = changes.flatMap((change) => ('entity' in change ? [change] : []));
    const steps = changes.flatMap((change) => ('step' in change ? [change.step] : []));
    await applyEntities(this.#kong, entities);
    for (const step of steps) {
      const credential = step.kind === 'activate' ? credentialOf(hospitalEntities(tenant, step.key.pem)) : undefined;
      await this.#signingKeys.apply(tenant.names.realm, step);
      // Until this has ended, the gateway refuses tokens of the new key, and afterwards those of the former one.
      if (credential) await this.#kong.put(credential);
    }
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

function credentialOf(entities: readonly Entity[]): Entity | undefined {
  return entities.find(({ collection }) => collection === 'jwts');
}
