/** What is not known of a patient yet, for whoever could ask. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { locale } from '../../../kit/i18n/i18n.ts';
import type { Patient } from './patients.queries.ts';

export function MissingNote({ patient: { unknown } }: { readonly patient: Pick<Patient, 'unknown'> }) {
  const { t } = useTranslation();
  if (unknown.length === 0) return null;
  const names = new Intl.ListFormat(locale(), { type: 'unit' }).format(unknown.map((name) => t(`patients.${name}`)));
  return (
    <Text size="sm" c="warning">
      {t('patients.missing', { names })}
    </Text>
  );
}
