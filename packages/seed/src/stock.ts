/** The pharmacy: its catalogue, its deliveries, and what is thrown away. */
import { drugs, interactions } from '@hms/domain/drugs';
import { addDays } from '@hms/domain/schedules';
import { batches, discard, newBatch, recall, receiveBatch } from '@hms/domain/stock';
import { records, type Work } from '@hms/service';
import { DRUGS, INTERACTIONS, type SeededDrug } from './drug-catalogue.ts';
import { Random } from './random.ts';
import { FIRST, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';

/** Days from one delivery to the next. */
const DELIVERY_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** More than is used, so that a prescription seldom waits. */
const SPARE = 1.3;
/** What costs the hospital money and what the patient pays. */
const COST = 0.6;

export interface Pharmacy {
  /** Ids by code. */
  readonly drugIds: ReadonlyMap<string, string>;
}

/** @param itemsPerDay prescribed drugs of an average day. */
export async function ensureCatalogue(
  run: SeedRun,
  { pharmacists: [pharmacist] }: Staff,
  opened: Date,
  itemsPerDay: number,
): Promise<Pharmacy> {
  if (!pharmacist) throw new Error('the hospital has no pharmacist');
  return run.batch((trx) =>
    run.as(trx, pharmacist, opened, async (work) => {
      const own = records(work, drugs);
      const drugIds = new Map((await own.list(FIRST)).data.map(({ code, id }) => [code, id]));
      for (const drug of DRUGS) {
        if (drugIds.has(drug.code)) continue;
        const { share: _, usual: __, instructions: ___, fromAge: ____, untilAge: _____, ...values } = drug;
        const reorderLevel = Math.ceil(unitsPerDay(drug, itemsPerDay) * 7);
        drugIds.set(drug.code, (await own.insert(drugs.create.parse({ ...values, reorderLevel }))).id);
      }
      await ensureInteractions(work);
      return { drugIds };
    }),
  );
}

async function ensureInteractions(work: Work): Promise<void> {
  const own = records(work, interactions);
  if ((await own.list(FIRST)).data.length > 0) return;
  for (const [substanceA, substanceB, severity, effect] of INTERACTIONS) {
    await own.insert(interactions.create.parse({ substanceA, substanceB, severity, effect }));
  }
}

/** What comes on the days of a delivery, and what has expired by then. */
export async function stockDay(
  run: SeedRun,
  { pharmacists }: Staff,
  { drugIds }: Pharmacy,
  day: string,
  itemsPerDay: number,
): Promise<void> {
  const moment = run.at(day, 7 * 60);
  // By the calendar, so that a run on another day has the same deliveries.
  const number = Math.round(Date.parse(day) / DAY_MS);
  const isFirst = day === run.days[0];
  if ((number % DELIVERY_DAYS !== 0 && !isFirst) || !run.isPast(moment)) return;
  const random = new Random(run.options.seed, 'delivery', day);
  const pharmacist = random.oneOf(pharmacists);
  await run.batch((trx) =>
    run.as(trx, pharmacist, moment, async (work) => {
      if (isFirst && number % DELIVERY_DAYS !== 0 && (await records(work, batches).list(FIRST)).data.length > 0) return;
      for (const [index, drug] of DRUGS.entries()) {
        const batchNo = `${drug.code}-${day.replaceAll('-', '').slice(2)}`;
        const known = await records(work, batches).list({ ...FIRST, filters: { batchNo } });
        if (known.data.length > 0) continue;
        // Some batches expire before they are used up.
        const isShort = (index + number) % 7 === 3;
        const quantity = Math.ceil(unitsPerDay(drug, itemsPerDay) * DELIVERY_DAYS * SPARE) + 10;
        const body = {
          ...{ drugId: drugIds.get(drug.code), batchNo, quantity, costPrice: Math.round(drug.price * COST) },
          expiresOn: addDays(day, isShort ? random.between(20, 45) : random.between(300, 700)),
        };
        await receiveBatch(work, newBatch.parse(body));
      }
      await discardExpired(work, day);
    }),
  );
}

async function discardExpired(work: Work, day: string): Promise<void> {
  const { data } = await records(work, batches).list({ ...FIRST, filters: { expiringBefore: day, inStock: true } });
  for (const { id, onHand } of data) await discard(work, id, { quantity: onHand, reason: 'Expired' });
}

/** The manufacturer calls a batch back that patients have already. */
export async function recallOnce(run: SeedRun, { pharmacists }: Staff, day: string): Promise<void> {
  const [pharmacist] = pharmacists;
  const moment = run.at(day, 7.5 * 60);
  if (!pharmacist || !run.isPast(moment)) return;
  await run.batch((trx) =>
    run.as(trx, pharmacist, moment, async (work) => {
      const own = records(work, batches);
      const { meta } = await own.list({ ...FIRST, filters: { status: 'recalled' } });
      const [batch] = (await own.list({ ...FIRST, filters: { status: 'active', inStock: true } })).data;
      if (meta?.total === 0 && batch)
        await recall(work, batch.id, { reason: 'Recalled by the manufacturer: wrong label' });
    }),
  );
}

/** Units that leave the pharmacy on an average day. */
function unitsPerDay({ share, usual: [dose, times, days] }: SeededDrug, itemsPerDay: number): number {
  return itemsPerDay * (share / TOTAL) * Math.ceil(dose * times * days);
}

const TOTAL = DRUGS.reduce((sum, { share }) => sum + share, 0);
