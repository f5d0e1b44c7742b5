/** Prescriptions and dispenses as people read them. */
import { type DataReply, type RecordQuery, records, type Work } from '@hms/service';
import { drugsById } from '../drugs/drugs.ts';
import { employees } from '../employees/employees.ts';
import { nameOf, namesOfAccounts } from '../employees/people.ts';
import { type IssuedFile, issuedFilesOf } from '../issued-files/issued-files.ts';
import { peopleById } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import {
  type Dispense,
  type DispenseLine,
  dispenses,
  type Prescription,
  prescriptions,
  type ShownDispense,
  type ShownItem,
  type ShownOverride,
  type ShownPrescription,
} from './record.ts';

/** @throws Problem PRESCRIPTION_NOT_FOUND */
export async function readPrescription(work: Work, id: string): Promise<ShownPrescription> {
  return showPrescription(work, await records(work, prescriptions).read(id));
}

export async function showPrescription(work: Work, prescription: Prescription): Promise<ShownPrescription> {
  const [shown] = await showAll(work, [prescription]);
  return shown as ShownPrescription;
}

/** One page, with the items of each. */
export async function listPrescriptions(work: Work, query: RecordQuery): Promise<DataReply<ShownPrescription[]>> {
  const { data, ...reply } = await records(work, prescriptions).list(query);
  return { ...reply, data: await showAll(work, data) };
}

/** Prescriptions in any order. The audit log has no event. */
export async function prescriptionsById(work: Work, ids: readonly string[]): Promise<readonly ShownPrescription[]> {
  return showAll(work, await records(work, prescriptions).byIds(ids));
}

async function showAll(work: Work, all: readonly Prescription[]): Promise<ShownPrescription[]> {
  if (all.length === 0) return [];
  const ids = all.map(({ id }) => id);
  const [items, overrides, pdfs, people, doctors, repeated] = await Promise.all([
    itemsOfAll(work, ids),
    work.trx.query<OverrideRow>(OVERRIDES, [ids]),
    issuedFilesOf(work, 'prescriptions', ids),
    peopleById(
      work,
      all.map(({ patientId }) => patientId),
    ),
    records(work, employees).byIds([...new Set(all.flatMap(({ doctorId }) => doctorId ?? []))]),
    records(work, prescriptions).byIds([...new Set(all.flatMap(({ repeatOfId }) => repeatOfId ?? []))]),
  ]);
  const names = await namesOfAccounts(
    work,
    overrides.map(({ overriddenBy }) => overriddenBy),
  );
  return all.map((prescription) => {
    const patient = people.get(prescription.patientId);
    const doctor = doctors.find(({ id }) => id === prescription.doctorId);
    return {
      ...prescription,
      patientCode: patient?.patientCode ?? '',
      patientName: patient ? patientNameOf(patient) : '',
      doctorName: doctor ? nameOf(doctor) : null,
      repeatOfNo: repeated.find(({ id }) => id === prescription.repeatOfId)?.rxNo ?? null,
      items: items.get(prescription.id) ?? [],
      overrides: overrides
        .filter((row) => row.prescription_id === prescription.id)
        .map((row) => toOverride(row, names)),
      pdf: pdfOf(pdfs.get(prescription.id)),
    };
  });
}

/** The only one. Its revision says nothing. */
function pdfOf([issued]: readonly IssuedFile[] = []): ShownPrescription['pdf'] {
  if (!issued) return null;
  const { revision: _, ...pdf } = issued;
  return pdf;
}

/** In the order in which they were prescribed. */
export async function itemsOf(work: Work, prescriptionId: string): Promise<readonly ShownItem[]> {
  return (await itemsOfAll(work, [prescriptionId])).get(prescriptionId) ?? [];
}

