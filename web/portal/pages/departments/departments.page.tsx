/** The departments of the hospital. */
import { NewDepartment } from '@hms/api-client/limits/NewDepartment';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'departments',
    type: 'Department',
    path: '/api/hms/departments',
    limits: NewDepartment,
    fields: ({ text }) => [text('name', { sortable: true }), text('code', { placeholder: 'ENT' }), text('location')],
  }),
);
