/** The clinics of the hospital. */
import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { departmentsQuery } from '../departments/departments.queries.ts';
import { clinicKeys, readClinics } from './clinics.queries.ts';

const route = getRouteApi('/clinics');

export function ClinicsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const departments = useQuery(departmentsQuery()).data ?? [];
  useChanges('/api/hms/clinics/changes', clinicKeys.all);
  return (
    <ListPage
      title={t('clinics.title')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={clinicKeys.list(search)}
      read={(signal) => readClinics(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('clinics.search')}
      empty={t('clinics.empty')}
      action={
        <Can operation="createClinic">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/clinics/new" {...props} />}
          >
            {t('clinics.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'name',
          title: t('clinics.name'),
          sortable: true,
          render: ({ id, name }) => (
            <Anchor renderRoot={(props) => <Link to="/clinics/$id" params={{ id }} {...props} />} fw={500} size="sm">
              <bdi>{name}</bdi>
            </Anchor>
          ),
        },
        { key: 'code', title: t('clinics.code'), render: ({ code }) => <bdi>{code}</bdi> },
        {
          key: 'departmentId',
          title: t('clinics.departmentId'),
          render: ({ departmentId }) => <bdi>{departments.find(({ id }) => id === departmentId)?.name ?? '–'}</bdi>,
        },
      ]}
    />
  );
}
