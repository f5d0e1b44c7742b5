import { openAppointments } from '@hms/domain/appointments';
import {
  joinedFamily,
  leaveFamily,
  lockJoined,
  nameFamily,
  PAYER_REQUIRED,
  PRIMARY_CONTACT_REQUIRED,
  REGISTERED_FAMILY_NOT_FOUND,
  registerPatient,
  registerRelative,
} from '@hms/domain/families';
import { openBills } from '@hms/domain/invoices';
import { openLabOrders } from '@hms/domain/lab-orders';
import {
  allowUnknown,
  birthChanges,
  candidate,
  candidatesFor,
  candidatesForNew,
  changesWithUnknown,
  demandKnown,
  lockActive,
  mergedWith,
  notePatientStep,
  PATIENT_DUPLICATE,
  PATIENT_MERGED,
  type Patient,
  patients,
  requireBorn,
  requireBornAt,
  typedPerson,
} from '@hms/domain/patients';
import { openPrescriptions } from '@hms/domain/prescriptions';
import { openQueueEntries } from '@hms/domain/queue';
import { openMemberships, VIP_OVERLAP } from '@hms/domain/vip';
import { visitorsInside } from '@hms/domain/visitors';
import { openWaitingEntries } from '@hms/domain/waiting-list';
import {
  type ErrorKind,
  fields,
  missingPermission,
  Problem,
  type Route,
  records,
  resource,
  route,
  type Work,
} from '@hms/service';
import { z } from 'zod';

const PATIENT_HAS_OPEN_ITEMS: ErrorKind = {
  status: 409,
  code: 'PATIENT_HAS_OPEN_ITEMS',
  message: 'The patient has open items: complete or cancel those in details.items first',
};

const newPatient = demandKnown(
  patients.create.extend({
    rejectDuplicates: z
      .boolean()
      .optional()
      .describe(
        'Refuse with 409 PATIENT_DUPLICATE when others may be the same person: their score reaches the duplicateThreshold of the hospital. Default: the setting of the hospital',
      ),
    otherThan: z
      .object({
        patientIds: z
          .array(fields.id)
          .min(1)
          .max(10)
          .describe('Those who may be the same person, as the list shows them'),
        reason: fields.line(200),
      })
      .optional()
      .describe(
        'Why this is another person. If nobody else may be the same, the patient is created, and the audit log keeps the reason',
      ),
    family: joinedFamily
      .optional()
      .describe('The family that the patient joins, which needs `families.write`. Default: a family of their own'),
  }),
).meta({ id: 'NewPatient' });

const patientChanges = allowUnknown(patients.changes).meta({ id: 'PatientChanges' });

export const patientRoutes: readonly Route[] = [
  // Before the routes of one patient, whose id is any text.
  route({
    method: 'POST',
    path: '/api/hms/patients/alike',
    operationId: 'listAlikePatients',
    summary: 'List patients who may be a person who is not registered yet, the most likely first',
    description:
      'For a form in which somebody types. At most ten, as at `/duplicates` of a patient. Nobody is alike without a day of birth or a phone number.',
    access: 'patients.write',
    body: typedPerson,
    response: z.array(candidate),
    handler: async (context) => ({ data: [...(await candidatesFor(context, knownOf(context.body)))] }),
  }),
  ...resource(patients, {
    path: '/api/hms/patients',
    access: { read: 'patients.read', write: 'patients.write', remove: 'patients.delete' },
    // A merged patient is found by what was merged into a survivor, or by its state.
    listed: (filters) => ({ ...filters, status: filters.status ?? (filters.survivorId ? undefined : 'active') }),
    create: {
      summary: 'Create a patient with a family',
      body: newPatient,
      errors: [PATIENT_DUPLICATE, REGISTERED_FAMILY_NOT_FOUND],
      run: createPatient,
    },
    update: {
      body: patientChanges,
      errors: [PATIENT_MERGED],
      run: async (context, id, changes) => {
        requireBorn(context, changes.dateOfBirth);
        const before = await lockActive(context, id, context.version);
        const written = birthChanges(context, before, changesWithUnknown(before, changes));
        const after = await records(context, patients).update(before, written);
        await nameFamily(context, before, after);
        return after;
      },
    },
    remove: {
      description:
        'The patient leaves the family. A family without other members is closed. In one with others, somebody else must be the primary contact and the payer first.',
      errors: [PATIENT_MERGED, PATIENT_HAS_OPEN_ITEMS, PRIMARY_CONTACT_REQUIRED, PAYER_REQUIRED, VIP_OVERLAP],
      run: async (context, id) => {
        const patient = await lockActive(context, id, context.version);
        // The membership of a family in which they are alone becomes their own one, so it is named.
        await leaveFamily(context, patient);
        await requireNoOpenItems(context, id);
        await notePatientStep(context, 'deleted', id);
        return records(context, patients).remove(patient, { familyId: null });
      },
    },
  }),
];

/** What keeps a locked patient from being deleted. @throws Problem PATIENT_HAS_OPEN_ITEMS, which names it. */
async function requireNoOpenItems(work: Work, id: string): Promise<void> {
  const [others, ...open] = await Promise.all([
    mergedWith(work, id),
    openLabOrders(work, [id]),
    openPrescriptions(work, [id]),
    visitorsInside(work, [id]),
    openAppointments(work, [id]),
    openQueueEntries(work, [id]),
    openWaitingEntries(work, [id]),
    openBills(work, [id]),
    openMemberships(work, [id]),
  ]);
  const merged = others.map((other) => ({ record: 'patients', id: other.id, name: other.patientCode }));
  const items = [...merged, ...open.flat()];
  if (items.length > 0) throw new Problem(PATIENT_HAS_OPEN_ITEMS, { details: { items } });
}

/** Creates the patient, in the family that the request names, or in a new one as its only member and primary contact. */
async function createPatient(
  work: Work,
  { family, unknown: _, rejectDuplicates, otherThan, ...body }: z.output<typeof newPatient>,
): Promise<Patient> {
  requireBorn(work, body.dateOfBirth);
  requireBornAt(work, body);
  if (family) {
    if (!work.caller.permissions.has('families.write')) throw missingPermission('families.write');
    // Before the numbers of patients, so that two registrations can't deadlock.
    await lockJoined(work, family);
  }
  const isCompared = otherThan !== undefined || (rejectDuplicates ?? work.hospital.settings.rejectDuplicates);
  const candidates = isCompared ? await candidatesForNew(work, body) : [];
  if (candidates.some(({ id }) => !otherThan?.patientIds.includes(id)))
    throw new Problem(PATIENT_DUPLICATE, { details: { candidates } });
  const patient = await (family ? registerRelative(work, body, family) : registerPatient(work, body));
  if (otherThan && candidates.length > 0) {
    const alike = candidates.map(({ id, patientCode }) => ({ id, patientCode }));
    const details = { reason: otherThan.reason, candidates: alike };
    work.audit({ action: 'overrule', record: 'patients', recordId: patient.id, patientId: patient.id, details });
  }
  return patient;
}

/** What is known of a person. An empty entry is not compared. */
function knownOf(person: z.output<typeof typedPerson>): Parameters<typeof candidatesFor>[1] {
  return Object.fromEntries(Object.entries(person).filter(([, value]) => value !== null && value !== undefined));
}
