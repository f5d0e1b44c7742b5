/** What the operator reports about the platform. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';

export type PlatformState = Schemas['PlatformState'];

const PLATFORM = 'platform';

export const platformQuery = queryOptions({
  queryKey: [PLATFORM],
  queryFn: ({ signal }) => dataOf(api.GET('/api/console/platform', { signal })),
});

/** Path of its stream, and key of its queries. */
export const PLATFORM_CHANGES = ['/api/console/platform/stream', PLATFORM] as const;
