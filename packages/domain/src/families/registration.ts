/** Patients are registered with a family of their own, or into one that is there. */
import { fields, newId, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { patientNameOf } from '../patients/names.ts';
import { type NewPatient, type Patient, patients } from '../patients/record.ts';
import { REGISTERED_FAMILY_NOT_FOUND } from './errors.ts';
import { currentMembers, insertMember, otherRelation } from './members.ts';
import { type Family, families } from './record.ts';

/** The family that a new patient joins, and what they are to its primary contact. */
export const joinedFamily = z.object({
  id: fields.id,
  relation: otherRelation.describe('Relation of the patient to the primary contact'),
});
type Joined = z.output<typeof joinedFamily>;

/**
 * Creates a family whose only member, primary contact and payer is the patient. The caller writes the patient's
 * `familyId`. Nothing is awaited in between, so that this can travel with other statements.
 */
export async function insertFamily(
  work: Work,
  { id = newId(), name, patientId }: { readonly id?: string; readonly name: string; readonly patientId: string },
): Promise<Family> {
  const [family] = await Promise.all([
    records(work, families).insert({ name, primaryContactId: patientId, payerId: patientId }, id),
    insertMember(work, id, { patientId, relation: 'self' }),
  ]);
  return family;
}

/**
 * Registers a patient, with a family in which they are alone. Nothing is awaited in between, unless the family needs the
 * code of somebody without a name.
 * @param familyId of the new family.
 */
export async function registerPatient(
  work: Work,
  values: Partial<NewPatient> & Omit<NewPatient, 'alerts'>,
  familyId: string = newId(),
): Promise<Patient> {
  const id = newId();
  const inserted = records(work, patients).insert({ ...values, familyId }, id);
  const name = values.lastName ?? values.firstName ?? (await inserted).patientCode;
  const [patient] = await Promise.all([inserted, insertFamily(work, { id: familyId, name, patientId: id })]);
  return patient;
}

/**
 * Gives the family of a patient the last name, which is known only now. A family that has got another name since, or has
 * other members, keeps its name.
 */
export async function nameFamily(work: Work, before: Patient, { familyId, lastName }: Patient): Promise<void> {
  if (familyId === null || before.lastName !== null || lastName === null) return;
  const family = await records(work, families).lock(familyId);
  const members = await currentMembers(work, familyId);
  if (members.length > 1 || family.name !== patientNameOf(before)) return;
  await records(work, families).update(family, { name: lastName });
}

/** Locks the family that a new patient is to join. @throws Problem FAMILY_NOT_FOUND, which names the field. */
export async function lockJoined(work: Work, { id }: Joined): Promise<void> {
  try {
    await records(work, families).lock(id);
  } catch (error) {
    if (error instanceof Problem && error.kind === families.notFound) throw new Problem(REGISTERED_FAMILY_NOT_FOUND);
    throw error;
  }
}

/** Registers a patient in a family that `lockJoined` has locked. */
export async function registerRelative(
  work: Work,
  values: Partial<NewPatient> & Omit<NewPatient, 'alerts'>,
  { id: familyId, relation }: Joined,
): Promise<Patient> {
  const id = newId();
  const [patient] = await Promise.all([
    records(work, patients).insert({ ...values, familyId }, id),
    insertMember(work, familyId, { patientId: id, relation }),
  ]);
  return patient;
}
