/** MedicationRequest (a prescribed drug) and MedicationDispense (units of a batch that a patient got). */

import { samePerson } from '@hms/domain/patients';
import {
  dispensedFeed,
  dispensesById,
  type PrescribedState,
  prescribedFeed,
  prescribedState,
  prescriptionsById,
} from '@hms/domain/prescriptions';
import type { Work } from '@hms/service';
import {
  codeIn,
  concept,
  dateIn,
  dayOf,
  identifier,
  identifierIn,
  parentsOf,
  present,
  type ResourceType,
  reference,
  referenceIn,
  type StatusCodes,
  statusIn,
  systems,
} from '@hms/service/fhir';
import type { CodeableConcept, Dosage, Medication, MedicationDispense, MedicationRequest } from 'fhir/r4.js';

type Prescription = Awaited<ReturnType<typeof prescriptionsById>>[number];
type Dispense = Awaited<ReturnType<typeof dispensesById>>[number];

const UCUM = 'http://unitsofmeasure.org';
const patient = referenceIn('patient', 'Patient', samePerson);
const code = codeIn('drug', 'The code of a drug as the resource has it: its ID', systems.drug);

const REQUEST_STATUS = {
  system: 'http://hl7.org/fhir/CodeSystem/medicationrequest-status',
  codes: ['active', 'on-hold', 'cancelled', 'completed', 'entered-in-error', 'stopped', 'draft', 'unknown'],
  shown: { open: 'active', dispensed: 'completed', expired: 'stopped', cancelled: 'cancelled', stopped: 'stopped' },
} as const satisfies StatusCodes<PrescribedState, MedicationRequest['status']>;

const DISPENSE_STATUS = {
  system: 'http://terminology.hl7.org/CodeSystem/medicationdispense-status',
  codes: [
    ...(['preparation', 'in-progress', 'cancelled', 'on-hold', 'completed'] as const),
    ...(['entered-in-error', 'stopped', 'declined', 'unknown'] as const),
  ],
  shown: { dispensed: 'completed' },
} as const satisfies StatusCodes<'dispensed', MedicationDispense['status']>;

export const medicationRequestType: ResourceType = {
  type: 'MedicationRequest',
  access: 'prescriptions.read',
  sources: [
    {
      feed: prescribedFeed,
      show: async (work, rows) => {
        const all = await prescriptionsById(work, parentsOf(rows));
        return new Map(all.flatMap((one) => one.items.map((item) => [item.id, showPrescribed(one, item, work)])));
      },
    },
  ],
  parameters: {
    identifier: identifierIn('rxNo', systems.prescriptionNumber),
    status: statusIn('state', REQUEST_STATUS),
    code,
    patient,
    subject: patient,
    authoredon: dateIn('prescribedAt'),
    date: dateIn('prescribedAt'),
  },
  audited: 'prescriptions',
};

export const medicationDispenseType: ResourceType = {
  type: 'MedicationDispense',
  access: 'dispenses.read',
  sources: [
    {
      feed: dispensedFeed,
      show: async (work, rows) => {
        const all = await dispensesById(work, parentsOf(rows));
        return new Map(all.flatMap((one) => one.lines.map((line) => [line.id, showDispensed(one, line, work)])));
      },
    },
  ],
  parameters: {
    identifier: identifierIn('dispenseNo', systems.dispenseNumber),
    status: statusIn('state', DISPENSE_STATUS),
    code,
    patient,
    subject: patient,
    whenhandedover: dateIn('dispensedAt'),
    date: dateIn('dispensedAt'),
  },
  audited: 'dispenses',
};

function showPrescribed(
  prescription: Prescription,
  item: Prescription['items'][number],
  work: Work,
): MedicationRequest {
  const { rxNo, patientId, patientName, doctorId, doctorName, createdAt, validUntil, notes, cancelReason } =
    prescription;
  const number = identifier(systems.prescriptionNumber(work), rxNo);
  return {
    resourceType: 'MedicationRequest',
    id: item.id,
    identifier: [number],
    groupIdentifier: number,
    status: REQUEST_STATUS.shown[prescribedState(prescription, item)],
    intent: 'order',
    medicationCodeableConcept: drugOf(item, work),
    subject: reference('Patient', patientId, patientName),
    authoredOn: createdAt,
    dosageInstruction: [dosageOf(item)],
    dispenseRequest: {
      validityPeriod: { start: dayOf(createdAt), end: dayOf(validUntil) },
      quantity: { value: item.quantity, unit: item.unit },
      expectedSupplyDuration: days(item.durationDays),
    },
    substitution: { allowedBoolean: item.maySubstitute },
    ...present({
      requester: doctorId && reference('Practitioner', doctorId, doctorName),
      statusReason: cancelReason && { text: cancelReason },
      note: notes && [{ text: notes }],
    }),
  };
}

function dosageOf({ dose, unit, timesPerDay, durationDays, instructions }: Prescription['items'][number]): Dosage {
  return {
    text: `${dose} ${unit}, ${timesPerDay} × a day, ${durationDays} days`,
    timing: {
      repeat: { boundsDuration: days(durationDays), frequency: timesPerDay, period: 1, periodUnit: 'd' },
    },
    doseAndRate: [{ doseQuantity: { value: dose, unit } }],
    ...present({ patientInstruction: instructions }),
  };
}

/** The batch is that of a contained Medication, so that a recall can be followed. */
function showDispensed(dispense: Dispense, line: Dispense['lines'][number], work: Work): MedicationDispense {
  const { dispenseNo, patientId, createdAt } = dispense;
  const { drugId, drugName, batchNo, expiresOn, quantity, returned, substitutionReason, itemId } = line;
  const batch: Medication = {
    resourceType: 'Medication',
    id: 'batch',
    code: concept({ system: systems.drug(work), code: drugId, display: drugName }, drugName),
    batch: { lotNumber: batchNo, expirationDate: dayOf(expiresOn) },
  };
  return {
    resourceType: 'MedicationDispense',
    id: line.id,
    identifier: [identifier(systems.dispenseNumber(work), dispenseNo)],
    contained: [batch],
    status: DISPENSE_STATUS.shown.dispensed,
    medicationReference: { reference: '#batch' },
    subject: reference('Patient', patientId),
    authorizingPrescription: [reference('MedicationRequest', itemId)],
    quantity: { value: quantity },
    whenHandedOver: createdAt,
    substitution: {
      wasSubstituted: substitutionReason !== null,
      ...present({ reason: substitutionReason && [{ text: substitutionReason }] }),
    },
    ...(returned > 0 ? { note: [{ text: `${returned} of ${quantity} were returned.` }] } : {}),
  };
}

function drugOf({ drugId, drugName, strength }: Prescription['items'][number], work: Work): CodeableConcept {
  const text = strength === null ? drugName : `${drugName} ${strength}`;
  return concept({ system: systems.drug(work), code: drugId, display: drugName }, text);
}

function days(value: number) {
  return { value, unit: 'days', system: UCUM, code: 'd' };
}
