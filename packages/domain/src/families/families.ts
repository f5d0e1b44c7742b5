/**
 * Families: the tables `families` and `family_members`.
 *
 * A patient is in one family at a time. A patient who is alone in a family, as everybody is at creation,
 * moves when they are added to another: the empty family is closed, and the response names it.
 * A patient with other family members must be removed from that family first (409 ALREADY_FAMILY_MEMBER), so that
 * nobody is separated by accident. After leaving, a patient is in no family until they are added to one.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, then families by id.
 */
import { build } from '@hms/database';
import { fields, itemWith, newId, Problem, record, records, type Work } from '@hms/service';
import { z } from 'zod';
import { lockSurvivor } from '../patients/merges.ts';
import { setFamily } from '../patients/patients.ts';
import { type NewPatient, type Patient, patients, patientsMatching } from '../patients/record.ts';
import {
  ALREADY_FAMILY_MEMBER,
  FAMILY_HAS_MEMBERS,
  FAMILY_MEMBER_NOT_FOUND,
  PRIMARY_CONTACT_NOT_MEMBER,
  PRIMARY_CONTACT_REQUIRED,
} from './errors.ts';
import {
  currentMembers,
  endMemberships,
  findMember,
  insertMember,
  type Member,
  member,
  type NewMember,
  showMembers,
} from './members.ts';

export * from './errors.ts';
export { type Member, member, membershipEvents, newMember, payerOf } from './members.ts';

export const families = record('families', {
  name: 'family',
  code: { field: 'familyCode', series: 'family', letters: 'FAM' },
  fields: { name: fields.line(100) },
  set: { primaryContactId: fields.id.nullable().describe('Null only for a deleted family') },
  sort: ['name', 'familyCode'],
  filters: ['name', 'familyCode', 'primaryContactId'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('The family of this patient'),
      where: (rows, value) => void rows.whereIn('id', currentFamilies().where('patient_id', String(value))),
    },
  },
  search: { also: (text, precision) => currentFamilies().whereIn('patient_id', patientsMatching(text, precision)) },
  auditReads: true,
});
export type Family = z.output<typeof families.item>;

export const familyWithMembers = itemWith(families, { members: z.array(member) }).meta({ id: 'FamilyWithMembers' });
export type FamilyWithMembers = z.output<typeof familyWithMembers>;

function currentFamilies() {
  return build.from('family_members').select('family_id').whereNull('left_at');
}

/** The family with its current members. */
export async function readFamily(work: Work, id: string): Promise<FamilyWithMembers> {
  return withMembers(work, await records(work, families).read(id));
}

async function withMembers(work: Work, family: Family): Promise<FamilyWithMembers> {
  return { ...family, members: await showMembers(work, await currentMembers(work, family.id)) };
}

/**
 * Creates a family whose only member, primary contact and payer is the patient. The caller writes the patient's
 * `familyId`. Nothing is awaited in between, so that this can travel with other statements.
 */
export async function insertFamily(
  work: Work,
  { id = newId(), name, patientId }: { readonly id?: string; readonly name: string; readonly patientId: string },
): Promise<Family> {
  const [family] = await Promise.all([
    records(work, families).insert({ name, primaryContactId: patientId }, id),
    insertMember(work, id, { patientId, relation: 'self', isPayer: true }),
  ]);
  return family;
}

/** Registers a patient, with a family in which they are alone. Nothing is awaited in between. */
export async function registerPatient(
  work: Work,
  values: Partial<NewPatient> & Omit<NewPatient, 'alerts'>,
): Promise<Patient> {
  const [id, familyId] = [newId(), newId()];
  const [patient] = await Promise.all([
    records(work, patients).insert({ ...values, familyId }, id),
    insertFamily(work, { id: familyId, name: values.lastName, patientId: id }),
  ]);
  return patient;
}

/** Creates a family for a patient, who leaves the family in which they are alone. */
export async function createFamily(
  work: Work,
  { name, primaryContactId }: { readonly name: string; readonly primaryContactId: string },
): Promise<FamilyWithMembers> {
  const { patientId } = await moveOut(work, primaryContactId);
  const family = await insertFamily(work, { name, patientId });
  await setFamily(work, [patientId], family.id);
  return withMembers(work, family);
}

/** Changes the name. */
export async function changeFamily(
  work: Work,
  id: string,
  changes: { readonly name?: string | undefined },
  version: number | undefined,
): Promise<FamilyWithMembers> {
  const own = records(work, families);
  return withMembers(work, await own.update(await own.lock(id, version), changes));
}

