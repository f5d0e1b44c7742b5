import { fields, type Route, route, STALE_VERSION } from '@hms/service';
import { ADMINS, STAFF } from '@hms/tenancy';
import { z } from 'zod';
import { PATIENT_DUPLICATE, PATIENT_NOT_FOUND, PRIMARY_CONTACT_REQUIRED } from './patients.errors.ts';
import { newPatient, patient, patientChanges, patientQuery } from './patients.schema.ts';
import { patientService } from './patients.service.ts';

const WRITERS = ['RECEPTION', 'NURSE', 'DOCTOR', ...ADMINS] as const;

export const patientRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/hms/patients',
    summary: 'List patients',
    roles: STAFF,
    query: patientQuery,
    response: z.array(patient),
    paged: true,
    handler: (context) => context.transaction((trx) => patientService(trx, context).list(context.query)),
  }),
  route({
    method: 'POST',
    path: '/api/hms/patients',
    summary: 'Create a patient with a family',
    roles: WRITERS,
    body: newPatient,
    response: patient,
    status: 201,
    errors: [PATIENT_DUPLICATE],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await patientService(trx, context).create(context.body) })),
  }),
  route({
    method: 'GET',
    path: '/api/hms/patients/:id',
    summary: 'Read a patient',
    roles: STAFF,
    params: fields.idParams,
    response: patient,
    errors: [PATIENT_NOT_FOUND],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await patientService(trx, context).read(context.params.id) })),
  }),
  route({
    method: 'PUT',
    path: '/api/hms/patients/:id',
    summary: 'Change fields of a patient',
    roles: WRITERS,
    params: fields.idParams,
    body: patientChanges,
    response: patient,
    errors: [PATIENT_NOT_FOUND, STALE_VERSION],
    handler: (context) =>
      context.transaction(async (trx) => ({
        data: await patientService(trx, context).update(context.params.id, context.body),
      })),
  }),
  route({
    method: 'DELETE',
    path: '/api/hms/patients/:id',
    summary: 'Delete a patient',
    roles: ADMINS,
    params: fields.idParams,
    response: patient,
    errors: [PATIENT_NOT_FOUND, PRIMARY_CONTACT_REQUIRED],
    handler: (context) =>
      context.transaction(async (trx) => ({ data: await patientService(trx, context).remove(context.params.id) })),
  }),
];
