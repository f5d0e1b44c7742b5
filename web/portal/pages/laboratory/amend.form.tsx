/** A verified result is amended: the old version stays, with the reason. */
import { Group, NativeSelect, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Field, FormBody, problemOf, useRecordForm } from '../../../kit/forms/record-form.tsx';
import type { LabItem, LabOrder, LabResult } from './laboratory.queries.ts';
import { refusalOf } from './refusals.ts';

const optional = z.string().check(z.trim(), z.maxLength(500, 'tooLong'));
const text = optional.check(z.minLength(1, 'required'));
const amendFields = z.object({ value: text, note: optional, reason: text });

interface Props {
  readonly order: LabOrder;
  readonly item: LabItem;
  readonly result: LabResult;
  onSaved(order: LabOrder): void;
  onCancel(): void;
}

export function AmendForm({ order: { id }, item, result, onSaved, onCancel }: Props) {
  const { t } = useTranslation();
  const form = useRecordForm({
    schema: amendFields,
    values: { value: result.value, note: result.note ?? '', reason: '' },
    save: ({ note, ...rest }, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      const body = { ...rest, note: note || null, resultId: result.id };
      return dataOf(api.POST('/api/hms/lab-orders/{id}/amend', { params, body }));
    },
    onSaved,
    wordsFor: refusalOf,
  });
  const label = t('laboratory.amendOne', { test: item.name });
  return (
    <FormBody of={form} label={label} submitLabel={t('laboratory.amend')} onCancel={onCancel}>
      <Text fw={600} size="sm">
        {label}
      </Text>
      <Group gap="sm" align="flex-start">
        {item.options ? (
          <NativeSelect
            {...form.form.register('value')}
            label={t('laboratory.newValue')}
            required
            autoFocus
            data={item.options.map(({ code, name }) => ({ value: code, label: name }))}
            error={problemOf(form.form.formState.errors.value?.message)}
          />
        ) : (
          <Field
            of={form}
            name="value"
            label={item.unit === null ? t('laboratory.newValue') : `${t('laboratory.newValue')} (${item.unit})`}
            inputMode={item.valueType === 'numeric' ? 'decimal' : 'text'}
            required
            autoFocus
            autoComplete="off"
          />
        )}
        <Field of={form} name="note" label={t('laboratory.note')} autoComplete="off" style={{ flex: '1 1 12rem' }} />
        <Field
          of={form}
          name="reason"
          label={t('laboratory.reason')}
          description={t('laboratory.onReport')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="off"
          style={{ flex: '1 1 16rem' }}
        />
      </Group>
    </FormBody>
  );
}
