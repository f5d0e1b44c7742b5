/** Until when a pass holds. */
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import type { Visitor } from './visitors.queries.ts';

const endFields = z.object({ validTo: z.iso.date('day') });

interface Props {
  readonly visitor: Visitor;
  onSaved(visitor: Visitor): void;
  onCancel(): void;
}

export function EndForm({ visitor: { id, name, version }, onSaved, onCancel }: Props) {
  const { t } = useTranslation();
  const today = todayIn(usePerson().hospital?.timezone);
  const label = t('visitors.endOf', { name });
  const form = useRecordForm({
    schema: endFields,
    values: { validTo: today },
    save: ({ validTo }) =>
      dataOf(api.PUT('/api/crm/visitors/{id}', { params: { path: { id } }, body: { validTo, version } })),
    onSaved,
  });
  return (
    <FormBody of={form} label={label} submitLabel={t('form.save')} onCancel={onCancel}>
      <DayField of={form} name="validTo" label={t('visitors.validTo')} autoFocus maw="16rem" min={today} />
    </FormBody>
  );
}
