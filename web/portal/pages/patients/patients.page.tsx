/** All patients: search while typing, and register a new one. */

import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { bornText, listedNameOf } from './identity.ts';
import { MissingNote } from './missing-note.tsx';
import { patientKeys, readPatients } from './patients.queries.ts';

const route = getRouteApi('/patients');

export function PatientsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const zone = usePerson().hospital?.timezone;
  const today = todayIn(zone);
  useChanges('/api/hms/patients/changes', patientKeys.all);
  const { isBusy, error, run } = useRun();
  const restore = (id: string, version: number) =>
    run(async () => {
      const params = { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
      await dataOf(api.POST('/api/hms/patients/{id}/restore', { params, body: { version } }));
      await navigate({ to: '/patients/$id', params: { id } });
    });
  return (
    <ListPage
      title={t('menu.patients')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={patientKeys.list(search)}
      read={(signal) => readPatients(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('patients.search')}
      empty={t('patients.empty')}
      action={
        <>
          <Can operation="listFamilies">
            <Button variant="default" renderRoot={(props) => <Link to="/families" search={{}} {...props} />}>
              {t('family.all')}
            </Button>
          </Can>
          <Can operation="createPatientImport">
            <Button variant="default" renderRoot={(props) => <Link to="/patients/import" {...props} />}>
              {t('patients.import')}
            </Button>
          </Can>
          <Can operation="createPatient">
            <Button
              leftSection={<IconUserPlus size={18} aria-hidden />}
              renderRoot={(props) => <Link to="/patients/new" {...props} />}
            >
              {t('patients.new')}
            </Button>
          </Can>
        </>
      }
      filters={
        <>
          <FilterCheckbox
            label={t('patients.incomplete')}
            checked={search.incomplete ?? false}
            onChange={(incomplete) => void navigate({ search: (now) => ({ ...now, incomplete, page: undefined }) })}
          />
          <Can operation="restorePatient">
            <ErrorPanel error={error} />
            <FilterCheckbox
              label={t('patients.deletedToo')}
              checked={search.deleted ?? false}
              onChange={(deleted) => void navigate({ search: (now) => ({ ...now, deleted, page: undefined }) })}
            />
          </Can>
        </>
      }
      columns={[
        {
          key: 'lastName',
          title: t('patients.name'),
          sortable: true,
          render: ({ id, version, patientCode, deletedAt, ...patient }) =>
            deletedAt === undefined ? (
              <>
                <Anchor
                  renderRoot={(props) => <Link to="/patients/$id" params={{ id }} {...props} />}
                  fw={500}
                  size="sm"
                >
                  <bdi>{listedNameOf({ patientCode, ...patient })}</bdi>
                </Anchor>
                <MissingNote patient={patient} />
              </>
            ) : (
              <Group gap="sm">
                <Text size="sm" td="line-through" c="dimmed">
                  <bdi>{listedNameOf({ patientCode, ...patient })}</bdi>
                </Text>
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={isBusy}
                  aria-label={t('patients.restoreOne', { code: patientCode })}
                  onClick={restore(id, version)}
                >
                  {t('patients.restore')}
                </Button>
              </Group>
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
          render: ({ dateOfBirth }) => bornText(t, dateOfBirth, today),
        },
        {
          key: 'phone',
          title: t('patients.phone'),
          render: ({ phone }) => <Phone kept={phone} />,
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
