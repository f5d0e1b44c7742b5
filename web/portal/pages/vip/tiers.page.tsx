/** The VIP tiers of the hospital. */
import { NewVipTier } from '@hms/api-client/limits/NewVipTier';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'vip-tiers',
    type: 'VipTier',
    path: '/api/crm/vip-tiers',
    limits: NewVipTier,
    fields: ({ text, whole, percent }) => [
      text('name'),
      whole('priorityWeight', { placeholder: '0–100' }),
      percent('consultationBps'),
      percent('laboratoryBps'),
      percent('pharmacyBps'),
      percent('otherBps'),
    ],
  }),
);
