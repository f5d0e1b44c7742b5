/** The state of an invoice, in words and color. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Invoice } from './invoices.queries.ts';

const COLORS = {
  draft: 'quiet',
  issued: 'warning',
  partially_paid: 'warning',
  paid: 'good',
  partially_refunded: 'info',
  refunded: 'quiet',
  void: 'quiet',
} as const;

export function InvoiceBadge({ status }: Pick<Invoice, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`invoices.statuses.${status}`)}
    </Badge>
  );
}
