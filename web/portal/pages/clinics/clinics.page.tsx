/** The clinics of the hospital. */
import { NewClinic } from '@hms/api-client/limits/NewClinic';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { useDepartments } from '../departments/departments.queries.ts';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'clinics',
    type: 'Clinic',
    path: '/api/hms/clinics',
    limits: NewClinic,
    fields: ({ text, choice, whole, flag }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'ENT-1' }),
      choice('departmentId', useDepartments),
      text('location', { inList: false }),
      whole('slotMinutes', { inList: false, help: 'slotMinutesHelp' }),
      text('tokenPrefix', { inList: false, placeholder: 'A', help: 'tokenPrefixHelp' }),
      flag('isQueueEnabled', { inList: false }),
    ],
  }),
);
