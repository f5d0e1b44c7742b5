/** The appointments of a doctor on a day: book, check in, move, cancel. */

import { Alert, Button, Group, NativeSelect, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DayInput } from '../../../kit/forms/day-input.tsx';
import { goOnAt } from '../../../kit/lists/go-on.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn, dayName, showMoment, startOfDay, todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { nameOf } from '../patients/identity.ts';
import { patientQuery } from '../patients/patients.queries.ts';
import { doctorsQuery } from '../schedules/schedules.queries.ts';
import { mondayOf, plusDays } from '../schedules/week.ts';
import { visitTypesQuery } from '../visit-types/visit-types.queries.ts';
import { type WaitingEntry, waitingEntryQuery, waitingKey } from '../waiting-list/waiting-list.queries.ts';
import { AppointmentLine, type Step } from './appointment-line.tsx';
import {
  type Appointment,
  appointmentKeys,
  brokenQuery,
  periodQuery,
  type Slot,
  slotsQuery,
} from './appointments.queries.ts';
import { Book, refusalIn, type Wish } from './book.tsx';
import { DayList } from './day-list.tsx';
import { NextFree } from './next-free.tsx';
import { keyOf, timesOf } from './times.ts';

const route = getRouteApi('/appointments');
const WeekOfDoctor = soon(async () => (await import('./calendar-view.tsx')).WeekOfDoctor);
const DayOfClinic = soon(async () => (await import('./calendar-view.tsx')).DayOfClinic);

const VIEWS = ['day', 'week', 'doctors'] as const;

export function AppointmentsPage() {
  const { t } = useTranslation();
  const person = usePerson();
  const found = useQuery(doctorsQuery());
  const { doctor: chosen } = route.useSearch();
  useChanges('/api/queue/appointments/changes', appointmentKeys.all);
  const doctors = found.data ?? [];
  const own = doctors.find(({ accountId }) => accountId === person.id);
  const doctor = doctors.find(({ id }) => id === chosen) ?? own ?? doctors[0];
  return (
    <Stack gap="md">
      <PageHead title={t('menu.appointments')} />
      {doctor ? (
        <Day
          doctorId={doctor.id}
          doctors={doctors.map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }))}
        />
      ) : found.isError ? (
        <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <Text>{t('appointments.noDoctors')}</Text>
      ) : (
        <Skeleton height={240} animate={false} aria-busy />
      )}
    </Stack>
  );
}

/** What became of a step. */
interface Done {
  readonly said: string;
  /** Where the cursor goes on. Undefined: where it was. */
  readonly next?: Appointment | undefined;
}

interface DayProps {
  readonly doctorId: string;
  readonly doctors: readonly { readonly value: string; readonly label: string }[];
}

