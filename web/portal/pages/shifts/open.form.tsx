/** Opens a shift: where, and with how much in the drawer. The counter is that of the last time on this computer. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { Shift } from './shifts.queries.ts';

const COUNTER = 'hms-counter';

export function OpenForm({ onOpened }: { onOpened(shift: Shift): void }) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const [counter, setCounter] = useState(() => localStorage.getItem(COUNTER) ?? '');
  const [float, setFloat] = useState('');
  const isCounter = counter.trim() !== '';
  const isFloat = float === '' || /^\d{1,15}$/.test(float);
  const submit = (event: FormEvent) => {
    if (!isCounter || !isFloat) return event.preventDefault();
    return run(async () => {
      const body = { counter: counter.trim(), openingFloat: Number(float) };
      const shift = await dataOf(api.POST('/api/payment/reconciliation/open', { body }));
      localStorage.setItem(COUNTER, shift.counter);
      onOpened(shift);
    })(event);
  };
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('shifts.open')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <div>
          <Text fw={600}>{t('shifts.none')}</Text>
          <Text size="sm">{t('shifts.noneHow')}</Text>
        </div>
        <Group gap="md" align="flex-start">
          <TextInput
            label={t('shifts.counter')}
            placeholder={t('shifts.counterHow')}
            value={counter}
            maxLength={40}
            autoComplete="off"
            required
            autoFocus={!isCounter}
            onChange={({ currentTarget }) => setCounter(currentTarget.value)}
          />
          <MoneyInput
            label={t('shifts.float')}
            value={float}
            autoFocus={isCounter}
            onChange={setFloat}
            error={isFloat ? undefined : t('form.problem.money')}
          />
        </Group>
        <ErrorPanel error={error} />
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isCounter || !isFloat}>
            {t('shifts.open')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
