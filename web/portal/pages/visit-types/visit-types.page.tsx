/** The types of visits, with how long each takes. */
import { NewVisitType } from '@hms/api-client/limits/NewVisitType';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'visit-types',
    type: 'VisitType',
    path: '/api/queue/visit-types',
    limits: NewVisitType,
    fields: ({ text, choice, whole }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'FIRST' }),
      whole('minutes', { placeholder: '30' }),
      choice('clinicId', useClinics, { help: 'clinicIdHelp' }),
    ],
  }),
);
