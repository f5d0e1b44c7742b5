/** Orders and their parts in the order of their last change. A part changes with its order. */
import { build } from '@hms/database';
import type { Feed, Work } from '@hms/service';
import type { Knex } from 'knex';
import { ITEM_REVIEW, LAST_VERIFIED_AT, ORDER_REVIEW } from './review.ts';

/** Ids of the orders with a test. @param itemId of the ordered test. */
export async function ordersWithItem({ trx }: Work, itemId: string): Promise<readonly string[]> {
  const rows = await trx.query<{ id: string }>('SELECT order_id AS id FROM lab_order_items WHERE id = $1', [itemId]);
  return rows.map(({ id }) => id);
}

const ORDERED = {
  patient: 'lab_orders.patient_id',
  orderNo: 'lab_orders.order_no',
  orderedAt: 'lab_orders.created_at',
};

/** What was ordered, a test each. */
export const orderedTestFeed: Feed<'patient' | 'orderNo' | 'orderedAt' | 'testId' | 'review'> = {
  rows: items,
  id: 'item.id',
  of: 'lab_orders.id',
  changedAt: 'lab_orders.updated_at',
  fields: { ...ORDERED, testId: 'item.test_id', review: ITEM_REVIEW },
};

/** The current results, each by the id of its item, so that an amended result keeps its id. */
export const resultFeed: Feed<'patient' | 'orderNo' | 'collectedAt' | 'testId' | 'review'> = {
  rows: () => items().whereNotNull('item.result_id').join('lab_specimens', 'lab_specimens.id', 'item.specimen_id'),
  id: 'item.id',
  of: 'lab_orders.id',
  changedAt: 'lab_orders.updated_at',
  fields: { ...ORDERED, collectedAt: 'lab_specimens.collected_at', testId: 'item.test_id', review: ITEM_REVIEW },
};

/** Specimens that were collected. */
export const specimenFeed: Feed<'patient' | 'accessionNo' | 'collectedAt' | 'status'> = {
  rows: () => build.from('lab_specimens').whereNotNull('collected_at'),
  id: 'id',
  of: 'order_id',
  changedAt: 'updated_at',
  fields: { patient: 'patient_id', accessionNo: 'accession_no', collectedAt: 'collected_at', status: 'status' },
};

export const labOrderFeed: Feed<'patient' | 'orderNo' | 'collectedAt' | 'verifiedAt' | 'review'> = {
  rows: () => build.from('lab_orders').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: {
    patient: 'patient_id',
    orderNo: 'order_no',
    collectedAt: 'collected_at',
    verifiedAt: LAST_VERIFIED_AT,
    review: ORDER_REVIEW,
  },
};

function items(): Knex.QueryBuilder {
  const orders: Knex.QueryBuilder = build.from('lab_orders').whereNull('lab_orders.deleted_at');
  return orders.join('lab_order_items as item', 'item.order_id', 'lab_orders.id');
}
