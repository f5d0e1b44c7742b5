/** The calendar of a doctor's week, or of everybody in a clinic on a day. */
import { NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn, dayName, startOfDay, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { daysOf, mondayOf, plusDays } from '../schedules/week.ts';
import { type Appointment, everythingQuery, type Slot, type Whose } from './appointments.queries.ts';
import type { Column } from './calendar.ts';
import { Calendar } from './calendar.tsx';

interface Props {
  readonly date: string;
  /** The type of visit whose times are shown. */
  readonly visitTypeId: string | undefined;
  readonly mayWrite: boolean;
  readonly moving: Appointment | undefined;
  /** The appointment that is open, or the time that is being booked. */
  readonly panel: ReactNode;
  onOpen(appointment: Appointment): void;
  onChoose(slot: Slot): void;
  onTake(appointment: Appointment | undefined): void;
  onMove(appointment: Appointment, slot: Slot): void;
}

export function WeekOfDoctor({ doctorId, ...props }: Props & { readonly doctorId: string }) {
  const zone = usePerson().hospital?.timezone ?? 'UTC';
  const monday = mondayOf(props.date);
  return (
    <View
      {...props}
      whose={{ doctorId }}
      first={monday}
      days={7}
      current={todayIn(zone)}
      columnsOf={(slots, appointments) =>
        daysOf(monday).map((day) => ({
          key: day,
          title: dayName(day, 'short'),
          slots: slots.filter(({ startsAt }) => startsAt.startsWith(day)),
          appointments: appointments.filter(({ startsAt }) => clockIn(zone, startsAt).startsWith(day)),
        }))
      }
    />
  );
}

interface OfClinic extends Props {
  readonly clinicId: string | undefined;
  onClinic(id: string): void;
}

export function DayOfClinic({ clinicId, onClinic, ...props }: OfClinic) {
  const { t } = useTranslation();
  const clinics = useClinics().filter(({ status }) => status !== 'inactive');
  const clinic = clinics.find(({ id }) => id === clinicId) ?? clinics[0];
  if (!clinic) return <Text>{t('appointments.noClinics')}</Text>;
  return (
    <Stack gap="md">
      <NativeSelect
        label={t('appointments.clinic')}
        value={clinic.id}
        onChange={(event) => onClinic(event.currentTarget.value)}
        data={clinics.map(({ id, name }) => ({ value: id, label: name }))}
        maw="20rem"
      />
      <View
        {...props}
        whose={{ clinicId: clinic.id }}
        first={props.date}
        days={1}
        current={undefined}
        columnsOf={columnsOfDoctors}
      />
    </Stack>
  );
}

function columnsOfDoctors(slots: readonly Slot[], appointments: readonly Appointment[]): readonly Column[] {
  const names = new Map([...slots, ...appointments].map(({ doctorId, doctorName }) => [doctorId, doctorName]));
  return [...names]
    .map(([id, name]) => ({
      key: id,
      title: name,
      slots: slots.filter(({ doctorId }) => doctorId === id),
      appointments: appointments.filter(({ doctorId }) => doctorId === id),
    }))
    .sort((one, other) => one.title.localeCompare(other.title));
}

interface ViewProps extends Props {
  readonly whose: Whose;
  readonly first: string;
  readonly days: number;
  readonly current: string | undefined;
  columnsOf(slots: readonly Slot[], appointments: readonly Appointment[]): readonly Column[];
}

function View({ whose, first, days, visitTypeId, columnsOf, panel, ...props }: ViewProps) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone ?? 'UTC';
  const period = { from: startOfDay(zone, first), before: startOfDay(zone, plusDays(first, days)) };
  const found = useQuery({
    ...everythingQuery(whose, { first, days, visitTypeId, ...period }),
    placeholderData: keepPreviousData,
  });
  if (!found.data)
    return found.isError ? (
      <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <Skeleton height={240} animate={false} aria-busy />
    );
  const columns = columnsOf(found.data.slots, found.data.appointments);
  return (
    <Stack gap="md">
      {panel}
      <Text size="sm" c="dimmed" visibleFrom="md">
        {t('appointments.calendarHow')}
      </Text>
      {columns.length === 0 ? (
        <Text>{t('appointments.nobodyWorks')}</Text>
      ) : (
        <Calendar {...props} columns={columns} zone={zone} />
      )}
    </Stack>
  );
}
