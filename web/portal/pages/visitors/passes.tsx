/** All passes, with search. */
import { Badge, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import type { ListSearch } from '../../../kit/lists/list-search.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { PassActions, StepPanel, usePassSteps } from './steps.tsx';
import { readPasses, showEnd, type Visitor, visitorKeys } from './visitors.queries.ts';

interface Props {
  readonly search: ListSearch;
  onSearch(changes: Partial<ListSearch>): void;
}

export function Passes({ search, onSearch }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const steps = usePassSteps(() => document.querySelector<HTMLElement>('main input[type=search]')?.focus());
  return (
    <Stack gap="md">
      <StepPanel of={steps} />
      <ListPage
        isPart
        title={t('visitors.tab.passes')}
        search={search}
        onSearch={onSearch}
        queryKey={[visitorKeys.all, 'list', search]}
        read={(signal) => readPasses(search, signal)}
        rowKey={({ id }) => id}
        searchLabel={t('visitors.search')}
        empty={t('visitors.empty')}
        columns={[
          {
            key: 'passNo',
            title: t('visitors.passNo'),
            sortable: true,
            render: ({ passNo }) => <span className="hms-number">{passNo}</span>,
          },
          { key: 'name', title: t('visitors.name'), render: ({ name }) => <bdi>{name}</bdi> },
          { key: 'patient', title: t('visitors.patient'), render: ({ patientName }) => <bdi>{patientName}</bdi> },
          { key: 'until', title: t('visitors.validTo'), render: ({ validTo }) => showEnd(validTo, zone) },
          { key: 'status', title: t('visitors.status'), render: (visitor) => <Status of={visitor} /> },
          {
            key: 'actions',
            title: t('list.actions'),
            render: (visitor) => <PassActions of={steps} visitor={visitor} />,
          },
        ]}
      />
    </Stack>
  );
}

function Status({ of: { status, isExpired, denyReason } }: { readonly of: Visitor }) {
  const { t } = useTranslation();
  const isOver = isExpired && status !== 'checked_in' && status !== 'denied' && status !== 'expired';
  return (
    <div>
      <Badge color="quiet" variant="outline" tt="none">
        {isOver ? t('visitors.over') : t(`visitors.statuses.${status}`)}
      </Badge>{' '}
      {denyReason !== null && <bdi>{denyReason}</bdi>}
    </div>
  );
}
