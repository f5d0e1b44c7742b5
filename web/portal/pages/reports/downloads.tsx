/** Buttons that save what a page of a report shows as a file. */
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../kit/api/file.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import type { Filters } from './reports.queries.ts';

type Format = 'csv' | 'xlsx' | 'pdf';

interface Props {
  readonly formats: readonly Format[];
  /** Of the report, or of its list. */
  readonly path: string;
  readonly query: Filters;
  onError(error: unknown): void;
}

export function Downloads({ formats, path, query, onError }: Props) {
  const { t, i18n } = useTranslation();
  const [busy, setBusy] = useState<Format>();
  const save = async (format: Format) => {
    setBusy(format);
    onError(undefined);
    // Spreadsheets read Arabic in a CSV file only with the byte order mark.
    const sent = new URLSearchParams({ ...query, format, language: i18n.language, bom: 'true' });
    const file = `${path}?${sent}`;
    await (format === 'pdf' ? openPdf(async () => file) : saveFile(file)).catch(onError);
    setBusy(undefined);
  };
  return formats.map((format) => (
    <BusyButton
      key={format}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      isBusy={busy !== undefined}
      onClick={() => void save(format)}
    >
      {t(`reports.download.${format}`)}
    </BusyButton>
  ));
}
