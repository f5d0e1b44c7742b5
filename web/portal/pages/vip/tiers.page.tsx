/** The VIP tiers of the hospital. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { percent, text, whole } from '../../../kit/catalogue/fields.tsx';

const tiers: Catalogue<'vip-tiers', Schemas['VipTier'], Schemas['NewVipTier']> = {
  name: 'vip-tiers',
  fields: [
    text('name', 50, { required: true }),
    whole('priorityWeight', [0, 100], { required: true, placeholder: '0–100' }),
    percent('consultationBps'),
    percent('laboratoryBps'),
    percent('pharmacyBps'),
    percent('otherBps'),
  ],
  operations: {
    ...{ create: 'createVipTier', change: 'changeVipTier', remove: 'deleteVipTier' },
    activate: 'activateVipTier',
  },
  changes: '/api/crm/vip-tiers/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/crm/vip-tiers', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/crm/vip-tiers/{id}', { params: { path: { id } }, signal })),
  create: (body, key) =>
    dataOf(api.POST('/api/crm/vip-tiers', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/crm/vip-tiers/{id}', { params: { path: { id } }, body })),
  setActive: (id, isActive) =>
    dataOf(api.POST(`/api/crm/vip-tiers/{id}/${isActive ? 'activate' : 'deactivate'}`, { params: { path: { id } } })),
  remove: (id) => dataOf(api.DELETE('/api/crm/vip-tiers/{id}', { params: { path: { id } } })),
};

export const TiersPage = () => <CatalogueList of={tiers} />;
export const NewTierPage = () => <CatalogueNew of={tiers} />;
export const TierPage = () => <CatalogueRecord of={tiers} />;
