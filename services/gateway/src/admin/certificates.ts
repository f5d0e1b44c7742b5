import { randomUUID } from 'node:crypto';
import { schemas } from '../entities/index.ts';
import type { Field } from '../schema/field.ts';
import { UUID, validateField } from '../schema/validate.ts';
import { foreignId } from '../store/collection.ts';
import { schemaViolation } from '../store/errors.ts';
import type { Stored } from '../store/journal.ts';
import type { Store } from '../store/store.ts';
import type { Answer, Call } from './entities.ts';
import type { Place } from './paths.ts';

/**
 * Certificates are shown with the names of their SNIs, and may be sent with them: `snis` in a call that writes is the
 * whole list. Everything else is as for other entities.
 * @param callPlain the call without `snis`
 */
export async function callCertificates(
  store: Store,
  place: Extract<Place, { type: 'collection' | 'entity' }>,
  call: Call,
  callPlain: (place: Place, call: Call) => Promise<Answer>,
): Promise<Answer> {
  const { snis, rest } = call.body.without('snis');
  const names = parseNames(snis);
  const target = named(store, place, call.method);
  const wanted =
    names ?? (call.method === 'PUT' && target !== place && place.type === 'entity' ? [place.key] : undefined);
  // All is refused before anything is written.
  if (wanted) requireUsable(store, wanted, target.type === 'entity' ? certificateId(store, target.key) : undefined);
  const answer = await callPlain(target, { ...call, body: rest });
  const { body } = answer;
  if (!body) return answer;
  if ('data' in body) {
    const { data } = body as { data: readonly Stored[] };
    return { ...answer, body: { ...body, data: data.map((row) => withNames(store, row)) } };
  }
  const row = body as Stored;
  if (wanted) {
    await setNames(store, row.id, wanted).catch(async (error: unknown) => {
      if (call.method === 'POST') await store.remove('certificates', { id: row.id });
      throw error;
    });
  }
  return { ...answer, body: withNames(store, row) };
}

/** PUT by a name that no certificate has makes one for it. */
function named(
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
    const wrong = validateField(schemas.snis.fields.name as Field, name).errors;
    if (wrong !== undefined) throw schemaViolation({ name: wrong });
    const holder = foreignId(store.find('snis', { field: 'name', value: String(name) })?.certificate);
    if (holder === undefined || holder === own) continue;
    throw schemaViolation({ snis: `${name} already associated with existing certificate '${holder}'` });
  }
}

async function setNames(store: Store, certificateId: string, names: readonly string[]): Promise<void> {
  const present = store.childrenOf('snis', 'certificate', certificateId);
  const known = new Set(present.map(({ name }) => name));
  for (const name of names) {
    if (!known.has(name)) await store.insert('snis', { name, certificate: { id: certificateId } });
  }
  const kept = new Set(names);
  for (const { id, name } of present) if (!kept.has(name)) await store.remove('snis', { id });
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
