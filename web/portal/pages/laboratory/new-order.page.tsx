/** A doctor orders tests and panels for a patient. */

import { NewLabOrder } from '@hms/api-client/limits/NewLabOrder';
import { Badge, Button, Group, Input, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { textIn } from '../../../kit/forms/limits.ts';
import { Field, FormBody, problemOf, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { bornText, nameOf } from '../patients/identity.ts';
import { PatientWarnings } from '../patients/patient-warnings.tsx';
import { type Patient, patientQuery } from '../patients/patients.queries.ts';
import { CataloguePicker, type Pickable } from './catalogue-picker.tsx';
import { PRIORITIES } from './laboratory.queries.ts';
import { useShowOrder } from './use-order.ts';

const route = getRouteApi('/laboratory/new');

const pickable = z.object({ kind: z.enum(['test', 'panel']), id: z.string(), code: z.string(), name: z.string() });
const orderFields = z.object({
  tests: z.array(pickable).check(z.minLength(1, 'noTests')),
  priority: z.enum(PRIORITIES),
  clinicalNote: textIn(NewLabOrder.clinicalNote),
});

export function NewLabOrderPage() {
  const { patient: id = '' } = route.useSearch();
  const found = useQuery(patientQuery(id));
  if (found.data) return <NewOrder patient={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function NewOrder({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const show = useShowOrder();
  const { id, patientCode, dateOfBirth } = patient;
  const today = todayIn(usePerson().hospital?.timezone);
  const back = () => void navigate({ to: '/patients/$id', params: { id }, search: { tab: 'laboratory' } });
  const form = useRecordForm({
    schema: orderFields,
    values: { tests: [] as Pickable[], priority: 'routine' as (typeof PRIORITIES)[number], clinicalNote: '' },
    save: ({ tests, priority, clinicalNote }, key) => {
      /** A list has one at least. */
      const idsOf = (name: 'testIds' | 'panelIds', kind: Pickable['kind']) => {
        const ids = tests.filter((one) => one.kind === kind).map((one) => one.id);
        return ids.length > 0 ? { [name]: ids } : {};
      };
      const body = {
        patientId: id,
        priority,
        clinicalNote: clinicalNote === '' ? null : clinicalNote,
        ...idsOf('testIds', 'test'),
        ...idsOf('panelIds', 'panel'),
      };
      return dataOf(api.POST('/api/hms/lab-orders', { params: { header: { 'Idempotency-Key': key } }, body }));
    },
    onSaved: (order) => {
      show(order);
      back();
    },
    fieldOf: (name) => (/^(testIds|panelIds)/.test(name) ? 'tests' : undefined),
  });
  const { setValue, watch, formState } = form.form;
  const tests = watch('tests');
  const choose = (next: readonly Pickable[]) =>
    setValue('tests', [...next], { shouldDirty: true, shouldValidate: formState.isSubmitted });
  return (
    <Stack gap="md" maw="44rem">
      <Stack gap={2}>
        <PageHead title={t('laboratory.newFor', { name: nameOf(patient) })} />
        <Group gap="lg">
          <Text size="sm" className="hms-number" fw={600}>
            {patientCode}
          </Text>
          <Text size="sm">{bornText(t, dateOfBirth, today)}</Text>
        </Group>
        <PatientWarnings patient={patient} />
      </Stack>
      <Stack className="hms-panel" p="lg">
        <FormBody of={form} label={t('laboratory.new')} submitLabel={t('laboratory.place')} onCancel={back}>
          <CataloguePicker
            label={t('laboratory.addTests')}
            withPanels
            isFirst
            chosen={tests.map((one) => one.id)}
            error={problemOf(formState.errors.tests?.message)}
            onAdd={(one) => {
              const now = form.form.getValues('tests');
              if (now.every(({ id: other }) => other !== one.id)) choose([...now, one]);
            }}
          />
          {tests.length > 0 && (
            <Stack gap={4} component="ul" m={0} p={0} aria-label={t('laboratory.chosen')}>
              {tests.map((one) => (
                <Group key={one.id} component="li" gap="xs" wrap="nowrap" style={{ listStyle: 'none' }}>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('laboratory.removeOne', { test: one.name })}
                    onClick={() => choose(tests.filter(({ id: other }) => other !== one.id))}
                  >
                    <IconX size={14} aria-hidden />
                  </Button>
                  <Text size="sm" fw={500}>
                    <bdi>{one.name}</bdi>
                  </Text>
                  <Text size="xs" c="dimmed" className="hms-number">
                    {one.code}
                  </Text>
                  {one.kind === 'panel' && <PanelBadge />}
                </Group>
              ))}
            </Stack>
          )}
          <Radio.Group
            label={t('laboratory.priority')}
            value={watch('priority')}
            onChange={(value) => setValue('priority', value as (typeof PRIORITIES)[number], { shouldDirty: true })}
          >
            <Group gap="lg" mt={6}>
              {PRIORITIES.toReversed().map((value) => (
                <Radio key={value} value={value} label={t(`laboratory.priorities.${value}`)} />
              ))}
            </Group>
          </Radio.Group>
          <Field
            of={form}
            name="clinicalNote"
            label={t('laboratory.clinicalNote')}
            placeholder={t('laboratory.clinicalNoteExample')}
            autoComplete="off"
          />
          <Input.Description>{t('laboratory.sharing')}</Input.Description>
        </FormBody>
      </Stack>
    </Stack>
  );
}

function PanelBadge() {
  const { t } = useTranslation();
  return (
    <Badge size="sm" color="info" variant="outline" tt="none">
      {t('laboratory.panel')}
    </Badge>
  );
}
