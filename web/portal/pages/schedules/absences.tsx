/** When a doctor is away. Only for those who plan: others see in the week that somebody is away. */
import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { type ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { Choice } from '../../../kit/forms/choice.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { dayOrNone } from '../../../kit/forms/day-input.tsx';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { clockIn, dayName, showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { useBroken } from './broken.tsx';
import { type Absence, absencesQuery, scheduleKeys } from './schedules.queries.ts';
import { plusDays } from './week.ts';

const KINDS = ['leave', 'sick', 'training', 'other'] as const;

const absenceFields = z.object({
  from: z.iso.date('day'),
  fromTime: z.string(),
  to: dayOrNone,
  toTime: z.string(),
  kind: z.enum(KINDS),
  reason: z.string().check(z.trim(), z.maxLength(200, 'tooLong')),
});
type AbsenceFields = z.output<typeof absenceFields>;

/** A date alone is a whole day, and the last one counts. */
function bodyOf({ from, fromTime, to, toTime, kind, reason }: AbsenceFields) {
  const point = (day: string, time: string) => (time === '' ? day : `${day}T${time}`);
  return { from: point(from, fromTime), to: point(to || from, toTime), kind, reason: reason || null };
}

/** What the clock of the hospital shows then. Midnight ends the day before. */
function fieldsOf({ from, to, kind, reason }: Absence, zone: string): AbsenceFields {
  const [begin, end] = [clockIn(zone, from), clockIn(zone, to)];
  const isWhole = end.endsWith('T00:00');
  return {
    from: begin.slice(0, 10),
    fromTime: begin.endsWith('T00:00') ? '' : begin.slice(11),
    to: isWhole ? plusDays(end.slice(0, 10), -1) : end.slice(0, 10),
    toTime: isWhole ? '' : end.slice(11),
    kind,
    reason: reason ?? '',
  };
}

interface Props {
  readonly doctorId: string;
  readonly today: string;
  readonly zone: string;
}

export function Absences({ doctorId, today, zone }: Props) {
  const { t } = useTranslation();
  const found = useQuery(absencesQuery(doctorId));
  const [open, setOpen] = useState<Absence | 'new'>();
  const { error, isBusy, run } = useRun();
  const refresh = useRefresh();
  useChanges('/api/hms/absences/changes', scheduleKeys.absences, scheduleKeys.all);
  const remove = ({ id, version }: Absence) =>
    run(async () => {
      await dataOf(api.DELETE('/api/hms/absences/{id}', { params: { path: { id }, query: { version } } }));
      refresh();
    });
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const close = () => setOpen(undefined);
  return (
    <Stack className="hms-panel" gap="xs" pt="md" component="section" aria-label={t('absences.title')}>
      <Group px="md" justify="space-between">
        <Title order={2} size="h4">
          {t('absences.title')}
        </Title>
        {!open && (
          <Button size="compact-md" variant="default" onClick={() => setOpen('new')}>
            {t('absences.new')}
          </Button>
        )}
      </Group>
      {error !== undefined && (
        <Stack px="md">
          <ErrorPanel error={error} />
        </Stack>
      )}
      {open && (
        <Stack p="md">
          <AbsenceForm
            key={open === 'new' ? open : open.id}
            {...{ doctorId, today, zone }}
            absence={open === 'new' ? undefined : open}
            onDone={close}
          />
        </Stack>
      )}
      {found.data.length === 0 ? (
        <Text px="md" pb="md" c="dimmed">
          {t('absences.none')}
        </Text>
      ) : (
        <DataTable
          label={t('absences.title')}
          rows={found.data}
          rowKey={({ id }) => id}
          columns={[
            { key: 'period', title: t('absences.period'), render: (absence) => periodOf(fieldsOf(absence, zone)) },
            { key: 'kind', title: t('absences.kind'), render: ({ kind }) => t(`absences.kinds.${kind}`) },
            { key: 'reason', title: t('absences.reason'), render: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
            {
              key: 'actions',
              title: t('list.actions'),
              render: (absence) => (
                <Group gap={4}>
                  <Button size="compact-sm" variant="subtle" onClick={() => setOpen(absence)}>
                    {t('absences.change')}
                  </Button>
                  <Button size="compact-sm" variant="subtle" color="bad" disabled={isBusy} onClick={remove(absence)}>
                    {t('absences.remove')}
                  </Button>
                </Group>
              ),
            },
          ]}
        />
      )}
    </Stack>
  );
}

function periodOf({ from, fromTime, to, toTime }: AbsenceFields): string {
  const point = (day: string, time: string) => (time === '' ? showDay(day) : `${showDay(day)} ${time}`);
  return from === to && fromTime === '' && toTime === ''
    ? showDay(from)
    : `${point(from, fromTime)} – ${point(to, toTime)}`;
}

interface FormProps extends Props {
  readonly absence: Absence | undefined;
  onDone(): void;
}

function AbsenceForm({ doctorId, today, zone, absence, onDone }: FormProps) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  const empty = { from: today, fromTime: '', to: '', toTime: '', kind: 'leave', reason: '' } as const;
  const broken = useBroken(doctorId);
  const form: RecordForm<AbsenceFields> = useRecordForm<AbsenceFields, unknown>({
    schema: absenceFields,
    values: absence ? fieldsOf(absence, zone) : empty,
    save: (values, key) => {
      const breaks = broken.accepted();
      return absence
        ? dataOf(
            api.PUT('/api/hms/absences/{id}', {
              params: { path: { id: absence.id } },
              body: { ...bodyOf(values), version: absence.version, breaks },
            }),
          )
        : dataOf(
            api.POST('/api/hms/absences', {
              params: { header: { 'Idempotency-Key': key } },
              body: { doctorId, ...bodyOf(values), breaks },
            }),
          );
    },
    onSaved: () => {
      refresh();
      onDone();
    },
    onError: (problem: ApiError) => {
      if (broken.ask(problem, () => form.submit())) return true;
      const { code, details } = problem;
      const other = details.absence as { readonly from: string; readonly to: string } | undefined;
      if (code !== 'ABSENCE_OVERLAP' || !other) return false;
      const day = (iso: string) => dayName(clockIn(zone, iso).slice(0, 10), 'short');
      form.form.setError('from', { message: t('absences.overlap', { day: day(other.from) }) }, { shouldFocus: true });
      return true;
    },
  });
  const title = t(absence ? 'absences.changeTitle' : 'absences.new');
  return (
    <FormBody of={form} label={title} submitLabel={t(absence ? 'form.save' : 'absences.create')} onCancel={onDone}>
      {broken.question}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <DayField of={form} name="from" label={t('absences.from')} autoFocus required withAsterisk={false} />
        <Field of={form} name="fromTime" type="time" label={t('absences.fromTime')} />
        <DayField of={form} name="to" label={t('absences.to')} />
        <Field of={form} name="toTime" type="time" label={t('absences.toTime')} />
        <Choice
          of={form}
          name="kind"
          label={t('absences.kind')}
          data={KINDS.map((value) => ({ value, label: t(`absences.kinds.${value}`) }))}
        />
        <Field of={form} name="reason" label={t('absences.reason')} autoComplete="off" />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('absences.how')}
      </Text>
    </FormBody>
  );
}

/** The week changes with the absences. */
function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: [scheduleKeys.absences] });
    void queries.invalidateQueries({ queryKey: [scheduleKeys.all] });
  };
}
