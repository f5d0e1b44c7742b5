/** The steps of a batch, each with its form. */
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Field, FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import type { Batch } from './stock.queries.ts';

const STEPS = ['receive', 'transfer', 'adjust', 'discard', 'quarantine', 'release', 'recall'] as const;
export type Step = (typeof STEPS)[number];

/** What the state of a batch allows. */
export function stepsOf({ status, onHand, returnedFromId }: Batch): readonly Step[] {
  const isReturned = returnedFromId !== null;
  const allowed: Readonly<Record<Step, boolean>> = {
    receive: status !== 'recalled' && !isReturned,
    adjust: status !== 'recalled' && !isReturned,
    transfer: status !== 'recalled' && !isReturned && onHand > 0,
    discard: onHand > 0,
    quarantine: status === 'active',
    release: status === 'quarantined' && (!isReturned || onHand > 0),
    recall: status !== 'recalled',
  };
  return STEPS.filter((step) => allowed[step]);
}

const withQuantity = (step: Step) => ['receive', 'transfer', 'adjust', 'discard'].includes(step);
/** A delivery is what it says. */
const needsReason = (step: Step) => step !== 'receive' && step !== 'transfer';

const fieldsOf = (step: Step) => {
  const pattern = step === 'adjust' ? /^[+−-]?[1-9]\d{0,8}$/ : /^[1-9]\d{0,8}$/;
  const isQuantity = (value: string) => !withQuantity(step) || pattern.test(value);
  const isReason = (value: string) => !needsReason(step) || value !== '';
  const isLocation = (value: string) => step !== 'transfer' || value !== '';
  return z.object({
    location: z.string().check(z.trim(), z.maxLength(40, 'tooLong'), z.refine(isLocation, 'required')),
    quantity: z.string().check(z.trim(), z.refine(isQuantity, step === 'adjust' ? 'change' : 'units')),
    reason: z.string().check(z.trim(), z.maxLength(200, 'tooLong'), z.refine(isReason, 'required')),
  });
};

interface Props {
  readonly step: Step;
  readonly batch: Batch;
  /** @param id of the batch that has the units now. */
  onDone(id?: string): void;
  onCancel(): void;
}

export function StepForm({ step, batch, onDone, onCancel }: Props) {
  const { t } = useTranslation();
  const { id, version, unit, onHand } = batch;
  const form = useRecordForm({
    schema: fieldsOf(step),
    values: { location: '', quantity: '', reason: '' },
    save: async ({ location, quantity, reason }, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      const units = Number(quantity.replace('−', '-'));
      if (step === 'recall') {
        await dataOf(api.POST('/api/hms/stock-batches/{id}/recall', { params, body: { reason, version } }));
        return { id };
      }
      if (step === 'quarantine' || step === 'release')
        return dataOf(api.POST(`/api/hms/stock-batches/{id}/${step}`, { params, body: { reason, version } }));
      const body = { quantity: units, version, ...(reason === '' ? {} : { reason }) };
      if (step === 'transfer')
        return dataOf(api.POST('/api/hms/stock-batches/{id}/transfer', { params, body: { ...body, location } }));
      if (step === 'receive') return dataOf(api.POST('/api/hms/stock-batches/{id}/receive', { params, body }));
      return dataOf(api.POST(`/api/hms/stock-batches/{id}/${step}`, { params, body: { ...body, reason } }));
    },
    onSaved: (after) => onDone(after.id),
  });
  const hasQuantity = withQuantity(step);
  const title = t(`stock.step.${step}`);
  return (
    <FormBody of={form} label={title} submitLabel={title} onCancel={onCancel}>
      <Text size="sm">{t(`stock.stepHow.${step}`, { count: onHand, unit })}</Text>
      <Group gap="sm" align="flex-start">
        {hasQuantity && (
          <Field
            of={form}
            name="quantity"
            label={t(step === 'adjust' ? 'stock.change' : 'stock.quantityOf', { unit })}
            placeholder={step === 'adjust' ? '-2' : ''}
            inputMode={step === 'adjust' ? 'text' : 'numeric'}
            autoComplete="off"
            dir="ltr"
            required
            autoFocus
          />
        )}
        {step === 'transfer' && <Field of={form} name="location" label={t('stock.toLocation')} required />}
        <Field
          of={form}
          name="reason"
          label={t('stock.reason')}
          required={needsReason(step)}
          autoFocus={!hasQuantity}
          autoComplete="off"
          style={{ flex: '1 1 14rem', maxWidth: '28rem' }}
        />
      </Group>
    </FormBody>
  );
}
