/** A doctor says that critical results were seen. */
import { Button, Stack } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { LabOrder } from './laboratory.queries.ts';
import { useShowOrder } from './use-order.ts';

export function Acknowledge({ order: { id, orderNo, items } }: { readonly order: LabOrder }) {
  const { t } = useTranslation();
  const show = useShowOrder();
  const { isBusy, error, run } = useRun();
  const resultIds = items.flatMap(({ result }) => (result?.isCritical && !result.acknowledgedAt ? result.id : []));
  if (resultIds.length === 0) return null;
  const acknowledge = run(async () =>
    show(
      await dataOf(api.POST('/api/hms/lab-orders/{id}/acknowledge', { params: { path: { id } }, body: { resultIds } })),
    ),
  );
  return (
    <Can operation="acknowledgeLabResults">
      <Stack gap="xs" align="flex-start">
        <Button
          size="compact-md"
          loading={isBusy}
          leftSection={<IconCheck size={16} aria-hidden />}
          aria-label={t('laboratory.acknowledgeOf', { order: orderNo })}
          onClick={acknowledge}
        >
          {t('laboratory.acknowledge')}
        </Button>
        <ErrorPanel error={error} />
      </Stack>
    </Can>
  );
}
