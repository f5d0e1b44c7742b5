/** What users of the platform did. */
import { Badge, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';
import { showMoment } from '../../../kit/time/time.ts';

export function EventsPage() {
  const { t } = useTranslation();
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <ListPage
      title={t('events.title')}
      search={search}
      onSearch={(changes) =>
        void navigate({ to: '.', search: { ...search, ...changes } as never, replace: 'q' in changes })
      }
      queryKey={['events', search]}
      read={(signal) => envelopeOf(api.GET('/api/console/audit', { params: { query: listQuery(search) }, signal }))}
      rowKey={({ id }) => id}
      searchLabel={t('events.search')}
      empty={t('events.empty')}
      columns={[
        {
          key: 'at',
          title: t('events.when'),
          render: ({ at }) => <span className="hms-number">{showMoment(at, 'UTC')}</span>,
        },
        {
          key: 'actor',
          title: t('events.who'),
          render: ({ actorEmail, actor, address }) => (
            <Stack gap={0}>
              <bdi>{actorEmail ?? actor}</bdi>
              {address && (
                <Text size="xs" dir="ltr" ta="start">
                  {address}
                </Text>
              )}
            </Stack>
          ),
        },
        {
          key: 'action',
          title: t('events.what'),
          render: ({ action }) => (
            <Badge variant="outline" color="brand.8" tt="none">
              {wordOf(`events.action.${action}`) ?? action}
            </Badge>
          ),
        },
        {
          key: 'record',
          title: t('events.record'),
          render: ({ record }) => wordOf(`events.table.${record}`) ?? record,
        },
        {
          key: 'details',
          title: t('events.details'),
          render: ({ details }) => (
            <Text size="xs" dir="ltr" ta="start" style={{ overflowWrap: 'anywhere' }}>
              {Object.keys(details).length === 0 ? '–' : JSON.stringify(details)}
            </Text>
          ),
        },
      ]}
    />
  );
}