function Day({ doctorId, doctors }: DayProps) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mayWrite = useMay()('createAppointment');
  const zone = usePerson().hospital?.timezone;
  const today = todayIn(zone);
  const { date = today, waiting, patient: patientId, view = 'day', clinic } = route.useSearch();
  const step = view === 'week' ? 7 : 1;
  const [from, before] = [startOfDay(zone, date), startOfDay(zone, plusDays(date, 1))];
  const day = useQuery({ ...periodQuery(doctorId, from, before), enabled: view === 'day' });
  const broken = useQuery(brokenQuery(doctorId)).data ?? [];
  const waits = useQuery({ ...waitingEntryQuery(waiting ?? ''), enabled: waiting !== undefined }).data;
  const patient = useQuery({ ...patientQuery(patientId ?? ''), enabled: patientId !== undefined }).data;
  const types = useQuery(visitTypesQuery()).data ?? [];
  const [chosenType, setChosenType] = useState('');
  const [booking, setBooking] = useState<Slot>();
  const [moving, setMoving] = useState<Appointment>();
  /** In a calendar. */
  const [opened, setOpened] = useState<Appointment>();
  // Whoever gets the next time that is chosen.
  const inHand = moving ?? (waits?.status === 'waiting' || waits?.status === 'offered' ? waits : undefined);
  // Whoever is in hand has a type, or none. Its length is that of now.
  const visitTypeId = (inHand ? inHand.visitTypeId : chosenType) || undefined;
  const slots = useQuery({ ...slotsQuery(doctorId, date, visitTypeId), enabled: view === 'day' });
  const [news, setNews] = useState('');
  const [error, setError] = useState<unknown>();
  // What was said before is over.
  const say = (text: string, problem?: unknown) => {
    setNews(text);
    setError(problem);
  };
  const fail = (problem: unknown) => say('', problem);
  const busy = useRef(false);
  const go = (changes: Partial<ReturnType<typeof route.useSearch>>) => {
    setOpened(undefined);
    void navigate({ search: (now) => ({ ...now, ...changes }) });
  };
  /** @param at where the cursor goes on, if the step takes its button away. */
  const run = async (at: Appointment | Slot, work: () => Promise<Done>) => {
    // A second press before the page shows that it is busy.
    if (busy.current) return;
    busy.current = true;
    setError(undefined);
    const from = document.activeElement;
    let done: Done | undefined;
    try {
      done = await work();
      setNews(done.said);
      setBooking(undefined);
      setMoving(undefined);
      setOpened(undefined);
    } catch (problem) {
      fail(problem);
    } finally {
      busy.current = false;
      await queries.invalidateQueries({ queryKey: [appointmentKeys.all] });
      await queries.invalidateQueries({ queryKey: [waitingKey] });
      // After a refusal, the form is still there.
      goOn(done?.next ?? at, done ? from : document.body);
    }
  };
  const begin = (slot: Slot) => {
    setError(undefined);
    setOpened(undefined);
    setBooking(slot);
  };
  const refuse = async (slot: Slot, problem: unknown) => {
    setBooking(undefined);
    fail(problem);
    await queries.invalidateQueries({ queryKey: [appointmentKeys.all] });
    goOn(slot, document.body);
  };
  const take = (step: Step, one: Appointment) =>
    void run(one, async () => {
      const { id, version, patientName: name } = one;
      await dataOf(api.POST(`/api/queue/appointments/{id}/${step}`, { params: { path: { id } }, body: { version } }));
      return { said: t(`appointments.done.${step}`, { name }) };
    });
  const checkIn = (one: Appointment) =>
    void run(one, async () => {
      const { id, version, patientName: name } = one;
      const sent = { params: { path: { id } }, body: { version } };
      const { entry } = await dataOf(api.POST('/api/queue/appointments/{id}/check-in', sent));
      return { said: t('appointments.done.check-in', { name, label: entry.label }) };
    });
  const endSeries = (one: Appointment) =>
    void run(one, async () => {
      const { id, version, patientName: name } = one;
      const sent = { params: { path: { id } }, body: { version } };
      const ended = await dataOf(api.POST('/api/queue/appointments/{id}/cancel-following', sent));
      return { said: t('appointments.done.cancel-following', { name, count: ended.length }) };
    });
  // Both can be repeated without a key: nobody gets two appointments at one time.
  const book = (slot: Slot, { series, ...wish }: Wish) =>
    run(slot, async () => {
      const { doctorId: of, startsAt } = slot;
      const body = { ...wish, doctorId: of, startsAt };
      const booked = series
        ? (await dataOf(api.POST('/api/queue/appointments/series', { body: { ...body, ...series } }))).booked
        : [await dataOf(api.POST('/api/queue/appointments', { body }))];
      if (patient) go({ patient: undefined });
      const [name, count] = [booked[0]?.patientName, booked.length];
      const told = { name, count, at: showMoment(booked.at(-1)?.startsAt ?? startsAt, zone) };
      return {
        said: t(series ? 'appointments.done.series' : 'appointments.done.book', told),
        next: booked.find((one) => keyOf(one) === keyOf(slot)),
      };
    });
  const bookFor = ({ id, version, patientName: name }: WaitingEntry, slot: Slot) =>
    void run(slot, async () => {
      const { startsAt, doctorId: of } = slot;
      const sent = { params: { path: { id } }, body: { version, startsAt, doctorId: of } };
      await dataOf(api.POST('/api/queue/waiting-list/{id}/book', sent));
      go({ waiting: undefined });
      return { said: t('appointments.done.book', { name, at: showMoment(startsAt, zone) }) };
    });
  const move = ({ id, version, patientName: name }: Appointment, slot: Slot) =>
    void run(slot, async () => {
      const { startsAt, doctorId: to } = slot;
      const sent = { params: { path: { id } }, body: { version, startsAt, doctorId: to } };
      const next = await dataOf(api.POST('/api/queue/appointments/{id}/reschedule', sent));
      return { said: t('appointments.done.move', { name, at: showMoment(startsAt, zone) }), next };
    });
  const choose = (slot: Slot) => {
    if (moving) move(moving, slot);
    else if (waits && inHand) bookFor(waits, slot);
    else begin(slot);
  };
  const refusal = refusalIn(error);
  const problem = (refusal ? undefined : error) ?? slots.error ?? day.error;
  const lineOf = (one: Appointment) => (
    <AppointmentLine
      key={one.id}
      appointment={one}
      isToday={clockIn(zone, one.startsAt).startsWith(today)}
      onCheckIn={() => checkIn(one)}
      onStep={(verb) => take(verb, one)}
      onMove={() => {
        setMoving(one);
        setOpened(undefined);
        goOn(one);
      }}
      onEndSeries={() => endSeries(one)}
    />
  );
  const bookingOf = (slot: Slot) => (
    <Book
      key={`${slot.doctorId} ${slot.startsAt}`}
      slot={slot}
      at={showMoment(slot.startsAt, zone)}
      visitTypeId={visitTypeId}
      patient={patient}
      refusal={refusal}
      onBook={(wish) => book(slot, wish)}
      onCancel={() => {
        setBooking(undefined);
        goOn(slot);
      }}
      onRefused={(problem) => void refuse(slot, problem)}
    />
  );
  const panel = opened ? (
    <Stack className="hms-panel" p="md" gap="xs" component="section" aria-label={opened.patientName}>
      <Group justify="space-between">
        <Text fw={600}>{showMoment(opened.startsAt, zone)}</Text>
        <Button
          size="compact-sm"
          variant="default"
          autoFocus
          onClick={() => {
            setOpened(undefined);
            goOn(opened);
          }}
        >
          {t('appointments.close')}
        </Button>
      </Group>
      {lineOf(opened)}
    </Stack>
  ) : (
    booking && (
      <Stack className="hms-panel" p="md">
        {bookingOf(booking)}
      </Stack>
    )
  );
  const calendar = {
    ...{ date, visitTypeId, mayWrite, moving, panel },
    onOpen: (one: Appointment) => {
      setBooking(undefined);
      setOpened(one);
    },
    ...{ onChoose: choose, onTake: setMoving, onMove: move },
  };
  const times = timesOf(slots.data ?? [], day.data ?? []);
  return (
    <>
      <Group gap="md" align="flex-end">
        <SegmentedControl
          aria-label={t('appointments.view')}
          value={view}
          onChange={(next) => go({ view: next === 'day' ? undefined : (next as (typeof VIEWS)[number]) })}
          data={VIEWS.map((value) => ({ value, label: t(`appointments.views.${value}`) }))}
        />
        {view !== 'doctors' && (
          <NativeSelect
            label={t('appointments.doctor')}
            value={doctorId}
            onChange={(event) => go({ doctor: event.currentTarget.value })}
            data={[...doctors]}
          />
        )}
        {types.length > 0 && (
          <NativeSelect
            label={t('appointments.visitType')}
            value={visitTypeId ?? ''}
            disabled={inHand !== undefined}
            onChange={(event) => {
              setBooking(undefined);
              setChosenType(event.currentTarget.value);
            }}
            data={[
              { value: '', label: t('appointments.anyVisit') },
              ...types.map(({ id, name, minutes }) => ({
                value: id,
                label: t('appointments.visitOf', { name, minutes }),
              })),
            ]}
          />
        )}
        <DayInput
          label={t('appointments.day')}
          value={date}
          isLive
          onChange={(value) => value !== '' && go({ date: value })}
        />
        <Group gap={4}>
          <Button
            variant="default"
            aria-label={t(view === 'week' ? 'appointments.weekBefore' : 'appointments.dayBefore')}
            onClick={() => go({ date: plusDays(date, -step) })}
          >
            <IconChevronLeft size={18} aria-hidden className="hms-mirrored" />
          </Button>
          <Button variant="default" onClick={() => go({ date: today })} disabled={date === today}>
            {t('appointments.today')}
          </Button>
          <Button
            variant="default"
            aria-label={t(view === 'week' ? 'appointments.weekAfter' : 'appointments.dayAfter')}
            onClick={() => go({ date: plusDays(date, step) })}
          >
            <IconChevronRight size={18} aria-hidden className="hms-mirrored" />
          </Button>
        </Group>
        {view !== 'doctors' && (
          <NextFree
            {...{ doctorId, visitTypeId, today }}
            from={view === 'week' ? plusDays(mondayOf(date), 7) : plusDays(date, 1)}
            onFound={(found) => {
              say('');
              go({ date: found });
            }}
            onNone={() => say(t('appointments.noneFree'))}
            onError={fail}
          />
        )}
      </Group>
      <Text fw={600}>{dayName(date, 'long')}</Text>
      <div className={news === '' && !problem ? undefined : 'hms-said hms-panel'}>
        <Text role="status" size="sm" fw={500} c="good">
          {news}
        </Text>
        <ErrorPanel error={problem} />
      </div>
      {broken.length > 0 && (
        <Alert color="warning" variant="outline" title={t('appointments.broken', { count: broken.length })}>
          {broken.map((one) => (
            <Group key={one.id} gap="sm">
              <Text size="sm">
                <bdi>{one.patientName}</bdi> · {showMoment(one.startsAt, zone)}
              </Text>
              {mayWrite && (
                <Button size="compact-sm" variant="default" onClick={() => setMoving(one)}>
                  {t('appointments.action.move')}
                </Button>
              )}
            </Group>
          ))}
        </Alert>
      )}
      {inHand ? (
        <InHand
          title={t(moving ? 'appointments.moving' : 'appointments.waitingFor', { name: inHand.patientName })}
          how={
            moving
              ? t('appointments.movingHow', { at: showMoment(moving.startsAt, zone) })
              : t('appointments.waitingHow')
          }
          onCancel={() => {
            if (!moving) return go({ waiting: undefined });
            setMoving(undefined);
            goOn(moving);
          }}
        />
      ) : (
        patient && (
          <InHand
            title={t('appointments.waitingFor', { name: nameOf(patient) })}
            how={t('appointments.bookingHow')}
            onCancel={() => go({ patient: undefined })}
          />
        )
      )}
      {view === 'week' ? (
        <WeekOfDoctor key={doctorId} {...calendar} doctorId={doctorId} />
      ) : view === 'doctors' ? (
        <DayOfClinic {...calendar} clinicId={clinic} onClinic={(id) => go({ clinic: id })} />
      ) : slots.isPending || day.isPending ? (
        <Skeleton height={240} animate={false} aria-busy />
      ) : times.length === 0 ? (
        <Text>{t(visitTypeId === undefined ? 'appointments.noSlots' : 'appointments.noneLongEnough')}</Text>
      ) : (
        <DayList
          times={times}
          isMoving={moving !== undefined}
          lineOf={lineOf}
          onChoose={choose}
          formOf={(slot) => booking && keyOf(booking) === keyOf(slot) && bookingOf(booking)}
        />
      )}
    </>
  );
}

interface InHandProps {
  readonly title: string;
  readonly how: string;
  onCancel(): void;
}

/** For whom the next time is that is chosen. */
function InHand({ title, how, onCancel }: InHandProps) {
  const { t } = useTranslation();
  return (
    <Alert color="info" variant="outline" title={title}>
      <Group gap="sm">
        <Text size="sm">{how}</Text>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
      </Group>
    </Alert>
  );
}

/** To an appointment, or to what is at its time now. */
function goOn(at: Appointment | Slot, from = document.activeElement): void {
  const time = `[data-time="${keyOf(at)}"]`;
  const own = 'id' in at ? [`[data-item="${at.id}"]`] : [];
  goOnAt([...own, `button${time}, ${time} :is(a, button)`, time], from);
}
