/** Everybody who works in the hospital. */
import { Anchor, Badge, Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listedName } from '../../../kit/i18n/i18n.ts';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { roleName } from '../../../kit/roles/role-name.ts';
import { useStaffRoles } from '../roles/roles.queries.ts';
import { type EmployeeStatus, employeeKeys, readEmployees } from './employees.queries.ts';
import { STATUSES } from './statuses.ts';

const route = getRouteApi('/employees');

export function EmployeesPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes });
  const roles = useStaffRoles();
  useChanges('/api/hms/employees/changes', employeeKeys.all);
  return (
    <ListPage
      title={t('menu.employees')}
      search={search}
      onSearch={change}
      queryKey={employeeKeys.list(search)}
      read={(signal) => readEmployees(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('employees.search')}
      empty={t('employees.empty')}
      filters={
        <>
          <FilterSelect
            label={t('employees.role')}
            value={search.role}
            onChange={(role) => change({ role })}
            data={roles.map((value) => ({ value, label: roleName(value) }))}
          />
          <FilterSelect
            label={t('employees.status')}
            value={search.status}
            onChange={(status) => change({ status })}
            data={STATUSES.map((value) => ({ value, label: t(`employees.statuses.${value}`) }))}
          />
        </>
      }
      action={
        <Can operation="createEmployee">
          <Button
            leftSection={<IconUserPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/employees/new" {...props} />}
          >
            {t('employees.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'lastName',
          title: t('employees.name'),
          sortable: true,
          render: ({ id, firstName, lastName }) => (
            <Anchor renderRoot={(props) => <Link to="/employees/$id" params={{ id }} {...props} />} fw={500} size="sm">
              <bdi>{listedName(lastName, firstName)}</bdi>
            </Anchor>
          ),
        },
        {
          key: 'employeeCode',
          title: t('employees.code'),
          sortable: true,
          render: ({ employeeCode }) => <span className="hms-number">{employeeCode}</span>,
        },
        {
          key: 'roles',
          title: t('employees.roles'),
          render: ({ roles }) => roles.map(roleName).join(', '),
        },
        { key: 'email', title: t('employees.email'), render: ({ email }) => <bdi>{email}</bdi> },
        { key: 'status', title: t('employees.status'), render: ({ status }) => <StatusBadge status={status} /> },
      ]}
    />
  );
}

/** Dark enough on the page's own background. */
const COLORS = { invited: 'info', active: 'good', suspended: 'warning', terminated: 'quiet' };

export function StatusBadge({ status }: { readonly status: EmployeeStatus }) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`employees.statuses.${status}`)}
    </Badge>
  );
}
