/** Pairs of substances that a patient should not get together. */
import { NewDrugInteraction } from '@hms/api-client/limits/NewDrugInteraction';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'interactions',
    type: 'DrugInteraction',
    path: '/api/hms/drug-interactions',
    limits: NewDrugInteraction,
    nameOf: ({ substanceA, substanceB }) => `${substanceA} + ${substanceB}`,
    fields: ({ text, oneOf }) => [
      text('substanceA', { placeholder: 'warfarin' }),
      text('substanceB', { placeholder: 'ibuprofen' }),
      oneOf('severity'),
      text('effect'),
    ],
  }),
);
