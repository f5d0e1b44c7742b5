/** What the page of a queue reads. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';

export type Queue = Schemas['Queue'];
export type Entry = Schemas['ShownQueueEntry'];

export const queueKeys = {
  all: 'queue',
  one: (clinicId: string) => ['queue', clinicId] as const,
};

export function queueQuery(clinicId: string) {
  return queryOptions({
    queryKey: queueKeys.one(clinicId),
    queryFn: ({ signal }) => dataOf(api.GET('/api/queue/{clinicId}', { params: { path: { clinicId } }, signal })),
    enabled: clinicId !== '',
  });
}

/** Names of the levels, from 0 on. */
export const PRIORITIES = ['usual', 'soon', 'urgent'] as const;

/** Everybody whom the page shows. */
export function everybodyIn({ serving, called, ended, waiting }: Queue): readonly Entry[] {
  return [...serving, ...called, ...ended, ...waiting.map(({ entry }) => entry)];
}
