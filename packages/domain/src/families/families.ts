/**
 * Families: the tables `families` and `family_members`.
 *
 * A patient is in one family at a time. A patient who is alone in a family, as everybody is at creation,
 * moves when they are added to another: the empty family is closed, and the response names it. Its VIP membership becomes
 * that of the patient.
 * A patient with other family members moves only if the request names the family that they leave, so that nobody is
 * separated by accident. After leaving, a patient is in no family until they are added to one.
 *
 * The primary contact is the only member with the relation `self`, as relations are relative to them. One member pays.
 * Neither of the two leaves before another member has taken over.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, then families by id.
 */
import { Problem, records, type Work } from '@hms/service';
import { lockSurvivor } from '../patients/merges.ts';
import { setFamily } from '../patients/patients.ts';
import { type Patient, patients } from '../patients/record.ts';
import { keepMemberships } from '../vip/open.ts';
import {
  ALREADY_FAMILY_MEMBER,
  FAMILY_HAS_MEMBERS,
  FAMILY_HAS_SELF,
  FAMILY_MEMBER_NOT_FOUND,
  PAYER_NOT_MEMBER,
  PAYER_REQUIRED,
  PRIMARY_CONTACT_NOT_MEMBER,
  PRIMARY_CONTACT_REQUIRED,
  RELATION_NOT_OF_MEMBER,
  RELATIONS_REQUIRED,
} from './errors.ts';
import {
  currentMembers,
  endMemberships,
  findMember,
  insertMember,
  type Member,
  type Membership,
  type NewMember,
  type OtherRelation,
  setRelation,
  showMembers,
} from './members.ts';
import { type Family, type FamilyWithMembers, families, withMembers } from './record.ts';
import { insertFamily } from './registration.ts';

export * from './errors.ts';
export { type Member, member, membershipEvents, newMember, relations } from './members.ts';
export { type Family, type FamilyWithMembers, families, familiesMatching, familyWithMembers } from './record.ts';
export {
  insertFamily,
  joinedFamily,
  lockJoined,
  nameFamily,
  registerPatient,
  registerRelative,
} from './registration.ts';
export { suggestedFamily, suggestFamilies } from './suggestions.ts';

