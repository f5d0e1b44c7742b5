/** Tests without a result are cancelled, with a reason: one of them, or all of the order. */
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import type { LabItem, LabOrder } from './laboratory.queries.ts';

interface Props {
  readonly order: Pick<LabOrder, 'id'>;
  /** Without one, all tests are cancelled. */
  readonly item?: LabItem;
  onSaved(order: LabOrder): void;
  onCancel(): void;
}

export function CancelForm({ order: { id }, item, onSaved, onCancel }: Props) {
  const { t } = useTranslation();
  return (
    <ReasonForm
      label={item ? t('laboratory.whyCancelledOne', { test: item.name }) : t('laboratory.whyCancelled')}
      submitLabel={item ? t('laboratory.cancelTest') : t('laboratory.cancel')}
      save={(reason, key) => {
        const params = { path: { id }, header: { 'Idempotency-Key': key } };
        const body = { reason, ...(item ? { itemIds: [item.id] } : {}) };
        return dataOf(api.POST('/api/hms/lab-orders/{id}/cancel', { params, body }));
      }}
      onSaved={onSaved}
      onCancel={onCancel}
    />
  );
}
