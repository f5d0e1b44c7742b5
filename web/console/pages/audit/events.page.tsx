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
      title={t('menu.audit')}
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
          render: ({ actorName, actorEmail, actor, address }) => (
            <Stack gap={0}>
              <bdi title={actorEmail ?? undefined}>{actorName ?? actorEmail ?? actor}</bdi>
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
            <Badge variant="outline" color="brand" tt="none" miw="max-content">
              {wordOf(`events.action.${action}`) ?? action}
            </Badge>
          ),
        },
        {
          key: 'record',
          title: t('events.record'),
          render: ({ record }) => (
            <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
              {wordOf(`events.table.${record}`) ?? record}
            </Text>
          ),
        },
        {
          key: 'details',
          title: t('events.details'),
          render: ({ details }) => <Details of={details} />,
        },
      ]}
    />
  );
}

/** Names of Keycloak, which nobody reads here. */
const TECHNICAL = new Set(['session', 'recordedAt', 'keycloakEvent']);

/** One line for each value: what somebody changed, and what it was before. */
function Details({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  const lines = Object.entries(of).filter(([name]) => !TECHNICAL.has(name));
  return (
    <Stack gap={0}>
      {lines.map(([name, value]) => (
        <Text key={name} size="xs" dir="ltr" ta="start" style={{ overflowWrap: 'anywhere' }}>
          {name}: {textOf(value)}
        </Text>
      ))}
    </Stack>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${textOf(part)}`)
    .join('; ');
}
