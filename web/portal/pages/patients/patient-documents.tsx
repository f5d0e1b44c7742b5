/** The documents of a patient. Files go to the storage directly, with an address that ends soon. */
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconEye, IconFileText, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { later } from '../../../kit/ui/later.ts';
import { MissingCharacters } from '../../../kit/ui/missing-characters.tsx';
import { ALL_KINDS, nameOf } from './document-kinds.ts';
import { downloadDocument, waitForDocument } from './patient-files.ts';
import { type Document, type DocumentKind, documentsQuery, type Patient, patientKeys } from './patients.queries.ts';

const DocumentPreview = later(() => import('./document-preview.tsx'), 'DocumentPreview');
const DocumentUpload = later(() => import('./document-upload.tsx'), 'DocumentUpload');
const DocumentEdit = later(() => import('./document-forms.tsx'), 'DocumentEdit');
const DocumentWithdrawal = later(() => import('./document-forms.tsx'), 'DocumentWithdrawal');

/** What is over the list. */
type Step =
  | { readonly kind: 'upload'; readonly files: readonly File[] }
  | { readonly kind: 'show' | 'edit' | 'withdraw'; readonly document: Document };

export function PatientDocuments({ patient: { id } }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const [kind, setKind] = useState<DocumentKind>();
  const [step, setStep] = useState<Step>();
  const list = useQuery(documentsQuery(id, kind));
  const { isBusy, error, run } = useRun();
  const changed = () => queries.invalidateQueries({ queryKey: patientKeys.documents(id) });
  const close = () => setStep(undefined);
  const saved = () => {
    close();
    void changed();
  };
  const choose = (files: readonly File[]) => {
    if (files.length > 0) setStep({ kind: 'upload', files });
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
  // Elsewhere, a browser would leave the page and open the file.
  const drop = may('createPatientDocument')
    ? {
        onDragOver: (event: DragEvent) => event.preventDefault(),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          if (!step) choose([...event.dataTransfer.files]);
        },
      }
    : {};
  const documents = (list.data ?? []).filter(({ status }) => status === 'available');
  return (
    <>
      <Stack className="hms-panel" gap={0} {...drop}>
        <Group p="md" gap="sm" align="flex-end">
          <Can operation="createPatientDocument">
            <FileButton multiple onChange={choose} accept="application/pdf,image/jpeg,image/png,image/webp">
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
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
          <FilterSelect<DocumentKind>
            label={t('documents.kind')}
            value={kind}
            data={ALL_KINDS.map((value) => ({ value, label: t(`documents.kinds.${value}`) }))}
            onChange={setKind}
          />
          <Text size="xs" c="dimmed">
            {t('documents.allowed')} {may('createPatientDocument') && t('documents.drop')}
          </Text>
        </Group>
        {(error !== undefined || list.isError) && (
          <Stack p="md">
            <ErrorPanel error={error ?? list.error} />
          </Stack>
        )}
        {list.isSuccess && documents.length === 0 && (
          <Text p="xl" ta="center" c="dimmed">
            {t(kind === undefined ? 'documents.empty' : 'documents.emptyOfKind')}
          </Text>
        )}
        {documents.length > 0 && (
          <DocumentTable
            documents={documents}
            onStep={setStep}
            onDownload={(document) => void run(() => downloadDocument(id, document.id, document.fileName))()}
          />
        )}
      </Stack>
      <Suspense fallback={null}>
        {step?.kind === 'upload' && (
          <DocumentUpload patientId={id} files={step.files} onUploaded={() => void changed()} onClose={close} />
        )}
        {step?.kind === 'show' && <DocumentPreview patientId={id} document={step.document} onClose={close} />}
        {step?.kind === 'edit' && (
          <DocumentEdit patientId={id} document={step.document} onSaved={saved} onClose={close} />
        )}
        {step?.kind === 'withdraw' && (
          <DocumentWithdrawal patientId={id} document={step.document} onSaved={saved} onClose={close} />
        )}
      </Suspense>
    </>
  );
}

interface TableProps {
  readonly documents: readonly Document[];
  onStep(step: Step): void;
  onDownload(document: Document): void;
}

function DocumentTable({ documents, onStep, onDownload }: TableProps) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const actionsOf = (document: Document) => [
    { word: 'show', Icon: IconEye, color: undefined, act: () => onStep({ kind: 'show', document }) } as const,
    { word: 'download', Icon: IconDownload, color: undefined, act: () => onDownload(document) } as const,
    ...(may('changePatientDocument')
      ? [{ word: 'edit', Icon: IconPencil, color: undefined, act: () => onStep({ kind: 'edit', document }) } as const]
      : []),
    ...(may('withdrawPatientDocument') && document.mayWithdraw
      ? [
          {
            word: 'withdraw',
            Icon: IconTrash,
            color: 'bad',
            act: () => onStep({ kind: 'withdraw', document }),
          } as const,
        ]
      : []),
  ];
  return (
    <DataTable
      label={t('patients.tab.documents')}
      rows={documents}
      rowKey={(document) => document.id}
      columns={[
        {
          key: 'fileName',
          title: t('documents.file'),
          render: ({ title, fileName, missingCharacters }) => (
            <>
              {title && (
                <Text size="sm" fw={600}>
                  <bdi>{title}</bdi>
                </Text>
              )}
              <Text size={title ? 'xs' : 'sm'} c={title ? 'dimmed' : undefined}>
                <bdi>{fileName}</bdi>
              </Text>
              <MissingCharacters codes={missingCharacters} />
            </>
          ),
        },
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
              {actionsOf(document).map(({ word, Icon, color, act }) => (
                <Button
                  key={word}
                  size="compact-sm"
                  variant="subtle"
                  color={color}
                  leftSection={<Icon size={16} aria-hidden />}
                  aria-label={t(`documents.${word}Of`, { name: nameOf(document) })}
                  onClick={act}
                >
                  {t(`documents.${word}`)}
                </Button>
              ))}
            </Group>
          ),
        },
      ]}
    />
  );
}
