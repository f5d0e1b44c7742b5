/** What the pages of engines and migrations have in common. */
import { Badge, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { ClusterNotice } from '../hospitals/cluster-notice.tsx';
import { PLATFORM_CHANGES, type PlatformState, platformQuery } from './platform.queries.ts';

interface Props {
  readonly title: string;
  readonly children: (platform: PlatformState) => ReactNode;
}

/** A page that shows the state of the platform, live. */
export function PlatformPage({ title, children }: Props) {
  const found = useQuery(platformQuery);
  useChanges(...PLATFORM_CHANGES);
  return (
    <Stack gap="md" maw="64rem">
      <PageHead title={title} />
      <ClusterNotice />
      {found.data ? (
        children(found.data)
      ) : found.isError ? (
        <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton height={320} animate={false} aria-busy />
      )}
    </Stack>
  );
}

type Value = PlatformState['migrations']['status'];
const COLORS: Readonly<Record<Value, string>> = { True: 'good', False: 'bad', Unknown: 'quiet' };

interface StateBadgeProps {
  readonly value: Value;
  readonly label: string;
  /** False is no fault. */
  readonly isCalm?: boolean;
}

export function StateBadge({ value, label, isCalm = false }: StateBadgeProps) {
  return (
    <Badge variant="outline" tt="none" miw="max-content" color={isCalm && value === 'False' ? 'brand' : COLORS[value]}>
      {label}
    </Badge>
  );
}
