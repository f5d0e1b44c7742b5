/** The form of a new entry: who, and for whom. The rest is for those who can't come at any time. */

import { NewWaitingListEntry } from '@hms/api-client/limits/NewWaitingListEntry';
import { Button, Checkbox, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Choice } from '../../../kit/forms/choice.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { dayOrNone } from '../../../kit/forms/day-input.tsx';
import { textIn } from '../../../kit/forms/limits.ts';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { nameOf } from '../patients/identity.ts';
import { PatientPicker } from '../patients/patient-picker.tsx';
import type { Patient } from '../patients/patients.queries.ts';
import { doctorsQuery } from '../schedules/schedules.queries.ts';
import { useVisitTypes } from '../visit-types/visit-types.queries.ts';
import type { WaitingEntry } from './waiting-list.queries.ts';

const entryFields = z.object({
  patientId: z.string().check(z.minLength(1, 'patient')),
  doctorId: z.string(),
  clinicId: z.string(),
  visitTypeId: z.string(),
  fromDate: dayOrNone,
  untilDate: dayOrNone,
  fromTime: z.string(),
  untilTime: z.string(),
  reason: textIn(NewWaitingListEntry.reason),
  isUrgent: z.boolean(),
});
type EntryFields = z.output<typeof entryFields>;

const EMPTY: EntryFields = {
  ...{
    patientId: '',
    doctorId: '',
    clinicId: '',
    visitTypeId: '',
    fromDate: '',
    untilDate: '',
    fromTime: '',
    untilTime: '',
    reason: '',
  },
  isUrgent: false,
};

export function WaitingForm({ onDone }: { readonly onDone: (saved?: WaitingEntry) => void }) {
  const { t } = useTranslation();
  const doctors = useQuery(doctorsQuery()).data ?? [];
  const clinics = useClinics();
  const types = useVisitTypes();
  const [patient, setPatient] = useState<Patient>();
  const form: RecordForm<EntryFields> = useRecordForm<EntryFields, WaitingEntry>({
    schema: entryFields,
    values: EMPTY,
    save: ({ isUrgent, patientId, ...wishes }, key) => {
      const given = Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== ''));
      const body = { patientId, ...given, priority: isUrgent ? ('urgent' as const) : ('usual' as const) };
      return dataOf(api.POST('/api/queue/waiting-list', { params: { header: { 'Idempotency-Key': key } }, body }));
    },
    onSaved: onDone,
  });
  const choose = (chosen: Patient | undefined) => {
    setPatient(chosen);
    form.form.setValue('patientId', chosen?.id ?? '', { shouldDirty: true, shouldValidate: chosen !== undefined });
    if (chosen) setTimeout(() => form.form.setFocus('doctorId'));
  };
  const problem = form.form.formState.errors.patientId;
  const any = { value: '', label: t('waiting.any') };
  return (
    <Stack className="hms-panel" p="lg" component="section" aria-label={t('waiting.new')}>
      <Title order={2} size="h4">
        {t('waiting.new')}
      </Title>
      {patient ? (
        <Group gap="sm">
          <Text fw={600}>
            <bdi>{nameOf(patient)}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            <span className="hms-number">{patient.patientCode}</span>
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => choose(undefined)}>
            {t('waiting.otherPatient')}
          </Button>
        </Group>
      ) : (
        <PatientPicker
          label={t('waiting.patient')}
          onPick={choose}
          isFirst
          error={problem ? t('form.problem.patient') : undefined}
        />
      )}
      <FormBody of={form} label={t('waiting.new')} submitLabel={t('waiting.add')} onCancel={() => onDone()}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
          <Choice
            of={form}
            name="doctorId"
            label={t('waiting.doctor')}
            data={[
              any,
              ...doctors.map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` })),
            ]}
          />
          <Choice
            of={form}
            name="clinicId"
            label={t('waiting.clinic')}
            data={[any, ...clinics.map(({ id, name }) => ({ value: id, label: name }))]}
          />
          {types.length > 0 && (
            <Choice
              of={form}
              name="visitTypeId"
              label={t('waiting.visitType')}
              data={types.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          <DayField of={form} name="fromDate" label={t('waiting.fromDate')} />
          <DayField of={form} name="untilDate" label={t('waiting.untilDate')} />
          <Field of={form} name="fromTime" type="time" label={t('waiting.fromTime')} />
          <Field of={form} name="untilTime" type="time" label={t('waiting.untilTime')} />
          <Field of={form} name="reason" label={t('waiting.reason')} autoComplete="off" />
        </SimpleGrid>
        <Checkbox {...form.form.register('isUrgent')} label={t('waiting.isUrgent')} />
      </FormBody>
    </Stack>
  );
}
