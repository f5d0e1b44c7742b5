import { randomUUID } from 'node:crypto';
import { isKind, type Kind, schemas } from '../entities/index.ts';
import { UUID } from '../schema/validate.ts';
import { foreignId } from '../store/collection.ts';
import { methodNotAllowed, notFound } from '../store/errors.ts';
import type { Stored } from '../store/journal.ts';
import { type Reference, referenceTo, type Store } from '../store/store.ts';
import type { Answer, Call } from './call.ts';
import { callCertificates } from './certificates.ts';
import { byId, newestFirst, type Order, page } from './lists.ts';
import type { Parent, Place } from './paths.ts';

/** Carries out a call on the place that its path names. */
export async function callEntity(store: Store, place: Place, call: Call): Promise<Answer> {
  if (place.kind === 'certificates' && (place.type === 'collection' || place.type === 'entity')) {
    return callCertificates(store, place, call, (plain, rest) => callPlain(store, plain, rest));
  }
  return callPlain(store, place, call);
}

async function callPlain(store: Store, place: Place, call: Call): Promise<Answer> {
  switch (place.type) {
    case 'collection':
      return callCollection(store, place.kind, call);
    case 'entity':
      return callOne(store, place.kind, place.key, call);
    case 'children':
      return callChildren(store, place, call);
    case 'child':
      return callChild(store, place, call);
    case 'parent':
      return callParent(store, place, call);
  }
}

/** The children of a parent in list order: targets newest first, others by id. */
export function childrenOf(store: Store, kind: Kind, field: string, parentId: string): Stored[] {
  const rows = store.childrenOf(kind, field, parentId) as unknown as Stored[];
  return rows.sort(orderOf(kind).compare);
}

function orderOf(kind: Kind): Order {
  return kind === 'targets' ? newestFirst : byId;
}

export function requireParent(store: Store, { kind, key }: Parent): Stored {
  const parent = store.find(kind, refer(store, kind, key));
  if (!parent) throw notFound();
  return parent;
}

/** What a path names: by id, by the kind's key, or by the key of another kind that stands for it. */
function refer(store: Store, kind: Kind, text: string): Reference {
  const { alias } = schemas[kind];
  if (!alias || !isKind(alias.kind) || UUID.test(text)) return referenceTo(kind, text);
  const namesake = store.find(alias.kind, referenceTo(alias.kind, text));
  return { id: foreignId(namesake?.[alias.link]) ?? text };
}

/** A child by its id or by its kind's key, which must be unique only among its siblings. */
export function findChild(
  store: Store,
  place: Extract<Place, { type: 'child' }>,
  parentId: string,
): Stored | undefined {
  const { key: keyField } = schemas[place.kind];
  const field = UUID.test(place.key) || keyField === undefined ? 'id' : keyField;
  return childrenOf(store, place.kind, place.field, parentId).find((row) => row[field] === place.key);
}

async function callCollection(store: Store, kind: Kind, { method, query, body }: Call): Promise<Answer> {
  if (method === 'POST') return { status: 201, body: await store.insert(kind, body.for(kind)) };
  const customId = kind === 'consumers' ? query.get('custom_id') : null;
  if (customId !== null) {
    const consumer = store.find(kind, { field: 'custom_id', value: customId });
    return { status: 200, body: { data: consumer ? [consumer] : [], next: null } };
  }
  return {
    status: 200,
    body: page(store.all(kind) as unknown as readonly Stored[], query, `/${schemas[kind].path}`, false),
  };
}

async function callOne(store: Store, kind: Kind, key: string, { method, body }: Call): Promise<Answer> {
  const reference = refer(store, kind, key);
  const existing = store.find(kind, reference);
  switch (method) {
    case 'PUT':
      return { status: 200, body: await store.upsert(kind, reference, body.for(kind)) };
    case 'PATCH':
      return { status: 200, body: await store.update(kind, reference, body.for(kind, existing)) };
    case 'DELETE':
      await store.remove(kind, reference);
      return { status: 204 };
    default:
      if (!existing) throw notFound();
      return { status: 200, body: existing };
  }
}

async function callChildren(
  store: Store,
  place: Extract<Place, { type: 'children' }>,
  { method, query, body }: Call,
): Promise<Answer> {
  const { kind, field } = place;
  const parent = requireParent(store, place.parent);
  if (method === 'POST') {
    return { status: 201, body: await store.insert(kind, { ...body.for(kind), [field]: { id: parent.id } }) };
  }
  const nested = schemas[kind].nested.find(({ under }) => under === place.parent.kind);
  const path = `/${schemas[place.parent.kind].path}/${parent.id}/${nested?.path ?? ''}`;
  const rows = childrenOf(store, kind, field, parent.id);
  return { status: 200, body: page(rows, query, path, true, orderOf(kind)) };
}

async function callChild(
  store: Store,
  place: Extract<Place, { type: 'child' }>,
  { method, body }: Call,
): Promise<Answer> {
  const { kind, field } = place;
  const parent = requireParent(store, place.parent);
  const existing = findChild(store, place, parent.id);
  // PUT does not create or replace targets.
  if (method === 'PUT' && kind !== 'targets') {
    const input = { ...body.for(kind, existing), [field]: { id: parent.id } };
    return { status: 200, body: await putNamed(store, kind, place.key, existing?.id, input) };
  }
  if (!existing) throw notFound();
  const reference = { id: existing.id };
  if (method === 'PATCH' || method === 'PUT') {
    const input = { [field]: { id: parent.id }, ...body.for(kind, existing) };
    return { status: 200, body: await store.update(kind, reference, input) };
  }
  if (method === 'DELETE') {
    await store.remove(kind, reference);
    return { status: 204 };
  }
  return { status: 200, body: existing };
}

/** The name in a path is the entity's id or the value of its key, and overrides what the body contains. */
function putNamed(
  store: Store,
  kind: Kind,
  text: string,
  existingId: string | undefined,
  input: Readonly<Record<string, unknown>>,
): Promise<Stored> {
  const reference: Reference = referenceTo(kind, text);
  const { key } = schemas[kind];
  if ('field' in reference || UUID.test(text) || key === undefined) return store.upsert(kind, reference, input);
  const row = { ...input, [key]: text };
  return existingId === undefined ? store.insert(kind, row) : store.upsert(kind, { id: existingId }, row);
}

async function callParent(
  store: Store,
  place: Extract<Place, { type: 'parent' }>,
  { method, body }: Call,
): Promise<Answer> {
  const { kind, field, parentKind } = place;
  const child = store.find(kind, refer(store, kind, place.key));
  if (!child) throw notFound();
  const linked = foreignId(child[field]);
  const existing = linked === undefined ? undefined : store.find(parentKind, { id: linked });
  if (method === 'DELETE') throw linked === undefined ? notFound() : methodNotAllowed();
  if (method === 'PUT') {
    const id = linked ?? randomUUID();
    const parent = await store.upsert(parentKind, { id }, body.for(parentKind, existing));
    if (linked === undefined) await store.update(kind, { id: child.id }, { [field]: { id } });
    return { status: 200, body: parent };
  }
  if (!existing) throw notFound();
  if (method === 'PATCH') {
    return { status: 200, body: await store.update(parentKind, { id: existing.id }, body.for(parentKind, existing)) };
  }
  return { status: 200, body: existing };
}
