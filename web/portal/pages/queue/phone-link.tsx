/** A code that somebody with a token scans, to see on their own phone when it is their turn. */
import { Button, Group, Image, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { Entry } from './queue.queries.ts';

export function PhoneLink({ entry: { id, label }, onDone }: { readonly entry: Entry; onDone(): void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['queue-entry-link', id],
    queryFn: () => dataOf(api.POST('/api/queue/entries/{id}/link', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Group
      className="hms-panel"
      p="md"
      align="center"
      gap="lg"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onDone();
      }}
    >
      {data ? (
        <Image
          src={`data:image/svg+xml,${encodeURIComponent(data.qr)}`}
          alt={t('queue.phoneQr', { label })}
          w={260}
          h={260}
          p={8}
          bg="white"
        />
      ) : (
        <Skeleton w={260} h={260} animate={false} aria-busy />
      )}
      <Stack gap="sm" align="flex-start" maw="22rem">
        <ErrorPanel error={error} onRetry={() => void refetch()} />
        <Text>{t('queue.phoneHow', { label })}</Text>
        <Button variant="default" autoFocus onClick={onDone}>
          {t('queue.phoneDone')}
        </Button>
      </Stack>
    </Group>
  );
}
