/** How invoices are shown in lists. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../kit/lists/data-table.tsx';
import { Amount } from '../../../kit/money/money.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import type { Invoice } from './invoices.queries.ts';
import { InvoiceBadge } from './status-badge.tsx';

export function useInvoiceColumns(): readonly Column<Invoice>[] {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  return [
    {
      key: 'invoiceNo',
      title: t('invoices.number'),
      render: ({ id, invoiceNo }) => (
        <Anchor
          size="sm"
          fw={500}
          className="hms-number"
          renderRoot={(props) => <Link to="/invoices/$id" params={{ id }} {...props} />}
        >
          {invoiceNo ?? t('invoices.statuses.draft')}
        </Anchor>
      ),
    },
    {
      key: 'patient',
      title: t('invoices.patient'),
      render: ({ patientName, patientCode }) => (
        <>
          <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
        </>
      ),
    },
    { key: 'total', title: t('invoices.total'), render: ({ total }) => <Amount of={total} /> },
    { key: 'balance', title: t('invoices.balance'), render: ({ balance }) => <Amount of={balance} /> },
    { key: 'status', title: t('invoices.status'), render: ({ status }) => <InvoiceBadge status={status} /> },
    {
      key: 'issuedAt',
      title: t('invoices.issued'),
      sortable: true,
      render: ({ issuedAt }) => (issuedAt === null ? '–' : showMoment(issuedAt, zone)),
    },
  ];
}
