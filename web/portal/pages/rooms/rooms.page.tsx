/** The rooms of clinics. */
import { NewRoom } from '@hms/api-client/limits/NewRoom';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'rooms',
    type: 'Room',
    path: '/api/hms/rooms',
    limits: NewRoom,
    fields: ({ text, choice }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'ENT-1-2' }),
      choice('clinicId', useClinics),
      text('location'),
    ],
  }),
);
