/** What the hospital sells apart from tests and drugs, and the types of visits. */
import { priceItems, prices } from '@hms/domain/prices';
import { visitTypes } from '@hms/domain/visit-types';
import { records, type Work } from '@hms/service';
import type { Random } from './random.ts';
import { byCode, FIRST, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';

/** The code, the name, the group, the price in minor units, the department. */
const ITEMS = [
  ['CONS-1', 'First consultation', 'consultation', 8000, 'GEN'],
  ['CONS-2', 'Follow-up consultation', 'consultation', 4500, 'GEN'],
  ['CONS-C', 'Consultation for a child', 'consultation', 6000, 'PED'],
  ['CONS-S', 'Consultation with a cardiologist', 'consultation', 12_000, 'CAR'],
  ['ECG', 'Electrocardiogram', 'other', 3500, 'CAR'],
  ['DRESS', 'Dressing of a wound', 'other', 1800, 'GEN'],
  ['CERT', 'Medical certificate', 'other', 1500, 'GEN'],
] as const;

/** The code, the name, the minutes. */
const VISIT_TYPES = [
  ['FIRST', 'First visit', 30],
  ['FOLLOW-UP', 'Follow-up', 15],
] as const;

export interface PriceList {
  /** Items of the price list that a visit has. @param clinic its code */
  itemsOf(clinic: string, random: Random): readonly string[];
  /** The type of a visit that is as long as a time of the doctor. Undefined: none. */
  visitTypeOf(slotMinutes: number): string | undefined;
}

export async function ensurePrices(
  run: SeedRun,
  { accountant, admin, departmentIds }: Staff,
  opened: Date,
): Promise<PriceList> {
  const [items, types] = await run.batch(async (trx) => [
    await run.as(trx, accountant, opened, (work) => ensureItems(work, run.days[0] ?? '', departmentIds)),
    await run.as(trx, admin, opened, ensureVisitTypes),
  ]);
  const id = (code: string) => items.get(code) ?? '';
  return {
    itemsOf(clinic, random) {
      const extra = random.chance(0.12) ? [id(random.oneOf(['DRESS', 'CERT']))] : [];
      if (clinic === 'CAR-1') return [id('CONS-S'), ...(random.chance(0.6) ? [id('ECG')] : [])];
      if (clinic === 'PED-1') return [id('CONS-C'), ...extra];
      return [id(random.chance(0.35) ? 'CONS-1' : 'CONS-2'), ...extra];
    },
    visitTypeOf: (slotMinutes) => types.get(slotMinutes === 15 ? 'FOLLOW-UP' : 'FIRST'),
  };
}

async function ensureItems(
  work: Work,
  validFrom: string,
  departmentIds: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const own = records(work, priceItems);
  const ids = byCode(await own.list(FIRST));
  for (const [code, name, itemGroup, amount, department] of ITEMS) {
    if (ids.has(code)) continue;
    const departmentId = departmentIds.get(department);
    const { id: itemId } = await own.insert(priceItems.create.parse({ code, name, itemGroup, departmentId }));
    await records(work, prices).insert(prices.create.parse({ itemId, amount, validFrom }));
    ids.set(code, itemId);
  }
  return ids;
}

async function ensureVisitTypes(work: Work): Promise<ReadonlyMap<string, string>> {
  const own = records(work, visitTypes);
  const ids = byCode(await own.list(FIRST));
  for (const [code, name, minutes] of VISIT_TYPES) {
    if (!ids.has(code)) ids.set(code, (await own.insert(visitTypes.create.parse({ code, name, minutes }))).id);
  }
  return ids;
}
