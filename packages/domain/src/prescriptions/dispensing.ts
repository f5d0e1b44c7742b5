/**
 * Giving a patient what was prescribed: the batch that expires first, in one transaction with the stock.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, the prescription or the dispense, the
 * drugs by id, the batches by id.
 */
import { fields, INVALID_STATE, newId, Problem, records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { addCharges } from '../billing/charges/charges.ts';
import { type Drug, drugsById, drugsWith, holdDrugs } from '../drugs/drugs.ts';
import { lockSurvivor } from '../patients/merges.ts';
import type { Patient } from '../patients/record.ts';
import {
  type Allocated,
  allocate,
  availableOf,
  type Batch,
  batchIn,
  INSUFFICIENT_STOCK,
  lockStock,
  stockOf,
  takeOut,
} from '../stock/stock.ts';
import type { Finding } from './checks.ts';
import {
  PRESCRIPTION_EXHAUSTED,
  PRESCRIPTION_EXPIRED,
  PRESCRIPTION_ITEM_NOT_FOUND,
  SUBSTITUTE_DIFFERS,
  SUBSTITUTION_NOT_ALLOWED,
} from './errors.ts';
import { isOverdue } from './expiry.ts';
import { acceptedWith, findingsFor, recordOverrides, shownFindings, takenAs } from './medication.ts';
import {
  type CompletedDispense,
  dispenses,
  isOpen,
  overrides,
  type Prescription,
  type Proposal,
  prescriptions,
  reason,
  type ShownItem,
  type Why,
} from './record.ts';
import { itemsOf, showDispense } from './show.ts';

const substitute = z.object({
  drugId: fields.id.describe('A drug with the same ingredients, strength and form'),
  reason,
});

export const dispensing = z
  .object({
    items: z
      .array(
        z.object({
          itemId: fields.id,
          quantity: z.int().min(1).max(1_000_000).optional().describe('Units. Default: all that are left'),
          substitute: substitute.optional(),
        }),
      )
      .min(1)
      .max(50)
      .refine(
        (items) => new Set(items.map(({ itemId }) => itemId)).size === items.length,
        'must not have an item twice',
      )
      .optional()
      .describe('Default: all that is left of the prescription'),
    partially: z.boolean().default(false).describe('Give what is in stock if it is less than that'),
    overrides,
    version: fields.version,
  })
  .meta({ id: 'Dispensing' });

/** One item, and what is given for it. */
interface Wanted {
  readonly item: ShownItem;
  readonly drug: Drug;
  readonly quantity: number;
  readonly substitutionReason: string | undefined;
}

/**
 * Dispenses a prescription, whole or in part.
 * @throws Problem PRESCRIPTION_NOT_FOUND, INVALID_STATE, PRESCRIPTION_EXPIRED, PRESCRIPTION_ITEM_NOT_FOUND,
 * PRESCRIPTION_EXHAUSTED, SUBSTITUTION_NOT_ALLOWED, SUBSTITUTE_DIFFERS, INSUFFICIENT_STOCK, the conflicts of the checks,
 * OVERRIDE_NOT_ALLOWED.
 */
export async function dispense(work: Work, id: string, body: z.output<typeof dispensing>): Promise<CompletedDispense> {
  const own = records(work, prescriptions);
  // What is given to a patient who was merged meanwhile still belongs to the prescription's own record.
  const patient = await lockSurvivor(work, (await own.read(id)).patientId);
  const prescription = await own.lock(id, body.version);
  requireOpen(work, prescription);
  const shown = await itemsOf(work, id);
  const wanted = await wantedOf(work, shown, body.items);
  const accepted = acceptedWith(await newFindings(work, patient, prescription, { shown, wanted }), body.overrides);

  const stock = await lockStock(
    work,
    wanted.map(({ drug }) => drug.id),
  );
  const day = today(work);
  const allocated = allocateAll(wanted, [...stock.values()].flat(), day);
  requireEnough(allocated, body.partially);

  const [dispenseId, { patientId }] = [newId(), prescription];
  const lines = allocated.flatMap(({ item, drug, substitutionReason, taken }) =>
    taken.map(({ batch, quantity }) => ({
      id: newId(),
      item_id: item.id,
      drug,
      drug_id: drug.id,
      batch_id: batch.id,
      batch_no: batch.batchNo,
      expires_on: batch.expiresOn.slice(0, 10),
      quantity,
      unit_price: drug.price,
      substitution_reason: substitutionReason,
    })),
  );
  const created = await records(work, dispenses).insert({ prescriptionId: id, patientId }, dispenseId);
  const rows = JSON.stringify(lines.map(({ drug: _, ...row }) => row));
  await Promise.all([
    work.trx.query(INSERT_LINES, [dispenseId, day, rows]),
    work.trx.query(COUNT_ITEMS, [id, rows]),
    recordOverrides(work, { prescriptionId: id, patientId, dispenseId }, accepted, 'dispenses.override'),
    addCharges(
      work,
      lines.map(({ id: sourceId, drug, quantity }) => ({
        ...{ patientId, sourceType: 'dispense', sourceId, itemGroup: 'pharmacy', description: drug.name },
        ...{ unitPrice: drug.price ?? null, quantity, taxBps: drug.taxBps },
      })),
    ),
  ]);
  const batches = new Map([...stock.values()].flat().map((batch) => [batch.id, batch]));
  for (const { batch_id, quantity } of lines) {
    batches.set(batch_id, await takeOut(work, batchIn(batches, batch_id), quantity, dispenseId));
  }
  const items = await itemsOf(work, id);
  const isComplete = items.every(({ quantity, dispensed }) => dispensed === quantity);
  const status = isComplete ? 'dispensed' : 'partially_dispensed';
  await (status === prescription.status ? own.update(prescription, {}) : own.moveTo(prescription, status));
  return { ...(await showDispense(work, created)), allocation: allocated.map(reasonsOf) };
}

/**
 * What `dispense` would take at the moment, and what it would ask. Nothing changes.
 * @throws Problem PRESCRIPTION_NOT_FOUND, INVALID_STATE, PRESCRIPTION_EXPIRED, PRESCRIPTION_ITEM_NOT_FOUND,
 * PRESCRIPTION_EXHAUSTED, SUBSTITUTION_NOT_ALLOWED, SUBSTITUTE_DIFFERS.
 */
export async function proposeDispense(
  work: Work,
  id: string,
  { items }: Pick<z.output<typeof dispensing>, 'items'>,
): Promise<Proposal> {
  const prescription = await records(work, prescriptions).read(id);
  requireOpen(work, prescription);
  const [patient, shown] = await Promise.all([lockSurvivor(work, prescription.patientId), itemsOf(work, id)]);
  const wanted = await wantedOf(work, shown, items);
  const others = await Promise.all(wanted.map((one) => substitutesFor(work, one)));
  const drugIds = [...wanted.map(({ drug }) => drug.id), ...others.flat().map((drug) => drug.id)];
  const [findings, stock] = await Promise.all([
    newFindings(work, patient, prescription, { shown, wanted }),
    stockOf(work, drugIds),
  ]);
  const day = today(work);
  const allocated = allocateAll(wanted, [...stock.values()].flat(), day);
  return {
    items: allocated.map((one, index) => ({
      ...reasonsOf(one),
      substitutes: (others[index] ?? []).flatMap(({ id: drugId, code, name }) => {
        const available = availableOf(stock.get(drugId) ?? [], day);
        return available > 0 ? [{ drugId, code, name, available }] : [];
      }),
    })),
    findings: shownFindings(findings.filter(({ needsReason }) => needsReason)),
    mayOverride: work.caller.permissions.has('dispenses.override'),
  };
}

/**
 * What the checks find now about the drugs that are given, and nobody has accepted for this prescription. The whole
 * prescription is checked as it was written, so that parts of it find the same.
 */
async function newFindings(
  work: Work,
  patient: Patient,
  { id, weightKg: kg, weighedOn }: Prescription,
  { shown, wanted }: { readonly shown: readonly ShownItem[]; readonly wanted: readonly Wanted[] },
): Promise<readonly Finding[]> {
  const prescribed = await drugsById(
    work,
    shown.map(({ drugId }) => drugId),
  );
  const findings = await findingsFor(work, patient, {
    wanted: shown.flatMap((item) => {
      const drug = wanted.find((one) => one.item.id === item.id)?.drug ?? prescribed.get(item.drugId);
      return drug ? [takenAs(drug, item)] : [];
    }),
    weight: kg === null || weighedOn === null ? null : { kg, on: weighedOn.slice(0, 10) },
    without: id,
  });
  const known = await work.trx.query<{ finding: string }>(OVERRIDDEN, [id]);
  return findings.filter(
    ({ finding, drugIds }) =>
      wanted.some(({ drug }) => drugIds.includes(drug.id)) && !known.some((one) => one.finding === finding),
  );
}

/** Drugs that may be given in place of what was prescribed. */
async function substitutesFor(work: Work, { item, drug }: Wanted): Promise<readonly Drug[]> {
  if (!item.maySubstitute) return [];
  return (await drugsWith(work, drug.ingredients)).filter((one) => one.id !== drug.id && isEquivalent(drug, one));
}

function requireOpen(work: Work, prescription: Prescription): void {
  if (!isOpen(prescription)) {
    const { status } = prescription;
    throw new Problem(INVALID_STATE, {
      message: `A prescription that is ${status} can't be dispensed`,
      details: { from: status, allowed: [] },
    });
  }
  if (isOverdue(work, prescription)) {
    throw new Problem(PRESCRIPTION_EXPIRED, { details: { validUntil: prescription.validUntil } });
  }
}

async function wantedOf(
  work: Work,
  items: readonly ShownItem[],
  asked: z.output<typeof dispensing>['items'],
): Promise<readonly Wanted[]> {
  const left = items.filter(({ quantity, dispensed }) => dispensed < quantity);
  const given = asked ?? left.map(({ id }) => ({ itemId: id, quantity: undefined, substitute: undefined }));
  const lines = given.map((one) => {
    const item = items.find(({ id }) => id === one.itemId);
    if (!item) throw new Problem(PRESCRIPTION_ITEM_NOT_FOUND, { details: { itemId: one.itemId } });
    const rest = item.quantity - item.dispensed;
    return { item, rest, quantity: one.quantity ?? rest, substitute: one.substitute };
  });
  const tooMuch = lines.filter(({ quantity, rest }) => quantity > rest || rest === 0);
  if (tooMuch.length > 0) {
    const details = tooMuch.map(({ item, rest, quantity }) => ({ itemId: item.id, wanted: quantity, left: rest }));
    throw new Problem(PRESCRIPTION_EXHAUSTED, { details: { items: details } });
  }
  const drugs = await holdDrugs(
    work,
    lines.flatMap(({ item, substitute: other }) => [item.drugId, ...(other ? [other.drugId] : [])]),
  );
  return lines.map(({ item, quantity, substitute: other }): Wanted => {
    const prescribed = drugs.get(item.drugId) as Drug;
    if (!other || other.drugId === item.drugId)
      return { item, quantity, drug: prescribed, substitutionReason: undefined };
    if (!item.maySubstitute) throw new Problem(SUBSTITUTION_NOT_ALLOWED, { details: { itemId: item.id } });
    const drug = drugs.get(other.drugId) as Drug;
    if (!isEquivalent(prescribed, drug)) throw new Problem(SUBSTITUTE_DIFFERS, { details: { itemId: item.id } });
    return { item, quantity, drug, substitutionReason: other.reason };
  });
}

/** Whether a drug may be given in place of another one. Pure. */
function isEquivalent(
  one: Pick<Drug, 'ingredients' | 'strength' | 'form' | 'unit' | 'mgPerUnit'>,
  other: Pick<Drug, 'ingredients' | 'strength' | 'form' | 'unit' | 'mgPerUnit'>,
): boolean {
  const plain = (text: string | null) => (text ?? '').toLowerCase().replaceAll(/\s/g, '');
  const all = ({ ingredients }: Pick<Drug, 'ingredients'>) => ingredients.map(plain).sort().join('\n');
  // Many drugs have no milligrams, because their dose does not depend on the weight.
  const isAsStrong = one.mgPerUnit === null || other.mgPerUnit === null || one.mgPerUnit === other.mgPerUnit;
  return (
    isAsStrong &&
    all(one) === all(other) &&
    plain(one.strength) === plain(other.strength) &&
    plain(one.form) === plain(other.form) &&
    plain(one.unit) === plain(other.unit)
  );
}

type AllocatedItem = Wanted & Allocated;

/** Two items may get the same drug, one of them as a substitute. The second one gets what the first one leaves. */
function allocateAll(wanted: readonly Wanted[], stock: readonly Batch[], day: string): readonly AllocatedItem[] {
  const left = new Map(stock.map((batch) => [batch.id, batch]));
  return wanted.map((one) => {
    const ofDrug = [...left.values()].filter(({ drugId }) => drugId === one.drug.id);
    const allocated = allocate(ofDrug, one.quantity, day);
    for (const { batch, quantity } of allocated.taken) {
      const before = batchIn(left, batch.id);
      left.set(batch.id, { ...before, onHand: before.onHand - quantity });
    }
    return { ...one, ...allocated };
  });
}

function requireEnough(allocated: readonly AllocatedItem[], partially: boolean): void {
  const short = allocated.filter(({ missing }) => missing > 0);
  const isNothing = allocated.every(({ taken }) => taken.length === 0);
  if (short.length === 0 || (partially && !isNothing)) return;
  const drugs = short.map(({ item, drug, quantity, missing, passedOver }) => ({
    itemId: item.id,
    drugId: drug.id,
    drug: drug.name,
    wanted: quantity,
    available: quantity - missing,
    passedOver: passedOver.map(({ batch, why }) => ({ batchNo: batch.batchNo, onHand: batch.onHand, why })),
  }));
  throw new Problem(INSUFFICIENT_STOCK, { details: { drugs } });
}

function reasonsOf({ item, drug, taken, passedOver, missing }: AllocatedItem): Why {
  return {
    itemId: item.id,
    drugId: drug.id,
    taken: taken.map(({ batch: { id, batchNo, location, expiresOn }, quantity, why }) => {
      return { batchId: id, batchNo, location, expiresOn, quantity, why };
    }),
    passedOver: passedOver.map(({ batch: { id, batchNo, location, expiresOn, onHand }, why }) => {
      return { batchId: id, batchNo, location, expiresOn, onHand, why };
    }),
    missing,
  };
}

const OVERRIDDEN = 'SELECT finding FROM prescription_overrides WHERE prescription_id = $1';
const INSERT_LINES = `
  INSERT INTO dispense_lines (id, dispense_id, item_id, drug_id, batch_id, batch_no, expires_on, dispensed_on, quantity,
    unit_price, substitution_reason)
  SELECT id, $1, item_id, drug_id, batch_id, batch_no, expires_on, $2, quantity, unit_price, substitution_reason
  FROM jsonb_to_recordset($3::jsonb) AS line(id uuid, item_id uuid, drug_id uuid, batch_id uuid, batch_no text,
    expires_on date, quantity integer, unit_price bigint, substitution_reason text)`;
const COUNT_ITEMS = `
  UPDATE prescription_items SET dispensed = dispensed + given.quantity
  FROM (
    SELECT item_id, sum(quantity)::integer AS quantity
    FROM jsonb_to_recordset($2::jsonb) AS line(item_id uuid, quantity integer) GROUP BY item_id
  ) given
  WHERE prescription_id = $1 AND id = given.item_id`;
