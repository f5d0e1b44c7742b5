/** Another prescription with the drugs of an earlier one. */
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconRepeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../kit/forms/numbers.ts';
import { locale } from '../../../kit/i18n/i18n.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { itemLabel, usualQuantity } from './prescription-parts.tsx';
import type { Prescription } from './prescriptions.queries.ts';

/** Opens the form with the same drugs, for the patient whose record is open. */
export function RepeatLink({ of, patientId }: { readonly of: Prescription; readonly patientId: string }) {
  const { t } = useTranslation();
  return (
    <Can operation="createPrescription">
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconRepeat size={16} aria-hidden />}
        aria-label={t('prescriptions.repeatOne', { rxNo: of.rxNo })}
        renderRoot={(props) => (
          <Link to="/prescriptions/new" search={{ patient: patientId, repeat: of.id }} {...props} />
        )}
      >
        {t('prescriptions.repeat')}
      </Button>
    </Can>
  );
}

/**
 * What the form begins with: everything but the last day and the weight, which are of that time, and the reasons for
 * accepted warnings, which a doctor has to think about again. Drugs that may not be prescribed any more are left out.
 */
export function valuesOf({ items, notes }: Pick<Prescription, 'items' | 'notes'>) {
  return {
    items: items.filter(({ drugStatus }) => drugStatus === 'active').map(repeated),
    validUntil: '',
    notes: notes ?? '',
  };
}

function repeated(item: Prescription['items'][number]) {
  const { drugId, unit, dose, timesPerDay, durationDays, quantity, instructions, maySubstitute, isByWeight } = item;
  return {
    ...{ drugId, label: itemLabel(item), unit, dose: numberText(dose, locale()) },
    ...{ timesPerDay: String(timesPerDay), durationDays: String(durationDays) },
    quantity: quantity === usualQuantity(item) ? '' : String(quantity),
    ...{ instructions: instructions ?? '', maySubstitute, isByWeight },
  };
}

/** Which prescription is repeated, and what of it is left out. */
export function Repeated({ of: { rxNo, items } }: { readonly of: Prescription }) {
  const { t } = useTranslation();
  const left = items.filter(({ drugStatus }) => drugStatus !== 'active').map(itemLabel);
  return (
    <>
      <Text size="sm">{t('prescriptions.repeats', { rxNo })}</Text>
      {left.length > 0 && (
        <Alert role="status" color="warning" variant="outline" icon={<IconAlertTriangle aria-hidden />} py="xs">
          {t('prescriptions.leftOut', { drugs: left.join(t('prescriptions.comma')) })}
        </Alert>
      )}
    </>
  );
}
