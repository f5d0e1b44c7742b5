/** The documents of a patient. Files go to the storage directly, with an address that ends soon. */
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileText, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { downloadDocument, uploadDocument, waitForDocument } from './patient-files.ts';
import { documentsQuery, type Patient, patientKeys } from './patients.queries.ts';

type Document = Schemas['Document'];

export function PatientDocuments({ patient: { id } }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const queries = useQueryClient();
  const list = useQuery(documentsQuery(id));
  const { isBusy, error, run } = useRun();
  const changed = () => queries.invalidateQueries({ queryKey: patientKeys.documents(id) });
  const upload = (file: File | null) => {
    if (file) void run(async () => uploadDocument(id, file).finally(changed))();
  };
  const summary = run(async () => {
    const path = { id };
    const { documentId } = await dataOf(
      api.POST('/api/hms/patients/{id}/summary', {
        params: { path, header: { 'Idempotency-Key': crypto.randomUUID() } },
      }),
    );
    await waitForDocument(id, documentId);
    await changed();
  });
  const remove = ({ id: docId, version }: Document) =>
    run(async () => {
      const params = { path: { id, docId }, query: { version } };
      await dataOf(api.DELETE('/api/hms/patients/{id}/documents/{docId}', { params }));
      await changed();
    });
  const documents = (list.data ?? []).filter(({ status }) => status === 'available');
  return (
    <Stack className="hms-panel" gap={0}>
      <Group p="md" gap="sm">
        <Can operation="createPatientDocument">
          <FileButton onChange={upload} accept="application/pdf,image/jpeg,image/png,image/webp">
            {(props) => (
              <Button {...props} loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
                {t('documents.upload')}
              </Button>
            )}
          </FileButton>
        </Can>
        <Can operation="requestPatientSummary">
          <Button
            variant="default"
            loading={isBusy}
            onClick={summary}
            leftSection={<IconFileText size={16} aria-hidden />}
          >
            {t('documents.summary')}
          </Button>
        </Can>
        <Text size="xs" c="dimmed">
          {t('documents.allowed')}
        </Text>
      </Group>
      {(error !== undefined || list.isError) && (
        <Stack p="md">
          <ErrorPanel error={error ?? list.error} />
        </Stack>
      )}
      {list.isSuccess && documents.length === 0 && (
        <Text p="xl" ta="center" c="dimmed">
          {t('documents.empty')}
        </Text>
      )}
      {documents.length > 0 && (
        <DataTable
          label={t('patients.tab.documents')}
          rows={documents}
          rowKey={(document) => document.id}
          columns={[
            { key: 'fileName', title: t('documents.file'), render: ({ fileName }) => <bdi>{fileName}</bdi> },
            { key: 'kind', title: t('documents.kind'), render: ({ kind }) => t(`documents.kinds.${kind}`) },
            {
              key: 'size',
              title: t('documents.size'),
              render: ({ size }) => (
                <span className="hms-number">{t('documents.kilobytes', { count: Math.ceil(size / 1000) })}</span>
              ),
            },
            { key: 'createdAt', title: t('documents.added'), render: ({ createdAt }) => showMoment(createdAt, zone) },
            {
              key: 'actions',
              title: t('list.actions'),
              render: (document) => (
                <Group gap={4}>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    leftSection={<IconDownload size={16} aria-hidden />}
                    aria-label={t('documents.downloadOf', { name: document.fileName })}
                    onClick={run(() => downloadDocument(id, document.id, document.fileName))}
                  >
                    {t('documents.download')}
                  </Button>
                  {may('deletePatientDocument') && (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="red"
                      leftSection={<IconTrash size={16} aria-hidden />}
                      aria-label={t('documents.deleteOf', { name: document.fileName })}
                      onClick={() =>
                        void ask(t('documents.confirm', { name: document.fileName }), t('documents.delete')).then(
                          (isYes) => (isYes ? remove(document)() : undefined),
                        )
                      }
                    >
                      {t('documents.delete')}
                    </Button>
                  )}
                </Group>
              ),
            },
          ]}
        />
      )}
    </Stack>
  );
}
