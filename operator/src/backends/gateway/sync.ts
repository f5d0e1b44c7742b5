import type { Change } from '../backend.ts';
import { differences } from '../contains.ts';
import type { Kong, KongEntity } from './client.ts';
import { COLLECTIONS, type Collection, type Entity } from './entities.ts';

export interface EntityChange extends Change {
  readonly entity: Pick<Entity, 'collection' | 'id' | 'parent'> & Partial<Entity>;
}

/** Entities that carry the tag, by collection. */
export type ObservedEntities = ReadonlyMap<Collection, readonly KongEntity[]>;

/** Reads what there is under the tag, and the targets of the upstreams that are wanted. */
export async function observeEntities(kong: Kong, tag: string, wanted: readonly Entity[]): Promise<ObservedEntities> {
  const collections = COLLECTIONS.filter((collection) => wanted.some((entity) => entity.collection === collection));
  const observed = await kong.listTagged(tag, collections);
  const upstreams = wanted.filter(({ collection }) => collection === 'upstreams');
  const targets = await Promise.all(
    upstreams.map(async ({ id }) => (await kong.listTargets(id)).map((target) => ({ ...target, upstream: { id } }))),
  );
  return upstreams.length > 0 ? new Map([...observed, ['targets', targets.flat()]]) : observed;
}

/**
 * Compares the entities that shall be with those that are. Whatever carries the tag and is not wanted goes.
 * Deletions come first and in reverse order of reference, as a host or a name may move from an old entity to a new one.
 */
export function entityChanges(wanted: readonly Entity[], observed: ObservedEntities): EntityChange[] {
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
        const differing = differences(entity.body, found);
        return differing.length === 0 ? [] : [{ action: 'update', object, detail: differing.join(', '), entity }];
      }),
  );
  return [...deletions, ...upserts];
}

/** Carries out the changes: those of one collection side by side, collections in the order of the changes. */
export async function applyEntities(kong: Kong, changes: readonly EntityChange[]): Promise<void> {
  for (const batch of batches(changes)) {
    await Promise.all(
      batch.map(({ action, entity }) => (action === 'delete' ? kong.delete(entity) : kong.put(entity as Entity))),
    );
  }
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
