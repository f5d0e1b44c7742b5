/** Prescribes drugs for a patient. What speaks against a drug is shown beside it while the doctor types. */

import { NewPrescription } from '@hms/api-client/limits/NewPrescription';
import { Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type FieldArrayWithId, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { dayOrNone } from '../../../kit/forms/day-input.tsx';
import { textIn, wholeIn } from '../../../kit/forms/limits.ts';
import { numberIn } from '../../../kit/forms/numbers.ts';
import { Field, FormBody, problemOf, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { useAfterPause } from '../../../kit/forms/typing.ts';
import { locale } from '../../../kit/i18n/i18n.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type Drug, DrugPicker, drugLabel } from '../drugs/drug-picker.tsx';
import { nameOf } from '../patients/identity.ts';
import { PatientWarnings } from '../patients/patient-warnings.tsx';
import { patientQuery } from '../patients/patients.queries.ts';
import { FindingAlert, usualQuantity } from './prescription-parts.tsx';
import { type Finding, type Prescription, prescriptionKeys, prescriptionQuery } from './prescriptions.queries.ts';
import { Repeated, valuesOf } from './repeat.tsx';
import { noWeight, WeightFields, weightIn, weightRules, weightShape } from './weight-fields.tsx';

const route = getRouteApi('/prescriptions/new');

const isDose = (value: string) => numberIn(value, locale()) > 0;
const item = NewPrescription.items.parts;

const itemFields = z.object({
  drugId: z.string(),
  label: z.string(),
  unit: z.string(),
  isByWeight: z.boolean(),
  dose: z.string().check(z.trim(), z.refine(isDose, 'dose')),
  timesPerDay: wholeIn(item.timesPerDay, 'timesPerDay'),
  durationDays: wholeIn(item.durationDays, 'durationDays'),
  quantity: wholeIn(item.quantity, 'someUnits'),
  instructions: textIn(item.instructions),
  maySubstitute: z.boolean(),
});
const prescriptionFields = z
  .object({
    items: z.array(itemFields).check(z.minLength(1, 'noDrugs')),
    ...weightShape,
    validUntil: dayOrNone,
    notes: textIn(NewPrescription.notes),
  })
  .check(...weightRules);
type Fields = z.output<typeof prescriptionFields>;
type Item = Fields['items'][number];

function newItem(drug: Drug): Item {
  return {
    ...{ drugId: drug.id, label: drugLabel(drug), unit: drug.unit, dose: '1', timesPerDay: '', durationDays: '' },
    ...{ quantity: '', instructions: '', maySubstitute: true, isByWeight: drug.maxDailyMgPerKg !== null },
  };
}

function bodyOf({ drugId, dose, timesPerDay, durationDays, quantity, instructions, maySubstitute }: Item) {
  return {
    ...{ drugId, dose: numberIn(dose, locale()), timesPerDay: Number(timesPerDay), durationDays: Number(durationDays) },
    ...(quantity === '' ? {} : { quantity: Number(quantity) }),
    ...(instructions === '' ? {} : { instructions }),
    maySubstitute,
  };
}

const PAUSE_MS = 300;

export function NewPrescriptionPage() {
  const { repeat } = route.useSearch();
  const earlier = useQuery({ ...prescriptionQuery(repeat ?? ''), enabled: repeat !== undefined, staleTime: Infinity });
  if (repeat === undefined) return <Prescribing />;
  if (earlier.data) return <Prescribing key={repeat} repeatOf={earlier.data} />;
  return earlier.isError ? (
    <ErrorPanel error={earlier.error} onRetry={() => void earlier.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Prescribing({ repeatOf }: { readonly repeatOf?: Prescription }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const { patient: patientId } = route.useSearch();
  const patient = useQuery(patientQuery(patientId));
  const back = () =>
    void navigate({ to: '/patients/$id', params: { id: patientId }, search: { tab: 'prescriptions' } });
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const [isAsked, setAsked] = useState(false);
  const form = useRecordForm<Fields, unknown>({
    schema: prescriptionFields,
    values: { ...valuesOf(repeatOf ?? { items: [], notes: null }), ...noWeight() },
    save: ({ items, validUntil, notes, ...weight }, key) =>
      dataOf(
        api.POST('/api/hms/prescriptions', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            ...{ patientId, items: items.map(bodyOf), ...weightIn({ items, ...weight }) },
            ...(repeatOf ? { repeatOfId: repeatOf.id } : {}),
            ...(validUntil ? { validUntil } : {}),
            ...(notes ? { notes } : {}),
            overrides: needed.map(({ finding }) => ({ finding, reason: reasons[finding]?.trim() ?? '' })),
          },
        }),
      ),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: [prescriptionKeys.all] });
      back();
    },
    onError: () => {
      // Another doctor may have prescribed something meanwhile.
      void check.refetch();
      return false;
    },
  });
  const items = useFieldArray({ control: form.form.control, name: 'items' });
  const check = useCheck(patientId, form.form.watch());
  const findings = check.data?.findings ?? [];
  const needed = findings.filter(({ needsReason }) => needsReason);
  const isMissing = (finding: string) => !reasons[finding]?.trim();
  const reasonFields = useRef<HTMLDivElement>(null);
  const submit = async () => {
    setAsked(true);
    if (!needed.some(({ finding }) => isMissing(finding))) return form.submit();
    reasonFields.current?.querySelector<HTMLInputElement>('[data-reason]:invalid')?.focus();
  };
  const { error: noDrugs } = form.form.getFieldState('items', form.form.formState);
  const problem = items.fields.length === 0 ? problemOf(noDrugs?.message ?? noDrugs?.root?.message) : undefined;
  return (
    <Stack gap="md" maw="60rem">
      <Stack gap={2}>
        <PageHead title={t('prescriptions.new')} />
        {patient.data && (
          <>
            <Text fw={600}>
              <bdi>{nameOf(patient.data)}</bdi> <span className="hms-number">{patient.data.patientCode}</span>
            </Text>
            <PatientWarnings patient={patient.data} />
          </>
        )}
        {repeatOf && <Repeated of={repeatOf} />}
        <ErrorPanel error={patient.error} onRetry={() => void patient.refetch()} />
      </Stack>
      <Stack className="hms-panel" p="lg" ref={reasonFields}>
        <FormBody
          of={{ ...form, submit }}
          label={t('prescriptions.new')}
          submitLabel={t('prescriptions.prescribe')}
          onCancel={back}
        >
          <DrugPicker
            label={t('prescriptions.addDrug')}
            placeholder={t('prescriptions.nameOrCode')}
            isFirst
            without={items.fields.map(({ drugId }) => drugId)}
            error={problem}
            onPick={(drug) => {
              items.append(newItem(drug), { focusName: `items.${items.fields.length}.dose`, shouldFocus: true });
            }}
          />
          {items.fields.map((item, index) => (
            <ItemRow key={item.id} of={form} item={item} index={index} onRemove={() => items.remove(index)}>
              {findings
                .filter(({ drugIds }) => drugIds[0] === item.drugId)
                .map((finding) => (
                  <FindingAlert key={finding.finding} finding={finding}>
                    <Reason
                      finding={finding}
                      mayOverride={check.data?.mayOverride ?? false}
                      value={reasons[finding.finding] ?? ''}
                      isWrong={isAsked && isMissing(finding.finding)}
                      onChange={(reason) => setReasons((now) => ({ ...now, [finding.finding]: reason }))}
                    />
                  </FindingAlert>
                ))}
            </ItemRow>
          ))}
          <WeightFields of={form} />
          <ErrorPanel error={check.error} onRetry={() => void check.refetch()} />
          {check.data && !check.data.allergiesKnown && (
            <Text size="sm" c="warning">
              {t('prescriptions.allergiesUnknown')}
            </Text>
          )}
          <Group gap="sm" align="flex-start">
            <DayField
              of={form}
              name="validUntil"
              label={t('prescriptions.validUntil')}
              description={t('prescriptions.validUsually')}
              w="14rem"
            />
            <Field
              of={form}
              name="notes"
              label={t('prescriptions.notes')}
              description={t('prescriptions.notesHow')}
              autoComplete="off"
              style={{ flex: '1 1 16rem' }}
            />
          </Group>
        </FormBody>
      </Stack>
    </Stack>
  );
}

