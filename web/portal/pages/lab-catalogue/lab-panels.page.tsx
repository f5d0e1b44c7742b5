/** Sets of tests that are ordered together. */
import { NewLabPanel } from '@hms/api-client/limits/NewLabPanel';
import * as z from 'zod/mini';
import type { RecordField } from '../../../kit/records/fields.tsx';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { idsIn } from './panel-ids.ts';

const PanelTests = soon(async () => (await import('./panel-tests.tsx')).PanelTests);
const PanelTestNames = soon(async () => (await import('./panel-tests.tsx')).PanelTestNames);

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'lab-panels',
    type: 'LabPanel',
    path: '/api/hms/lab-panels',
    limits: NewLabPanel,
    fields: ({ text }) => [
      text('name', { sortable: true }),
      text('code', { placeholder: 'LIVER' }),
      {
        ...text('testIds'),
        schema: z.string().check(z.minLength(1, 'noTests')) as unknown as RecordField['schema'],
        fill: (shown) => (shown as readonly string[]).join(','),
        send: (value) => idsIn(String(value)),
        cell: (shown) => (shown as readonly string[]).length,
        read: (shown) => <PanelTestNames ids={shown as readonly string[]} />,
        input: (props) => <PanelTests {...props} />,
      },
    ],
  }),
);
