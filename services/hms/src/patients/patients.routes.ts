import { insertFamily, leaveFamily } from '@hms/domain/families';
import { lookAlikes, PATIENT_DUPLICATE, type Patient, patients, requireBorn } from '@hms/domain/patients';
import { itemWith, newId, Problem, records, resource, type Work } from '@hms/service';
import { z } from 'zod';

const newPatient = patients.create
  .extend({
    rejectDuplicates: z
      .boolean()
      .optional()
      .describe(
        'Refuse with 409 PATIENT_DUPLICATE when two of name, phone and day of birth are those of another patient. Default: the setting of the hospital',
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
  create: {
    summary: 'Create a patient with a family',
    body: newPatient,
    errors: [PATIENT_DUPLICATE],
    run: createPatient,
  },
  update: {
    run: async (context, id, changes) => {
      requireBorn(context, changes.dateOfBirth);
      const own = records(context, patients);
      return own.update(await own.lock(id, context.version), changes);
    },
  },
  remove: {
    description: 'The patient leaves the family. A family without other members is closed.',
    response: deletedPatient,
    run: async (context, id) => {
      const own = records(context, patients);
      const patient = await own.lock(id, context.version);
      const newPrimaryContactId = await leaveFamily(context, patient);
      return { ...(await own.remove(patient, { familyId: null })), newPrimaryContactId };
    },
  },
});

/** Creates the patient, and the family in which they are the only member and the primary contact. */
async function createPatient(work: Work, body: z.output<typeof newPatient>): Promise<Patient> {
  requireBorn(work, body.dateOfBirth);
  if (body.rejectDuplicates ?? work.hospital.settings.rejectDuplicates) {
    const candidates = await lookAlikes(work, body);
    if (candidates.length > 0) throw new Problem(PATIENT_DUPLICATE, { details: { candidates } });
  }
  const [id, familyId] = [newId(), newId()];
  const [patient] = await Promise.all([
    records(work, patients).insert({ ...body, familyId }, id),
    insertFamily(work, { id: familyId, name: body.lastName, patientId: id }),
  ]);
  return patient;
}
