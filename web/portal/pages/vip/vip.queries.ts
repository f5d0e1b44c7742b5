/** What pages read of VIPs. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Membership = Schemas['ShownVipMembership'];

export const vipKey = 'vip';

/** With `validOn`, only those that count on that day. */
export function readMemberships(search: ListSearch, validOn: string | undefined, signal: AbortSignal) {
  const query = { ...listQuery(search), ...(validOn ? { validOn } : {}) };
  return envelopeOf(api.GET('/api/crm/vip-memberships', { params: { query }, signal }));
}

/** Of a patient, of those who are one person with them, and of their family. The latest first. */
export function membershipsQuery(patientId: string) {
  return queryOptions({
    queryKey: [vipKey, 'of', patientId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/crm/vip-memberships', { params: { query: { patientId, limit: 100 } }, signal })),
  });
}

/** For a choice: those in use. */
export function tiersQuery() {
  return queryOptions({
    queryKey: ['vip-tiers', 'choice'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/crm/vip-tiers', { params: { query: { status: 'active', limit: 100 } }, signal })),
  });
}
