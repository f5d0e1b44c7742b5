/** What the pages of invoices read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Invoice = Schemas['ShownInvoice'];
export type Payment = Schemas['Payment'];

export const invoiceKeys = {
  all: 'invoices',
  list: (search: InvoiceSearch) => ['invoices', 'list', search] as const,
  one: (id: string) => ['invoices', id] as const,
  payments: (id: string) => ['invoices', id, 'payments'] as const,
  found: (text: string) => ['invoices', 'found', text] as const,
  deposits: (patientId: string) => ['invoices', 'deposits', patientId] as const,
};

export type InvoiceSearch = Partial<ListSearch> & {
  readonly open?: true | undefined;
  readonly patientId?: string;
};

export function readInvoices({ open, patientId, ...search }: InvoiceSearch, signal: AbortSignal) {
  const query = { ...listQuery(search), ...(open ? { open: 'true' as const } : {}), patientId };
  return envelopeOf(api.GET('/api/payment/invoices', { params: { query }, signal }));
}

export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: invoiceKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/payment/invoices/{id}', { params: { path: { id } }, signal })),
  });
}

export function paymentsQuery(id: string) {
  return queryOptions({
    queryKey: invoiceKeys.payments(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/payment/invoices/{id}/payments', { params: { path: { id } }, signal })),
  });
}

/** The deposits of a patient, the latest first. */
export function depositsQuery(patientId: string) {
  return queryOptions({
    queryKey: invoiceKeys.deposits(patientId),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/payment/deposits', { params: { query: { patientId, limit: 100 } }, signal })),
  });
}

/** Open invoices by a number, or by the name, code or phone of a patient. */
export function findOpen(text: string) {
  return dataOf(api.GET('/api/payment/invoices', { params: { query: { q: text, open: 'true', limit: 20 } } }));
}

/** Whether there is an invoice, open or not, by the same. */
export async function isInvoiced(text: string): Promise<boolean> {
  const found = await dataOf(api.GET('/api/payment/invoices', { params: { query: { q: text, limit: 1 } } }));
  return found.length > 0;
}

/** Who has to pay something that is on no invoice yet, by the name, code or phone of a patient. */
export async function findUninvoiced(text: string): Promise<readonly Uninvoiced[]> {
  const query = { q: text, uninvoiced: 'true' as const, limit: 100 };
  const found = await dataOf(api.GET('/api/payment/charges', { params: { query } }));
  return [...Map.groupBy(found, ({ patientId }) => patientId)].map(([patientId, own]) => ({
    ...{ patientId, patientName: own[0]?.patientName ?? '', patientCode: own[0]?.patientCode ?? '' },
    what: own.map(({ description }) => description),
  }));
}

export interface Uninvoiced {
  readonly patientId: string;
  readonly patientName: string;
  readonly patientCode: string;
  readonly what: readonly string[];
}
