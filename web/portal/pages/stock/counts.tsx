/** Counts of the stock, the latest first. */
import { Anchor, Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import type { ListSearch } from '../../../kit/lists/list-search.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { countKeys, readCounts } from './stock.queries.ts';
import { CountBadge } from './stock-parts.tsx';

interface Props {
  readonly search: ListSearch;
  onSearch(changes: Partial<ListSearch>): void;
}

export function Counts({ search: { page, sort }, onSearch }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const zone = usePerson().hospital?.timezone;
  const { isBusy, error, run } = useRun();
  const search = { page, sort, q: undefined };
  const begin = run(async () => {
    const params = { header: { 'Idempotency-Key': crypto.randomUUID() } };
    const { id } = await dataOf(api.POST('/api/hms/stock-counts', { params, body: {} }));
    await navigate({ to: '/stock/counts/$id', params: { id } });
  });
  return (
    <>
      <Can operation="createStockCount">
        <Group mb="md">
          <Button leftSection={<IconPlus size={18} aria-hidden />} loading={isBusy} onClick={begin}>
            {t('stock.count.begin')}
          </Button>
        </Group>
      </Can>
      <ErrorPanel error={error} />
      <ListPage
        isPart
        title={t('stock.tab.counts')}
        search={search}
        onSearch={onSearch}
        queryKey={countKeys.list(search)}
        read={(signal) => readCounts(search, signal)}
        rowKey={({ id }) => id}
        empty={t('stock.count.none')}
        columns={[
          {
            key: 'countNo',
            title: t('stock.count.number'),
            render: ({ id, countNo }) => (
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => <Link to="/stock/counts/$id" params={{ id }} {...props} />}
              >
                <span className="hms-number">{countNo}</span>
              </Anchor>
            ),
          },
          { key: 'createdAt', title: t('stock.count.begun'), render: ({ createdAt }) => showMoment(createdAt, zone) },
          {
            key: 'submittedBy',
            title: t('stock.count.submittedBy'),
            render: ({ submittedByName }) => <bdi>{submittedByName ?? '–'}</bdi>,
          },
          {
            key: 'decidedBy',
            title: t('stock.count.decidedBy'),
            render: ({ decidedByName }) => <bdi>{decidedByName ?? '–'}</bdi>,
          },
          { key: 'status', title: t('stock.status'), render: ({ status }) => <CountBadge status={status} /> },
        ]}
      />
    </>
  );
}
