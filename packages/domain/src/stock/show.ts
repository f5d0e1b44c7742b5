/** Batches and counts as people read them: with the drug, and the names of those who acted. */
import { type DataReply, itemWith, type RecordQuery, records, type Work } from '@hms/service';
import { z } from 'zod';
import { drugsById } from '../drugs/drugs.ts';
import { namesOfAccounts } from '../employees/people.ts';
import { type Batch, batches, counts, type StockCount } from './record.ts';

export const shownBatch = itemWith(batches, {
  drugCode: z.string(),
  drugName: z.string(),
  unit: z.string(),
}).meta({ id: 'ShownStockBatch' });
type ShownBatch = z.output<typeof shownBatch>;

export const shownCount = itemWith(counts, {
  submittedByName: z.string().nullable(),
  decidedByName: z.string().nullable(),
}).meta({ id: 'ShownStockCount' });
type ShownCount = z.output<typeof shownCount>;

export async function listBatches(work: Work, query: RecordQuery): Promise<DataReply<ShownBatch[]>> {
  const { data, ...reply } = await records(work, batches).list(query);
  return { ...reply, data: await showBatches(work, data) };
}

/** @throws Problem BATCH_NOT_FOUND. */
export async function readBatch(work: Work, id: string): Promise<ShownBatch> {
  const [shown] = await showBatches(work, [await records(work, batches).read(id)]);
  return shown as ShownBatch;
}

async function showBatches(work: Work, all: readonly Batch[]): Promise<ShownBatch[]> {
  const drugs = await drugsById(
    work,
    all.map(({ drugId }) => drugId),
  );
  return all.map((batch) => {
    const drug = drugs.get(batch.drugId);
    return { ...batch, drugCode: drug?.code ?? '', drugName: drug?.name ?? '', unit: drug?.unit ?? '' };
  });
}

export async function listCounts(work: Work, query: RecordQuery): Promise<DataReply<ShownCount[]>> {
  const { data, ...reply } = await records(work, counts).list(query);
  return { ...reply, data: await showCounts(work, data) };
}

/** @throws Problem COUNT_NOT_FOUND. */
export async function readCount(work: Work, id: string): Promise<ShownCount> {
  const [shown] = await showCounts(work, [await records(work, counts).read(id)]);
  return shown as ShownCount;
}

async function showCounts(work: Work, all: readonly StockCount[]): Promise<ShownCount[]> {
  const people = all.flatMap(({ submittedBy, decidedBy }) => [submittedBy ?? [], decidedBy ?? []]);
  const names = await namesOfAccounts(work, people.flat());
  const nameOf = (account: string | null) => (account === null ? null : (names.get(account) ?? null));
  return all.map((count) => ({
    ...count,
    submittedByName: nameOf(count.submittedBy),
    decidedByName: nameOf(count.decidedBy),
  }));
}
