/**
 * VIP tiers and memberships: the tables `vip_tiers` and `vip_memberships`.
 *
 * A membership is held by a patient or by a family, and each has one at a time. Exclusion constraints make sure for one
 * patient and for one family. Patients who were merged are one person, so a new membership is compared with those of all
 * of them, under the lock of the one who remains. Memberships of two patients who are merged later both stay.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient or the family, the tier, the
 * membership.
 */
import { build } from '@hms/database';
import { type DataReply, invalidFields, Problem, type RecordQuery, records, today, type Work } from '@hms/service';
import type { z } from 'zod';
import { families } from '../families/record.ts';
import { lockSurvivor, samePerson } from '../patients/merges.ts';
import { patientNames } from '../patients/names.ts';
import {
  type membershipChanges,
  type newMembership,
  type Phase,
  type ShownMembership,
  VIP_MEMBERSHIP_ENDED,
  VIP_OVERLAP,
  VIP_TIER_INACTIVE,
  type VipMembership,
  vipMemberships,
  vipTiers,
} from './record.ts';

export { type Benefit, benefitOf, type Counting, holdMembershipsFor, membershipsFor } from './benefits.ts';
export { openMemberships } from './open.ts';
export * from './record.ts';

/**
 * @throws Problem PATIENT_NOT_FOUND, FAMILY_NOT_FOUND, VIP_TIER_NOT_FOUND, VIP_TIER_INACTIVE, VALIDATION_FAILED,
 * VIP_OVERLAP
 */
export async function createMembership(work: Work, body: z.output<typeof newMembership>): Promise<ShownMembership> {
  const { patientId, familyId, ...values } = body;
  const holder =
    familyId === undefined
      ? await lockHolder(work, { patientId: patientId ?? null, familyId: null })
      : { patientId: null, familyId: (await records(work, families).lock(familyId)).id };
  const tier = await records(work, vipTiers).lock(body.tierId);
  if (tier.status === 'inactive') throw new Problem(VIP_TIER_INACTIVE);
  const period = { validFrom: body.validFrom ?? today(work), validTo: body.validTo ?? null };
  demandOrder(period, today(work));
  await demandFree(work, holder, period);
  return show(work, await records(work, vipMemberships).insert({ ...values, ...period, ...holder }));
}

/** @throws Problem VIP_MEMBERSHIP_NOT_FOUND, INVALID_STATE, VALIDATION_FAILED, VIP_OVERLAP */
export async function changeMembership(
  work: Work,
  id: string,
  { validTo, ...changes }: Omit<z.output<typeof membershipChanges>, 'version'>,
  version: number | undefined,
): Promise<ShownMembership> {
  const { before, holder } = await lockWithHolder(work, id, version);
  const own = records(work, vipMemberships);
  if (validTo === undefined) return show(work, await own.update(before, changes));
  const period = { validFrom: dayOf(before.validFrom), validTo };
  demandOrder(period, yesterday(work));
  if (before.status !== 'cancelled') await demandFree(work, holder, period, id);
  return show(work, await own.update(before, { ...changes, validTo }));
}

/**
 * Suspends, resumes or cancels a membership. @param reason null to resume.
 * @throws Problem VIP_MEMBERSHIP_NOT_FOUND, VIP_MEMBERSHIP_ENDED, INVALID_STATE
 */
export async function moveMembership(
  work: Work,
  id: string,
  to: VipMembership['status'],
  reason: string | null,
  version: number | undefined,
): Promise<ShownMembership> {
  const { before } = await lockWithHolder(work, id, version);
  if (phaseOf(before, today(work)) === 'ended') throw new Problem(VIP_MEMBERSHIP_ENDED);
  const cancelledAt = to === 'cancelled' ? { cancelledAt: work.trx.moment.toISOString() } : {};
  return show(work, await records(work, vipMemberships).moveTo(before, to, { reason, ...cancelledAt }));
}

/** @throws Problem VIP_MEMBERSHIP_NOT_FOUND */
export async function readMembership(work: Work, id: string): Promise<ShownMembership> {
  return show(work, await records(work, vipMemberships).read(id));
}

/** One page. */
export async function listMemberships(work: Work, query: RecordQuery): Promise<DataReply<ShownMembership[]>> {
  const { data, ...reply } = await records(work, vipMemberships).list(query);
  return { ...reply, data: await showAll(work, data) };
}

