/** The appointments of a patient, latest first. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn, showMoment } from '../../../kit/time/time.ts';
import { appointmentKeys, readOfPatient } from './appointments.queries.ts';
import { StatusBadge } from './status-badge.tsx';

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  /** Whether new entries belong to another record. */
  readonly isMerged: boolean;
  onPage(page: number | undefined): void;
}

export function PatientAppointments({ id, page, isMerged, onPage }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  useChanges('/api/queue/appointments/changes', appointmentKeys.all);
  return (
    <>
      {!isMerged && (
        <Can operation="createAppointment">
          <Group mb="md">
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              renderRoot={(props) => <Link to="/appointments" search={{ patient: id }} {...props} />}
            >
              {t('appointments.action.book')}
            </Button>
          </Group>
        </Can>
      )}
      <ListPage
        isPart
        title={t('patients.tab.appointments')}
        search={{ page }}
        onSearch={(changes) => onPage(changes.page)}
        queryKey={appointmentKeys.ofPatient(id, page)}
        read={(signal) => readOfPatient(id, page, signal)}
        rowKey={(one) => one.id}
        empty={t('appointments.noneOfPatient')}
        columns={[
          {
            key: 'startsAt',
            title: t('appointments.time'),
            render: ({ startsAt, doctorId }) => (
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => (
                  <Link
                    to="/appointments"
                    search={{ doctor: doctorId, date: clockIn(zone, startsAt).slice(0, 10) }}
                    {...props}
                  />
                )}
              >
                {showMoment(startsAt, zone)}
              </Anchor>
            ),
          },
          { key: 'doctor', title: t('appointments.doctor'), render: ({ doctorName }) => <bdi>{doctorName}</bdi> },
          { key: 'clinic', title: t('appointments.clinic'), render: ({ clinicName }) => <bdi>{clinicName}</bdi> },
          {
            key: 'reason',
            title: t('appointments.reason'),
            render: ({ reason, endReason }) => (
              <>
                <bdi>{reason ?? '–'}</bdi>
                {endReason !== null && (
                  <Text size="xs" c="dimmed">
                    <bdi>{wordOf(`appointments.ended.${endReason}`) ?? endReason}</bdi>
                  </Text>
                )}
              </>
            ),
          },
          { key: 'status', title: t('appointments.state'), render: ({ status }) => <StatusBadge status={status} /> },
        ]}
      />
    </>
  );
}
