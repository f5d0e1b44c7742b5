/** What memberships give: which of them count for a person on a day, and the best of each group of services. */
import { records, type Work } from '@hms/service';
import { holdSurvivor, personsOf } from '../patients/merges.ts';
import type { ItemGroup } from '../prices/prices.ts';
import { type VipTier, vipTiers } from './record.ts';

/** A membership that counts, with its tier. */
export interface Counting {
  readonly membershipNo: string;
  readonly tier: VipTier;
}

/** What a person gets on one service. Without a membership, nothing and no names. */
export interface Benefit {
  /** In basis points. */
  readonly benefitBps: number;
  readonly membershipNo: string | null;
  readonly tierName: string | null;
}

/**
 * The memberships that count for people on a day: their own ones, those of everybody who was merged into them, and that
 * of the family in which they are now. Suspended and cancelled ones never do.
 * @param day of the hospital, as `YYYY-MM-DD`
 * @returns them by the id of a patient, in the order of their numbers.
 */
export async function membershipsFor(
  work: Work,
  patientIds: readonly string[],
  day: string,
): Promise<(patientId: string) => readonly Counting[]> {
  return counting(work, patientIds, day, false);
}

/**
 * As `membershipsFor`, of one patient. Until the transaction ends, none of them changes, nor does the family of the
 * patient, nor with whom they are merged. Locks are taken in this order: the patient, the memberships by number, the
 * tiers by id.
 * @throws Problem PATIENT_NOT_FOUND
 */
export async function holdMembershipsFor(work: Work, patientId: string, day: string): Promise<readonly Counting[]> {
  await holdSurvivor(work, patientId);
  return (await counting(work, [patientId], day, true))(patientId);
}

/** The best of what memberships give on a group of services. Of equal ones, that with the lower number. Pure. */
export function benefitOf(memberships: readonly Counting[], group: ItemGroup): Benefit {
  return memberships.reduce<Benefit>(
    (best, { membershipNo, tier }) => {
      const benefitBps = tier[`${group}Bps`];
      return benefitBps > best.benefitBps ? { benefitBps, membershipNo, tierName: tier.name } : best;
    },
    { benefitBps: 0, membershipNo: null, tierName: null },
  );
}

/** @param isHeld whether the memberships and their tiers are held until the transaction ends */
async function counting(
  work: Work,
  patientIds: readonly string[],
  day: string,
  isHeld: boolean,
): Promise<(patientId: string) => readonly Counting[]> {
  const people = await personsOf(work, patientIds);
  const all = [...people.values()];
  const families = all.flatMap(({ familyId }) => familyId ?? []);
  const rows = await work.trx.query<Row>(isHeld ? `${COUNTING} FOR SHARE` : COUNTING, [
    all.flatMap(({ ids }) => ids),
    families,
    day,
  ]);
  const tierIds = [...new Set(rows.map(({ tier_id: id }) => id))];
  if (isHeld && tierIds.length > 0) await work.trx.query(HOLD_TIERS, [tierIds]);
  const tiers = new Map((await records(work, vipTiers).byIds(tierIds)).map((tier) => [tier.id, tier]));
  return (patientId) => {
    const { ids = [], familyId = null } = people.get(patientId) ?? {};
    const isTheirs = ({ patient_id: own, family_id: family }: Row) =>
      own === null ? family === familyId : ids.includes(own);
    return rows.filter(isTheirs).flatMap(({ membership_no: membershipNo, tier_id: id }) => {
      const tier = tiers.get(id);
      return tier ? [{ membershipNo, tier }] : [];
    });
  };
}

interface Row {
  readonly membership_no: string;
  readonly patient_id: string | null;
  readonly family_id: string | null;
  readonly tier_id: string;
}

const COUNTING = `
  SELECT membership_no, patient_id, family_id, tier_id FROM vip_memberships
  WHERE (patient_id = ANY ($1) OR family_id = ANY ($2)) AND status = 'active' AND deleted_at IS NULL
    AND daterange(valid_from, valid_to, '[]') @> $3::date
  ORDER BY membership_no`;
const HOLD_TIERS = 'SELECT id FROM vip_tiers WHERE id = ANY ($1) ORDER BY id FOR SHARE';
