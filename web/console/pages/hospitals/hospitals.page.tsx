/** All hospitals, as they are now. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { showMoment } from '../../../kit/time/time.ts';
import { ClusterNotice } from './cluster-notice.tsx';
import { HOSPITALS, type HospitalSummary, hospitalPath } from './hospitals.queries.ts';
import { StatusBadge } from './status.tsx';

const NEW_PATH: string = '/hospitals/new';
const STATUSES = ['Active', 'Provisioning', 'Failing', 'Suspended', 'Deleting'] as const;
type Search = ListSearch & { readonly status?: HospitalSummary['status'] };

export function HospitalsPage() {
  const { t } = useTranslation();
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  useChanges('/api/console/hospitals/stream', HOSPITALS);
  const change = (changes: Partial<Search>) =>
    void navigate({ to: '.', search: { ...search, ...changes } as never, replace: 'q' in changes });
  const { status, ...list } = search;
  return (
    <ListPage
      title={t('menu.hospitals')}
      search={search}
      onSearch={change}
      queryKey={[HOSPITALS, search]}
      read={(signal) =>
        envelopeOf(
          api.GET('/api/console/hospitals', {
            params: { query: { ...listQuery(list), ...(status ? { status } : {}) } },
            signal,
          }),
        )
      }
      rowKey={({ prefix }) => prefix}
      searchLabel={t('hospitals.search')}
      empty={t('hospitals.empty')}
      above={<ClusterNotice />}
      filters={
        <FilterSelect
          label={t('hospitals.statusField')}
          value={status}
          data={STATUSES.map((value) => ({ value, label: t(`hospitals.status.${value}`) }))}
          onChange={(value) => change({ status: value, page: undefined } as Partial<Search>)}
        />
      }
      action={
        <Can operation="createHospital">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to={NEW_PATH} {...props} />}
          >
            {t('hospitals.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'name',
          title: t('hospitals.name'),
          sortable: true,
          render: ({ name, prefix }) => (
            <Stack gap={0}>
              <Anchor renderRoot={(props) => <Link to={hospitalPath(prefix)} {...props} />} fw={500} size="sm">
                <bdi>{name}</bdi>
              </Anchor>
              <Text size="xs">
                <bdi dir="ltr">{prefix}</bdi>
              </Text>
            </Stack>
          ),
        },
        {
          key: 'status',
          title: t('hospitals.statusField'),
          render: ({ status: now, message }) => (
            <Stack gap={2} align="flex-start">
              <StatusBadge status={now} />
              {now === 'Failing' && (
                <Text size="xs" dir="ltr" ta="start" lineClamp={2} title={message ?? undefined}>
                  {message}
                </Text>
              )}
            </Stack>
          ),
        },
        {
          key: 'createdAt',
          title: t('hospitals.created'),
          sortable: true,
          render: ({ createdAt }) => <span className="hms-number">{showMoment(createdAt, undefined)}</span>,
        },
        {
          key: 'portal',
          title: t('hospitals.address'),
          render: ({ portal, status: now }) =>
            portal && now === 'Active' ? (
              <Anchor href={portal} target="_blank" rel="noopener" size="sm" dir="ltr">
                {new URL(portal).host}
              </Anchor>
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}
