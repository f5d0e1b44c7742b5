/** What the hospital tells everybody who waits. */
import { NewNotice } from '@hms/api-client/limits/NewNotice';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'notices',
    type: 'Notice',
    path: '/api/hms/notices',
    limits: NewNotice,
    nameOf: ({ text }) => text,
    fields: ({ text, day }) => [text('text'), day('validFrom'), day('validTo')],
  }),
);
