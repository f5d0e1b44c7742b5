/** What the pages of patients read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { locale } from '../../../kit/i18n/i18n.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { readDay } from '../../../kit/time/typed-day.ts';

export type Patient = Schemas['Patient'];
export type Candidate = Schemas['PatientCandidate'];
export type TimelineEvent = Schemas['TimelineEvent'];
/** What an event is about: its kind up to the dot. */
export type TimelineSubject = TimelineEvent['kind'] extends infer Kind extends string
  ? Kind extends `${infer Subject}.${string}`
    ? Subject
    : never
  : never;
export type FamilyWithMembers = Schemas['FamilyWithMembers'];
export type Family = Schemas['Family'];
export type Document = Schemas['ListedDocument'];
export type DocumentKind = Document['kind'];

export const patientKeys = {
  all: 'patients',
  list: (search: PatientSearch) => ['patients', 'list', search] as const,
  one: (id: string) => ['patients', id] as const,
  documents: (id: string) => ['patients', id, 'documents'] as const,
  family: (id: string, familyId: string | null) => ['patients', id, 'family', familyId] as const,
  suggestions: (typed: Typed) => ['patients', 'families', typed] as const,
  access: (id: string, page: number | undefined) => ['patients', id, 'access', page] as const,
  timeline: (id: string, page: number | undefined, subject: TimelineSubject | undefined) =>
    ['patients', id, 'timeline', page, subject] as const,
  duplicates: (id: string) => ['patients', id, 'duplicates'] as const,
  alike: (person: TypedPerson) => ['patients', 'alike', person] as const,
  merged: (id: string) => ['patients', id, 'merged'] as const,
};

/** A day, in the order of the hospital, as the module finds it without a doubt. Anything else as it is. */
export function searchText(q: string | undefined): string | undefined {
  const hasParts = q !== undefined && /\d\D+(?:\p{L}|\d)/u.test(q);
  return (hasParts ? readDay(q, locale(), todayIn(undefined)) : undefined) ?? q;
}

/** With `deleted`, deleted ones are shown too. With `incomplete`, only those of whom something is unknown. */
export type PatientSearch = ListSearch & {
  readonly deleted?: true | undefined;
  readonly incomplete?: true | undefined;
};

export function readPatients({ deleted, incomplete, ...search }: PatientSearch, signal: AbortSignal) {
  const query = {
    ...listQuery({ ...search, q: searchText(search.q) }),
    ...(deleted ? { includeDeleted: true } : {}),
    ...(incomplete ? { incomplete: true } : {}),
  };
  return envelopeOf(api.GET('/api/hms/patients', { params: { query }, signal }));
}

/** Others who may be the same person. */
export function duplicatesQuery(id: string) {
  return queryOptions({
    queryKey: patientKeys.duplicates(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/patients/{id}/duplicates', { params: { path: { id } }, signal })),
  });
}

export type TypedPerson = Schemas['TypedPerson'];

/** Others who may be the person whom somebody types. */
export function alikeQuery(person: TypedPerson) {
  return queryOptions({
    queryKey: patientKeys.alike(person),
    // The registration compares again.
    retry: false,
    queryFn: ({ signal }): Promise<readonly Candidate[]> =>
      dataOf(api.POST('/api/hms/patients/alike', { body: person, signal })),
  });
}

/** Those who were merged into this patient. */
export function mergedQuery(id: string) {
  return queryOptions({
    queryKey: patientKeys.merged(id),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/hms/patients', { params: { query: { survivorId: id, limit: 100 } }, signal })),
  });
}

/** How many of them a patient has. */
export const countsQuery = {
  appointments: (patientId: string) =>
    countQuery(patientId, 'appointments', (signal) =>
      envelopeOf(api.GET('/api/queue/appointments', { params: { query: { patientId, limit: 1 } }, signal })),
    ),
  invoices: (patientId: string) =>
    countQuery(patientId, 'invoices', (signal) =>
      envelopeOf(api.GET('/api/payment/invoices', { params: { query: { patientId, limit: 1 } }, signal })),
    ),
  documents: (id: string) =>
    countQuery(id, 'documents', (signal) =>
      envelopeOf(
        api.GET('/api/hms/patients/{id}/documents', { params: { path: { id }, query: { limit: 1 } }, signal }),
      ),
    ),
};

function countQuery(
  id: string,
  what: string,
  read: (signal: AbortSignal) => Promise<{ readonly meta: { readonly total: number } }>,
) {
  return queryOptions({
    queryKey: [...patientKeys.one(id), 'count', what],
    queryFn: async ({ signal }) => (await read(signal)).meta.total,
  });
}

export function readTimeline(
  id: string,
  page: number | undefined,
  subject: TimelineSubject | undefined,
  signal: AbortSignal,
) {
  const { sort: _, ...paging } = listQuery({ page });
  const query = { ...paging, ...(subject === undefined ? {} : { subject }) };
  return envelopeOf(api.GET('/api/hms/patients/{id}/timeline', { params: { path: { id }, query }, signal }));
}

export function patientQuery(id: string) {
  return queryOptions({
    queryKey: patientKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/patients/{id}', { params: { path: { id } }, signal })),
  });
}

/** @param kind undefined for all. */
export function documentsQuery(id: string, kind: DocumentKind | undefined) {
  return queryOptions({
    queryKey: [...patientKeys.documents(id), kind],
    queryFn: ({ signal }) => readDocuments(id, kind, signal),
  });
}

export function readDocuments(id: string, kind: DocumentKind | undefined, signal?: AbortSignal) {
  const query = { limit: 100, ...(kind === undefined ? {} : { kind }) };
  return dataOf(
    api.GET('/api/hms/patients/{id}/documents', { params: { path: { id }, query }, ...(signal && { signal }) }),
  );
}

export function familyQuery(id: string, familyId: string | null) {
  return queryOptions({
    queryKey: patientKeys.family(id, familyId),
    enabled: familyId !== null,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/crm/families/{id}', { params: { path: { id: familyId ?? '' } }, signal })),
  });
}

/** What is typed of a new patient. An empty text is not looked up. */
interface Typed {
  readonly phone: string;
  readonly lastName: string;
}

export function suggestionsQuery({ phone, lastName }: Typed) {
  const query = { ...(phone === '' ? {} : { phone }), ...(lastName === '' ? {} : { lastName }) };
  return queryOptions({
    queryKey: patientKeys.suggestions({ phone, lastName }),
    // It is comfort: the form works without it.
    retry: false,
    queryFn: ({ signal }) => dataOf(api.GET('/api/crm/families/suggestions', { params: { query }, signal })),
  });
}

export async function readFamilies(q: string, signal: AbortSignal): Promise<readonly Family[]> {
  return dataOf(api.GET('/api/crm/families', { params: { query: { q, limit: 6 } }, signal }));
}

export function readAccess(id: string, page: number | undefined, signal: AbortSignal) {
  const { sort: _, ...query } = listQuery({ page });
  return envelopeOf(api.GET('/api/hms/patients/{id}/access', { params: { path: { id }, query }, signal }));
}
