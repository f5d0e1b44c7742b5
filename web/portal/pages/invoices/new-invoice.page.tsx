/** A new invoice: somebody chooses the patient, and it begins with what the patient has to pay already. */
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { PatientPicker } from '../patients/patient-picker.tsx';
import { useNewInvoice } from './new-invoice.ts';

export function NewInvoicePage() {
  const { t } = useTranslation();
  const { error, write } = useNewInvoice();
  return (
    <Stack gap="md" maw="36rem">
      <PageHead title={t('invoices.new')} />
      <PatientPicker label={t('invoices.patient')} isFirst onPick={({ id }) => void write(id)} />
      <Text size="sm" c="dimmed">
        {t('invoices.newHow')}
      </Text>
      <ErrorPanel error={error} />
    </Stack>
  );
}
