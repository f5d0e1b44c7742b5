/**
 * What the hospital sells, and for how much: the tables `price_items` and `prices`.
 *
 * A price holds on some days, for everybody or for one group of payers. PostgreSQL makes sure that no two of them hold on
 * the same day for the same group.
 */
import { type ErrorKind, fields, Problem, record, records, ref, type Work } from '@hms/service';
import { z } from 'zod';

export const ITEM_GROUPS = ['consultation', 'laboratory', 'pharmacy', 'other'] as const;
export type ItemGroup = (typeof ITEM_GROUPS)[number];
export const itemGroup = z.enum(ITEM_GROUPS).describe('Benefits of memberships and reports are by group');

/** In minor units: 15 digits are exact in JSON. */
export const LARGEST_AMOUNT = 999_999_999_999_999;
/** An amount in minor units of the hospital's currency. */
export const money = z.int().min(0).max(LARGEST_AMOUNT);
/** A rate in basis points. */
export const bps = z.int().min(0).max(10_000);
export const payerGroup = fields.line(40).describe('A group of payers with prices of their own, such as an insurer');

const PRICE_ITEM_CODE_TAKEN: ErrorKind = {
  status: 409,
  code: 'PRICE_ITEM_CODE_TAKEN',
  message: 'Another item has this code: choose another one',
  field: 'code',
};
const PRICE_OVERLAP: ErrorKind = {
  status: 409,
  code: 'PRICE_OVERLAP',
  message: 'Another price of this item holds on some of these days: end that one first, or choose other days',
  field: 'validFrom',
};
const PRICE_DAYS: ErrorKind = {
  status: 422,
  code: 'PRICE_DAYS',
  message: 'validTo must not be before validFrom',
  field: 'validTo',
};
/** Of an amount in another currency than what it is for. */
export const CURRENCY_MISMATCH: ErrorKind = {
  status: 422,
  code: 'CURRENCY_MISMATCH',
  message: 'The amounts are in another currency: details.currency has the one that is meant',
  field: 'currency',
};
/** The currency of amounts in a request, to be sure of it. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as EUR')
  .describe('ISO 4217. A request in another currency than the one that is meant is refused');

/** @throws Problem CURRENCY_MISMATCH. @param given undefined: whatever is meant. */
export function demandCurrency(given: string | undefined, meant: string): void {
  if (given !== undefined && given !== meant) throw new Problem(CURRENCY_MISMATCH, { details: { currency: meant } });
}
/** Of an item without a price on that day. */
export const NO_PRICE: ErrorKind = {
  status: 422,
  code: 'NO_PRICE',
  message: 'An item has no price today: add one to the price list, or write the price on the line',
};

export const priceItems = record('price_items', {
  name: 'price item',
  fields: {
    code: fields.line(40).describe('Short and unique, such as `CONS-1`'),
    name: fields.line(200).describe('As it is printed on invoices'),
    itemGroup,
    taxBps: bps.default(0).describe('Rate of the tax in basis points: 1900 is 19 %'),
    departmentId: ref('departments').nullish().describe('The department that does it, for reports'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['name'],
  defaultSort: 'name',
  filters: ['code', 'itemGroup', 'departmentId', 'status'],
  search: {},
  constraints: { price_items_code: PRICE_ITEM_CODE_TAKEN },
  live: true,
});
export type PriceItem = z.output<typeof priceItems.item>;

export const prices = record('prices', {
  name: 'price',
  fields: {
    itemId: ref('price_items'),
    payerGroup: payerGroup.nullish(),
    amount: money.describe('Of one unit, in minor units of the currency of the hospital'),
    validFrom: fields.day,
    validTo: fields.day.nullish().describe('The last day. Null: until another price begins'),
  },
  filters: ['itemId', 'payerGroup'],
  constraints: { prices_one: PRICE_OVERLAP, prices_days: PRICE_DAYS },
  live: true,
});

/** Those of the items that are in use. */
export async function activeItems(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, PriceItem>> {
  const found = await records(work, priceItems).byIds([...new Set(ids)]);
  const active = found.filter(({ deletedAt, status }) => deletedAt === undefined && status === 'active');
  return new Map(active.map((item) => [item.id, item]));
}

/** Prices of items on a day, by item. An item may have none. @param group of the payer. Null: none of its own. */
export async function pricesOn(
  { trx }: Work,
  itemIds: readonly string[],
  group: string | null,
  day: string,
): Promise<ReadonlyMap<string, number>> {
  if (itemIds.length === 0) return new Map();
  const rows = await trx.query<{ item_id: string; amount: number }>(PRICES, [itemIds, group, day]);
  return new Map(rows.map(({ item_id, amount }) => [item_id, amount]));
}

/** The price of the group comes before that of everybody. */
const PRICES = `
  SELECT DISTINCT ON (item_id) item_id, amount FROM prices
  WHERE item_id = ANY ($1) AND deleted_at IS NULL AND (payer_group IS NULL OR payer_group = $2)
    AND daterange(valid_from, valid_to, '[]') @> $3::date
  ORDER BY item_id, payer_group NULLS LAST`;