/** The family with its current members. */
export async function readFamily(work: Work, id: string): Promise<FamilyWithMembers> {
  return withMembers(work, await records(work, families).read(id));
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

/** Changes the name, and who pays. @throws Problem PAYER_NOT_MEMBER. */
export async function changeFamily(
  work: Work,
  id: string,
  changes: { readonly name?: string | undefined; readonly payerId?: string | undefined },
  version: number | undefined,
): Promise<FamilyWithMembers> {
  const own = records(work, families);
  const before = await own.lock(id, version);
  if (changes.payerId !== undefined) requirePayer(await currentMembers(work, id), changes.payerId);
  return withMembers(work, await own.update(before, changes));
}

function requirePayer(members: readonly Membership[], payerId: string): void {
  if (!members.some(({ patientId }) => patientId === payerId)) throw new Problem(PAYER_NOT_MEMBER);
}

/** Deletes a family whose only member is its primary contact, who is then in no family. */
export async function removeFamily(work: Work, id: string, version: number | undefined): Promise<Family> {
  const before = await records(work, families).lock(id, version);
  const others = (await currentMembers(work, id)).filter(({ patientId }) => patientId !== before.primaryContactId);
  if (others.length > 0) {
    throw new Problem(FAMILY_HAS_MEMBERS, { details: { members: await showMembers(work, before.payerId, others) } });
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
  { relation, isPayer, fromFamilyId, handOver, ...added }: NewMember,
): Promise<Member & { readonly closedFamilyId: string | null }> {
  if (relation === 'self') throw new Problem(FAMILY_HAS_SELF);
  const own = records(work, families);
  await own.read(familyId);
  const { patientId, closedFamilyId } = await moveOut(work, added.patientId, {
    ...{ target: familyId, fromFamilyId, handOver },
  });
  const family = await own.lock(familyId);
  const inserted = await insertMember(work, familyId, { patientId, relation });
  await setFamily(work, [patientId], familyId);
  const after = isPayer ? await own.update(family, { payerId: patientId }) : family;
  return { ...(await shown(work, after, inserted)), closedFamilyId };
}

/**
 * @param payerId who pays from now on. Needed if the member pays now.
 * @throws Problem PRIMARY_CONTACT_REQUIRED, PAYER_REQUIRED, PAYER_NOT_MEMBER.
 */
export async function removeMember(work: Work, familyId: string, memberId: string, payerId?: string): Promise<Member> {
  const own = records(work, families);
  await own.read(familyId);
  const found = await findMember(work, memberId);
  if (found?.familyId !== familyId) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  await records(work, patients).lock(found.patientId);
  let family = await own.lock(familyId);
  if ((await findMember(work, memberId))?.leftAt !== null) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  if (family.primaryContactId === found.patientId) throw new Problem(PRIMARY_CONTACT_REQUIRED);
  if (payerId !== undefined) {
    const others = (await currentMembers(work, familyId)).filter(({ id }) => id !== memberId);
    requirePayer(others, payerId);
    family = await own.update(family, { payerId });
  }
  const ended = await leave(work, family, found.patientId);
  await setFamily(work, [found.patientId], null);
  return shown(work, family, ended);
}

/**
 * Makes another member the primary contact. What the others are to the new one is asked, never concluded: a child of the
 * former contact may be no child of the new one.
 * @param relations of everybody else, by patient.
 * @throws Problem PRIMARY_CONTACT_NOT_MEMBER, RELATIONS_REQUIRED, RELATION_NOT_OF_MEMBER.
 */
export async function setPrimaryContact(
  work: Work,
  id: string,
  { patientId, relations }: { readonly patientId: string; readonly relations: readonly RelationOf[] },
  version: number | undefined,
): Promise<FamilyWithMembers> {
  const before = await records(work, families).lock(id, version);
  return withMembers(work, await changePrimaryContact(work, before, { patientId, relations }));
}

/** As `setPrimaryContact`, of a locked family. */
async function changePrimaryContact(
  work: Work,
  before: Family,
  { patientId, relations }: { readonly patientId: string; readonly relations: readonly RelationOf[] },
): Promise<Family> {
  const current = await currentMembers(work, before.id);
  const next = current.find((one) => one.patientId === patientId);
  if (!next) throw new Problem(PRIMARY_CONTACT_NOT_MEMBER);
  if (next.relation === 'self') return before;
  const given = new Map(relations.map((one) => [one.patientId, one.relation]));
  const others = current.filter((one) => one !== next);
  if (given.size < relations.length || relations.some((one) => others.every((o) => o.patientId !== one.patientId)))
    throw new Problem(RELATION_NOT_OF_MEMBER);
  const open = others.filter((one) => !given.has(one.patientId));
  if (open.length > 0)
    throw new Problem(RELATIONS_REQUIRED, { details: { members: await showMembers(work, before.payerId, open) } });
  // First the former contact's, as nobody else may be `self` at the same time.
  for (const one of others) await setRelation(work, one, given.get(one.patientId) ?? one.relation);
  await setRelation(work, next, 'self');
  return records(work, families).update(before, { primaryContactId: patientId });
}

/** What a member is to the primary contact. */
export interface RelationOf {
  readonly patientId: string;
  readonly relation: OtherRelation;
}

/**
 * Removes a locked patient from their family. A family without other members is closed. The caller clears the patient's
 * `familyId`.
 * @throws Problem PRIMARY_CONTACT_REQUIRED or PAYER_REQUIRED if others are in the family and need one.
 */
export async function leaveFamily(work: Work, { id, familyId }: Patient): Promise<void> {
  if (familyId === null) return;
  const family = await records(work, families).lock(familyId);
  if ((await currentMembers(work, familyId)).length > 1) await leave(work, family, id);
  else await close(work, family);
}

/** Ends the membership of a patient in a locked family with others. */
async function leave(work: Work, family: Family, patientId: string): Promise<Membership> {
  if (family.primaryContactId === patientId) throw new Problem(PRIMARY_CONTACT_REQUIRED);
  if (family.payerId === patientId) throw new Problem(PAYER_REQUIRED);
  const [ended] = await endMemberships(work, family.id, patientId);
  if (!ended) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  return ended;
}

/** Who pays for a family: its patient. Undefined if it is deleted. */
export async function payerOf({ trx }: Work, familyId: string): Promise<string | undefined> {
  const [row] = await trx.query<{ payer_id: string | null }>('SELECT payer_id FROM families WHERE id = $1', [familyId]);
  return row?.payer_id ?? undefined;
}

/** Deletes a locked family. Whoever was alone in it keeps its VIP membership. @throws Problem VIP_OVERLAP */
async function close(work: Work, family: Family): Promise<Family> {
  const ended = await endMemberships(work, family.id);
  for (const { patientId } of ended) await keepMemberships(work, family.id, patientId);
  await setFamily(
    work,
    ended.map(({ patientId }) => patientId),
    null,
  );
  return records(work, families).remove(family, { primaryContactId: null, payerId: null });
}

/**
 * Removes a patient from a family in which they are alone, and closes it.
 * @param id of the patient, or of one who was merged into them.
 * @param to.target the family that the patient joins, if it exists already.
 * @param to.fromFamilyId the family that the patient leaves although others are in it.
 * @param to.handOver who takes over there what the patient was.
 * @returns the patient, and the closed family or null if none was.
 */
async function moveOut(
  work: Work,
  id: string,
  { target, fromFamilyId, handOver }: { readonly target?: string } & Pick<NewMember, 'fromFamilyId' | 'handOver'> = {},
): Promise<{ readonly patientId: string; readonly closedFamilyId: string | null }> {
  const { id: patientId, familyId: old } = await lockSurvivor(work, id);
  const ids = [target, old].filter((one): one is string => typeof one === 'string').sort();
  const locked = await Promise.all(ids.map((one) => records(work, families).lock(one)));
  if (old === null) return { patientId, closedFamilyId: null };
  const family = locked[ids.indexOf(old)] as Family;
  const hasOthers = (await currentMembers(work, old)).length > 1;
  if (old === target || (hasOthers && old !== fromFamilyId))
    throw new Problem(ALREADY_FAMILY_MEMBER, { details: { familyId: old } });
  if (hasOthers) await leave(work, await handedOver(work, family, patientId, handOver), patientId);
  else await close(work, family);
  return { patientId, closedFamilyId: hasOthers ? null : old };
}

/** A locked family in which others have taken over what a patient was who leaves it. */
async function handedOver(
  work: Work,
  family: Family,
  patientId: string,
  { primaryContactId, relations = [], payerId }: NonNullable<NewMember['handOver']> = {},
): Promise<Family> {
  let after = family;
  if (primaryContactId !== undefined && family.primaryContactId === patientId) {
    // Nobody asks what somebody is to the new primary contact who leaves at the same time.
    const all = [...relations, { patientId, relation: 'other' as const }];
    after = await changePrimaryContact(work, after, { patientId: primaryContactId, relations: all });
  }
  if (payerId !== undefined && family.payerId === patientId) {
    const members = await currentMembers(work, family.id);
    requirePayer(
      members.filter((one) => one.patientId !== patientId),
      payerId,
    );
    after = await records(work, families).update(after, { payerId });
  }
  return after;
}

async function shown(work: Work, { payerId }: Family, row: Membership): Promise<Member> {
  const [one] = await showMembers(work, payerId, [row]);
  if (!one) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
  return one;
}
