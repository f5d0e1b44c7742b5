import { randomUUID } from 'node:crypto';
import { schemas } from '../entities/index.ts';
import type { Field } from '../schema/field.ts';
import { UUID, validateField } from '../schema/validate.ts';
import { foreignId } from '../store/collection.ts';
import { schemaViolation } from '../store/errors.ts';
import type { Stored } from '../store/journal.ts';
import type { Store } from '../store/store.ts';
import type { Answer, Call } from './call.ts';
import type { Place } from './paths.ts';

/**
 * Certificates are returned with the names of their SNIs, and may be sent with them: `snis` in a write is the
 * complete list. Everything else is as for other entities.
 * @param callPlain the call without `snis`
 */
export async function callCertificates(
  store: Store,
  place: Extract<Place, { type: 'collection' | 'entity' }>,
  call: Call,
  callPlain: (place: Place, call: Call) => Promise<Answer>,
): Promise<Answer> {
  const { snis, rest } = call.body.without('snis');
  const sentNames = parseNames(snis);
  const target = placeByName(store, place, call.method);
  const names =
    sentNames ?? (call.method === 'PUT' && target !== place && place.type === 'entity' ? [place.key] : undefined);
  // Validate everything before anything is written.
  if (names) requireUsable(store, names, target.type === 'entity' ? certificateId(store, target.key) : undefined);
  const answer = await callPlain(target, { ...call, body: rest });
  const { body } = answer;
  if (!body) return answer;
  if ('data' in body) {
    const { data } = body as { data: readonly Stored[] };
    return { ...answer, body: { ...body, data: data.map((row) => withNames(store, row)) } };
  }
  const row = body as Stored;
  if (names) {
    await setNames(store, row.id, names).catch(async (error: unknown) => {
      if (call.method === 'POST') await store.remove('certificates', { id: row.id });
      throw error;
    });
  }
  return { ...answer, body: withNames(store, row) };
}

/** PUT with a name that no certificate has creates one for it. */
function placeByName(
  store: Store,
  place: Extract<Place, { type: 'collection' | 'entity' }>,
  method: string,
): Extract<Place, { type: 'collection' | 'entity' }> {
  if (place.type === 'collection' || method !== 'PUT' || UUID.test(place.key)) return place;
  const sni = store.find('snis', { field: 'name', value: place.key });
  return sni ? place : { ...place, key: randomUUID() };
}

function certificateId(store: Store, key: string): string | undefined {
  return UUID.test(key) ? key : foreignId(store.find('snis', { field: 'name', value: key })?.certificate);
}

function parseNames(snis: unknown): unknown[] | undefined {
  if (snis === undefined || snis === null) return undefined;
  if (!Array.isArray(snis)) throw schemaViolation({ snis: 'expected a set' });
  return [...new Set(snis)];
}

function requireUsable(store: Store, names: readonly unknown[], own: string | undefined): asserts names is string[] {
  for (const name of names) {
    const error = validateField(schemas.snis.fields.name as Field, name).errors;
    if (error !== undefined) throw schemaViolation({ name: error });
    const holder = foreignId(store.find('snis', { field: 'name', value: String(name) })?.certificate);
    if (holder === undefined || holder === own) continue;
    throw schemaViolation({ snis: `${name} already associated with existing certificate '${holder}'` });
  }
}

async function setNames(store: Store, certificateId: string, names: readonly string[]): Promise<void> {
  const present = store.childrenOf('snis', 'certificate', certificateId);
  const presentNames = new Set(present.map(({ name }) => name));
  for (const name of names) {
    if (!presentNames.has(name)) await store.insert('snis', { name, certificate: { id: certificateId } });
  }
  const nameSet = new Set(names);
  for (const { id, name } of present) if (!nameSet.has(name)) await store.remove('snis', { id });
}

function withNames(store: Store, row: Stored): object {
  return {
    ...row,
    snis: store
      .childrenOf('snis', 'certificate', row.id)
      .map(({ name }) => name)
      .sort(),
  };
}
