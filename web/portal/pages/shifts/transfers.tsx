/** Cash that is handed over: to the drawer of somebody else, or to the safe. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Amount } from '../../../kit/money/money.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { currentShiftQuery, type Transfer } from './shifts.queries.ts';

interface Props {
  readonly transfers: readonly Transfer[];
  onDecided(): void;
}

export function Transfers({ transfers, onDecided }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const { id: own } = usePerson();
  const mine = useQuery({ ...currentShiftQuery, enabled: may('readCurrentShift') });
  const { isBusy, error, run } = useRun();
  const decide = ({ id, version }: Transfer, step: 'accept' | 'decline') =>
    run(async () => {
      const params = { path: { id } };
      await dataOf(api.POST(`/api/payment/shift-transfers/{id}/${step}`, { params, body: { version } }));
      onDecided();
    });
  if (transfers.length === 0) return null;
  return (
    <div className="hms-panel">
      <Text fw={600} p="md" pb={0}>
        {t('shifts.transfers')}
      </Text>
      <ErrorPanel error={error} />
      <DataTable
        label={t('shifts.transfers')}
        rows={transfers}
        rowKey={({ id }) => id}
        columns={[
          { key: 'amount', title: t('invoices.amount'), render: ({ amount }) => <Amount of={amount} /> },
          {
            key: 'from',
            title: t('shifts.from'),
            render: ({ fromCashierName, fromShiftNo }) => <bdi>{fromCashierName ?? fromShiftNo}</bdi>,
          },
          {
            key: 'to',
            title: t('shifts.to'),
            render: ({ toShiftNo, toCashierName }) => <bdi>{toCashierName ?? toShiftNo ?? t('shifts.safe')}</bdi>,
          },
          {
            key: 'status',
            title: t('shifts.status'),
            render: ({ status }) => t(`shifts.transferStatuses.${status}`),
          },
          {
            key: 'actions',
            title: t('list.actions'),
            render: (transfer) => {
              if (transfer.status !== 'offered') return null;
              const isOwn = transfer.createdBy === own;
              const isGetter = transfer.toShiftId === null ? may('approveShift') : transfer.toShiftId === mine.data?.id;
              return (
                <Group gap="xs">
                  {isGetter && !isOwn && (
                    <Button size="compact-sm" loading={isBusy} onClick={decide(transfer, 'accept')}>
                      {t('shifts.accept')}
                    </Button>
                  )}
                  {(isGetter || isOwn) && (
                    <Button size="compact-sm" variant="default" onClick={decide(transfer, 'decline')}>
                      {t(isOwn ? 'shifts.takeBack' : 'shifts.decline')}
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
