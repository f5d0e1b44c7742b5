/** What a patient has paid ahead: taking it, and giving back what is left. */
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { depositsQuery, invoiceKeys } from './invoices.queries.ts';

type Deposit = Schemas['ShownDeposit'];
type Received = Schemas['ReceivedDeposit'];
const METHODS = ['CASH', 'CARD', 'TRANSFER', 'MOBILE'] as const;

export function Deposits({ patientId }: { readonly patientId: string }) {
  const { t } = useTranslation();
  const money = useMoney();
  const queries = useQueryClient();
  const found = useQuery(depositsQuery(patientId));
  const [isTaking, setTaking] = useState(false);
  const [taken, setTaken] = useState<Received>();
  const [back, setBack] = useState<Deposit>();
  const print = useRun();
  const changed = () => void queries.invalidateQueries({ queryKey: [invoiceKeys.all] });
  const deposits = found.data ?? [];
  return (
    <Stack gap="sm" component="section" aria-label={t('invoices.deposit.title')}>
      <ErrorPanel error={found.error ?? print.error} />
      {taken && (
        <Alert color="good" variant="outline">
          <Group justify="space-between">
            <Text fw={600}>
              {t('invoices.deposit.taken', { amount: money.show(taken.amount), receipt: taken.receiptNo })}
            </Text>
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} aria-hidden />}
              onClick={print.run(() => openPdf(async () => `/api/payment/receipts/${taken.id}/pdf`))}
            >
              {t('invoices.print')}
            </Button>
          </Group>
        </Alert>
      )}
      {isTaking ? (
        <TakeForm
          patientId={patientId}
          onTaken={(received) => {
            setTaking(false);
            setTaken(received);
            changed();
          }}
          onCancel={() => setTaking(false)}
        />
      ) : (
        <Can operation="receiveDeposit">
          <Group>
            <Button variant="default" onClick={() => setTaking(true)}>
              {t('invoices.deposit.take')}
            </Button>
          </Group>
        </Can>
      )}
      {back && (
        <Stack className="hms-panel" p="md">
          <ReasonForm
            label={t('invoices.deposit.backWhy', { amount: money.show(back.balance) })}
            submitLabel={t('invoices.deposit.back')}
            save={(reason, key) => {
              const { id, version } = back;
              const params = { path: { id }, header: { 'Idempotency-Key': key } };
              return dataOf(api.POST('/api/payment/deposits/{id}/refunds', { params, body: { reason, version } }));
            }}
            onSaved={() => {
              setBack(undefined);
              changed();
            }}
            onCancel={() => setBack(undefined)}
          />
        </Stack>
      )}
      {deposits.length > 0 && (
        <div className="hms-panel">
          <DataTable
            label={t('invoices.deposit.title')}
            rows={deposits}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'depositNo',
                title: t('invoices.deposit.number'),
                render: ({ depositNo, note }) => (
                  <>
                    <span className="hms-number">{depositNo}</span> {note && <bdi>{note}</bdi>}
                  </>
                ),
              },
              {
                key: 'received',
                title: t('invoices.deposit.received'),
                render: ({ received }) => <Amount of={received} />,
              },
              { key: 'used', title: t('invoices.deposit.used'), render: ({ used }) => <Amount of={used} /> },
              {
                key: 'returned',
                title: t('invoices.deposit.returned'),
                render: ({ returned }) => <Amount of={returned} />,
              },
              { key: 'balance', title: t('invoices.deposit.left'), render: ({ balance }) => <Amount of={balance} /> },
              {
                key: 'actions',
                title: t('list.actions'),
                render: (deposit) =>
                  deposit.balance > 0 && (
                    <Can operation="requestDepositReturn">
                      <Button size="compact-sm" variant="default" onClick={() => setBack(deposit)}>
                        {t('invoices.deposit.back')}
                      </Button>
                    </Can>
                  ),
              },
            ]}
          />
        </div>
      )}
    </Stack>
  );
}

interface TakeProps {
  readonly patientId: string;
  onTaken(received: Received): void;
  onCancel(): void;
}

function TakeForm({ patientId, onTaken, onCancel }: TakeProps) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const key = useRef(crypto.randomUUID());
  const [amount, setAmount] = useState('');
  const [method, setMethod] = useState<(typeof METHODS)[number]>('CASH');
  const [note, setNote] = useState('');
  const isAmount = /^\d{1,15}$/.test(amount) && Number(amount) > 0;
  const submit = (event: FormEvent) => {
    if (!isAmount) return event.preventDefault();
    return run(async () => {
      const body = { patientId, amount: Number(amount), method, ...(note.trim() ? { note: note.trim() } : {}) };
      const params = { header: { 'Idempotency-Key': key.current } };
      onTaken(await dataOf(api.POST('/api/payment/deposits', { params, body })));
    })(event);
  };
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('invoices.deposit.take')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <Group gap="md" align="flex-start">
          <MoneyInput
            label={t('invoices.deposit.amount')}
            value={amount}
            autoFocus
            onChange={setAmount}
            error={amount === '' || isAmount ? undefined : t('form.problem.money')}
          />
          <NativeSelect
            label={t('invoices.method')}
            value={method}
            onChange={({ currentTarget }) => setMethod(METHODS.find((one) => one === currentTarget.value) ?? 'CASH')}
            data={METHODS.map((value) => ({ value, label: t(`invoices.methods.${value}`) }))}
          />
          <TextInput
            label={t('invoices.deposit.note')}
            value={note}
            maxLength={200}
            autoComplete="off"
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </Group>
        <ErrorPanel error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={!isAmount}>
            {t('invoices.deposit.take')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('form.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
