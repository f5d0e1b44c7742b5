/** The invoices of a patient. */
import { Button } from '@mantine/core';
import { IconFileInvoice } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Deposits } from './deposits.tsx';
import { useInvoiceColumns } from './invoice-columns.tsx';
import { invoiceKeys, readInvoices } from './invoices.queries.ts';
import { useNewInvoice } from './new-invoice.ts';

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  onPage(page: number | undefined): void;
}

export function PatientInvoices({ id, page, onPage }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, write } = useNewInvoice();
  const columns = useInvoiceColumns();
  useChanges('/api/payment/invoices/changes', invoiceKeys.all);
  const search = { page, patientId: id };
  return (
    <>
      <ErrorPanel error={error} />
      <Can operation="listDeposits">
        <Deposits patientId={id} />
      </Can>
      <ListPage
        isPart
        title={t('patients.tab.invoices')}
        search={{ page, q: undefined, sort: undefined }}
        onSearch={(changes) => onPage(changes.page)}
        queryKey={invoiceKeys.list(search)}
        read={(signal) => readInvoices(search, signal)}
        rowKey={(invoice) => invoice.id}
        empty={t('invoices.empty')}
        filters={
          <Can operation="createInvoice">
            <Button
              leftSection={<IconFileInvoice size={16} aria-hidden />}
              loading={isBusy}
              onClick={() => void write(id)}
            >
              {t('invoices.new')}
            </Button>
          </Can>
        }
        columns={columns.filter(({ key }) => key !== 'patient')}
      />
    </>
  );
}
