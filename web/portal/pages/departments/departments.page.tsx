/** The departments of the hospital. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { text } from '../../../kit/catalogue/fields.tsx';

const departments: Catalogue<'departments', Schemas['Department'], Schemas['NewDepartment']> = {
  name: 'departments',
  fields: [
    text('name', 100, { required: true, sortable: true }),
    text('code', 20, { required: true, placeholder: 'ENT' }),
    text('location', 200),
  ],
  operations: {
    ...{ create: 'createDepartment', change: 'changeDepartment', remove: 'deleteDepartment' },
    activate: 'activateDepartment',
  },
  changes: '/api/hms/departments/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/hms/departments', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/hms/departments/{id}', { params: { path: { id } }, signal })),
  create: (body, key) =>
    dataOf(api.POST('/api/hms/departments', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/hms/departments/{id}', { params: { path: { id } }, body })),
  setActive: (id, isActive) =>
    dataOf(api.POST(`/api/hms/departments/{id}/${isActive ? 'activate' : 'deactivate'}`, { params: { path: { id } } })),
  remove: (id) => dataOf(api.DELETE('/api/hms/departments/{id}', { params: { path: { id } } })),
};

export const DepartmentsPage = () => <CatalogueList of={departments} />;
export const NewDepartmentPage = () => <CatalogueNew of={departments} />;
export const DepartmentPage = () => <CatalogueRecord of={departments} />;
