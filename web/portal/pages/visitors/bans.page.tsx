/** Who may not visit. */
import { NewVisitorBan } from '@hms/api-client/limits/NewVisitorBan';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'visitor-bans',
    type: 'VisitorBan',
    path: '/api/crm/visitor-bans',
    limits: NewVisitorBan,
    fields: ({ text, phone, day }) => [
      text('name', { sortable: true }),
      phone('phone'),
      text('reason'),
      day('validTo'),
    ],
  }),
);
