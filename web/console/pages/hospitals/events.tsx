/** What the operator reports about a hospital. */
import { Badge, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { showMoment } from '../../../kit/time/time.ts';
import type { HospitalEvent } from './hospitals.queries.ts';
import { OperatorText } from './operator-text.tsx';

export function Events({ events }: { readonly events: readonly HospitalEvent[] }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('hospitals.events')}
      </Title>
      <div className="hms-panel">
        {events.length === 0 ? (
          <Text p="md" c="dimmed">
            {t('hospitals.noEvents')}
          </Text>
        ) : (
          <DataTable
            label={t('hospitals.events')}
            rows={events}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'at',
                title: t('hospitals.columns.when'),
                render: ({ at }) => <span className="hms-number">{at ? showMoment(at, undefined) : '–'}</span>,
              },
              {
                key: 'reason',
                title: t('hospitals.columns.what'),
                render: ({ reason, type, count }) => (
                  <Badge variant="outline" tt="none" miw="max-content" color={type === 'Warning' ? 'bad' : 'brand'}>
                    {reason}
                    {count > 1 ? ` ×${count}` : ''}
                  </Badge>
                ),
              },
              {
                key: 'message',
                title: t('hospitals.columns.message'),
                render: ({ message }) => <OperatorText>{message}</OperatorText>,
              },
            ]}
          />
        )}
      </div>
    </Stack>
  );
}
