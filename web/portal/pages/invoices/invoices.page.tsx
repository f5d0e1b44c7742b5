/** All invoices. */
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useInvoiceColumns } from './invoice-columns.tsx';
import { invoiceKeys, readInvoices } from './invoices.queries.ts';

const route = getRouteApi('/invoices');

export function InvoicesPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useInvoiceColumns();
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes });
  useChanges('/api/payment/invoices/changes', invoiceKeys.all);
  return (
    <ListPage
      title={t('menu.invoices')}
      search={search}
      onSearch={change}
      queryKey={invoiceKeys.list(search)}
      read={(signal) => readInvoices(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('invoices.search')}
      empty={t('invoices.empty')}
      action={
        <Can operation="createInvoice">
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/invoices/new" {...props} />}
          >
            {t('invoices.new')}
          </Button>
        </Can>
      }
      filters={
        <FilterCheckbox
          label={t('invoices.onlyOpen')}
          checked={search.open === true}
          onChange={(open) => change({ open })}
        />
      }
      columns={columns}
    />
  );
}
