/** The form of hours: new ones on one or more days of the week, or a change from a day on. */
import { Button, Checkbox, Group, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Controller, type FieldValues, type Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { type ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { Choice } from '../../../kit/forms/choice.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { dayOrNone } from '../../../kit/forms/day-input.tsx';
import { Field, FormBody, problemOf, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { dayName, weekdayName } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { useBroken } from './broken.tsx';
import { roomsQuery, type Schedule, scheduleKeys, scheduleQuery } from './schedules.queries.ts';
import { laterOf, plusDays, weekdayOf } from './week.ts';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7].map(String);

const number = (least: number, most: number) =>
  z.string().check(
    z.trim(),
    z.refine((text) => text === '' || (/^\d+$/.test(text) && +text >= least && +text <= most), 'number'),
  );
const hours = {
  startTime: z.string().check(z.minLength(1, 'required')),
  endTime: z.string().check(z.minLength(1, 'required')),
  clinicId: z.string().check(z.minLength(1, 'choose')),
  roomId: z.string(),
  slotMinutes: number(5, 480),
  capacity: number(1, 100),
  validTo: dayOrNone,
};
const newHours = z.object({
  ...hours,
  weekdays: z.array(z.string()).check(z.minLength(1, 'weekday')),
  validFrom: z.iso.date('day'),
});
const changedHours = z.object({ ...hours, from: z.iso.date('day') });
type Hours = Omit<z.output<typeof changedHours>, 'from'>;

/** As the module takes them. A field for times has no 24:00, so midnight ends a day. */
function bodyOf({ startTime, endTime, clinicId, roomId, slotMinutes, capacity, validTo }: Hours) {
  return {
    ...{ startTime, endTime: endTime === '00:00' ? '24:00' : endTime, clinicId, roomId: roomId || null },
    ...(slotMinutes === '' ? {} : { slotMinutes: Number(slotMinutes) }),
    ...(capacity === '' ? {} : { capacity: Number(capacity) }),
    validTo: validTo || null,
  };
}

interface NewProps {
  readonly doctorId: string;
  /** The day for which somebody wants them. */
  readonly day: string;
  onDone(): void;
}

/** Each day of the week is a schedule of its own. What was saved stays, and is not sent again. */
export function NewHours({ doctorId, day, onDone }: NewProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onError = useOverlap(() => form);
  const form: RecordForm<z.output<typeof newHours>> = useRecordForm({
    schema: newHours,
    values: {
      ...{ weekdays: [String(weekdayOf(day))], startTime: '', endTime: '', clinicId: '', roomId: '' },
      ...{ slotMinutes: '', capacity: '', validFrom: day, validTo: '' },
    },
    save: async ({ weekdays, validFrom, ...values }, key) => {
      const left = [...weekdays].sort();
      try {
        for (const weekday of weekdays.toSorted()) {
          const params = { header: { 'Idempotency-Key': `${key}-${weekday}` } };
          const body = { doctorId, weekday: Number(weekday), validFrom, capacity: 1, ...bodyOf(values) };
          await dataOf(api.POST('/api/hms/schedules', { params, body }));
          left.shift();
        }
      } catch (error) {
        form.form.setValue('weekdays', left);
        throw error;
      } finally {
        void queries.invalidateQueries({ queryKey: [scheduleKeys.all] });
      }
    },
    onSaved: onDone,
    onError,
  });
  return (
    <Stack className="hms-panel" p="lg" component="section" aria-label={t('schedules.new')}>
      <Title order={2} size="h4">
        {t('schedules.new')}
      </Title>
      <FormBody of={form} label={t('schedules.new')} submitLabel={t('schedules.create')} onCancel={onDone}>
        <Controller
          control={form.form.control}
          name="weekdays"
          render={({ field, fieldState }) => (
            <Checkbox.Group
              label={t('schedules.weekdays')}
              error={problemOf(fieldState.error?.message)}
              value={field.value}
              onChange={field.onChange}
            >
              <Group gap="md" mt={6}>
                {WEEKDAYS.map((weekday) => (
                  <Checkbox key={weekday} value={weekday} label={weekdayName(Number(weekday))} />
                ))}
              </Group>
            </Checkbox.Group>
          )}
        />
        <Fields of={form} isNew />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <DayField of={form} name="validFrom" label={t('schedules.validFrom')} required withAsterisk={false} />
          <DayField of={form} name="validTo" label={t('schedules.validTo')} description={t('schedules.validToHow')} />
        </SimpleGrid>
      </FormBody>
    </Stack>
  );
}

interface ChangeProps {
  readonly scheduleId: string;
  /** The day on which somebody chose them. */
  readonly day: string;
  readonly today: string;
  onDone(): void;
}

export function ChangeHours(props: ChangeProps) {
  const found = useQuery(scheduleQuery(props.scheduleId));
  if (found.data) return <Change {...props} schedule={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

/** What has been stays: a change holds from a day on, today at the earliest. */
function Change({ schedule, day, today, onDone }: ChangeProps & { readonly schedule: Schedule }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const { id, version, weekday } = schedule;
  const from = laterOf(day, today);
  const params = { path: { id } };
  const done = () => {
    void queries.invalidateQueries({ queryKey: [scheduleKeys.all] });
    onDone();
  };
  const isOverlap = useOverlap(() => form);
  const broken = useBroken(schedule.doctorId);
  const form: RecordForm<z.output<typeof changedHours>> = useRecordForm({
    schema: changedHours,
    values: {
      ...{ from, startTime: schedule.startTime, endTime: schedule.endTime.replace('24:00', '00:00') },
      ...{ clinicId: schedule.clinicId, roomId: schedule.roomId ?? '' },
      ...{ slotMinutes: String(schedule.slotMinutes), capacity: String(schedule.capacity) },
      validTo: schedule.validTo?.slice(0, 10) ?? '',
    },
    save: ({ from: begin, ...values }) => {
      const body = { from: begin, ...bodyOf(values), version, breaks: broken.accepted() };
      return dataOf(api.PUT('/api/hms/schedules/{id}', { params, body }));
    },
    onSaved: done,
    onError: (problem) => broken.ask(problem, () => form.submit()) || isOverlap(problem),
  });
  const endWith = async (breaks: string | undefined) => {
    const validFrom = schedule.validFrom.slice(0, 10);
    // The doctor has not worked by them before this day.
    if (day >= today && validFrom > plusDays(day, -7))
      await dataOf(api.DELETE('/api/hms/schedules/{id}', { params: { ...params, query: { version, breaks } } }));
    else {
      const body = { validTo: plusDays(from, -1), version, breaks };
      await dataOf(api.PUT('/api/hms/schedules/{id}', { params, body }));
    }
    done();
  };
  const end = run(async () => {
    try {
      await endWith(broken.accepted());
    } catch (problem) {
      if (!broken.ask(problem, () => end())) throw problem;
    }
  });
  const title = t('schedules.change', { weekday: weekdayName(weekday) });
  return (
    <Stack className="hms-panel" p="lg" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Button size="compact-md" variant="default" c="bad" loading={isBusy} onClick={end}>
          {t('schedules.endFrom', { day: dayName(from, 'short') })}
        </Button>
      </Group>
      <ErrorPanel error={error} />
      {broken.question}
      <FormBody of={form} label={title} submitLabel={t('form.save')} onCancel={onDone}>
        <Fields of={form} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <DayField of={form} name="from" label={t('schedules.from')} description={t('schedules.fromHow')} />
          <DayField of={form} name="validTo" label={t('schedules.validTo')} description={t('schedules.validToHow')} />
        </SimpleGrid>
      </FormBody>
    </Stack>
  );
}

function Fields<Values extends Hours>({
  of,
  isNew = false,
}: {
  readonly of: RecordForm<Values>;
  readonly isNew?: boolean;
}) {
  const { t } = useTranslation();
  const form = of as unknown as RecordForm<Hours>;
  const [clinicId, roomId] = form.form.watch(['clinicId', 'roomId']);
  const clinics = useClinics().filter(({ id, status }) => status !== 'inactive' || id === clinicId);
  const clinic = clinics.find(({ id }) => id === clinicId);
  const rooms = useQuery(roomsQuery(clinicId)).data ?? [];
  const choose = (all: readonly { readonly id: string; readonly name: string }[]) =>
    all.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
      <Field
        of={form}
        name="startTime"
        type="time"
        label={t('schedules.startTime')}
        required
        withAsterisk={false}
        autoFocus
      />
      <Field of={form} name="endTime" type="time" label={t('schedules.endTime')} required withAsterisk={false} />
      <Choice
        of={form}
        name="clinicId"
        label={t('schedules.clinic')}
        data={choose(clinics)}
        required
        withAsterisk={false}
      />
      <Choice
        of={form}
        name="roomId"
        label={t('schedules.room')}
        // Until the rooms are here, the one that was chosen stays.
        data={choose(rooms.length > 0 || roomId === '' ? rooms : [{ id: roomId, name: '…' }])}
      />
      <Field
        of={form}
        name="slotMinutes"
        inputMode="numeric"
        label={t('schedules.slotMinutes')}
        placeholder={isNew ? (clinic?.slotMinutes?.toString() ?? t('schedules.asHospital')) : undefined}
      />
      <Field
        of={form}
        name="capacity"
        inputMode="numeric"
        label={t('schedules.capacity')}
        placeholder={isNew ? '1' : undefined}
      />
    </SimpleGrid>
  );
}

interface Other {
  readonly startTime: string;
  readonly endTime: string;
  readonly validFrom: string;
}

/** Puts what is at the same time to the field of the time. */
function useOverlap<Values extends FieldValues>(formOf: () => RecordForm<Values>) {
  const { t } = useTranslation();
  return ({ code, details }: ApiError): boolean => {
    const other = details.schedule as Other | undefined;
    if (code !== 'SCHEDULE_OVERLAP' || !other) return false;
    const message = t(details.of === 'room' ? 'schedules.overlapRoom' : 'schedules.overlapDoctor', {
      ...{ start: other.startTime, end: other.endTime, day: dayName(other.validFrom, 'short') },
    });
    formOf().form.setError('startTime' as Path<Values>, { message }, { shouldFocus: true });
    return true;
  };
}
