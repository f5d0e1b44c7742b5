/** The tests of the laboratory. */
import { Anchor, Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { labTestChanges, readTests, TEST_STATUSES, type TestStatus, testKeys } from './lab-tests.queries.ts';

const route = getRouteApi('/lab-tests');

export function LabTestsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useChanges(labTestChanges, testKeys.all);
  return (
    <ListPage
      title={t('menu.lab-tests')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={testKeys.list(search)}
      read={(signal) => readTests(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('labTests.search')}
      empty={t('labTests.empty')}
      action={
        <Can operation="createLabTest">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/lab-tests/new" {...props} />}
          >
            {t('labTests.new')}
          </Button>
        </Can>
      }
      filters={
        <FilterSelect
          label={t('labTests.state')}
          value={search.status}
          data={TEST_STATUSES.map((value) => ({ value, label: t(`labTests.statuses.${value}`) }))}
          onChange={(status) => void navigate({ search: (now) => ({ ...now, status, page: undefined }) })}
        />
      }
      columns={[
        {
          key: 'name',
          title: t('labTests.name'),
          sortable: true,
          render: ({ id, name }) => (
            <Anchor renderRoot={(props) => <Link to="/lab-tests/$id" params={{ id }} {...props} />} fw={500} size="sm">
              <bdi>{name}</bdi>
            </Anchor>
          ),
        },
        { key: 'code', title: t('labTests.code'), render: ({ code }) => <bdi>{code}</bdi> },
        {
          key: 'specimenType',
          title: t('labTests.specimenType'),
          render: ({ specimenType }) => <bdi>{specimenType}</bdi>,
        },
        {
          key: 'valueType',
          title: t('labTests.valueType'),
          render: ({ valueType, unit }) => (
            <>
              {t(`labTests.valueTypes.${valueType}`)} {unit !== null && <bdi>({unit})</bdi>}
            </>
          ),
        },
        { key: 'status', title: t('labTests.state'), render: ({ status }) => <TestStatusBadge status={status} /> },
      ]}
    />
  );
}

const COLORS = { draft: 'warning', active: 'good', retired: 'quiet' };

export function TestStatusBadge({ status }: { readonly status: TestStatus }) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`labTests.statuses.${status}`)}
    </Badge>
  );
}
