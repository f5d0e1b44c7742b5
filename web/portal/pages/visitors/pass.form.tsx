/** The form of a new pass: whom, who, and print. The rest is for those who need it. */

import { NewVisitor } from '@hms/api-client/limits/NewVisitor';
import { Button, Checkbox, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { dayOrNone } from '../../../kit/forms/day-input.tsx';
import { textIn } from '../../../kit/forms/limits.ts';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PhoneField } from '../../../kit/phones/phone-field.tsx';
import { phoneIn } from '../../../kit/phones/phone-limit.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { bornText, nameOf } from '../patients/identity.ts';
import { PatientPicker } from '../patients/patient-picker.tsx';
import type { Patient } from '../patients/patients.queries.ts';
import { Refusal } from './refusal.tsx';
import { type Visitor, visitorKeys } from './visitors.queries.ts';

const passFields = z.object({
  patientId: z.string().check(z.minLength(1, 'patient')),
  name: textIn(NewVisitor.name),
  phone: phoneIn(NewVisitor.phone),
  idLast4: textIn(NewVisitor.idLast4, 'last4'),
  relation: textIn(NewVisitor.relation),
  place: textIn(NewVisitor.place),
  validFrom: dayOrNone,
  validTo: dayOrNone,
  anyTimeReason: textIn(NewVisitor.anyTimeReason),
  comesIn: z.boolean(),
});
type PassFields = z.output<typeof passFields>;

const EMPTY: PassFields = {
  ...{
    patientId: '',
    name: '',
    phone: '',
    idLast4: '',
    relation: '',
    place: '',
    validFrom: '',
    validTo: '',
    anyTimeReason: '',
  },
  comesIn: true,
};

/** A new pass, and why its visitor does not come in with it yet. */
export interface Issued {
  readonly visitor: Visitor;
  readonly refusal?: ApiError;
}

export function PassForm({ onDone }: { readonly onDone: (issued?: Issued) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const today = todayIn(usePerson().hospital?.timezone);
  const [patient, setPatient] = useState<Patient>();
  const [refused, setRefused] = useState<ApiError>();
  // Bans of namesakes, of whom the desk has said that they are others.
  const cleared = useRef<readonly string[]>([]);
  const form: RecordForm<PassFields> = useRecordForm<PassFields, Issued>({
    schema: passFields,
    values: EMPTY,
    save: async ({ comesIn, ...values }, key) => {
      setRefused(undefined);
      const header = { 'Idempotency-Key': key };
      const { patientId, name, ...more } = values;
      const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== ''));
      const others = cleared.current.length > 0 ? { clearedBanIds: [...cleared.current] } : {};
      const body = { patientId, name, ...given, ...others };
      const issued = await dataOf(api.POST('/api/crm/visitors', { params: { header }, body }));
      if (!comesIn || values.validFrom > today) return { visitor: issued };
      const path = { id: issued.id };
      const inKey = { 'Idempotency-Key': `${key}-in` };
      try {
        const sent = { params: { path, header: inKey }, body: {} };
        return { visitor: await dataOf(api.POST('/api/crm/visitors/{id}/check-in', sent)) };
      } catch (error) {
        // The pass is there, and only the way in is closed.
        if (error instanceof ApiError && error.status < 500) return { visitor: issued, refusal: error };
        throw error;
      }
    },
    onSaved: (issued) => {
      void queries.invalidateQueries({ queryKey: [visitorKeys.all] });
      onDone(issued);
    },
    onError: (error) => {
      setRefused(error);
      return true;
    },
  });
  const choose = (chosen: Patient | undefined) => {
    setPatient(chosen);
    form.form.setValue('patientId', chosen?.id ?? '', { shouldDirty: true, shouldValidate: chosen !== undefined });
    if (chosen) setTimeout(() => form.form.setFocus('name'));
  };
  const problem = form.form.formState.errors.patientId;
  return (
    <Stack className="hms-panel" p="lg" component="section" aria-label={t('visitors.new')}>
      <Title order={2} size="h4">
        {t('visitors.new')}
      </Title>
      {patient ? (
        <Group gap="sm">
          <Text fw={600}>
            <bdi>{nameOf(patient)}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {patient.patientCode} · {bornText(t, patient.dateOfBirth)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => choose(undefined)}>
            {t('visitors.otherPatient')}
          </Button>
        </Group>
      ) : (
        <PatientPicker
          label={t('visitors.patient')}
          onPick={choose}
          isFirst
          error={problem ? t('form.problem.patient') : undefined}
        />
      )}
      <FormBody of={form} label={t('visitors.new')} submitLabel={t('visitors.issue')} onCancel={() => onDone()}>
        <Refusal
          error={refused}
          onOther={(banIds) => {
            cleared.current = [...new Set([...cleared.current, ...banIds])];
            void form.submit();
          }}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
          <Field of={form} name="name" label={t('visitors.name')} required withAsterisk={false} autoComplete="off" />
          <Field of={form} name="relation" label={t('visitors.relation')} autoComplete="off" />
          <Field of={form} name="place" label={t('visitors.place')} autoComplete="off" />
          <PhoneField of={form} name="phone" label={t('visitors.phone')} />
          <Field of={form} name="idLast4" label={t('visitors.idLast4')} maxLength={4} autoComplete="off" />
          <DayField
            of={form}
            name="validFrom"
            label={t('visitors.validFrom')}
            description={t('visitors.validFromHow')}
          />
          <DayField of={form} name="validTo" label={t('visitors.validTo')} description={t('visitors.validToHow')} />
          <Field of={form} name="anyTimeReason" label={t('visitors.anyTimeReason')} autoComplete="off" />
        </SimpleGrid>
        <Checkbox {...form.form.register('comesIn')} label={t('visitors.comesIn')} />
      </FormBody>
    </Stack>
  );
}
