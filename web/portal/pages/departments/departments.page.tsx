/** The departments of the hospital. */
import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { departmentKeys, readDepartments } from './departments.queries.ts';

const route = getRouteApi('/departments');

export function DepartmentsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useChanges('/api/hms/departments/changes', departmentKeys.all);
  return (
    <ListPage
      title={t('departments.title')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={departmentKeys.list(search)}
      read={(signal) => readDepartments(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('departments.search')}
      empty={t('departments.empty')}
      action={
        <Can operation="createDepartment">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/departments/new" {...props} />}
          >
            {t('departments.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'name',
          title: t('departments.name'),
          sortable: true,
          render: ({ id, name }) => (
            <Anchor
              renderRoot={(props) => <Link to="/departments/$id" params={{ id }} {...props} />}
              fw={500}
              size="sm"
            >
              <bdi>{name}</bdi>
            </Anchor>
          ),
        },
        { key: 'code', title: t('departments.code'), render: ({ code }) => <bdi>{code}</bdi> },
        { key: 'location', title: t('departments.location'), render: ({ location }) => <bdi>{location ?? '–'}</bdi> },
      ]}
    />
  );
}
