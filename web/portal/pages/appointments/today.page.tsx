/** A doctor's day: who comes, who is here, and what the doctor does for them. */
import { Anchor, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCalendarEvent, IconMicroscope, IconPrescription } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn, dayName, startOfDay, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { plusDays } from '../schedules/week.ts';
import { type Appointment, appointmentKeys, periodQuery } from './appointments.queries.ts';
import { StatusBadge } from './status-badge.tsx';

/** The employee to whom an account belongs, or null. */
function ownQuery(accountId: string) {
  return queryOptions({
    queryKey: ['employees', 'own', accountId],
    queryFn: async ({ signal }) => {
      const found = await dataOf(api.GET('/api/hms/employees', { params: { query: { accountId, limit: 1 } }, signal }));
      return found[0] ?? null;
    },
  });
}

export function TodayPage() {
  const { t } = useTranslation();
  const { id, hospital } = usePerson();
  const today = todayIn(hospital?.timezone);
  const own = useQuery(ownQuery(id));
  useChanges('/api/queue/appointments/changes', appointmentKeys.all);
  return (
    <Stack gap="md" maw="60rem">
      <PageHead title={t('today.title', { day: dayName(today, 'long') })}>
        <Button
          variant="default"
          leftSection={<IconCalendarEvent size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/appointments" {...props} />}
        >
          {t('today.calendar')}
        </Button>
      </PageHead>
      {own.data ? (
        <Day doctorId={own.data.id} today={today} />
      ) : own.isError ? (
        <ErrorPanel error={own.error} onRetry={() => void own.refetch()} />
      ) : own.data === null ? (
        <Text className="hms-panel" p="xl" c="dimmed">
          {t('today.noEmployee')}
        </Text>
      ) : (
        <Skeleton height={240} animate={false} aria-busy />
      )}
    </Stack>
  );
}

/** Those whom the doctor does not expect any more. */
const GONE: readonly Appointment['status'][] = ['offered', 'cancelled', 'rescheduled'];
const HERE: readonly Appointment['status'][] = ['checked_in', 'in_consultation'];

function Day({ doctorId, today }: { readonly doctorId: string; readonly today: string }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const found = useQuery(periodQuery(doctorId, startOfDay(zone, today), startOfDay(zone, plusDays(today, 1))));
  if (found.isError) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={240} animate={false} aria-busy />;
  const expected = found.data.filter(({ status }) => !GONE.includes(status));
  if (expected.length === 0)
    return (
      <Text className="hms-panel" p="xl" c="dimmed">
        {t('today.none')}
      </Text>
    );
  const here = expected.filter(({ status }) => HERE.includes(status)).length;
  const seen = expected.filter(({ status }) => status === 'completed').length;
  return (
    <>
      <Group gap="xs" role="status">
        <Badge variant="outline" tt="none" color="info">
          {t('today.expected', { count: expected.length })}
        </Badge>
        <Badge variant="outline" tt="none" color="warning">
          {t('today.here', { count: here })}
        </Badge>
        <Badge variant="outline" tt="none" color="quiet">
          {t('today.seen', { count: seen })}
        </Badge>
      </Group>
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('today.list')}>
        {expected.map((one) => (
          <Line key={one.id} appointment={one} at={clockIn(zone, one.startsAt).slice(11)} />
        ))}
      </Stack>
    </>
  );
}

function Line({ appointment, at }: { readonly appointment: Appointment; readonly at: string }) {
  const { t } = useTranslation();
  const { patientId, patientName, patientCode, status, reason, clinicName, roomName } = appointment;
  return (
    <Group component="li" className="hms-panel" p="sm" gap="md" align="flex-start" wrap="nowrap">
      <Text fw={600} className="hms-number" miw="3.5rem">
        {at}
      </Text>
      <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
        <Group gap="sm">
          <Anchor fw={600} renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}>
            <bdi>{patientName}</bdi>
          </Anchor>
          <Text size="sm" className="hms-number">
            {patientCode}
          </Text>
          <StatusBadge status={status} />
        </Group>
        <Text size="sm" c="dimmed">
          <bdi>{roomName ?? clinicName}</bdi>
          {reason !== null && (
            <>
              {' · '}
              <bdi>{reason}</bdi>
            </>
          )}
        </Text>
      </Stack>
      <Group gap={4} wrap="nowrap" visibleFrom="xs">
        <Can operation="createPrescription">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPrescription size={16} aria-hidden />}
            aria-label={t('today.prescribeFor', { name: patientName })}
            renderRoot={(props) => <Link to="/prescriptions/new" search={{ patient: patientId }} {...props} />}
          >
            {t('today.prescribe')}
          </Button>
        </Can>
        <Can operation="createLabOrder">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconMicroscope size={16} aria-hidden />}
            aria-label={t('today.orderFor', { name: patientName })}
            renderRoot={(props) => <Link to="/laboratory/new" search={{ patient: patientId }} {...props} />}
          >
            {t('today.order')}
          </Button>
        </Can>
      </Group>
    </Group>
  );
}
