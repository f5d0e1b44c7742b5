/**
 * Rules of families.
 *
 * A patient is in one family at a time. A patient who is alone in a family, as everybody is at creation,
 * moves when they are added to another: the empty family is closed, and the response names it.
 * A patient with other family members must be removed from that family first (409 ALREADY_FAMILY_MEMBER), so that
 * nobody is separated by accident. After leaving, a patient is in no family until they are added to one.
 */
import {
  demandRoleForDeleted,
  demandVersion,
  Problem,
  paged,
  type Reply,
  type RequestContext,
  takeNumber,
} from '@hms/service';
import type { Knex } from 'knex';
import {
  ALREADY_FAMILY_MEMBER,
  FAMILY_HAS_MEMBERS,
  FAMILY_MEMBER_NOT_FOUND,
  FAMILY_NOT_FOUND,
  PATIENT_NOT_FOUND,
  PRIMARY_CONTACT_NOT_MEMBER,
} from './families.errors.ts';
import { type FamilyRow, familyRepository, toFamily, toMember } from './families.repository.ts';
import type {
  AddedMember,
  Family,
  FamilyChanges,
  FamilyQuery,
  FamilyWithMembers,
  Member,
  NewFamily,
  NewMember,
  NewPrimaryContact,
} from './families.schema.ts';

type Who = Pick<RequestContext, 'caller' | 'hospital'>;

export function familyService(trx: Knex.Transaction, { caller, hospital }: Who) {
  const families = familyRepository(trx, caller.sub);

  async function present(id: string): Promise<FamilyRow> {
    const row = await families.find(id);
    if (!row || row.deleted_at) throw new Problem(FAMILY_NOT_FOUND);
    return row;
  }

  async function members(id: string): Promise<Member[]> {
    return (await families.members(id)).map(toMember);
  }

  async function read(id: string): Promise<FamilyWithMembers> {
    return { ...toFamily(await present(id)), members: await members(id) };
  }

  /** Waits for concurrent changes of the family, then reads it. */
  async function hold(id: string): Promise<FamilyRow> {
    await families.lock([id]);
    return present(id);
  }

  /**
   * Removes the patient from a family in which they are alone, and closes it.
   * @param target the family that the patient joins, if it exists already.
   * @returns the closed family's id, or null if the patient was in none.
   */
  async function moveOut(patientId: string, target?: string): Promise<string | null> {
    if (!(await families.lockPatient(patientId))) throw new Problem(PATIENT_NOT_FOUND);
    const current = await families.membershipOf(patientId);
    const old = current?.family_id;
    await families.lock([target, old].filter((id) => id !== undefined));
    if (old === undefined) return null;
    if (old === target || (await families.members(old)).length > 1) {
      throw new Problem(ALREADY_FAMILY_MEMBER, { details: { familyId: old } });
    }
    await families.close(old);
    return old;
  }

  return {
    read,

    async list(query: FamilyQuery): Promise<Reply<Family[]>> {
      demandRoleForDeleted(caller, query);
      return paged(await families.list(query, hospital.timezone), toFamily);
    },

    async create({ name, primaryContactId }: NewFamily): Promise<FamilyWithMembers> {
      await moveOut(primaryContactId);
      const id = await families.insert(await takeNumber(trx, 'family', 'FAM'), name, primaryContactId);
      await families.insertMember(id, { patientId: primaryContactId, relation: 'self', isPayer: true });
      return read(id);
    },

    async update(id: string, { name, version }: FamilyChanges): Promise<FamilyWithMembers> {
      demandVersion(await hold(id), version);
      await families.update(id, name === undefined ? {} : { name });
      return read(id);
    },

    /** Soft-deletes it. Its only member, the primary contact, is then in no family. */
    async remove(id: string): Promise<Family> {
      const before = await hold(id);
      const others = (await families.members(id)).filter(({ patient_id }) => patient_id !== before.primary_contact_id);
      if (others.length > 0) throw new Problem(FAMILY_HAS_MEMBERS, { details: { members: others.map(toMember) } });
      await families.close(id);
      return toFamily((await families.find(id)) ?? before);
    },

    async members(id: string): Promise<Member[]> {
      await present(id);
      return members(id);
    },

    async addMember(id: string, member: NewMember): Promise<AddedMember> {
      await present(id);
      const closedFamilyId = await moveOut(member.patientId, id);
      await present(id);
      return { ...(await readMember(await families.insertMember(id, member))), closedFamilyId };
    },

    /** The constraint `families_primary_contact_is_member` refuses to remove the primary contact. */
    async removeMember(id: string, memberId: string): Promise<Member> {
      await present(id);
      const member = await families.findMember(memberId);
      if (member?.family_id !== id) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
      await families.lockPatient(member.patient_id);
      await families.lock([id]);
      if ((await families.membershipOf(member.patient_id))?.id !== memberId) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
      await families.endMembership(memberId);
      return readMember(memberId);
    },

    async setPrimaryContact(id: string, { patientId, version }: NewPrimaryContact): Promise<FamilyWithMembers> {
      demandVersion(await hold(id), version);
      const current = await families.members(id);
      if (!current.some(({ patient_id }) => patient_id === patientId)) throw new Problem(PRIMARY_CONTACT_NOT_MEMBER);
      await families.update(id, { primary_contact_id: patientId });
      return read(id);
    },
  };

  async function readMember(id: string): Promise<Member> {
    const row = await families.findMember(id);
    if (!row) throw new Problem(FAMILY_MEMBER_NOT_FOUND);
    return toMember(row);
  }
}
