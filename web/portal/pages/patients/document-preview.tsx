/** Shows a document over the page, as a picture. What can't be shown can be downloaded. */
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { later } from '../../../kit/ui/later.ts';
import { nameOf } from './document-kinds.ts';
import { FileUnavailable, readDocument, saveFile } from './patient-files.ts';
import type { Document } from './patients.queries.ts';

const PdfPage = later(() => import('./pdf-page.tsx'), 'PdfPage');

interface Props {
  readonly patientId: string;
  readonly document: Document;
  onClose(): void;
}

export function DocumentPreview({ patientId, document, onClose }: Props) {
  const { t } = useTranslation();
  const { id, fileName, contentType } = document;
  const name = nameOf(document);
  const file = useQuery({
    // Not below the key of the patient: each fetch is in the audit log, and a change of the record needs none.
    queryKey: ['document-file', patientId, id],
    queryFn: () => readDocument(patientId, id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog title={<bdi>{name}</bdi>} size="xl" onClose={onClose}>
      <Stack gap="sm">
        {file.isPending && <Loader size="sm" aria-label={t('loading')} />}
        {file.isError && !file.isFetching && <FileError error={file.error} onRetry={() => void file.refetch()} />}
        {file.data && (
          <>
            <Group>
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                onClick={() => saveFile(file.data, fileName)}
              >
                {t('documents.download')}
              </Button>
            </Group>
            <Content file={file.data} contentType={contentType} name={name} />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

function Content({
  file,
  contentType,
  name,
}: {
  readonly file: Blob;
  readonly contentType: string;
  readonly name: string;
}) {
  const { t } = useTranslation();
  const [isFailed, setFailed] = useState(false);
  const fail = () => setFailed(true);
  if (isFailed)
    return (
      <Text size="sm" role="status">
        {t('documents.noPreview')}
      </Text>
    );
  if (contentType === 'application/pdf')
    return (
      <Suspense fallback={<Loader size="sm" aria-label={t('loading')} />}>
        <PdfPage file={file} name={name} onFail={fail} />
      </Suspense>
    );
  return <Picture file={file} name={name} onFail={fail} />;
}

/** Browsers run nothing that is in a picture. */
function Picture({ file, name, onFail }: { readonly file: Blob; readonly name: string; onFail(): void }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const own = URL.createObjectURL(file);
    setUrl(own);
    return () => URL.revokeObjectURL(own);
  }, [file]);
  return url && <img className="hms-preview" src={url} alt={name} onError={onFail} />;
}

/** @param error of `readDocument`. */
function FileError({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  const { t } = useTranslation();
  if (!(error instanceof FileUnavailable)) return <ErrorPanel error={error} onRetry={onRetry} />;
  return (
    <Alert role="alert" color="bad" variant="outline" title={t('error.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('documents.unavailable')}</Text>
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('error.retry')}
        </Button>
      </Stack>
    </Alert>
  );
}
