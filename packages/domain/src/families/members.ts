/** Memberships: who is or was in which family. */
import { fields, newId, records, type Work } from '@hms/service';
import { z } from 'zod';
import { patients } from '../patients/record.ts';
import { type Events, timelinePart } from '../timeline/part.ts';

/** To the primary contact, who alone is `self`. */
const relation = z.enum(['self', 'spouse', 'child', 'parent', 'other']);
/** Of everybody else. */
export const otherRelation = relation.exclude(['self']);
export type OtherRelation = z.output<typeof otherRelation>;
/** What members are to a new primary contact. */
export const relations = z.array(z.object({ patientId: fields.id, relation: otherRelation })).max(500);

export const newMember = z
  .object({
    patientId: fields.id,
    relation: relation.default('other').describe('Relation of the patient to the primary contact'),
    isPayer: z.boolean().default(false).describe('Whether the patient pays for the family from now on'),
    fromFamilyId: fields.id
      .optional()
      .describe(
        'The family that the patient leaves, if others are in it. Its primary contact and its payer leave with `handOver`',
      ),
    handOver: z
      .object({
        primaryContactId: fields.id.optional().describe('Needed if the patient is the primary contact there'),
        relations: relations.optional().describe('What everybody else who stays is to the new primary contact'),
        payerId: fields.id.optional().describe('Needed if the patient pays there'),
      })
      .optional()
      .describe('Who takes over in the family that the patient leaves'),
  })
  .meta({ id: 'NewFamilyMember' });
export type NewMember = z.output<typeof newMember>;

export const member = z
  .object({
    id: z.uuid().describe('Id of the membership'),
    familyId: z.uuid(),
    patientId: z.uuid(),
    patientCode: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    survivorId: z.uuid().nullable().describe('The patient with whom this one was merged'),
    relation,
    isPayer: z.boolean().describe('Exactly one member pays for a family'),
    joinedAt: fields.timestamp,
    leftAt: fields.timestamp.nullable(),
  })
  .meta({ id: 'FamilyMember' });
export type Member = z.output<typeof member>;

/** A membership without the name of its patient. */
export type Membership = Omit<Member, 'patientCode' | 'firstName' | 'lastName' | 'survivorId' | 'isPayer'>;

const COLUMNS = 'id, family_id, patient_id, relation, joined_at, left_at';
const ORDER = 'joined_at, id';

/** In the order in which they joined. */
export async function currentMembers({ trx }: Work, familyId: string): Promise<readonly Membership[]> {
  const text = `SELECT ${COLUMNS} FROM family_members WHERE family_id = $1 AND left_at IS NULL ORDER BY ${ORDER}`;
  return (await trx.query<Row>(text, [familyId])).map(toMembership);
}

/** The membership, even if it has ended. */
export async function findMember({ trx }: Work, id: string): Promise<Membership | undefined> {
  const [row] = await trx.query<Row>(`SELECT ${COLUMNS} FROM family_members WHERE id = $1`, [id]);
  return row && toMembership(row);
}

export async function insertMember(
  work: Work,
  familyId: string,
  added: Pick<Member, 'patientId' | 'relation'>,
): Promise<Membership> {
  const [row] = await work.trx.query<Row>(
    `INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
     VALUES ($1, $2, $3, $4, $5, $5) RETURNING ${COLUMNS}`,
    [newId(), familyId, added.patientId, added.relation, work.caller.sub],
  );
  if (!row) throw new Error('a new membership was not returned');
  const after = toMembership(row);
  work.audit({ action: 'create', record: 'family_members', recordId: after.id, patientId: after.patientId, after });
  return after;
}

/** When patients joined and left families. */
export function membershipEvents(patientIds: readonly string[]): readonly Events[] {
  const own = { table: 'family_members', details: { familyId: 'family_id' } } as const;
  return [
    timelinePart({ ...own, kind: 'family.joined', at: 'joined_at' }, patientIds),
    timelinePart({ ...own, kind: 'family.left', at: 'left_at' }, patientIds),
  ];
}

/** Ends the current memberships of a family. @param patientId only of this patient. */
export async function endMemberships(work: Work, familyId: string, patientId?: string): Promise<readonly Membership[]> {
  const rows = await work.trx.query<Row>(
    `UPDATE family_members SET left_at = moment(), updated_at = moment(), updated_by = $2, version = version + 1
     WHERE family_id = $1 AND left_at IS NULL AND ($3::uuid IS NULL OR patient_id = $3) RETURNING ${COLUMNS}`,
    [familyId, work.caller.sub, patientId],
  );
  const ended = rows.map(toMembership);
  for (const after of ended) {
    work.audit({ action: 'delete', record: 'family_members', recordId: after.id, patientId: after.patientId, after });
  }
  return ended;
}

/** Writes the relation of a current member. */
export async function setRelation(work: Work, { id, ...before }: Membership, to: Member['relation']): Promise<void> {
  if (to === before.relation) return;
  await work.trx.query(
    `UPDATE family_members SET relation = $2, updated_at = moment(), updated_by = $3, version = version + 1 WHERE id = $1`,
    [id, to, work.caller.sub],
  );
  const change = { before: { relation: before.relation }, after: { relation: to } };
  work.audit({ action: 'update', record: 'family_members', recordId: id, patientId: before.patientId, ...change });
}

/** Memberships with the names of their patients. @param payerId who pays for their family. */
export async function showMembers(
  work: Work,
  payerId: string | null,
  memberships: readonly Membership[],
): Promise<Member[]> {
  const people = await records(work, patients).byIds(memberships.map(({ patientId }) => patientId));
  const byId = new Map(people.map((patient) => [patient.id, patient]));
  return memberships.map(({ id, familyId, patientId, ...rest }) => {
    const { patientCode = '', firstName = null, lastName = null, survivorId = null } = byId.get(patientId) ?? {};
    const isPayer = patientId === payerId;
    return { id, familyId, patientId, patientCode, firstName, lastName, survivorId, isPayer, ...rest };
  });
}

interface Row {
  readonly id: string;
  readonly family_id: string;
  readonly patient_id: string;
  readonly relation: Membership['relation'];
  readonly joined_at: Date;
  readonly left_at: Date | null;
}

function toMembership(row: Row): Membership {
  return {
    id: row.id,
    familyId: row.family_id,
    patientId: row.patient_id,
    relation: row.relation,
    joinedAt: row.joined_at.toISOString(),
    leftAt: row.left_at?.toISOString() ?? null,
  };
}
