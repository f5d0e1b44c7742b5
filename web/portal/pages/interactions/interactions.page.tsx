/** Pairs of substances that a patient should not get together. */
import { NewDrugInteraction } from '@hms/api-client/limits/NewDrugInteraction';
import { useTranslation } from 'react-i18next';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

/** From the most to the least dangerous. */
const SEVERITIES = NewDrugInteraction.severity.choices.toReversed();

function useSeverities() {
  const { t } = useTranslation();
  return SEVERITIES.map((id) => ({ id, name: t(`interactions.severities.${id}`) }));
}

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'interactions',
    type: 'DrugInteraction',
    path: '/api/hms/drug-interactions',
    limits: NewDrugInteraction,
    nameOf: ({ substanceA, substanceB }) => `${substanceA} + ${substanceB}`,
    fields: ({ text, choice }) => [
      text('substanceA', { placeholder: 'warfarin' }),
      text('substanceB', { placeholder: 'ibuprofen' }),
      choice('severity', useSeverities),
      text('effect'),
    ],
  }),
);
