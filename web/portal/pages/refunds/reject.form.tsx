/** Asks why a refund is rejected. */
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import type { Refund } from './refunds.queries.ts';

interface Props {
  readonly refund: Refund;
  onRejected(saved: Refund): void;
  onCancel(): void;
}

export function RejectForm({ refund: { id, version, refundNo }, onRejected, onCancel }: Props) {
  const { t } = useTranslation();
  return (
    <Stack className="hms-panel" p="md">
      <ReasonForm
        label={t('refunds.rejectWhy', { number: refundNo })}
        submitLabel={t('refunds.reject')}
        save={(reason, key) => {
          const params = { path: { id }, header: { 'Idempotency-Key': key } };
          return dataOf(api.POST('/api/payment/refunds/{id}/reject', { params, body: { reason, version } }));
        }}
        onSaved={onRejected}
        onCancel={onCancel}
      />
    </Stack>
  );
}
