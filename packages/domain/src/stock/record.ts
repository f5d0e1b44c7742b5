/** The declarations of batches and counts. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, queryBoolean, record } from '@hms/service';
import { z } from 'zod';
import { drugsMatching } from '../drugs/drugs.ts';

/** Units that a batch may have, far below the largest number of the column. */
export const MOST_UNITS = 1_000_000_000;
export const quantity = z.int().min(1).max(MOST_UNITS);
export const reason = fields.line(200);

export const batches = record('stock_batches', {
  name: 'stock batch',
  fields: {
    drugId: fields.id,
    batchNo: fields.line(40).describe('As on the package'),
    location: fields.line(40).default('Pharmacy').describe('Where it is kept'),
    expiresOn: fields.day.describe('The last day on which it may be dispensed'),
    costPrice: z.int().min(0).max(999_999_999_999).nullish().describe('Of a unit, in minor units of the currency'),
  },
  set: {
    onHand: z.int().describe('Units'),
    lastMovement: z.int().describe('How many movements it has had'),
    statusReason: reason.nullable().describe('Why it is quarantined or recalled'),
    returnedFromId: fields.id
      .nullable()
      .describe('The batch from which these units were dispensed, if patients have returned them'),
  },
  states: {
    active: ['quarantined', 'recalled'],
    quarantined: ['active', 'recalled'],
    recalled: [],
  },
  sort: ['expiresOn'],
  defaultSort: 'expiresOn',
  filters: ['drugId', 'status', 'location'],
  moreFilters: {
    batchNo: {
      schema: fields.line(40),
      where: (rows, value) => void rows.whereRaw('lower(batch_no) = lower(?)', [value as string]),
    },
    expiringBefore: {
      schema: fields.day,
      where: (rows, value) => void rows.where('expires_on', '<', value as string),
    },
    inStock: {
      schema: queryBoolean(),
      where: (rows, value) => void rows.where('on_hand', value ? '>' : '=', 0),
    },
  },
  search: { also: (text) => build.from('stock_batches').select('id').whereIn('drug_id', drugsMatching(text)) },
  live: true,
});
export type Batch = z.output<typeof batches.item>;

export const MOVEMENT_KINDS = [
  'received',
  'dispensed',
  'returned',
  'released',
  'transferred',
  'adjusted',
  'counted',
  'discarded',
] as const;

export const movement = z
  .object({
    number: z.int().describe('From 1, for each batch'),
    kind: z.enum(MOVEMENT_KINDS),
    quantity: z.int().describe('Units. What leaves the batch is negative'),
    balance: z.int().describe('On hand afterwards'),
    reason: z.string().nullable(),
    dispenseId: z.uuid().nullable(),
    countId: z.uuid().nullable(),
    otherLocation: z.string().nullable().describe('Where transferred units came from or went to'),
    movedBy: z.string().describe('Account of the person'),
    movedByName: z.string().nullable(),
    movedAt: fields.timestamp,
  })
  .meta({ id: 'StockMovement' });

export const counts = record('stock_counts', {
  name: 'stock count',
  code: { field: 'countNo', series: 'stock-count', letters: 'CNT' },
  fields: { note: fields.line(200).nullish() },
  set: {
    submittedBy: z.string().nullable(),
    submittedAt: fields.instant.nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: fields.instant.nullable(),
    rejectReason: reason.nullable(),
  },
  states: { open: ['submitted'], submitted: ['approved', 'rejected'], approved: [], rejected: [] },
  filters: ['status'],
  live: true,
});
export type StockCount = z.output<typeof counts.item>;

export const BATCH_NOT_FOUND: ErrorKind = batches.notFound;
export const COUNT_NOT_FOUND: ErrorKind = counts.notFound;
export const BATCH_EXISTS: ErrorKind = {
  status: 409,
  code: 'BATCH_EXISTS',
  message: 'This batch of the drug is at this location already: receive more units of it',
};
export const EXPIRY_IN_PAST: ErrorKind = {
  status: 422,
  code: 'EXPIRY_IN_PAST',
  message: 'The batch has expired: it must not become stock',
};
export const BATCH_EXPIRED: ErrorKind = {
  status: 409,
  code: 'BATCH_EXPIRED',
  message:
    'The batch has expired, and an expired batch gets no later day: discard it, and receive it again if its last day was wrong',
};
export const STOCK_TOO_LARGE: ErrorKind = {
  status: 422,
  code: 'STOCK_TOO_LARGE',
  message: 'A batch has at most 1,000,000,000 units: send a lower quantity',
};
export const INSUFFICIENT_STOCK: ErrorKind = {
  status: 409,
  code: 'INSUFFICIENT_STOCK',
  message: 'There is less in stock: see details, and take less or receive more first',
};
export const SAME_LOCATION: ErrorKind = {
  status: 422,
  code: 'SAME_LOCATION',
  message: 'The units are at this location already: name another one',
  field: 'location',
};
export const BATCH_DIFFERS: ErrorKind = {
  status: 409,
  code: 'BATCH_DIFFERS',
  message:
    'At that location the batch has another last day or another state: see details, and make both the same first',
};
export const BATCH_RETURNED: ErrorKind = {
  status: 409,
  code: 'BATCH_RETURNED',
  message: 'These units were returned by patients: release or discard them',
};
export const BATCH_RECALLED: ErrorKind = {
  status: 409,
  code: 'BATCH_RECALLED',
  message: 'The batch is recalled: its units can only be discarded',
};
export const COUNT_EMPTY: ErrorKind = {
  status: 409,
  code: 'COUNT_EMPTY',
  message: 'Nothing was counted yet: send lines first',
};
export const SAME_PERSON_APPROVAL: ErrorKind = {
  status: 403,
  code: 'SAME_PERSON_APPROVAL',
  message: 'Somebody else must approve it than who counted or submitted it',
};

declareConstraints({ stock_batches_batch_no: BATCH_EXISTS });
