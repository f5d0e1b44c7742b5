/** All patients: search while typing, and register a new one. */
import { Anchor, Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ageOn, showDay, showMoment, todayIn } from '../../../kit/time/time.ts';
import { patientKeys, readPatients } from './patients.queries.ts';

const route = getRouteApi('/patients');

export function PatientsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const zone = usePerson().hospital?.timezone;
  const today = todayIn(zone);
  useChanges('/api/hms/patients/changes', patientKeys.all);
  return (
    <ListPage
      title={t('patients.title')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={patientKeys.list(search)}
      read={(signal) => readPatients(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('patients.search')}
      empty={t('patients.empty')}
      action={
        <Can operation="createPatient">
          <Button
            leftSection={<IconUserPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/patients/new" {...props} />}
          >
            {t('patients.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'lastName',
          title: t('patients.name'),
          sortable: true,
          render: ({ id, firstName, lastName }) => (
            <Anchor renderRoot={(props) => <Link to="/patients/$id" params={{ id }} {...props} />} fw={500} size="sm">
              <bdi>
                {lastName}, {firstName}
              </bdi>
            </Anchor>
          ),
        },
        {
          key: 'patientCode',
          title: t('patients.code'),
          sortable: true,
          render: ({ patientCode }) => <span className="hms-number">{patientCode}</span>,
        },
        {
          key: 'dateOfBirth',
          title: t('patients.dateOfBirth'),
          sortable: true,
          render: ({ dateOfBirth }) =>
            `${showDay(dateOfBirth)} (${t('patients.age', { count: ageOn(dateOfBirth, today) })})`,
        },
        {
          key: 'phone',
          title: t('patients.phone'),
          render: ({ phone }) => (
            <span className="hms-number" dir="ltr">
              {phone}
            </span>
          ),
        },
        {
          key: 'createdAt',
          title: t('patients.registered'),
          sortable: true,
          render: ({ createdAt }) => showMoment(createdAt, zone),
        },
      ]}
    />
  );
}
