/** What the pages of the laboratory read. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { LIMIT, type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';
import type { Work } from './work.ts';

export type LabOrder = Schemas['LabOrderDetail'];
export type LabItem = Schemas['LabOrderItem'];
export type LabResult = Schemas['LabResult'];
export type LabSpecimen = LabOrder['specimens'][number];
export type LabRange = Schemas['LabRange'];
export type PastResult = Schemas['LabPastResult'];

export const PRIORITIES = ['stat', 'urgent', 'routine'] as const;

export const labChanges = '/api/hms/lab-orders/changes';
export const labKeys = {
  all: 'lab-orders',
  list: (search: object) => ['lab-orders', 'list', search] as const,
  one: (id: string) => ['lab-orders', id] as const,
  past: (patientId: string, testId: string, page: number | undefined) =>
    ['lab-orders', 'past', patientId, testId, page] as const,
};

/** Without a sort, the most urgent come first. What is done is looked up: the last ones first. */
export function readWork(
  work: Work,
  { testId, ...search }: ListSearch & { readonly testId?: string | undefined },
  signal: AbortSignal,
) {
  const { sort = work === 'done' ? '-updatedAt' : undefined, ...rest } = listQuery(search);
  const query = {
    ...rest,
    ...(sort ? { sort } : {}),
    ...(testId ? { testId } : {}),
    ...(work === 'done' ? { isOpen: false } : { todo: work }),
  };
  return envelopeOf(api.GET('/api/hms/lab-orders', { params: { query }, signal }));
}

/** By name. */
export function orderableTestsQuery() {
  const query = { status: 'active', sort: 'name', limit: 100 } as const;
  return queryOptions({
    queryKey: ['lab-tests', 'orderable'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-tests', { params: { query }, signal })),
  });
}

/** All orders of a patient, the last ones first. */
export function readOrdersOf(patientId: string, page: number | undefined, signal: AbortSignal) {
  const query = { patientId, sort: '-createdAt', page: page ?? 1, limit: LIMIT };
  return envelopeOf(api.GET('/api/hms/lab-orders', { params: { query }, signal }));
}

/** The results of one test for a patient, the latest first. */
export function readPastResults(patientId: string, testId: string, page: number | undefined, signal: AbortSignal) {
  const params = { path: { id: patientId }, query: { testId, page: page ?? 1, limit: MOST_POINTS } };
  return envelopeOf(api.GET('/api/hms/patients/{id}/lab-results', { params, signal }));
}

/** On one page, so that the chart is of the rows below it. */
const MOST_POINTS = 50;

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: labKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-orders/{id}', { params: { path: { id } }, signal })),
    // A report appears some seconds after the last verification.
    refetchInterval: ({ state }) => (state.data && isReportDue(state.data) ? REPORT_POLL_MS : false),
  });
}

const REPORT_POLL_MS = 2_000;

/** Whether every result is verified, and the report is being made. */
export function isReportDue({ status, toVerify, revision, reports }: LabOrder): boolean {
  return (
    (status === 'verified' || status === 'amended') &&
    toVerify === 0 &&
    reports.every((report) => report.revision !== revision)
  );
}

/** Both belong to a version of the order: they are read again when that order changes, and not with every list. */
export function comparisonQuery({ id, version }: LabOrder) {
  const params = { path: { id } };
  return queryOptions({
    queryKey: ['lab-comparisons', id, version],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-orders/{id}/comparison', { params, signal })),
  });
}

/** Every version of every result, the oldest first. */
export function versionsQuery({ id, version }: LabOrder, isEnabled: boolean) {
  const params = { path: { id } };
  return queryOptions({
    queryKey: ['lab-versions', id, version],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-orders/{id}/results', { params, signal })),
  });
}

/** The order of a scanned specimen. */
export function orderOfSpecimen(accessionNo: string): Promise<LabOrder> {
  return dataOf(api.GET('/api/hms/lab-specimens/{accessionNo}', { params: { path: { accessionNo } } }));
}

/** A number on a label, as scanned or typed: `s-12` is `S-000012`. Undefined if it is none. */
export function accessionNoIn(text: string): string | undefined {
  const [, digits] = /^s-?(\d{1,9})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : `S-${digits.padStart(6, '0')}`;
}
