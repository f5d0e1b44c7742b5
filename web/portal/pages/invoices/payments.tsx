/** What was paid of an invoice, with its receipts, and what can be taken back. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Amount } from '../../../kit/money/money.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { currentShiftQuery } from '../shifts/shifts.queries.ts';
import { invoiceKeys, type Payment } from './invoices.queries.ts';

export function Payments({ payments }: { readonly payments: readonly Payment[] }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const may = useMay();
  const queries = useQueryClient();
  const shift = useQuery({ ...currentShiftQuery, enabled: may('voidPayment') });
  const [undoing, setUndoing] = useState<Payment>();
  const { error, run } = useRun();
  return (
    <div className="hms-panel">
      <Text fw={600} p="md" pb={0}>
        {t('invoices.payments')}
      </Text>
      <ErrorPanel error={error} />
      {undoing && (
        <Stack p="md">
          <ReasonForm
            label={t('invoices.undoWhy')}
            submitLabel={t('invoices.undo')}
            save={(reason, key) => {
              const params = { path: { id: undoing.id }, header: { 'Idempotency-Key': key } };
              return dataOf(api.POST('/api/payment/payments/{id}/void', { params, body: { reason } }));
            }}
            onSaved={() => {
              setUndoing(undefined);
              void queries.invalidateQueries({ queryKey: [invoiceKeys.all] });
            }}
            onCancel={() => setUndoing(undefined)}
          />
        </Stack>
      )}
      <DataTable
        label={t('invoices.payments')}
        rows={payments}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'receiptNo',
            title: t('invoices.receipt'),
            render: ({ receiptNo }) => <span className="hms-number">{receiptNo}</span>,
          },
          { key: 'paidAt', title: t('invoices.when'), render: ({ paidAt }) => showMoment(paidAt, zone) },
          {
            key: 'amount',
            title: t('invoices.amount'),
            render: ({ amount, kind, isVoid }) => (
              <>
                <bdi dir="ltr">
                  {kind === 'payment' ? '' : '−'}
                  <Amount of={amount} />
                </bdi>
                {(kind !== 'payment' || isVoid) && (
                  <Text size="xs" c="dimmed">
                    {kind === 'payment' ? t('invoices.isVoid') : t(`invoices.kinds.${kind}`)}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'method',
            title: t('invoices.method'),
            render: ({ parts }) => parts.map(({ method }) => t(`invoices.methods.${method}`)).join(', '),
          },
          {
            key: 'receivedBy',
            title: t('invoices.receivedBy'),
            render: ({ receivedByName }) => <bdi>{receivedByName ?? '–'}</bdi>,
          },
          {
            key: 'actions',
            title: t('list.actions'),
            render: (payment) => {
              const { id, receiptNo } = payment;
              return (
                <Group gap="xs">
                  <Can operation="reprintReceipt">
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconPrinter size={16} aria-hidden />}
                      aria-label={t('invoices.reprintOf', { receipt: receiptNo })}
                      onClick={run(() =>
                        openPdf(async () => {
                          await dataOf(api.POST('/api/payment/receipts/{id}/reprint', { params: { path: { id } } }));
                          return `/api/payment/receipts/${id}/pdf`;
                        }),
                      )}
                    >
                      {t('invoices.reprint')}
                    </Button>
                  </Can>
                  {payment.kind === 'payment' &&
                    !payment.isVoid &&
                    payment.shiftId !== null &&
                    payment.shiftId === shift.data?.id && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('invoices.undoOf', { receipt: receiptNo })}
                        onClick={() => setUndoing(payment)}
                      >
                        {t('invoices.undo')}
                      </Button>
                    )}
                </Group>
              );
            },
          },
        ]}
      />
    </div>
  );
}
