/** Prints the pass of a visitor. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { printPass, type Visitor } from './visitors.queries.ts';

export function PrintButton({ visitor }: { readonly visitor: Visitor }) {
  const { t } = useTranslation();
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={t('visitors.printOf', { name: visitor.name })}
      onClick={() => void printPass(async () => visitor)}
    >
      {t('visitors.print')}
    </Button>
  );
}
