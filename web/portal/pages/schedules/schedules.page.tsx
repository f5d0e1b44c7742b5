/** Who works where and when: the week of a doctor, or of everybody in a clinic. */
import { Alert, Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { Absences } from './absences.tsx';
import { HoursList } from './hours-list.tsx';
import { type Doctor, doctorsQuery, scheduleKeys, type Whose, weekQuery } from './schedules.queries.ts';
import { laterOf, mondayOf, plusDays } from './week.ts';
import { WeekGrid } from './week-grid.tsx';

const NewHours = soon(async () => (await import('./hours.form.tsx')).NewHours);
const ChangeHours = soon(async () => (await import('./hours.form.tsx')).ChangeHours);
const CalendarLink = soon(async () => (await import('./calendar-link.tsx')).CalendarLink);
const route = getRouteApi('/schedules');

export function SchedulesPage() {
  const { t } = useTranslation();
  const person = usePerson();
  const doctors = useQuery(doctorsQuery());
  const { doctor: doctorId, clinic: clinicId } = route.useSearch();
  useChanges('/api/hms/schedules/changes', scheduleKeys.all);
  if (!doctors.data)
    return doctors.isError ? (
      <ErrorPanel error={doctors.error} onRetry={() => void doctors.refetch()} />
    ) : (
      <Skeleton height={240} animate={false} aria-busy />
    );
  // Doctors see their own week first.
  const own = doctors.data.find(({ accountId }) => accountId === person.id) ?? doctors.data[0];
  const doctor = clinicId === undefined ? (doctors.data.find(({ id }) => id === doctorId) ?? own) : undefined;
  const whose = clinicId === undefined ? (doctor ? { doctorId: doctor.id } : undefined) : { clinicId };
  return (
    <Stack gap="md">
      {whose ? (
        <Planner key={JSON.stringify(whose)} {...{ whose, doctor }} doctors={doctors.data} />
      ) : (
        <>
          <PageHead title={t('menu.schedules')} />
          <Text className="hms-panel" p="xl" ta="center" c="dimmed">
            {t('schedules.noDoctors')}
          </Text>
        </>
      )}
    </Stack>
  );
}

interface PlannerProps {
  readonly whose: Whose;
  /** Undefined for a clinic. */
  readonly doctor: Doctor | undefined;
  readonly doctors: readonly Doctor[];
}

/** What is open below the week. */
type Open = { readonly scheduleId: string; readonly day: string } | { readonly newOn: string };

function Planner({ whose, doctor, doctors }: PlannerProps) {
  const { t } = useTranslation();
  const may = useMay();
  const person = usePerson();
  const zone = person.hospital?.timezone ?? 'UTC';
  const today = todayIn(zone);
  const from = route.useSearch().from ?? mondayOf(today);
  const week = useQuery({ ...weekQuery(whose, from), placeholderData: keepPreviousData });
  const [open, setOpen] = useState<Open>();
  const mayPlan = may('changeSchedule');
  const planned = doctor?.status === 'suspended' ? undefined : doctor;
  const close = () => setOpen(undefined);
  const openHours = (scheduleId: string, day: string) => setOpen({ scheduleId, day });
  const dayOfNew = laterOf(from, today);
  return (
    <>
      <PageHead title={t('menu.schedules')}>
        {mayPlan && planned && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ newOn: dayOfNew })}>
            {t('schedules.new')}
          </Button>
        )}
      </PageHead>
      <Choices {...{ whose, doctors, from, today }} />
      {doctor?.status === 'suspended' && (
        <Alert color="warning" variant="outline">
          {t('schedules.suspended')}
        </Alert>
      )}
      {open &&
        doctor &&
        mayPlan &&
        ('newOn' in open ? (
          <NewHours key={open.newOn} doctorId={doctor.id} day={open.newOn} onDone={close} />
        ) : (
          <ChangeHours key={`${open.scheduleId} ${open.day}`} {...open} {...{ today }} onDone={close} />
        ))}
      {week.data ? (
        <WeekGrid
          week={week.data}
          today={today}
          isOfClinic={!doctor}
          {...(mayPlan && doctor ? { onOpen: openHours } : {})}
          {...(mayPlan && planned ? { onAdd: (day: string) => setOpen({ newOn: day }) } : {})}
        />
      ) : week.isError ? (
        <ErrorPanel error={week.error} onRetry={() => void week.refetch()} />
      ) : (
        <Skeleton height={360} animate={false} aria-busy />
      )}
      {doctor && <HoursList doctorId={doctor.id} today={today} {...(mayPlan ? { onOpen: openHours } : {})} />}
      {doctor?.accountId === person.id && may('readCalendarLink') && <CalendarLink />}
      {doctor && may('listAbsences') && <Absences doctorId={doctor.id} {...{ today, zone }} />}
    </>
  );
}

interface ChoicesProps extends Pick<PlannerProps, 'whose' | 'doctors'> {
  readonly from: string;
  readonly today: string;
}

/** Whose week, and which one. */
function Choices({ whose, doctors, from, today }: ChoicesProps) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const clinics = useClinics();
  const go = (day: string) =>
    void navigate({ search: (now) => ({ ...now, from: day === mondayOf(today) ? undefined : day }) });
  const choose = (value: string) => {
    const [kind, id] = value.split(' ');
    void navigate({ search: ({ from: day }) => ({ from: day, [kind as 'doctor']: id }) });
  };
  return (
    <Group gap="md" align="flex-end">
      <NativeSelect
        label={t('schedules.whose')}
        value={'doctorId' in whose ? `doctor ${whose.doctorId}` : `clinic ${whose.clinicId}`}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          {
            group: t('schedules.doctors'),
            items: doctors.map(({ id, firstName, lastName }) => ({
              value: `doctor ${id}`,
              label: `${lastName}, ${firstName}`,
            })),
          },
          {
            group: t('menu.clinics'),
            items: clinics.map(({ id, name }) => ({ value: `clinic ${id}`, label: name })),
          },
        ]}
      />
      <Group gap="xs">
        <Button variant="default" px="xs" aria-label={t('schedules.before')} onClick={() => go(plusDays(from, -7))}>
          <IconChevronLeft size={18} aria-hidden className="hms-mirrored" />
        </Button>
        <Button variant="default" onClick={() => go(mondayOf(today))}>
          {t('schedules.thisWeek')}
        </Button>
        <Button variant="default" px="xs" aria-label={t('schedules.after')} onClick={() => go(plusDays(from, 7))}>
          <IconChevronRight size={18} aria-hidden className="hms-mirrored" />
        </Button>
      </Group>
      <Text fw={600} mb={6} aria-live="polite">
        {t('schedules.week', { from: showDay(from), to: showDay(plusDays(from, 6)) })}
      </Text>
    </Group>
  );
}
