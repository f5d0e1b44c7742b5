/** The price list. */
import { priceItems, prices } from '@hms/domain/prices';
import { type Route, resource } from '@hms/service';

const access = { read: 'prices.read', write: 'prices.write', remove: 'prices.write' } as const;

export const priceRoutes: readonly Route[] = [
  ...resource(priceItems, {
    path: '/api/payment/price-items',
    access,
    update: { description: 'Invoices that exist keep what they say.' },
    remove: { summary: 'Delete an item that has no prices' },
    steps: {
      deactivate: { to: 'inactive', summary: 'Take an item off the price list for some time' },
      activate: { to: 'active', summary: 'Put an item back on the price list' },
    },
  }),
  ...resource(prices, {
    path: '/api/payment/prices',
    access,
    create: { description: 'Prices of one item and one group of payers never hold on the same day.' },
  }),
];
