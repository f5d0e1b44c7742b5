import { clinicErrors, clinics } from '@hms/domain/clinics';
import { DEPARTMENT_NOT_FOUND, departments } from '@hms/domain/departments';
import { CLINIC_IN_USE, requireUnwatched } from '@hms/domain/displays';
import { type RequestContext, type Route, records, resource } from '@hms/service';

const errors = [...clinicErrors, DEPARTMENT_NOT_FOUND];

export const clinicRoutes: readonly Route[] = resource(clinics, {
  path: '/api/hms/clinics',
  access: { read: 'clinics.read', write: 'clinics.write', remove: 'clinics.write' },
  create: {
    errors,
    run: async (context, body) => {
      await holdDepartment(context, body.departmentId);
      return records(context, clinics).insert(body);
    },
  },
  update: {
    errors,
    run: async (context, id, changes) => {
      const own = records(context, clinics);
      const clinic = await own.lock(id, context.version);
      await holdDepartment(context, changes.departmentId);
      return own.update(clinic, changes);
    },
  },
  remove: {
    summary: 'Delete a clinic that no display shows',
    errors: [CLINIC_IN_USE],
    run: async (context, id) => {
      const own = records(context, clinics);
      const clinic = await own.lock(id, context.version);
      await requireUnwatched(context, id);
      return own.remove(clinic);
    },
  },
});

/** Locks the department until the transaction ends. @throws Problem DEPARTMENT_NOT_FOUND */
async function holdDepartment(context: RequestContext, id: string | null | undefined): Promise<void> {
  if (id) await records(context, departments).lock(id);
}
