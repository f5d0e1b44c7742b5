/** Sets of tests that are ordered together. */
import { NewLabPanel } from '@hms/api-client/limits/NewLabPanel';
import { lazy } from 'react';
import * as z from 'zod/mini';
import type { RecordField } from '../../../kit/records/fields.tsx';
import { plainRecord } from '../../../kit/records/plain-record.ts';
import { pagesOf } from '../../../kit/records/record-pages.tsx';
import { idsIn } from './panel-ids.ts';

const PanelTests = lazy(async () => ({ default: (await import('./panel-tests.tsx')).PanelTests }));

export const { ListPage, NewPage, RecordPage } = pagesOf(
  plainRecord({
    name: 'labPanels',
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
        input: (props) => <PanelTests {...props} />,
      },
    ],
  }),
);
