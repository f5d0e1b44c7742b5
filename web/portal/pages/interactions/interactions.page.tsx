/** Pairs of substances that a patient should not get together. */
import { useTranslation } from 'react-i18next';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { choice, text } from '../../../kit/catalogue/fields.tsx';

type Interaction = Schemas['DrugInteraction'];
/** From the most to the least dangerous. */
const SEVERITIES = ['severe', 'moderate', 'minor'] as const satisfies readonly Interaction['severity'][];

/** A pair has no name of its own. */
function named<Row extends Interaction>(row: Row) {
  return { ...row, name: `${row.substanceA} + ${row.substanceB}` };
}

function useSeverities() {
  const { t } = useTranslation();
  return SEVERITIES.map((id) => ({ id, name: t(`interactions.severities.${id}`) }));
}

const interactions: Catalogue<'interactions', ReturnType<typeof named<Interaction>>, Schemas['NewDrugInteraction']> = {
  name: 'interactions',
  fields: [
    text('substanceA', 100, { required: true, placeholder: 'warfarin' }),
    text('substanceB', 100, { required: true, placeholder: 'ibuprofen' }),
    choice('severity', useSeverities, { required: true }),
    text('effect', 500, { required: true }),
  ],
  operations: {
    create: 'createDrugInteraction',
    change: 'changeDrugInteraction',
    remove: 'deleteDrugInteraction',
  },
  changes: '/api/hms/drug-interactions/changes',
  list: async (query, signal) => {
    const page = await envelopeOf(api.GET('/api/hms/drug-interactions', { params: { query }, signal }));
    return { ...page, data: page.data.map(named) };
  },
  read: async (id, signal) =>
    named(await dataOf(api.GET('/api/hms/drug-interactions/{id}', { params: { path: { id } }, signal }))),
  create: async (body, key) =>
    named(
      await dataOf(api.POST('/api/hms/drug-interactions', { params: { header: { 'Idempotency-Key': key } }, body })),
    ),
  change: async (id, body) =>
    named(await dataOf(api.PUT('/api/hms/drug-interactions/{id}', { params: { path: { id } }, body }))),
  remove: (id) => dataOf(api.DELETE('/api/hms/drug-interactions/{id}', { params: { path: { id } } })),
};

export const InteractionsPage = () => <CatalogueList of={interactions} />;
export const NewInteractionPage = () => <CatalogueNew of={interactions} />;
export const InteractionPage = () => <CatalogueRecord of={interactions} />;
