/** The departments of the hospital. */
import { NewDepartment } from '@hms/api-client/limits/NewDepartment';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { useDepartments } from './departments.queries.ts';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'departments',
    type: 'Department',
    path: '/api/hms/departments',
    limits: NewDepartment,
    fields: ({ text, choice }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'ENT' }),
      choice('parentId', useDepartments),
      text('location'),
    ],
  }),
);
