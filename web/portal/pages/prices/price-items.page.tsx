/** What the hospital sells. */
import { NewPriceItem } from '@hms/api-client/limits/NewPriceItem';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { useDepartments } from '../departments/departments.queries.ts';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'price-items',
    type: 'PriceItem',
    path: '/api/payment/price-items',
    limits: NewPriceItem,
    fields: ({ text, oneOf, percent, choice }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'CONS-1' }),
      oneOf('itemGroup'),
      percent('taxBps'),
      choice('departmentId', useDepartments),
    ],
  }),
);
