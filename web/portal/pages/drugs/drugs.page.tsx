/** The drugs of the hospital. */
import { NewDrug } from '@hms/api-client/limits/NewDrug';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';

const hidden = { inList: false };

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'drugs',
    type: 'Drug',
    path: '/api/hms/drugs',
    limits: NewDrug,
    fields: ({ text, texts, decimal, whole, money, percent, flag }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'AMX-500' }),
      texts('ingredients', { placeholder: 'amoxicillin, clavulanic acid' }),
      texts('allergyGroups', { ...hidden, placeholder: 'Penicillin' }),
      text('strength', { placeholder: '500 mg' }),
      text('form', { placeholder: 'Capsule' }),
      text('unit', { ...hidden, placeholder: 'capsule' }),
      decimal('maxDailyDose', hidden),
      decimal('mgPerUnit', { ...hidden, placeholder: '50', help: 'mgPerUnitHelp', together: 'maxDailyMgPerKg' }),
      decimal('maxDailyMgPerKg', { ...hidden, placeholder: '60', help: 'maxDailyMgPerKgHelp', together: 'mgPerUnit' }),
      whole('reorderLevel'),
      money('price', hidden),
      percent('taxBps', hidden),
      flag('isControlled', hidden),
    ],
  }),
);
