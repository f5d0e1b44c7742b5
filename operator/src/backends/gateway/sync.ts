import type { Change } from '../backend.ts';
import { differences } from '../contains.ts';
import { BackendError } from '../errors.ts';
import type { Kong, KongEntity } from './client.ts';
import { COLLECTIONS, type Collection, type Entity } from './entities.ts';
import { type Schemas, wholeDifferences } from './schemas.ts';

export interface EntityChange extends Change {
  readonly entity: Pick<Entity, 'collection' | 'id' | 'parent'> & Partial<Entity>;
}

/** Entities that carry the tag, by collection. */
export type ObservedEntities = ReadonlyMap<Collection, readonly KongEntity[]>;

/**
 * Reads the entities with the tag, and the targets of the wanted upstreams.
 * @param collections all in which the operator ever has entities with this tag, because one in which nothing is wanted
 * may still have entities to delete.
 */
export async function observeEntities(
  kong: Kong,
  tag: string,
  wanted: readonly Entity[],
  collections: readonly Collection[],
): Promise<ObservedEntities> {
  const observed = await kong.listTagged(tag, collections);
  const upstreams = wanted.filter(({ collection }) => collection === 'upstreams');
  const targets = await Promise.all(
    upstreams.map(async ({ id }) => (await kong.listTargets(id)).map((target) => ({ ...target, upstream: { id } }))),
  );
  return upstreams.length > 0 ? new Map([...observed, ['targets', targets.flat()]]) : observed;
}

/**
 * Compares the desired and the observed entities completely. Tagged entities that are not wanted are deleted.
 * Deletions come first and in reverse order of reference, because a host or a name may move to a new entity.
 */
export function entityChanges(
  wanted: readonly Entity[],
  observed: ObservedEntities,
  schemas: Schemas = new Map(),
): EntityChange[] {
  const ids = new Set(wanted.map(({ id }) => id));
  const deletions = [...COLLECTIONS].reverse().flatMap((collection) =>
    (observed.get(collection) ?? [])
      .filter(({ id }) => !ids.has(id))
      .map(
        (found): EntityChange => ({
          action: 'delete',
          object: `${singular(collection)} ${labelOf(found)}`,
          entity: { collection, id: found.id, ...parentOf(found, collection) },
        }),
      ),
  );
  const upserts = COLLECTIONS.flatMap((collection) =>
    wanted
      .filter((entity) => entity.collection === collection)
      .flatMap((entity): EntityChange[] => {
        const object = `${singular(collection)} ${entity.label}`;
        const found = observed.get(collection)?.find(({ id }) => id === entity.id);
        if (!found) return [{ action: 'create', object, entity }];
        const differing = wholeDifferences(entity, found, schemas) ?? differences(entity.body, found);
        return differing.length === 0 ? [] : [{ action: 'update', object, detail: differing.join(', '), entity }];
      }),
  );
  return [...deletions, ...upserts];
}

/**
 * Applies the changes: those of one collection in parallel, collections in the order of the changes. An entity that
 * the gateway refuses does not prevent the others.
 * @throws BackendError the first refusal, or that something is missing, after everything else is done, or any other error
 *   immediately.
 */
export async function applyEntities(
  kong: Pick<Kong, 'delete' | 'put'>,
  changes: readonly EntityChange[],
): Promise<void> {
  const refusals: unknown[] = [];
  for (const batch of batches(changes)) {
    const results = await Promise.allSettled(
      batch.map(({ action, entity }) => (action === 'delete' ? kong.delete(entity) : kong.put(entity as Entity))),
    );
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      const isOne = result.reason instanceof BackendError && ['Invalid', 'NotFound'].includes(result.reason.kind);
      if (!isOne) throw result.reason;
      refusals.push(result.reason);
    }
  }
  if (refusals.length > 0) throw refusals[0];
}

function batches(changes: readonly EntityChange[]): EntityChange[][] {
  const result: EntityChange[][] = [];
  for (const change of changes) {
    const last = result.at(-1);
    const first = last?.[0];
    if (first?.entity.collection === change.entity.collection && first.action === change.action) last?.push(change);
    else result.push([change]);
  }
  return result;
}

function singular(collection: Collection): string {
  return collection === 'jwts' ? 'credential' : collection === 'acls' ? 'acl group' : collection.replace(/s$/, '');
}

function labelOf({ id, name, username, group, target, key }: KongEntity): string {
  return String(name ?? username ?? group ?? target ?? key ?? id);
}

function parentOf(found: KongEntity, collection: Collection): { parent: string } | undefined {
  const owner =
    collection === 'targets'
      ? found.upstream
      : collection === 'jwts' || collection === 'acls'
        ? found.consumer
        : undefined;
  return typeof owner === 'object' && owner !== null && 'id' in owner ? { parent: String(owner.id) } : undefined;
}
