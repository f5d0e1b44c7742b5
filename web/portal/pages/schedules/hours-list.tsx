/** The hours of a doctor that hold today or later, also those that begin later, and those of somebody who is suspended. */
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { showDay, weekdayName } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { hoursQuery, type Schedule } from './schedules.queries.ts';
import { laterOf, plusDays, weekdayOf } from './week.ts';

interface Props {
  readonly doctorId: string;
  readonly today: string;
  onOpen?(scheduleId: string, day: string): void;
}

export function HoursList({ doctorId, today, onOpen }: Props) {
  const { t } = useTranslation();
  const found = useQuery(hoursQuery(doctorId, today));
  const clinics = useClinics();
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const rows = found.data.toSorted(
    (one, other) =>
      one.weekday - other.weekday ||
      one.startTime.localeCompare(other.startTime) ||
      one.validFrom.localeCompare(other.validFrom),
  );
  return (
    <Stack className="hms-panel" gap="xs" pt="md" component="section" aria-label={t('schedules.all')}>
      <Title order={2} size="h4" px="md">
        {t('schedules.all')}
      </Title>
      {rows.length === 0 ? (
        <Text p="md" pt={0} c="dimmed">
          {t('schedules.none')}
        </Text>
      ) : (
        <DataTable
          label={t('schedules.all')}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'weekday',
              title: t('schedules.weekday'),
              render: ({ weekday }) => weekdayName(weekday),
            },
            {
              key: 'time',
              title: t('schedules.time'),
              render: (schedule) => {
                const text = `${schedule.startTime}–${schedule.endTime}`;
                return onOpen ? (
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    className="hms-number"
                    onClick={() => onOpen(schedule.id, nextDayOf(schedule, today))}
                  >
                    {text}
                  </Anchor>
                ) : (
                  <span className="hms-number">{text}</span>
                );
              },
            },
            {
              key: 'clinic',
              title: t('schedules.clinic'),
              render: ({ clinicId }) => <bdi>{clinics.find(({ id }) => id === clinicId)?.name ?? '–'}</bdi>,
            },
            {
              key: 'valid',
              title: t('schedules.valid'),
              render: ({ validFrom, validTo }) =>
                validTo === null
                  ? t('schedules.since', { day: showDay(validFrom) })
                  : t('schedules.sinceUntil', { from: showDay(validFrom), to: showDay(validTo) }),
            },
          ]}
        />
      )}
    </Stack>
  );
}

/** The next day on which the doctor works by it. */
function nextDayOf({ weekday, validFrom }: Schedule, today: string): string {
  const first = laterOf(validFrom.slice(0, 10), today);
  return plusDays(first, (weekday - weekdayOf(first) + 7) % 7);
}
