/** Who may not visit. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { day, text } from '../../../kit/catalogue/fields.tsx';

const bans: Catalogue<'visitor-bans', Schemas['VisitorBan'], Schemas['NewVisitorBan']> = {
  name: 'visitor-bans',
  fields: [
    text('name', 100, { required: true, sortable: true }),
    text('phone', 40, { placeholder: '+353 86 123 4567' }),
    text('reason', 200, { required: true }),
    day('validTo'),
  ],
  operations: { create: 'createVisitorBan', change: 'changeVisitorBan', remove: 'deleteVisitorBan' },
  changes: '/api/crm/visitor-bans/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/crm/visitor-bans', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/crm/visitor-bans/{id}', { params: { path: { id } }, signal })),
  create: (body, key) =>
    dataOf(api.POST('/api/crm/visitor-bans', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/crm/visitor-bans/{id}', { params: { path: { id } }, body })),
  remove: (id) => dataOf(api.DELETE('/api/crm/visitor-bans/{id}', { params: { path: { id } } })),
};

export const BansPage = () => <CatalogueList of={bans} />;
export const NewBanPage = () => <CatalogueNew of={bans} />;
export const BanPage = () => <CatalogueRecord of={bans} />;
