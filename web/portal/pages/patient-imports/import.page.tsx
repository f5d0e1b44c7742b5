/**
 * Imports patients from a file: how it is read, a check that names what is wrong, and the registration, which goes on by
 * itself.
 */
import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { EarlierImports } from './earlier-imports.tsx';
import { FIELDS } from './field-names.ts';
import { Import } from './import.tsx';
import { type ChosenFile, ImportPreview } from './import-preview.tsx';

const route = getRouteApi('/patients/import');

export function ImportPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { id } = route.useSearch();
  const [file, setFile] = useState<ChosenFile>();
  const { isBusy, error, run } = useRun();
  const choose = (chosen: File | null) => {
    if (!chosen) return;
    void run(async () => {
      const content = await base64Of(chosen);
      setFile({ key: crypto.randomUUID(), fileName: chosen.name.slice(0, 255), content });
      await navigate({ search: {} });
    })();
  };
  return (
    <Stack gap="md">
      <PageHead title={t('import.title')}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/patients" search={{}} {...props} />}>
          {t('import.back')}
        </Anchor>
      </PageHead>
      <Stack className="hms-panel" p="lg" gap="sm">
        <Text size="sm">{t('import.how')}</Text>
        <Group gap="sm">
          <FileButton onChange={choose} accept=".csv,.txt,.tsv,text/csv,text/plain">
            {(props) => (
              <Button {...props} loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
          <Anchor
            size="sm"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(`${FIELDS.join(',')}\r\n`)}`}
            download="patients.csv"
          >
            {t('import.template')}
          </Anchor>
        </Group>
        <ErrorPanel error={error} />
      </Stack>
      {file && id === undefined && (
        <ImportPreview
          key={file.key}
          file={file}
          onChecked={(created) => {
            setFile(undefined);
            void navigate({ search: { id: created } });
          }}
        />
      )}
      {id !== undefined && <Import key={id} id={id} />}
      {!file && id === undefined && <EarlierImports />}
    </Stack>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // The argument list of a call is limited.
  const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * PIECE, (at + 1) * PIECE)),
  );
  return btoa(pieces.join(''));
}

const PIECE = 8_192;