async function show(work: Work, membership: VipMembership): Promise<ShownMembership> {
  const [shown] = await showAll(work, [membership]);
  return shown as ShownMembership;
}

async function showAll(work: Work, all: readonly VipMembership[]): Promise<ShownMembership[]> {
  const [named, familyOf, tiers] = await Promise.all([
    patientNames(
      work,
      all.flatMap(({ patientId }) => patientId ?? []),
    ),
    familiesOf(work, all),
    records(work, vipTiers).byIds([...new Set(all.map(({ tierId }) => tierId))]),
  ]);
  const now = today(work);
  return all.map((membership) => ({
    ...membership,
    phase: phaseOf(membership, now),
    tierName: tiers.find(({ id }) => id === membership.tierId)?.name ?? '',
    ...(membership.patientId === null ? NO_PATIENT : named(membership.patientId)),
    ...familyOf(membership.familyId),
  }));
}

const NO_PATIENT = { patientCode: null, patientName: null };

/** @returns what is shown of a family, by its id. */
async function familiesOf(work: Work, all: readonly VipMembership[]) {
  const found = await records(work, families).byIds([...new Set(all.flatMap(({ familyId }) => familyId ?? []))]);
  return (id: string | null) => {
    const family = found.find((one) => one.id === id);
    const { familyCode = null, name: familyName = null, primaryContactId = null } = family ?? {};
    return { familyCode, familyName, primaryContactId };
  };
}

/** What a membership is on a day. Pure. */
function phaseOf({ status, validFrom, validTo }: VipMembership, day: string): Phase {
  if (status === 'cancelled') return 'cancelled';
  if (validTo !== null && dayOf(validTo) < day) return 'ended';
  if (status === 'suspended') return 'suspended';
  return day < dayOf(String(validFrom)) ? 'upcoming' : 'current';
}

/** Whose a membership is: one of the two. */
type Holder = Pick<VipMembership, 'patientId' | 'familyId'>;

async function lockWithHolder(work: Work, id: string, version: number | undefined) {
  const own = records(work, vipMemberships);
  const found = await own.find(id);
  if (!found) throw new Problem(vipMemberships.notFound);
  const holder = await lockHolder(work, found);
  return { holder, before: await own.lock(id, version) };
}

/** Locks a patient, or the one into whom they were merged, or a family, which may be closed. @returns who was locked. */
async function lockHolder(work: Work, { patientId, familyId }: Holder): Promise<Holder> {
  if (patientId !== null) return { patientId: (await lockSurvivor(work, patientId)).id, familyId: null };
  if (familyId !== null) await records(work, families).lockAny(familyId);
  return { patientId, familyId };
}

interface Period {
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** @param earliest the first day that may be the last one. @throws Problem VALIDATION_FAILED */
function demandOrder({ validFrom, validTo }: Period, earliest: string): void {
  if (validTo === null) return;
  const message =
    validTo < validFrom ? 'must not be before validFrom' : validTo < earliest ? `must not be before ${earliest}` : '';
  if (message !== '') throw invalidFields([{ field: 'validTo', in: 'body', message }]);
}

/** @param exceptId the membership that is changed. @throws Problem VIP_OVERLAP that names the other one. */
async function demandFree(work: Work, holder: Holder, period: Period, exceptId?: string): Promise<void> {
  const { patientId, familyId } = holder;
  const rows = build.from('vip_memberships').whereNull('deleted_at').whereNot('status', 'cancelled').select('id');
  if (patientId === null) rows.where('family_id', familyId);
  else rows.whereIn('patient_id', await samePerson(work, patientId));
  rows.whereRaw("daterange(valid_from, valid_to, '[]') && daterange(?, ?, '[]')", [period.validFrom, period.validTo]);
  if (exceptId !== undefined) rows.whereNot('id', exceptId);
  const [other] = await work.trx.run<{ id: string }>(rows.orderBy('valid_from').limit(1));
  const found = other && (await records(work, vipMemberships).find(other.id));
  if (!found) return;
  const { id, membershipNo, validFrom, validTo } = found;
  throw new Problem(VIP_OVERLAP, { details: { membership: { id, membershipNo, validFrom, validTo } } });
}

function dayOf(shown: string | null): string {
  return String(shown).slice(0, 10);
}

function yesterday(work: Work): string {
  return new Date(Date.parse(today(work)) - 86_400_000).toISOString().slice(0, 10);
}