/** What speaks against the drugs whose fields are filled in. */
function useCheck(patientId: string, typed: Fields) {
  const complete = typed.items.flatMap((item) => {
    const { data } = itemFields.safeParse(item);
    return data ? [bodyOf(data)] : [];
  });
  const body = useAfterPause(JSON.stringify({ patientId, items: complete, ...weightIn(typed) }), PAUSE_MS);
  return useQuery({
    queryKey: prescriptionKeys.check({ body }),
    queryFn: ({ signal }) => dataOf(api.POST('/api/hms/prescriptions/check', { body: JSON.parse(body), signal })),
    enabled: complete.length > 0,
    ...(complete.length > 0 ? { placeholderData: keepPreviousData } : {}),
  });
}

interface RowProps {
  readonly of: RecordForm<Fields>;
  readonly item: FieldArrayWithId<Fields, 'items'>;
  readonly index: number;
  onRemove(): void;
  readonly children: React.ReactNode;
}

function ItemRow({ of, item, index, onRemove, children }: RowProps) {
  const { t } = useTranslation();
  const { dose, timesPerDay, durationDays } = of.form.watch(`items.${index}`);
  const units = usualQuantity({
    ...{ dose: numberIn(dose, locale()), timesPerDay: Number(timesPerDay), durationDays: Number(durationDays) },
  });
  const number = { of, inputMode: 'decimal', autoComplete: 'off', w: '7.5rem', required: true } as const;
  return (
    <Stack gap="xs" component="section" aria-label={item.label}>
      <Group justify="space-between">
        <Text fw={600} size="sm">
          <bdi>{item.label}</bdi>
        </Text>
        <Button
          size="compact-sm"
          variant="subtle"
          color="bad"
          leftSection={<IconTrash size={16} aria-hidden />}
          aria-label={t('prescriptions.removeOne', { drug: item.label })}
          onClick={onRemove}
        >
          {t('prescriptions.remove')}
        </Button>
      </Group>
      <Group gap="sm" align="flex-start">
        <Field {...number} name={`items.${index}.dose`} label={t('prescriptions.dose', { unit: item.unit })} />
        <Field {...number} name={`items.${index}.timesPerDay`} label={t('prescriptions.timesPerDay')} placeholder="3" />
        <Field {...number} name={`items.${index}.durationDays`} label={t('prescriptions.forDays')} placeholder="7" />
        <Field
          {...number}
          required={false}
          name={`items.${index}.quantity`}
          label={t('prescriptions.units')}
          placeholder={units > 0 ? String(units) : ''}
        />
        <Field
          of={of}
          name={`items.${index}.instructions`}
          label={t('prescriptions.instructions')}
          placeholder={t('prescriptions.instructionsExample')}
          autoComplete="off"
          style={{ flex: '1 1 14rem' }}
        />
      </Group>
      <Checkbox {...of.form.register(`items.${index}.maySubstitute`)} label={t('prescriptions.maySubstitute')} />
      {children}
    </Stack>
  );
}

interface ReasonProps {
  readonly finding: Finding;
  readonly mayOverride: boolean;
  readonly value: string;
  readonly isWrong: boolean;
  onChange(reason: string): void;
}

function Reason({ finding: { needsReason }, mayOverride, value, isWrong, onChange }: ReasonProps) {
  const { t } = useTranslation();
  if (!needsReason) return null;
  if (!mayOverride) return <Text size="sm">{t('prescriptions.mayNotOverride')}</Text>;
  return (
    <TextInput
      data-reason
      label={t('prescriptions.whyNevertheless')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isWrong ? problemOf('required') : undefined}
      maxLength={NewPrescription.overrides.parts.reason.longest}
      autoComplete="off"
      required
    />
  );
}
