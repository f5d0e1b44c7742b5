/** The stock of the pharmacy: batches with their movements, levels, and counts. */
import { DRUG_INACTIVE, DRUG_NOT_FOUND } from '@hms/domain/drugs';
import { recipient, recipientsOf } from '@hms/domain/prescriptions';
import * as domain from '@hms/domain/stock';
import { batches, counts } from '@hms/domain/stock';
import {
  type ErrorKind,
  fields,
  INVALID_STATE,
  pageParameters,
  type Route,
  records,
  resource,
  route,
  STALE_VERSION,
  single,
  type Work,
} from '@hms/service';
import { z } from 'zod';

const BATCHES = '/api/hms/stock-batches';
const COUNTS = '/api/hms/stock-counts';
const {
  BATCH_NOT_FOUND,
  BATCH_RECALLED,
  BATCH_RETURNED,
  COUNT_NOT_FOUND,
  EXPIRY_IN_PAST,
  INSUFFICIENT_STOCK,
  STOCK_TOO_LARGE,
} = domain;

export const stockRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/hms/drug-levels',
    operationId: 'listDrugLevels',
    summary: 'List how much of each active drug there is',
    description: 'Units that are expired, quarantined or recalled are not available.',
    access: 'stock.read',
    query: domain.levelQuery,
    response: z.array(domain.drugLevel),
    paged: true,
    handler: (context) => domain.readLevels(context, context.query),
  }),
  route({
    method: 'GET',
    path: '/api/hms/stock-warnings',
    operationId: 'readStockWarnings',
    summary: 'Count what is short or expires, as the hourly check of the stock has found it',
    access: 'stock.warnings',
    response: domain.stockWarnings,
    handler: async (context) => ({ data: await domain.readStockWarnings(context) }),
  }),
  ...resource(batches, {
    path: BATCHES,
    access: { read: 'stock.read', write: 'stock.write' },
    list: { response: domain.shownBatch, run: domain.listBatches },
    read: { response: domain.shownBatch, run: domain.readBatch },
    create: {
      summary: 'Receive a batch',
      body: domain.newBatch,
      errors: [DRUG_NOT_FOUND, DRUG_INACTIVE, EXPIRY_IN_PAST, domain.BATCH_EXISTS, BATCH_RECALLED],
      run: domain.receiveBatch,
    },
    update: {
      summary: 'Correct what is written on a batch',
      description:
        'Its drug can not be changed. A batch whose last day was wrong is corrected here, with a record in the audit log, unless it has expired.',
      body: domain.batchChanges,
      errors: [domain.BATCH_EXISTS, BATCH_RECALLED, BATCH_RETURNED, domain.BATCH_EXPIRED],
      run: (context, id, changes) => domain.changeBatch(context, id, changes, context.version),
    },
  }),
  route({
    method: 'GET',
    path: `${BATCHES}/:id/movements`,
    operationId: 'listStockMovements',
    summary: 'List every change of what a batch has on hand, latest first',
    access: 'stock.read',
    params: fields.idParams,
    query: z.object(pageParameters()),
    response: z.array(domain.movement),
    paged: true,
    errors: [BATCH_NOT_FOUND],
    handler: async (context) => {
      await records(context, batches).read(context.params.id);
      return domain.movementsOf(context, context.params.id, context.query);
    },
  }),
  route({
    method: 'GET',
    path: `${BATCHES}/:id/recipients`,
    operationId: 'listBatchRecipients',
    summary: 'List the patients who received units of a batch, from any location',
    access: 'dispenses.read',
    params: fields.idParams,
    query: z.object(pageParameters()),
    response: z.array(recipient),
    paged: true,
    errors: [BATCH_NOT_FOUND],
    handler: (context) => recipientsOf(context, context.params.id, context.query),
  }),
  step('receive', 'Receive more units of a batch', domain.receipt, domain.receiveMore, [
    ...[BATCH_RECALLED, BATCH_RETURNED, EXPIRY_IN_PAST, STOCK_TOO_LARGE],
  ]),
  step('adjust', 'Correct what is on hand', domain.adjustment, domain.adjust, [
    ...[BATCH_RECALLED, BATCH_RETURNED, INSUFFICIENT_STOCK, STOCK_TOO_LARGE],
  ]),
  step('transfer', 'Move units to another location', domain.transfer, domain.transferUnits, [
    ...[BATCH_RECALLED, BATCH_RETURNED, domain.BATCH_DIFFERS, domain.BATCH_EXISTS, domain.SAME_LOCATION],
    ...[INSUFFICIENT_STOCK, STOCK_TOO_LARGE],
  ]),
  step('discard', 'Destroy units of a batch', domain.discarding, domain.discard, [INSUFFICIENT_STOCK]),
  step('quarantine', 'Keep a batch from being dispensed', domain.withReason, domain.quarantine, [INVALID_STATE]),
  step(
    'release',
    'Let a quarantined batch be dispensed. Units that patients returned go to the batch from which they came',
    domain.withReason,
    domain.release,
    [INVALID_STATE, BATCH_RECALLED, STOCK_TOO_LARGE],
  ),
  route({
    method: 'POST',
    path: `${BATCHES}/:id/recall`,
    operationId: 'recallStockBatch',
    summary: 'Recall a batch for good, at every location',
    description: 'The response has each part of it. `…/recipients` lists who received it.',
    access: 'stock.write',
    params: fields.idParams,
    body: domain.withReason,
    response: z.array(batches.item),
    errors: [BATCH_NOT_FOUND, INVALID_STATE, STALE_VERSION],
    handler: async (context) => {
      const { params, body, version } = context;
      return { data: [...(await domain.recall(context, params.id, { ...body, version }))] };
    },
  }),
];

