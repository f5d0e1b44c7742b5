/** What the items of the price list cost, and when. */
import { NewPrice } from '@hms/api-client/limits/NewPrice';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { usePriceItems } from './prices.queries.ts';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'prices',
    type: 'Price',
    path: '/api/payment/prices',
    limits: NewPrice,
    isSearched: false,
    nameOf: ({ validFrom }) => showDay(validFrom),
    fields: ({ choice, money, text, day }) => [
      choice('itemId', usePriceItems),
      money('amount'),
      text('payerGroup'),
      day('validFrom'),
      day('validTo'),
    ],
  }),
);
