/** Writing and cancelling prescriptions. */
import { fields, invalidFields, newId, Problem, records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { holdActive } from '../drugs/drugs.ts';
import { holderOf } from '../employees/employees.ts';
import { employeeWith } from '../employees/people.ts';
import { lockSurvivor, samePerson } from '../patients/merges.ts';
import { warningsOf } from '../patients/warnings.ts';
import { DOCTOR_NOT_ALLOWED, PRESCRIPTION_NOT_FOUND, REPEAT_OF_OTHER_PATIENT } from './errors.ts';
import { prescriptionExpiry } from './expiry.ts';
import { acceptedWith, findingsFor, recordOverrides, shownFindings, takenAs } from './medication.ts';
import { prescriptionPdf } from './pdf-task.ts';
import {
  type checked,
  MOST_QUANTITY,
  type NewItem,
  newItems,
  overrides,
  type Prescription,
  prescriptions,
  reason,
  weightKg,
} from './record.ts';
import type { Weight } from './weight.ts';

/** A month to get it, and at most a year. */
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

const weighing = {
  weightKg: weightKg.optional().describe('Weight of the patient in kilograms, for drugs with a dose by weight'),
  weighedOn: fields.day.optional().describe('The day of this weight, not in the future. Default: today'),
};

export const newPrescription = prescriptions.create
  .extend({
    patientId: fields.id,
    doctorId: fields.id.nullish().describe('The employee who prescribes. Default: the caller'),
    repeatOfId: fields.id.nullish().describe('An earlier prescription of the patient, if this one repeats it'),
    validUntil: fields.day
      .optional()
      .describe(
        `The last day on which it may be dispensed, at most ${MOST_DAYS} days from now. Default: in ${USUAL_DAYS} days`,
      ),
    ...weighing,
    items: newItems,
    overrides,
  })
  .meta({ id: 'NewPrescription' });
export const checkRequest = z
  .object({ patientId: fields.id, ...weighing, items: newItems })
  .meta({ id: 'PrescriptionCheckRequest' });
export const cancellation = z.object({ reason, version: fields.version }).meta({ id: 'PrescriptionCancellation' });

/**
 * What speaks against drugs, before anybody prescribes them.
 * @throws Problem PATIENT_NOT_FOUND, DRUG_NOT_FOUND, DRUG_INACTIVE, VALIDATION_FAILED for the day of the weight.
 */
export async function checkPrescription(
  work: Work,
  { patientId, items, ...given }: z.output<typeof checkRequest>,
): Promise<z.output<typeof checked>> {
  const weight = weightOf(work, given);
  const patient = await lockSurvivor(work, patientId);
  const drugs = await holdActive(work, idsOf(items));
  const findings = await findingsFor(work, patient, { wanted: wantedOf(items, drugs), weight });
  work.audit({ action: 'read', record: 'prescriptions', patientId: patient.id, details: { check: idsOf(items) } });
  return {
    allergiesKnown: (await warningsOf(work, patient)).allergies !== null,
    findings: shownFindings(findings),
    mayOverride: work.caller.permissions.has('prescriptions.override'),
  };
}

/**
 * Prescribes drugs. Two prescriptions of one patient wait for each other, so that each is checked with the other.
 * @throws Problem PATIENT_NOT_FOUND, DRUG_NOT_FOUND, DRUG_INACTIVE, DOCTOR_NOT_ALLOWED, PRESCRIPTION_NOT_FOUND and
 * REPEAT_OF_OTHER_PATIENT for what it repeats, the conflicts of the checks, OVERRIDE_NOT_ALLOWED, VALIDATION_FAILED for a
 * day that is too early or too late, or that has no weight, and for too many units.
 */
export async function prescribe(work: Work, body: z.output<typeof newPrescription>): Promise<Prescription> {
  const { items, notes } = body;
  const validUntil = validityOf(work, body.validUntil);
  const weight = weightOf(work, body);
  const doctorId = await doctorOf(work, body.doctorId);
  const patient = await lockSurvivor(work, body.patientId);
  const repeatOfId = await repeatedBy(work, patient, body.repeatOfId);
  const drugs = await holdActive(work, idsOf(items));
  const findings = await findingsFor(work, patient, { wanted: wantedOf(items, drugs), weight });
  const accepted = acceptedWith(findings, body.overrides);
  const id = newId();
  const rows = items.map((item, position) => ({
    id: newId(),
    position,
    drug_id: item.drugId,
    dose: item.dose,
    times_per_day: item.timesPerDay,
    duration_days: item.durationDays,
    quantity: item.quantity ?? quantityOf(item, position),
    instructions: item.instructions,
    may_substitute: item.maySubstitute,
  }));
  const weighed = { weightKg: weight?.kg, weighedOn: weight?.on };
  const [prescription] = await Promise.all([
    records(work, prescriptions).insert(
      { notes, patientId: patient.id, doctorId, repeatOfId, validUntil, ...weighed },
      id,
    ),
    work.trx.query(INSERT_ITEMS, [id, JSON.stringify(rows)]),
  ]);
  for (const { id: recordId, ...after } of rows) {
    const event = { action: 'create', record: 'prescription_items', recordId, patientId: patient.id } as const;
    work.audit({ ...event, after: { prescriptionId: id, ...after } });
  }
  await recordOverrides(work, { prescriptionId: id, patientId: patient.id }, accepted, 'prescriptions.override');
  work.addTask(prescriptionExpiry, { prescriptionId: id }, { key: id, runAt: dayAfter(validUntil) });
  work.addTask(prescriptionPdf, { prescriptionId: id }, { key: id });
  return prescription;
}

/** Cancels what is left of a prescription. @throws Problem PRESCRIPTION_NOT_FOUND, INVALID_STATE. */
export async function cancelPrescription(
  work: Work,
  id: string,
  body: z.output<typeof cancellation>,
): Promise<Prescription> {
  const own = records(work, prescriptions);
  return own.moveTo(await own.lock(id, body.version), 'cancelled', { cancelReason: body.reason });
}

/** Whether anybody ever prescribed a locked drug. */
export async function isPrescribed({ trx }: Work, drugId: string): Promise<boolean> {
  return (await trx.query('SELECT FROM prescription_items WHERE drug_id = $1 LIMIT 1', [drugId])).length > 0;
}

/**
 * Units that somebody takes, rounded up to whole ones. Doses have at most three decimals.
 * @throws Problem VALIDATION_FAILED for more than an item may have.
 */
function quantityOf({ dose, timesPerDay, durationDays }: NewItem, position: number): number {
  const quantity = Math.ceil((Math.round(dose * 1000) * timesPerDay * durationDays) / 1000);
  if (quantity <= MOST_QUANTITY) return quantity;
  const message = `would be ${quantity}, and must be at most ${MOST_QUANTITY}: send it, or a lower dose`;
  throw invalidFields([{ field: `items.${position}.quantity`, in: 'body', message }]);
}

function idsOf(items: readonly NewItem[]): string[] {
  return items.map(({ drugId }) => drugId);
}

function wantedOf(items: readonly NewItem[], drugs: Awaited<ReturnType<typeof holdActive>>) {
  return items.flatMap((item) => {
    const drug = drugs.get(item.drugId);
    return drug ? [takenAs(drug, item)] : [];
  });
}

function validityOf(work: Work, given: string | undefined): string {
  const first = today(work);
  if (given === undefined) return addDays(first, USUAL_DAYS);
  const last = addDays(first, MOST_DAYS);
  if (given >= first && given <= last) return given;
  throw invalidFields([{ field: 'validUntil', in: 'body', message: `must be from ${first} to ${last}` }]);
}

/** @throws Problem VALIDATION_FAILED for a day in the future, or without a weight. */
function weightOf(work: Work, given: Pick<z.output<typeof checkRequest>, 'weightKg' | 'weighedOn'>): Weight | null {
  const now = today(work);
  const { weightKg: kg, weighedOn: on = now } = given;
  const refuse = (message: string) => invalidFields([{ field: 'weighedOn', in: 'body', message }]);
  if (on > now) throw refuse(`must not be after ${now}`);
  if (kg !== undefined) return { kg, on };
  if (given.weighedOn !== undefined) throw refuse('is only for a weight: send weightKg too, or leave it out');
  return null;
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** When the day is over in every time zone. The task looks at the hospital's own calendar. */
function dayAfter(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS);
}

const DAY_MS = 24 * 3600 * 1000;

/** The named employee, or the caller's own. Null if the caller's account is no employee's. */
async function doctorOf(work: Work, named: string | null | undefined): Promise<string | null> {
  const id = named ?? (await holderOf(work, work.caller.sub));
  if (id === undefined) return null;
  // The caller's own permission was checked already.
  if (named && !(await employeeWith(work, named, 'prescriptions.write'))) throw new Problem(DOCTOR_NOT_ALLOWED);
  return id;
}

/** The earlier prescription, which may belong to somebody who was merged into the patient. */
async function repeatedBy(work: Work, patient: { readonly id: string }, id: string | null | undefined) {
  if (!id) return null;
  const earlier = await records(work, prescriptions).find(id);
  if (!earlier) throw new Problem(PRESCRIPTION_NOT_FOUND);
  const person = await samePerson(work, patient.id);
  if (!person.includes(earlier.patientId)) throw new Problem(REPEAT_OF_OTHER_PATIENT);
  return id;
}

const INSERT_ITEMS = `
  INSERT INTO prescription_items
    (id, prescription_id, position, drug_id, dose, times_per_day, duration_days, quantity, instructions, may_substitute)
  SELECT id, $1, position, drug_id, dose, times_per_day, duration_days, quantity, instructions, may_substitute
  FROM jsonb_to_recordset($2::jsonb) AS item(id uuid, position smallint, drug_id uuid, dose numeric,
    times_per_day smallint, duration_days smallint, quantity integer, instructions text, may_substitute boolean)`;
