/** Statements of banks and card acquirers, and which payments they confirm or bring. */
import { INVOICE_NOT_FOUND } from '@hms/domain/invoices';
import { INVOICE_NOT_PAYABLE, OVERPAYMENT } from '@hms/domain/payments';
import { CURRENCY_MISMATCH } from '@hms/domain/prices';
import * as domain from '@hms/domain/statements';
import { fields, type Route, records, resource, route, single, stepsOf } from '@hms/service';
import { z } from 'zod';

const ACCOUNTS = '/api/payment/bank-accounts';
const STATEMENTS = '/api/payment/bank-statements';
const PARTS = '/api/payment/bank-parts';
const access = { read: 'reconciliation.read', write: 'reconciliation.write', remove: 'reconciliation.write' } as const;

const step = stepsOf(domain.parts, {
  ...{ path: PARTS, access: 'reconciliation.write', response: domain.shownPart },
  show: domain.showPart,
});

export const statementRoutes: readonly Route[] = [
  ...resource(domain.bankAccounts, {
    path: ACCOUNTS,
    access,
    create: { description: 'With the format `csv`, `mapping` says how the bank writes its files.' },
    remove: { summary: 'Delete an account that has no statements' },
    steps: {
      deactivate: { to: 'inactive', summary: 'Take an account out of use' },
      activate: { to: 'active', summary: 'Use an account again' },
    },
  }),
  route({
    method: 'POST',
    path: `${ACCOUNTS}/:id/statements`,
    operationId: 'importBankStatement',
    summary: 'Import the file of a bank',
    description:
      'As a whole or not at all, and only if its entries add up to its balances. What an earlier file had is left out. `match` then matches what is certain.',
    access: 'reconciliation.write',
    params: fields.idParams,
    body: domain.importing,
    response: z.array(domain.statements.item),
    status: 201,
    errors: [
      ...[domain.bankAccounts.notFound, domain.STATEMENT_INVALID, domain.STATEMENT_DOES_NOT_ADD_UP],
      ...[domain.STATEMENT_OF_ANOTHER_ACCOUNT, domain.STATEMENT_ALREADY_IMPORTED],
    ],
    handler: async (context) => ({
      data: [...(await domain.importStatement(context, context.params.id, context.body))],
    }),
  }),
  route({
    method: 'GET',
    path: STATEMENTS,
    operationId: 'listBankStatements',
    summary: 'List bank statements, the latest first',
    access: 'reconciliation.read',
    query: domain.statements.query,
    response: z.array(domain.statements.item),
    paged: true,
    handler: (context) => records(context, domain.statements).list(context.query),
  }),
  route({
    method: 'GET',
    path: `${STATEMENTS}/:id`,
    operationId: 'readBankStatement',
    summary: 'Read a bank statement',
    access: 'reconciliation.read',
    params: fields.idParams,
    response: domain.statements.item,
    errors: [domain.statements.notFound],
    handler: async (context) => single(await records(context, domain.statements).read(context.params.id)),
  }),
  route({
    method: 'POST',
    path: `${STATEMENTS}/:id/match`,
    operationId: 'matchBankStatement',
    summary: 'Match what is certain',
    description:
      'In batches: ask again until `left` is 0. Certain is a payment that was written down with the same amount and reference, or an open invoice that is named and has exactly this balance.',
    access: 'reconciliation.write',
    params: fields.idParams,
    response: domain.matchedOutcome,
    errors: [domain.statements.notFound],
    handler: async (context) => ({ data: await domain.matchCertain(context, context.params.id) }),
  }),
  route({
    method: 'GET',
    path: PARTS,
    operationId: 'listBankParts',
    summary: 'List what was paid by bank or card, with what may belong to it',
    access: 'reconciliation.read',
    query: domain.parts.query,
    response: z.array(domain.shownPart),
    paged: true,
    handler: (context) => domain.listParts(context, context.query),
  }),
  step('match', {
    summary: 'Match a part with an open invoice, or with a payment',
    description: 'An invoice is paid by it. A part that pays several invoices is matched with one after the other.',
    body: domain.matching,
    errors: [
      ...[domain.PART_NOT_OPEN, domain.PAYMENT_NOT_MATCHING, INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, OVERPAYMENT],
      CURRENCY_MISMATCH,
    ],
    run: (context, id, body) => domain.matchPart(context, id, { ...body, version: context.version }),
  }),
  step('ignore', {
    summary: 'Note that a part belongs to no payment',
    body: domain.ignoring,
    errors: [domain.PART_NOT_OPEN],
    run: (context, id, body) => domain.ignorePart(context, id, { ...body, version: context.version }),
  }),
  step('reopen', {
    summary: 'Take back that a part is ignored',
    run: (context, id) => domain.reopenPart(context, id, context.version),
  }),
];
