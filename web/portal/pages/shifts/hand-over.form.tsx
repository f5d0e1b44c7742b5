/** Offers cash of the own drawer to somebody else's, or to the safe. */
import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { openShiftsQuery, type Shift } from './shifts.queries.ts';

interface Props {
  readonly shift: Shift;
  onOffered(): void;
  onCancel(): void;
}

export function HandOverForm({ shift, onOffered, onCancel }: Props) {
  const { t } = useTranslation();
  const others = useQuery(openShiftsQuery);
  const { isBusy, error, run } = useRun();
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('');
  const isAmount = /^\d{1,15}$/.test(amount) && Number(amount) > 0;
  const submit = (event: FormEvent) => {
    if (!isAmount) return event.preventDefault();
    return run(async () => {
      const body = { amount: Number(amount), ...(to === '' ? {} : { toShiftId: to }) };
      const params = { path: { id: shift.id } };
      await dataOf(api.POST('/api/payment/reconciliation/{id}/transfers', { params, body }));
      onOffered();
    })(event);
  };
  const choices = (others.data ?? []).filter(({ id }) => id !== shift.id);
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('shifts.handOver')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <Group gap="md" align="flex-start">
          <MoneyInput
            label={t('invoices.amount')}
            value={amount}
            autoFocus
            onChange={setAmount}
            error={amount === '' || isAmount ? undefined : t('form.problem.money')}
          />
          <NativeSelect
            label={t('shifts.to')}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            data={[
              { value: '', label: t('shifts.safe') },
              ...choices.map(({ id, counter, cashierName }) => ({
                value: id,
                label: [cashierName, counter].filter(Boolean).join(' · '),
              })),
            ]}
          />
        </Group>
        <ErrorPanel error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={!isAmount}>
            {t('shifts.offer')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('form.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
