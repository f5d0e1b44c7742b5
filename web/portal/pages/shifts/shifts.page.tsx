/** Shifts: the own one, and all. */
import { Anchor, Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { OpenForm } from './open.form.tsx';
import { ShiftRecord } from './shift.page.tsx';
import { Difference, ShiftBadge } from './shift-badge.tsx';
import { currentShiftQuery, readShifts, shiftKeys } from './shifts.queries.ts';

const route = getRouteApi('/shifts');

export function ShiftsPage() {
  const { t } = useTranslation();
  const mayOpen = useMay()('openShift');
  const { tab = mayOpen ? 'mine' : 'all' } = route.useSearch();
  const navigate = route.useNavigate();
  useChanges('/api/payment/reconciliation/changes', shiftKeys.all);
  return (
    <Stack gap="md" maw="60rem">
      <PageHead title={t('menu.shifts')} />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'all' ? 'all' : 'mine' } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {mayOpen && <Tabs.Tab value="mine">{t('shifts.tab.mine')}</Tabs.Tab>}
          <Tabs.Tab value="all">{t('shifts.tab.all')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="mine">
          <Mine />
        </Tabs.Panel>
        <Tabs.Panel value="all">
          <All />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Mine() {
  const queries = useQueryClient();
  const found = useQuery(currentShiftQuery);
  if (found.isError) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Skeleton height={160} animate={false} aria-busy />;
  if (found.data === null)
    return (
      <OpenForm
        onOpened={(shift) => {
          queries.setQueryData(shiftKeys.current, shift);
          void queries.invalidateQueries({ queryKey: [shiftKeys.all] });
        }}
      />
    );
  return (
    <Stack gap="md">
      <ShiftRecord shift={found.data} />
    </Stack>
  );
}

function All() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const zone = usePerson().hospital?.timezone;
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }) });
  return (
    <ListPage
      isPart
      title={t('shifts.tab.all')}
      search={search}
      onSearch={change}
      queryKey={shiftKeys.list(search)}
      read={(signal) => readShifts(search, signal)}
      rowKey={({ id }) => id}
      empty={t('shifts.empty')}
      filters={
        <FilterCheckbox
          label={t('shifts.onlyToDecide')}
          checked={search.closed === true}
          onChange={(closed) => change({ closed })}
        />
      }
      columns={[
        {
          key: 'shiftNo',
          title: t('shifts.number'),
          render: ({ id, shiftNo }) => (
            <Anchor
              size="sm"
              fw={500}
              className="hms-number"
              renderRoot={(props) => <Link to="/shifts/$id" params={{ id }} {...props} />}
            >
              {shiftNo}
            </Anchor>
          ),
        },
        { key: 'cashier', title: t('shifts.cashier'), render: ({ cashierName }) => <bdi>{cashierName ?? '–'}</bdi> },
        { key: 'counter', title: t('shifts.counter'), render: ({ counter }) => <bdi>{counter}</bdi> },
        {
          key: 'openedAt',
          title: t('shifts.opened'),
          sortable: true,
          render: ({ openedAt }) => showMoment(openedAt, zone),
        },
        {
          key: 'difference',
          title: t('shifts.difference'),
          render: ({ difference }) => (difference === null ? '–' : <Difference of={difference} />),
        },
        { key: 'status', title: t('shifts.status'), render: ({ status }) => <ShiftBadge status={status} /> },
      ]}
    />
  );
}
