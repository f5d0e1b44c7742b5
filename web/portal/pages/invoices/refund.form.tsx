/** Requests that lines of an invoice are cancelled, or that a wrong payment goes back. Somebody else approves it. */
import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Amount } from '../../../kit/money/money.tsx';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { LineName } from './benefit.tsx';
import type { Invoice } from './invoices.queries.ts';

interface Props {
  readonly invoice: Invoice;
  onRequested(refund: Schemas['ShownRefund']): void;
  onCancel(): void;
}

const METHODS = ['CASH', 'CARD', 'TRANSFER', 'MOBILE', 'ADVANCE'] as const;
type Method = (typeof METHODS)[number];
const AMOUNT = /^\d{1,15}$/;

export function RefundForm({ invoice, onRequested, onCancel }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const key = useRef(crypto.randomUUID());
  // What is cancelled, by line: an amount as it was typed.
  const [cancelled, setCancelled] = useState<Readonly<Record<string, string>>>({});
  const [isWrong, setWrong] = useState(false);
  const [method, setMethod] = useState<Method | ''>('');
  const [reason, setReason] = useState('');
  const { id, version, lines, paid, refunded } = invoice;
  const left = lines.filter(({ total, credited }) => total > credited);
  const chosen = left.filter((line) => cancelled[line.id] !== undefined);
  const isAmount = ({ id: of, total, credited }: (typeof lines)[number]) => {
    const text = cancelled[of] ?? '';
    return AMOUNT.test(text) && Number(text) > 0 && Number(text) <= total - credited;
  };
  const isRight = reason.trim() !== '' && (isWrong || (chosen.length > 0 && chosen.every(isAmount)));
  const submit = (event: FormEvent) => {
    if (!isRight) return event.preventDefault();
    return run(async () => {
      const body = {
        ...{ reason: reason.trim(), version },
        ...(method === '' ? {} : { method }),
        ...(isWrong ? {} : { lines: chosen.map((line) => ({ lineId: line.id, amount: Number(cancelled[line.id]) })) }),
      };
      const params = { path: { id }, header: { 'Idempotency-Key': key.current } };
      try {
        onRequested(await dataOf(api.POST('/api/payment/invoices/{id}/refunds', { params, body })));
      } catch (problem) {
        key.current = crypto.randomUUID();
        throw problem;
      }
    })(event);
  };
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('invoices.refund.title')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <div>
          <Text fw={600}>{t('invoices.refund.title')}</Text>
          <Text size="sm">{t('invoices.refund.how')}</Text>
        </div>
        {!isWrong && (
          <DataTable
            label={t('invoices.lines')}
            rows={left}
            rowKey={(line) => line.id}
            columns={[
              {
                key: 'description',
                title: t('invoices.description'),
                render: (line) => (
                  <Group gap="sm" wrap="nowrap">
                    <Checkbox
                      aria-label={t('invoices.refund.cancel', { line: line.description })}
                      checked={cancelled[line.id] !== undefined}
                      onChange={({ currentTarget }) => {
                        const { [line.id]: _, ...others } = cancelled;
                        setCancelled(
                          currentTarget.checked ? { ...others, [line.id]: String(line.total - line.credited) } : others,
                        );
                      }}
                    />
                    <LineName line={line} />
                  </Group>
                ),
              },
              {
                key: 'left',
                title: t('invoices.refund.left'),
                render: ({ total, credited }) => <Amount of={total - credited} />,
              },
              {
                key: 'cancelled',
                title: t('invoices.refund.cancelled'),
                render: (line) =>
                  cancelled[line.id] === undefined ? (
                    '–'
                  ) : (
                    <MoneyInput
                      aria-label={t('invoices.ofLine', {
                        name: t('invoices.refund.cancelled'),
                        line: line.description,
                      })}
                      w="8rem"
                      value={cancelled[line.id] ?? ''}
                      onChange={(text) => setCancelled({ ...cancelled, [line.id]: text })}
                      error={isAmount(line) ? undefined : t('form.problem.money')}
                    />
                  ),
              },
            ]}
          />
        )}
        {paid > refunded && (
          <Checkbox
            label={t('invoices.refund.wrongPayment')}
            checked={isWrong}
            onChange={({ currentTarget }) => setWrong(currentTarget.checked)}
          />
        )}
        <Group gap="md" align="flex-start">
          <TextInput
            label={t('invoices.refund.reason')}
            value={reason}
            maxLength={200}
            required
            autoComplete="off"
            style={{ flexGrow: 1, maxWidth: '28rem' }}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          {paid > refunded && (
            <NativeSelect
              label={t('invoices.refund.method')}
              value={method}
              onChange={({ currentTarget }) => setMethod(METHODS.find((one) => one === currentTarget.value) ?? '')}
              data={[
                { value: '', label: t('invoices.refund.asPaid') },
                ...METHODS.map((value) => ({ value, label: t(`invoices.methods.${value}`) })),
              ]}
            />
          )}
        </Group>
        <ErrorPanel error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={!isRight}>
            {t('invoices.refund.submit')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('form.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
