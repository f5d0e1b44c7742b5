/** The state of an invoice, in words and color. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Invoice } from './invoices.queries.ts';

const COLORS = {
  draft: '#495057',
  issued: '#8a3a00',
  partially_paid: '#8a3a00',
  paid: '#1d6b2f',
  void: '#495057',
} as const;

export function InvoiceBadge({ status }: Pick<Invoice, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`invoices.statuses.${status}`)}
    </Badge>
  );
}
