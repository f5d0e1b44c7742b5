import { openAppointments } from '@hms/domain/appointments';
import { leaveFamily, registerPatient } from '@hms/domain/families';
import { openBills } from '@hms/domain/invoices';
import { openLabOrders } from '@hms/domain/lab-orders';
import {
  candidatesForNew,
  lockActive,
  mergedWith,
  PATIENT_DUPLICATE,
  PATIENT_MERGED,
  type Patient,
  patients,
  requireBorn,
} from '@hms/domain/patients';
import { openPrescriptions } from '@hms/domain/prescriptions';
import { openQueueEntries } from '@hms/domain/queue';
import { visitorsInside } from '@hms/domain/visitors';
import { openWaitingEntries } from '@hms/domain/waiting-list';
import { type ErrorKind, itemWith, Problem, records, resource, type Work } from '@hms/service';
import { z } from 'zod';

const PATIENT_HAS_OPEN_ITEMS: ErrorKind = {
  status: 409,
  code: 'PATIENT_HAS_OPEN_ITEMS',
  message: 'The patient has open items: complete or cancel those in details.items first',
};

const newPatient = patients.create
  .extend({
    rejectDuplicates: z
      .boolean()
      .optional()
      .describe(
        'Refuse with 409 PATIENT_DUPLICATE when others may be the same person: their score reaches the duplicateThreshold of the hospital. Default: the setting of the hospital',
      ),
  })
  .meta({ id: 'NewPatient' });

const deletedPatient = itemWith(patients, {
  newPrimaryContactId: z
    .uuid()
    .nullable()
    .describe('The family member who joined first, and is now the primary contact in place of the patient'),
});

export const patientRoutes = resource(patients, {
  path: '/api/hms/patients',
  access: { read: 'patients.read', write: 'patients.write', remove: 'patients.delete' },
  // A merged patient is found by what was merged into a survivor, or by its state.
  listed: (filters) => ({ ...filters, status: filters.status ?? (filters.survivorId ? undefined : 'active') }),
  create: {
    summary: 'Create a patient with a family',
    body: newPatient,
    errors: [PATIENT_DUPLICATE],
    run: createPatient,
  },
  update: {
    errors: [PATIENT_MERGED],
    run: async (context, id, changes) => {
      requireBorn(context, changes.dateOfBirth);
      return records(context, patients).update(await lockActive(context, id, context.version), changes);
    },
  },
  remove: {
    description: 'The patient leaves the family. A family without other members is closed.',
    response: deletedPatient,
    errors: [PATIENT_MERGED, PATIENT_HAS_OPEN_ITEMS],
    run: async (context, id) => {
      const patient = await lockActive(context, id, context.version);
      await requireNoOpenItems(context, id);
      const newPrimaryContactId = await leaveFamily(context, patient);
      return { ...(await records(context, patients).remove(patient, { familyId: null })), newPrimaryContactId };
    },
  },
});

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
  ]);
  const merged = others.map((other) => ({ record: 'patients', id: other.id, name: other.patientCode }));
  const items = [...merged, ...open.flat()];
  if (items.length > 0) throw new Problem(PATIENT_HAS_OPEN_ITEMS, { details: { items } });
}

/** Creates the patient, and the family in which they are the only member and the primary contact. */
async function createPatient(work: Work, body: z.output<typeof newPatient>): Promise<Patient> {
  requireBorn(work, body.dateOfBirth);
  if (body.rejectDuplicates ?? work.hospital.settings.rejectDuplicates) {
    const candidates = await candidatesForNew(work, body);
    if (candidates.length > 0) throw new Problem(PATIENT_DUPLICATE, { details: { candidates } });
  }
  return registerPatient(work, body);
}