async function itemsOfAll(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, ShownItem[]>> {
  const rows = await work.trx.query<ItemRow>(ITEMS, [ids]);
  const drugs = await drugsById(
    work,
    rows.map(({ drugId }) => drugId),
  );
  const byPrescription = Map.groupBy(rows, ({ prescriptionId }) => prescriptionId);
  const show = ({ prescriptionId: _, dose, ...row }: ItemRow): ShownItem[] => {
    const drug = drugs.get(row.drugId);
    if (!drug) return [];
    const { code, name, strength, unit, status, maxDailyMgPerKg } = drug;
    const shown = { drugCode: code, drugName: name, drugStatus: status, isByWeight: maxDailyMgPerKg !== null };
    return [{ ...row, ...shown, dose: Number(dose), strength, unit }];
  };
  return new Map([...byPrescription].map(([id, some]) => [id, some.flatMap(show)]));
}

/** One page, with the lines of each. */
export async function listDispenses(work: Work, query: RecordQuery): Promise<DataReply<ShownDispense[]>> {
  const { data, ...reply } = await records(work, dispenses).list(query);
  return { ...reply, data: await Promise.all(data.map((one) => showDispense(work, one))) };
}

/** Dispenses in any order. The audit log has no event. */
export async function dispensesById(work: Work, ids: readonly string[]): Promise<readonly ShownDispense[]> {
  const data = await records(work, dispenses).byIds(ids);
  return Promise.all(data.map((one) => showDispense(work, one)));
}

/** @throws Problem DISPENSE_NOT_FOUND */
export async function readDispense(work: Work, id: string): Promise<ShownDispense> {
  return showDispense(work, await records(work, dispenses).read(id));
}

export async function showDispense(work: Work, dispense: Dispense): Promise<ShownDispense> {
  const [lines, [row]] = await Promise.all([
    linesOf(work, dispense.id),
    work.trx.query<{ by: string }>('SELECT created_by AS by FROM dispenses WHERE id = $1', [dispense.id]),
  ]);
  const by = row?.by ?? '';
  return { ...dispense, dispensedByName: (await namesOfAccounts(work, [by])).get(by) ?? null, lines };
}

export async function linesOf(work: Work, dispenseId: string): Promise<DispenseLine[]> {
  const rows = await work.trx.query<LineRow>(LINES, [dispenseId]);
  const drugs = await drugsById(
    work,
    rows.map(({ drugId }) => drugId),
  );
  return rows.flatMap(({ expiresOn, ...row }) => {
    const drug = drugs.get(row.drugId);
    if (!drug) return [];
    const { name, strength, form, unit } = drug;
    return [{ ...row, expiresOn: `${expiresOn}T00:00:00.000Z`, drugName: name, strength, form, unit }];
  });
}

function toOverride(
  { prescription_id: _, details, overriddenAt, ...row }: OverrideRow,
  names: ReadonlyMap<string, string>,
): ShownOverride {
  const overriddenByName = names.get(row.overriddenBy) ?? null;
  return { ...row, message: details.message, overriddenAt: overriddenAt.toISOString(), overriddenByName };
}

interface ItemRow
  extends Omit<ShownItem, 'dose' | 'drugCode' | 'drugName' | 'drugStatus' | 'isByWeight' | 'strength' | 'unit'> {
  readonly prescriptionId: string;
  /** PostgreSQL's numeric. */
  readonly dose: string;
}

interface OverrideRow extends Omit<ShownOverride, 'message' | 'overriddenAt' | 'overriddenByName'> {
  readonly prescription_id: string;
  readonly details: { readonly message: string };
  readonly overriddenAt: Date;
}

interface LineRow extends Omit<DispenseLine, 'drugName' | 'strength' | 'form' | 'unit'> {}

const ITEMS = `
  SELECT id, prescription_id AS "prescriptionId", drug_id AS "drugId", dose, times_per_day AS "timesPerDay",
    duration_days AS "durationDays", quantity, dispensed, instructions, may_substitute AS "maySubstitute"
  FROM prescription_items WHERE prescription_id = ANY($1) ORDER BY prescription_id, position`;
const OVERRIDES = `
  SELECT prescription_id, finding, kind, details, reason, overridden_by AS "overriddenBy", role,
    overridden_at AS "overriddenAt", dispense_id AS "dispenseId"
  FROM prescription_overrides WHERE prescription_id = ANY($1) ORDER BY overridden_at, finding`;
const LINES = `
  SELECT id, item_id AS "itemId", drug_id AS "drugId", batch_id AS "batchId", batch_no AS "batchNo",
    expires_on AS "expiresOn", quantity, returned, unit_price AS "unitPrice",
    substitution_reason AS "substitutionReason"
  FROM dispense_lines WHERE dispense_id = $1 ORDER BY item_id, expires_on, id`;
