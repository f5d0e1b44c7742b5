import { patientCodes, patients, samePerson } from '@hms/domain/patients';
import { namesOfAccounts } from '@hms/domain/people';
import { accessQuery, auditEvents, fields, Problem, type Route, readAccess, records, route } from '@hms/service';

export const accessRoute: Route = route({
  method: 'GET',
  path: '/api/hms/patients/:id/access',
  operationId: 'listPatientAccess',
  summary: 'Who has seen or changed a patient’s record, latest first',
  description:
    'Includes lists that showed the patient, deleted patients, and what was done with a patient that is merged with this one. Each request is an event itself. meta.total counts up to 10,000.',
  access: 'audit.read',
  params: fields.idParams,
  query: accessQuery,
  response: auditEvents,
  paged: true,
  errors: [patients.notFound],
  handler: async (context) => {
    const { id } = context.params;
    if (!(await records(context, patients).find(id))) throw new Problem(patients.notFound);
    return readAccess(context, id, await samePerson(context, id), context.query, {
      accounts: namesOfAccounts,
      patients: patientCodes,
    });
  },
});