function step<Body extends z.ZodType>(
  name: string,
  summary: string,
  body: Body,
  run: (work: Work, id: string, body: z.output<Body>) => Promise<unknown>,
  errors: readonly ErrorKind[],
): Route {
  return route({
    method: 'POST',
    path: `${BATCHES}/:id/${name}`,
    operationId: `${name}StockBatch`,
    summary,
    access: 'stock.write',
    params: fields.idParams,
    body,
    response: batches.item,
    errors: [BATCH_NOT_FOUND, STALE_VERSION, ...errors],
    handler: async (context) => {
      const given = { ...(context.body as object), version: context.version } as z.output<Body>;
      return single((await run(context, context.params.id, given)) as domain.Batch);
    },
  });
}

const version = z.object({ version: fields.version }).optional();

export const countRoutes: readonly Route[] = [
  ...resource(counts, {
    path: COUNTS,
    access: { read: 'stock.read', write: 'stock.write' },
    list: { response: domain.shownCount, run: domain.listCounts },
    read: { response: domain.shownCount, run: domain.readCount },
  }),
  route({
    method: 'GET',
    path: `${COUNTS}/:id/lines`,
    operationId: 'listStockCountLines',
    summary: 'List what was counted, and how it differs',
    access: 'stock.read',
    params: fields.idParams,
    response: z.array(domain.countLine),
    errors: [COUNT_NOT_FOUND],
    handler: async (context) => ({ data: await domain.countLines(context, context.params.id) }),
  }),
  route({
    method: 'PUT',
    path: `${COUNTS}/:id/lines`,
    operationId: 'recordStockCount',
    summary: 'Record what was counted of some batches',
    access: 'stock.write',
    params: fields.idParams,
    body: domain.counted,
    response: counts.item,
    errors: [COUNT_NOT_FOUND, BATCH_NOT_FOUND, INVALID_STATE, STALE_VERSION],
    handler: async (context) =>
      single(await domain.recordCount(context, context.params.id, { ...context.body, version: context.version })),
  }),
  route({
    method: 'POST',
    path: `${COUNTS}/:id/submit`,
    operationId: 'submitStockCount',
    summary: 'Submit a count for approval',
    access: 'stock.write',
    params: fields.idParams,
    body: version,
    response: counts.item,
    errors: [COUNT_NOT_FOUND, INVALID_STATE, domain.COUNT_EMPTY, STALE_VERSION],
    handler: async (context) => single(await domain.submitCount(context, context.params.id, context.version)),
  }),
  route({
    method: 'POST',
    path: `${COUNTS}/:id/approve`,
    operationId: 'approveStockCount',
    summary: 'Approve a count, which corrects the stock by the differences',
    description: 'What left the stock between the counting and the approval is no difference.',
    access: 'stock.approve',
    impersonation: 'never',
    params: fields.idParams,
    body: version,
    response: counts.item,
    errors: [COUNT_NOT_FOUND, INVALID_STATE, domain.SAME_PERSON_APPROVAL, INSUFFICIENT_STOCK, STALE_VERSION],
    handler: async (context) => single(await domain.decideCount(context, context.params.id, context.version)),
  }),
  route({
    method: 'POST',
    path: `${COUNTS}/:id/reject`,
    operationId: 'rejectStockCount',
    summary: 'Reject a count, which changes nothing',
    access: 'stock.approve',
    impersonation: 'never',
    params: fields.idParams,
    body: domain.rejection,
    response: counts.item,
    errors: [COUNT_NOT_FOUND, INVALID_STATE, STALE_VERSION],
    handler: async (context) =>
      single(await domain.decideCount(context, context.params.id, context.version, context.body.reason)),
  }),
];
