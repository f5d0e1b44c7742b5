/** The declarations of prescriptions and of what was dispensed. */
import { build } from '@hms/database';
import { fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { amount, decimal } from '../drugs/record.ts';
import { issuedFile } from '../issued-files/issued-files.ts';
import { ofSamePerson } from '../patients/merges.ts';
import { patientsMatching } from '../patients/record.ts';
import { FINDING_KINDS } from './checks.ts';

/** Lines of one prescription. */
const MOST_ITEMS = 50;
/** Units of an item. */
export const MOST_QUANTITY = 1_000_000;
export const reason = fields.line(200);

/** From that of the smallest newborns to that of the heaviest people. */
export const weightKg = decimal(z.number().min(0.2).max(700), 2);

export const prescriptions = record('prescriptions', {
  name: 'prescription',
  code: { field: 'rxNo', series: 'prescription', letters: 'RX' },
  fields: { notes: fields.line(500).nullish().describe('For the pharmacy') },
  set: {
    patientId: fields.id,
    doctorId: fields.id.nullable().describe('The employee who prescribed it'),
    repeatOfId: fields.id.nullable().describe('The earlier prescription that it repeats'),
    validUntil: fields.day.describe('The last day on which it may be dispensed'),
    weightKg: weightKg.nullable().describe('Weight of the patient in kilograms'),
    weighedOn: fields.day.nullable().describe('The day of this weight'),
    cancelReason: reason.nullable(),
  },
  states: {
    active: ['partially_dispensed', 'dispensed', 'cancelled', 'expired'],
    partially_dispensed: ['dispensed', 'cancelled', 'expired'],
    dispensed: [],
    cancelled: [],
    expired: [],
  },
  filters: ['doctorId', 'status', 'rxNo'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Also prescriptions of those who were merged with the patient'),
      where: (rows, value) => ofSamePerson(rows, value as string),
    },
    open: {
      schema: z.literal('true').describe('Only those of which something is left to dispense'),
      where: (rows) => void rows.whereIn('status', ['active', 'partially_dispensed']),
    },
  },
  search: {
    also: (text, precision) =>
      build.from('prescriptions').select('id').whereIn('patient_id', patientsMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Prescription = z.output<typeof prescriptions.item>;

/** Whether something of it may still be dispensed. */
export function isOpen({ status }: Pick<Prescription, 'status'>): boolean {
  return status === 'active' || status === 'partially_dispensed';
}

const newItem = z.object({
  drugId: fields.id,
  dose: amount(10_000).describe('Units each time: half a tablet is 0.5'),
  timesPerDay: z.int().min(1).max(24),
  durationDays: z.int().min(1).max(366),
  quantity: z
    .int()
    .min(1)
    .max(MOST_QUANTITY)
    .optional()
    .describe('Units to dispense. Default: as many as are taken, rounded up'),
  instructions: fields.line(300).optional().describe('For the patient, such as `After meals`'),
  maySubstitute: z.boolean().default(true).describe('Whether the pharmacy may give a drug with the same ingredients'),
});
export type NewItem = z.output<typeof newItem>;

export const newItems = z
  .array(newItem)
  .min(1, 'must have at least one drug')
  .max(MOST_ITEMS)
  .refine((items) => new Set(items.map(({ drugId }) => drugId)).size === items.length, 'must not have a drug twice');

export const overrides = z
  .array(
    z.object({
      finding: z.string().min(1).max(500).describe('As the check names it'),
      reason,
    }),
  )
  .max(200)
  .default([])
  .describe('Why findings of the checks are accepted');
export type Overrides = z.output<typeof overrides>;

const finding = z
  .object({
    finding: z.string().describe('Its name, for an override'),
    kind: z.enum(FINDING_KINDS),
    needsReason: z.boolean().describe('Whether it is accepted only with a reason'),
    drugIds: z.array(z.uuid()),
    message: z.string(),
    details: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .meta({ id: 'PrescriptionFinding' });

export const checked = z
  .object({
    allergiesKnown: z.boolean().describe('Whether somebody has asked the patient about allergies'),
    findings: z.array(finding),
    mayOverride: z.boolean().describe('Whether a role of the caller lets them accept findings'),
  })
  .meta({ id: 'PrescriptionCheck' });

const shownItem = z.object({
  id: z.uuid(),
  drugId: z.uuid(),
  drugCode: z.string(),
  drugName: z.string(),
  strength: z.string().nullable(),
  unit: z.string(),
  drugStatus: z.enum(['active', 'inactive']).describe('Only an active drug may be prescribed again'),
  isByWeight: z.boolean().describe('Whether the highest dose of the drug depends on the weight'),
  dose: z.number(),
  timesPerDay: z.int(),
  durationDays: z.int(),
  quantity: z.int(),
  dispensed: z.int().describe('Units given so far. What the patient returns is not given again'),
  instructions: z.string().nullable(),
  maySubstitute: z.boolean(),
});
export type ShownItem = z.output<typeof shownItem>;

const shownOverride = z.object({
  finding: z.string(),
  kind: z.enum(FINDING_KINDS),
  message: z.string(),
  reason: z.string(),
  overriddenBy: z.string().describe('Account of the person'),
  overriddenByName: z.string().nullable(),
  role: z.string().describe('The role that allowed it'),
  overriddenAt: fields.timestamp,
  dispenseId: z.uuid().nullable().describe('Null if it was accepted when it was prescribed'),
});
export type ShownOverride = z.output<typeof shownOverride>;

const issuedPdf = issuedFile.omit({ revision: true }).meta({ id: 'PrescriptionPdf' });

export const shownPrescription = itemWith(prescriptions, {
  patientCode: z.string(),
  patientName: z.string(),
  doctorName: z.string().nullable(),
  repeatOfNo: z.string().nullable().describe('The number of the earlier prescription that it repeats'),
  items: z.array(shownItem),
  overrides: z.array(shownOverride),
  pdf: issuedPdf.nullable().describe('Null until it is rendered, which takes seconds'),
}).meta({ id: 'ShownPrescription' });
export type ShownPrescription = z.output<typeof shownPrescription>;

export const dispenses = record('dispenses', {
  name: 'dispense',
  code: { field: 'dispenseNo', series: 'dispense', letters: 'DSP' },
  fields: {},
  set: { prescriptionId: fields.id, patientId: fields.id },
  states: {
    completed: ['partially_returned', 'returned'],
    partially_returned: ['partially_returned', 'returned'],
    returned: [],
  },
  filters: ['prescriptionId', 'status'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Also what was dispensed to those who were merged with the patient'),
      where: (rows, value) => ofSamePerson(rows, value as string),
    },
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Dispense = z.output<typeof dispenses.item>;

const dispenseLine = z.object({
  id: z.uuid(),
  itemId: z.uuid(),
  drugId: z.uuid(),
  drugName: z.string(),
  strength: z.string().nullable(),
  form: z.string(),
  unit: z.string(),
  batchId: z.uuid(),
  batchNo: z.string(),
  expiresOn: fields.timestamp,
  quantity: z.int(),
  returned: z.int(),
  unitPrice: z.int().nullable().describe('In minor units of the currency, as it was'),
  substitutionReason: z.string().nullable().describe('Set if another drug was prescribed'),
});
export type DispenseLine = z.output<typeof dispenseLine>;

export const shownDispense = itemWith(dispenses, {
  dispensedByName: z.string().nullable(),
  lines: z.array(dispenseLine),
}).meta({ id: 'ShownDispense' });
export type ShownDispense = z.output<typeof shownDispense>;

const why = z.object({
  itemId: z.uuid(),
  drugId: z.uuid(),
  taken: z.array(
    z.object({
      batchId: z.uuid(),
      batchNo: z.string(),
      location: z.string(),
      expiresOn: fields.timestamp,
      quantity: z.int(),
      why: z.enum(['expires_first', 'rest']).describe('`rest`: the batches that expire earlier did not have enough'),
    }),
  ),
  passedOver: z.array(
    z.object({
      batchId: z.uuid(),
      batchNo: z.string(),
      location: z.string(),
      expiresOn: fields.timestamp,
      onHand: z.int(),
      why: z.enum(['expired', 'quarantined', 'recalled']),
    }),
  ),
  missing: z.int().describe('Units that were wanted, and that no batch has'),
});
export type Why = z.output<typeof why>;

export const completedDispense = itemWith(dispenses, {
  dispensedByName: z.string().nullable(),
  lines: z.array(dispenseLine),
  allocation: z.array(why).describe('Which batch, and why'),
}).meta({ id: 'CompletedDispense' });
export type CompletedDispense = z.output<typeof completedDispense>;

const equivalent = z.object({
  drugId: z.uuid(),
  code: z.string(),
  name: z.string(),
  available: z.int().describe('Units that may be dispensed today'),
});

/** What dispensing would take at the moment. */
export const proposal = z
  .object({
    items: z.array(
      why.extend({
        substitutes: z.array(equivalent).describe('Drugs that may be given in place of it, and are in stock'),
      }),
    ),
    findings: z.array(finding).describe('What nobody has accepted yet'),
    mayOverride: z.boolean().describe('Whether a role of the caller lets them accept findings'),
  })
  .meta({ id: 'DispenseProposal' });
export type Proposal = z.output<typeof proposal>;
