/** The weight of the patient. It is asked for as soon as a drug with a dose by weight is chosen, and counts only then. */
import { NewPrescription } from '@hms/api-client/limits/NewPrescription';
import { Group } from '@mantine/core';
import type { FieldValues, Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { numberIn } from '../../../kit/forms/numbers.ts';
import { Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { locale } from '../../../kit/i18n/i18n.ts';
import { sessionState } from '../../../kit/session/session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { isDay } from '../../../kit/time/typed-day.ts';

const { least, most } = NewPrescription.weightKg;

interface Weighing {
  /** As typed. */
  readonly weightKg: string;
  readonly weighedOn: string;
  readonly items: readonly { readonly isByWeight: boolean }[];
}

export const weightShape = { weightKg: z.string().check(z.trim()), weighedOn: z.string() };

/** Of a new prescription. */
export function noWeight(): Pick<Weighing, 'weightKg' | 'weighedOn'> {
  return { weightKg: '', weighedOn: today() };
}

/** What is wrong with a weight. None is right too: the checks ask for it. */
export const weightRules = [
  z.refine<Weighing>((values) => !isGiven(values) || isWeight(values.weightKg), {
    path: ['weightKg'],
    error: 'weight',
  }),
  z.refine<Weighing>((values) => !isGiven(values) || isPast(values.weighedOn), {
    path: ['weighedOn'],
    error: 'weighedOn',
  }),
] as const;

/** As it is sent: nothing while it is not needed, not written, or wrong. */
export function weightIn(values: Weighing): { readonly weightKg?: number; readonly weighedOn?: string } {
  const { weightKg, weighedOn } = values;
  if (!isGiven(values) || !isWeight(weightKg) || !isPast(weighedOn)) return {};
  return { weightKg: numberIn(weightKg, locale()), weighedOn };
}

function isNeeded({ items }: Pick<Weighing, 'items'>): boolean {
  return items.some(({ isByWeight }) => isByWeight);
}

function isGiven(values: Weighing): boolean {
  return isNeeded(values) && values.weightKg.trim() !== '';
}

function isWeight(text: string): boolean {
  const kilograms = numberIn(text, locale());
  return kilograms >= least && kilograms <= most && Number(kilograms.toFixed(2)) === kilograms;
}

function isPast(day: string): boolean {
  return isDay(day) && day <= today();
}

/** In the calendar of the hospital. */
function today(): string {
  const session = sessionState();
  return todayIn('person' in session ? session.person.hospital?.timezone : undefined);
}

export function WeightFields<Values extends Weighing & FieldValues>({ of }: { readonly of: RecordForm<Values> }) {
  const { t } = useTranslation();
  if (!isNeeded(of.form.watch())) return null;
  const names = ['weightKg', 'weighedOn'] as Path<Values>[];
  return (
    <Group
      gap="sm"
      align="flex-start"
      // A wrong weight counts as a missing one, so whoever leaves the field is told.
      onBlur={() => void of.form.trigger(names)}
      onChange={() => of.form.clearErrors(names)}
    >
      <Field
        of={of}
        name={'weightKg' as Path<Values>}
        label={t('prescriptions.weightKg')}
        description={t('prescriptions.weightHow')}
        placeholder="12.4"
        inputMode="decimal"
        autoComplete="off"
        w="14rem"
      />
      <DayField
        of={of}
        name={'weighedOn' as Path<Values>}
        label={t('prescriptions.weighedOn')}
        description={t('prescriptions.weighedOnHow')}
        max={today()}
        w="14rem"
      />
    </Group>
  );
}
