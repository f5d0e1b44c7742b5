/** Patients who are one person: finding, merging and separating them, and restoring one that was deleted. */
import { insertFamily } from '@hms/domain/families';
import {
  candidate,
  candidatesFor,
  MERGE_SELF,
  mergePatient,
  notePatientStep,
  PATIENT_ALREADY_MERGED,
  PATIENT_NOT_FOUND,
  PATIENT_NOT_MERGED,
  patientNameOf,
  patients,
  survivorOf,
  unmergePatient,
} from '@hms/domain/patients';
import { demandOneToken, TWO_TOKENS } from '@hms/domain/queue';
import {
  type ErrorKind,
  fields,
  newId,
  Problem,
  type Route,
  records,
  route,
  STALE_VERSION,
  single,
} from '@hms/service';
import { z } from 'zod';

const PATIENT_NOT_DELETED: ErrorKind = {
  status: 409,
  code: 'PATIENT_NOT_DELETED',
  message: 'The patient is not deleted',
};

const merge = z
  .object({ intoId: fields.id.describe('The patient who remains'), version: fields.version })
  .meta({ id: 'PatientMerge' });
const version = z.object({ version: fields.version }).optional();

export const mergingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/hms/patients/:id/duplicates',
    operationId: 'listPatientDuplicates',
    summary: 'List patients who may be the same person, the most likely first',
    description:
      'At most ten. Names, day of birth and phone number are compared, with typing errors. The score of each reaches the duplicateThreshold of the hospital.',
    access: 'patients.read',
    params: fields.idParams,
    response: z.array(candidate),
    errors: [PATIENT_NOT_FOUND],
    handler: async (context) => ({
      data: [...(await candidatesFor(context, await survivorOf(context, context.params.id)))],
    }),
  }),
  route({
    method: 'POST',
    path: '/api/hms/patients/:id/merge',
    operationId: 'mergePatient',
    summary: 'Merge a patient into another one who is the same person',
    description:
      'Records stay where they are and are found through either patient. New ones belong to the patient who remains. A search for the merged patient finds the one who remains.',
    access: 'patients.merge',
    params: fields.idParams,
    body: merge,
    response: patients.item,
    errors: [PATIENT_NOT_FOUND, MERGE_SELF, PATIENT_ALREADY_MERGED, STALE_VERSION, TWO_TOKENS],
    handler: async (context) => {
      const merged = await mergePatient(context, context.params.id, context.body.intoId, context.version);
      await demandOneToken(context, context.body.intoId);
      return single(merged);
    },
  }),
  route({
    method: 'POST',
    path: '/api/hms/patients/:id/unmerge',
    operationId: 'unmergePatient',
    summary: 'Separate a patient from the one into whom it was merged',
    description: 'Each patient has again what belonged to it. What came after the merge stays with the other one.',
    access: 'patients.merge',
    params: fields.idParams,
    body: version,
    response: patients.item,
    errors: [PATIENT_NOT_FOUND, PATIENT_NOT_MERGED, STALE_VERSION],
    handler: async (context) => single(await unmergePatient(context, context.params.id, context.version)),
  }),
  route({
    method: 'POST',
    path: '/api/hms/patients/:id/restore',
    operationId: 'restorePatient',
    summary: 'Restore a deleted patient',
    description: 'The patient gets a family of their own, as at creation.',
    access: 'patients.delete',
    params: fields.idParams,
    body: version,
    response: patients.item,
    errors: [PATIENT_NOT_FOUND, PATIENT_NOT_DELETED, STALE_VERSION],
    handler: async (context) => {
      const own = records(context, patients);
      const patient = await own.lockAny(context.params.id, context.version);
      if (patient.deletedAt === undefined) throw new Problem(PATIENT_NOT_DELETED);
      const familyId = newId();
      const [restored] = await Promise.all([
        own.restore(patient, { familyId }),
        insertFamily(context, {
          id: familyId,
          name: patient.lastName ?? patientNameOf(patient),
          patientId: patient.id,
        }),
        notePatientStep(context, 'restored', patient.id),
      ]);
      return single(restored);
    },
  }),
];
