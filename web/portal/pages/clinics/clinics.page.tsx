/** The clinics of the hospital. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { choice, flag, text, whole } from '../../../kit/catalogue/fields.tsx';
import { useDepartments } from '../departments/departments.queries.ts';

const clinics: Catalogue<'clinics', Schemas['Clinic'], Schemas['NewClinic']> = {
  name: 'clinics',
  fields: [
    text('name', 100, { required: true, sortable: true }),
    text('code', 20, { required: true, placeholder: 'ENT-1' }),
    choice('departmentId', useDepartments),
    text('location', 200, { inList: false }),
    whole('slotMinutes', [5, 480], { inList: false }),
    text('tokenPrefix', 4, { inList: false, placeholder: 'A' }),
    flag('isQueueEnabled', { inList: false }),
  ],
  operations: { create: 'createClinic', change: 'changeClinic', remove: 'deleteClinic', activate: 'activateClinic' },
  changes: '/api/hms/clinics/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/hms/clinics', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/hms/clinics/{id}', { params: { path: { id } }, signal })),
  create: (body, key) => dataOf(api.POST('/api/hms/clinics', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/hms/clinics/{id}', { params: { path: { id } }, body })),
  setActive: (id, isActive) =>
    dataOf(api.POST(`/api/hms/clinics/{id}/${isActive ? 'activate' : 'deactivate'}`, { params: { path: { id } } })),
  remove: (id) => dataOf(api.DELETE('/api/hms/clinics/{id}', { params: { path: { id } } })),
};

export const ClinicsPage = () => <CatalogueList of={clinics} />;
export const NewClinicPage = () => <CatalogueNew of={clinics} />;
export const ClinicPage = () => <CatalogueRecord of={clinics} />;
