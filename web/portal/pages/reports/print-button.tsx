/** Prints the page. */
import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

export function PrintButton() {
  const { t } = useTranslation();
  return (
    <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
      {t('reports.print')}
    </Button>
  );
}
