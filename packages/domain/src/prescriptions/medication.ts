/** The facts for the checks: what the patient takes, and to what they are allergic. */
import { readHospitalRoles } from '@hms/database';
import { newId, Problem, today, type Work } from '@hms/service';
import type { Permission } from '@hms/tenancy';
import { type Drug, drugsById, interactionsAmong, spellings } from '../drugs/drugs.ts';
import { samePerson } from '../patients/merges.ts';
import type { Patient } from '../patients/record.ts';
import { warningsOf } from '../patients/warnings.ts';
import { type Current, check, type Facts, FINDING_KINDS, type Finding, type Taken } from './checks.ts';
import { CONFLICTS, OVERRIDE_NOT_ALLOWED } from './errors.ts';
import type { Overrides } from './record.ts';

interface Order extends Pick<Facts, 'wanted' | 'weight'> {
  /** A prescription that is not compared with itself. */
  readonly without?: string;
}

/** Checks drugs that a survivor is about to get, with what is known of the merged records. */
export async function findingsFor(
  work: Work,
  patient: Patient,
  { wanted, weight, without }: Order,
): Promise<readonly Finding[]> {
  const { allergies } = await warningsOf(work, patient);
  const current = await takenBy(work, patient.id, without);
  const substances = [...wanted, ...current].flatMap(({ drug }) => [
    drug.name,
    ...drug.ingredients,
    ...drug.allergyGroups,
  ]);
  const keys = await spellings(work, [...substances, ...(allergies ?? []).map(({ substance }) => substance)]);
  const interactions = await interactionsAmong(work, [...new Set(keys.values())]);
  return check({ wanted, current, allergies, interactions, spellings: keys, weight, today: today(work) });
}

export function takenAs(drug: Drug, item: { readonly dose: number; readonly timesPerDay: number }): Taken {
  return { drug, dailyDose: Math.round(item.dose * 1000 * item.timesPerDay) / 1000 };
}

/** What a person takes today, by any of their records. The days of a drug begin when it was last dispensed. */
async function takenBy(work: Work, patientId: string, without: string | undefined): Promise<readonly Current[]> {
  const ids = await samePerson(work, patientId);
  const rows = await work.trx.query<CurrentRow>(CURRENT, [ids, without ?? null]);
  const drugs = await drugsById(
    work,
    rows.map(({ drug_id }) => drug_id),
  );
  return rows.flatMap(({ drug_id, dose, times_per_day, prescription_id, rx_no }) => {
    const drug = drugs.get(drug_id);
    if (!drug) return [];
    const taken = takenAs(drug, { dose: Number(dose), timesPerDay: times_per_day });
    return [{ ...taken, prescriptionId: prescription_id, rxNo: rx_no }];
  });
}

interface CurrentRow {
  readonly drug_id: string;
  /** PostgreSQL's numeric. */
  readonly dose: string;
  readonly times_per_day: number;
  readonly prescription_id: string;
  readonly rx_no: string;
}

const CURRENT = `
  SELECT drug_id, dose, times_per_day, prescription_id, rx_no
  FROM prescriptions JOIN prescription_items ON prescription_id = prescriptions.id
  WHERE patient_id = ANY($1) AND prescriptions.id IS DISTINCT FROM $2::uuid
    AND (status IN ('active', 'partially_dispensed') OR dispensed > 0) AND status <> 'cancelled'
    AND coalesce(
      (SELECT max(created_at) FROM dispense_lines line JOIN dispenses ON dispenses.id = dispense_id
        WHERE item_id = prescription_items.id),
      prescriptions.created_at
    ) + make_interval(days => duration_days) > moment()
  ORDER BY prescriptions.created_at, position`;

/** As a response has them. */
export function shownFindings(findings: readonly Finding[]) {
  return findings.map((one) => ({ ...one, drugIds: [...one.drugIds] }));
}

export interface Accepted extends Finding {
  readonly reason: string;
}

/**
 * The findings with the reasons why they are accepted.
 * @throws Problem with the most dangerous finding that has no reason. Its details have all of these.
 */
export function acceptedWith(findings: readonly Finding[], overrides: Overrides): readonly Accepted[] {
  const reasons = new Map(overrides.map(({ finding, reason }) => [finding, reason]));
  const needed = findings.filter(({ needsReason }) => needsReason);
  const open = needed.filter(({ finding }) => !reasons.has(finding));
  const kind = FINDING_KINDS.find((one) => open.some((finding) => finding.kind === one));
  if (kind) throw new Problem(CONFLICTS[kind], { details: { findings: open } });
  return needed.map((finding) => ({ ...finding, reason: reasons.get(finding.finding) ?? '' }));
}

/**
 * Records who accepted findings, why, and with which role.
 * @throws Problem OVERRIDE_NOT_ALLOWED if no role of the caller lets them.
 */
export async function recordOverrides(
  work: Work,
  of: { readonly prescriptionId: string; readonly patientId: string; readonly dispenseId?: string },
  accepted: readonly Accepted[],
  permission: Permission,
): Promise<void> {
  if (accepted.length === 0) return;
  const role = await roleWith(work, permission);
  if (role === undefined) throw new Problem(OVERRIDE_NOT_ALLOWED, { details: { findings: accepted } });
  const rows = accepted.map(({ finding, kind, message, details, reason }) => {
    return { id: newId(), finding, kind, details: { ...details, message }, reason };
  });
  const { prescriptionId, patientId, dispenseId } = of;
  const values = [prescriptionId, dispenseId ?? null, work.caller.sub, role, JSON.stringify(rows)];
  await work.trx.query(INSERT, values);
  for (const { id, ...after } of rows) {
    const event = { action: 'create', record: 'prescription_overrides', recordId: id, patientId } as const;
    work.audit({ ...event, after: { prescriptionId, role, ...after } });
  }
}

/** The role with which the caller may do something. */
async function roleWith({ trx, caller }: Work, permission: Permission): Promise<string | undefined> {
  const roles = await readHospitalRoles(trx);
  return roles.find(
    ({ name, permissions, withheld }) =>
      caller.roles.includes(name) && permissions.includes(permission) && !withheld.includes(permission),
  )?.name;
}

const INSERT = `
  INSERT INTO prescription_overrides
    (id, prescription_id, dispense_id, finding, kind, details, reason, overridden_by, role)
  SELECT id, $1, $2, finding, kind, details, reason, $3, $4
  FROM jsonb_to_recordset($5::jsonb) AS row(id uuid, finding text, kind text, details jsonb, reason text)`;