/** Deletes a family whose only member is its primary contact, who is then in no family. */
export async function removeFamily(work: Work, id: string, version: number | undefined): Promise<Family> {
  const before = await records(work, families).lock(id, version);
  const others = (await currentMembers(work, id)).filter(({ patientId }) => patientId !== before.primaryContactId);
  if (others.length > 0) {
    throw new Problem(FAMILY_HAS_MEMBERS, { details: { members: await showMembers(work, others) } });
  }
  return close(work, before);
}

export async function listMembers(work: Work, familyId: string): Promise<readonly Member[]> {
  return (await readFamily(work, familyId)).members;
}

/** @returns the membership, and the family in which the patient was alone, which is now closed. */
export async function addMember(
  work: Work,
  familyId: string,
  added: NewMember,
): Promise<Member & { readonly closedFamilyId: string | null }> {
  const own = records(work, families);
  await own.read(familyId);
  const { patientId, closedFamilyId } = await moveOut(work, added.patientId, familyId);
  await own.lock(familyId);
  const inserted = await insertMember(work, familyId, { ...added, patientId });
  await setFamily(work, [patientId], familyId);
  return { ...(await shown(work, inserted)), closedFamilyId };
}

export async function removeMember(work: Work, familyId: string, memberId: string): Promise<Member> {
  const own = records(work, families);
  await own.read(familyId);
  const found = await findMember(work, memberId);
  if (found?.familyId !== familyId) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  await records(work, patients).lock(found.patientId);
  const family = await own.lock(familyId);
  if ((await findMember(work, memberId))?.leftAt !== null) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  if (family.primaryContactId === found.patientId) throw new Problem(PRIMARY_CONTACT_REQUIRED);
  const [ended] = await endMemberships(work, familyId, found.patientId);
  if (!ended) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  await setFamily(work, [found.patientId], null);
  return shown(work, ended);
}

export async function setPrimaryContact(
  work: Work,
  id: string,
  patientId: string,
  version: number | undefined,
): Promise<FamilyWithMembers> {
  const own = records(work, families);
  const before = await own.lock(id, version);
  const current = await currentMembers(work, id);
  if (!current.some((one) => one.patientId === patientId)) throw new Problem(PRIMARY_CONTACT_NOT_MEMBER);
  return withMembers(work, await own.update(before, { primaryContactId: patientId }));
}

/**
 * Removes a locked patient from their family. A family without other members is closed. If the patient is the primary
 * contact of others, the one who joined first takes over. The caller clears the patient's `familyId`.
 * @returns the new primary contact, or null if nothing changes for others.
 */
export async function leaveFamily(work: Work, { id, familyId }: Patient): Promise<string | null> {
  if (familyId === null) return null;
  const own = records(work, families);
  const family = await own.lock(familyId);
  const [next] = (await currentMembers(work, familyId)).filter(({ patientId }) => patientId !== id);
  if (!next) {
    await close(work, family);
    return null;
  }
  const replaced = family.primaryContactId === id;
  if (replaced) await own.update(family, { primaryContactId: next.patientId });
  await endMemberships(work, familyId, id);
  return replaced ? next.patientId : null;
}

/** Ends all memberships of a locked family, and deletes it. */
async function close(work: Work, family: Family): Promise<Family> {
  const ended = await endMemberships(work, family.id);
  await setFamily(
    work,
    ended.map(({ patientId }) => patientId),
    null,
  );
  return records(work, families).remove(family, { primaryContactId: null });
}

/**
 * Removes a patient from a family in which they are alone, and closes it.
 * @param id of the patient, or of one who was merged into them.
 * @param target the family that the patient joins, if it exists already.
 * @returns the patient, and the closed family or null if they were in none.
 */
async function moveOut(
  work: Work,
  id: string,
  target?: string,
): Promise<{ readonly patientId: string; readonly closedFamilyId: string | null }> {
  const { id: patientId, familyId: old } = await lockSurvivor(work, id);
  const ids = [target, old].filter((one): one is string => typeof one === 'string').sort();
  const locked = await Promise.all(ids.map((one) => records(work, families).lock(one)));
  if (old === null) return { patientId, closedFamilyId: null };
  if (old === target || (await currentMembers(work, old)).length > 1) {
    throw new Problem(ALREADY_FAMILY_MEMBER, { details: { familyId: old } });
  }
  await close(work, locked[ids.indexOf(old)] as Family);
  return { patientId, closedFamilyId: old };
}

async function shown(work: Work, row: Parameters<typeof showMembers>[1][number]): Promise<Member> {
  const [one] = await showMembers(work, [row]);
  if (!one) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  return one;
}
