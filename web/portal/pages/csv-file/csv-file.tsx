/** What the pages have that import a CSV file in one step: the choice of the file, and remarks about its rows. */
import { Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';

interface ChoiceProps {
  /** What to choose, and what happens then. */
  readonly how: string;
  /** The names of the columns, as the first line of the file. */
  readonly header: string;
  /** Of an empty file with the columns. */
  readonly fileName: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  onFile(file: File): void;
}

export function CsvChoice({ how, header, fileName, isBusy, error, onFile }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <Stack className="hms-panel" p="lg" gap="sm">
      <Text size="sm">{how}</Text>
      <Group gap="sm">
        <FileButton onChange={(file) => file && onFile(file)} accept=".csv,.txt,text/csv,text/plain">
          {(props) => (
            <Button {...props} loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
              {t('csvFile.choose')}
            </Button>
          )}
        </FileButton>
        <Anchor
          size="sm"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(`${header}\r\n`)}`}
          download={fileName}
        >
          {t('csvFile.empty')}
        </Anchor>
      </Group>
      <ErrorPanel error={error} />
    </Stack>
  );
}

interface Remark {
  readonly line: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string;
}

/** Nothing without remarks. */
export function CsvRemarks({ title, remarks }: { readonly title: string; readonly remarks: readonly Remark[] }) {
  const { t } = useTranslation();
  if (remarks.length === 0) return null;
  return (
    <div className="hms-panel">
      <Text fw={500} px="md" pt="md" aria-hidden>
        {title}
      </Text>
      <DataTable
        label={title}
        rows={remarks}
        rowKey={({ line, column, message }) => `${line} ${column} ${message}`}
        columns={[
          { key: 'line', title: t('csvFile.line'), render: ({ line }) => line },
          { key: 'column', title: t('csvFile.column'), render: ({ column }) => column ?? t('csvFile.wholeRow') },
          { key: 'value', title: t('csvFile.value'), render: ({ value }) => <bdi>{value}</bdi> },
          { key: 'message', title: t('csvFile.remark'), render: ({ message }) => <bdi>{message}</bdi> },
        ]}
      />
    </div>
  );
}
