/** The pages of plain records. Those with forms are loaded beside the data of the first one that is shown. */
import { Skeleton } from '@mantine/core';
import { type ComponentType, Suspense } from 'react';
import { soon } from '../ui/soon.tsx';
import type { Of, PlainRecord } from './plain-record.ts';
import { RecordList } from './record-list.tsx';

const NewRecord = soon(async () => (await import('./record-forms.tsx')).NewRecord);
const ExistingRecord = soon(async () => (await import('./record-forms.tsx')).ExistingRecord);

/** The pages that a record's file exports. */
export function pagesOf(record: PlainRecord) {
  return {
    ListPage: pageOf(RecordList, record),
    NewPage: pageOf(NewRecord, record),
    RecordPage: pageOf(ExistingRecord, record),
  };
}

function pageOf(Page: ComponentType<Of>, record: PlainRecord) {
  return () => (
    <Suspense fallback={<Skeleton height={160} animate={false} aria-busy />}>
      <Page of={record} />
    </Suspense>
  );
}
