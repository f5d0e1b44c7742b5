/** The drugs of the hospital. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { decimal, flag, text, texts, whole } from '../../../kit/catalogue/fields.tsx';

const MOST_UNITS = 999_999_999;
const hidden = { inList: false };

const drugs: Catalogue<'drugs', Schemas['Drug'], Schemas['NewDrug']> = {
  name: 'drugs',
  fields: [
    text('name', 100, { required: true, sortable: true }),
    text('code', 40, { required: true, placeholder: 'AMX-500' }),
    texts('ingredients', 100, { required: true, placeholder: 'amoxicillin, clavulanic acid' }),
    texts('allergyGroups', 100, { ...hidden, placeholder: 'Penicillin' }),
    text('strength', 40, { placeholder: '500 mg' }),
    text('form', 40, { required: true, placeholder: 'Capsule' }),
    text('unit', 20, { ...hidden, required: true, placeholder: 'capsule' }),
    decimal('maxDailyDose', hidden),
    whole('reorderLevel', [0, MOST_UNITS], { initially: '0' }),
    whole('price', [0, MOST_UNITS], hidden),
    whole('taxBps', [0, 10_000], { ...hidden, initially: '0' }),
    flag('isControlled', { ...hidden, initially: false }),
  ],
  operations: { create: 'createDrug', change: 'changeDrug', remove: 'deleteDrug', activate: 'activateDrug' },
  changes: '/api/hms/drugs/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/hms/drugs', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/hms/drugs/{id}', { params: { path: { id } }, signal })),
  create: (body, key) => dataOf(api.POST('/api/hms/drugs', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/hms/drugs/{id}', { params: { path: { id } }, body })),
  remove: (id) => dataOf(api.DELETE('/api/hms/drugs/{id}', { params: { path: { id } } })),
  setActive: (id, isActive) =>
    dataOf(api.POST(`/api/hms/drugs/{id}/${isActive ? 'activate' : 'deactivate'}`, { params: { path: { id } } })),
};

export const DrugsPage = () => <CatalogueList of={drugs} />;
export const NewDrugPage = () => <CatalogueNew of={drugs} />;
export const DrugPage = () => <CatalogueRecord of={drugs} />;
