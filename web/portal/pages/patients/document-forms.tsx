/** Changes what a document is called, and withdraws it. */
import { NewDocument } from '@hms/api-client/limits/NewDocument';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { EditForm } from '../../../kit/forms/edit-form.tsx';
import { textIn } from '../../../kit/forms/limits.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { Field } from '../../../kit/forms/record-form.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { nameOf, PAPER_KINDS } from './document-kinds.ts';
import { type Document, type DocumentKind, readDocuments } from './patients.queries.ts';

const fields = z.object({ kind: z.string(), title: textIn(NewDocument.title) });
const valuesOf = ({ kind, title }: Schemas['Document']) => ({ kind: kind as string, title: title ?? '' });
const bodyOf = ({ kind, title }: z.output<typeof fields>) => ({
  kind: kind as (typeof PAPER_KINDS)[number],
  title: title === '' ? null : title,
});

interface Props {
  readonly patientId: string;
  readonly document: Document;
  onSaved(): void;
  onClose(): void;
}

export function DocumentEdit({ patientId, document, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const { id } = document;
  const path = { id: patientId, docId: id };
  const isPaper = (PAPER_KINDS as readonly DocumentKind[]).includes(document.kind);
  return (
    <Dialog title={t('documents.editOf', { name: nameOf(document) })} onClose={onClose}>
      <EditForm<Schemas['Document'], z.output<typeof fields>, ReturnType<typeof bodyOf>>
        item={document}
        schema={fields}
        label={t('documents.edit')}
        valuesOf={valuesOf}
        bodyOf={bodyOf}
        labelOf={(name) => t(name === 'kind' ? 'documents.kind' : 'documents.title')}
        save={(body) => dataOf(api.PUT('/api/hms/patients/{id}/documents/{docId}', { params: { path }, body }))}
        read={async () => {
          const all = await readDocuments(patientId, undefined);
          return all.find((one) => one.id === id) ?? document;
        }}
        onSaved={onSaved}
        onCancel={onClose}
        fields={(form) => (
          <>
            {isPaper && (
              <NativeSelect
                label={t('documents.kind')}
                data={PAPER_KINDS.map((value) => ({ value, label: t(`documents.kinds.${value}`) }))}
                {...form.form.register('kind')}
              />
            )}
            <Field of={form} name="title" label={t('documents.title')} autoComplete="off" data-autofocus />
          </>
        )}
      />
    </Dialog>
  );
}

export function DocumentWithdrawal({ patientId, document, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const { id, version } = document;
  return (
    <Dialog title={t('documents.withdrawOf', { name: nameOf(document) })} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">{t('documents.withdrawHow')}</Text>
        <ReasonForm
          label={t('documents.whyWithdraw')}
          submitLabel={t('documents.withdraw')}
          least={3}
          save={(reason, key) => {
            const params = { path: { id: patientId, docId: id }, header: { 'Idempotency-Key': key } };
            const body = { reason, version };
            return dataOf(api.POST('/api/hms/patients/{id}/documents/{docId}/withdraw', { params, body }));
          }}
          onSaved={onSaved}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  );
}
