/** Has the file of a list written in the background, and leads to the page that shows how far it is. */
import { Alert, Anchor, Text } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { fileKeys, startFile, type WantedFile } from './files.queries.ts';
import type { NamedFilter } from './named-filters.ts';

interface Props {
  /** What the page shows. */
  readonly wanted: Pick<WantedFile, 'from' | 'to' | 'measure' | 'filters'> & { readonly report: string };
  readonly named: readonly NamedFilter[];
  /** It is the natural choice. */
  readonly isLong: boolean;
  onStarted(): void;
  onError(error: unknown): void;
}

export function BackgroundFile({ wanted, named, isLong, onStarted, onError }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    onError(undefined);
    const filterNames = Object.fromEntries(
      named.flatMap(({ group, label }) => (label === null ? [] : [[group, label] as const])),
    );
    // Spreadsheets read Arabic in a CSV file only with the byte order mark.
    const body = { ...wanted, report: wanted.report as WantedFile['report'], filterNames, hasBom: true };
    await startFile(body).then(onStarted, onError);
    void queries.invalidateQueries({ queryKey: [fileKeys.all] });
    setBusy(false);
  };
  return (
    <BusyButton
      variant={isLong ? 'filled' : 'default'}
      leftSection={<IconFileDownload size={16} aria-hidden />}
      isBusy={isBusy}
      onClick={() => void start()}
    >
      {t('reports.background.start')}
    </BusyButton>
  );
}

interface NoticeProps {
  readonly isStarted: boolean;
  readonly isLong: boolean;
}

/** What to do with a long list, and where its file is after the start. */
export function BackgroundNotice({ isStarted, isLong }: NoticeProps) {
  const { t } = useTranslation();
  if (isStarted) {
    return (
      <Alert role="status" color="teal.9" variant="outline" title={t('reports.background.started')}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/reports/files" {...props} />}>
          {t('reports.background.see')}
        </Anchor>
      </Alert>
    );
  }
  return isLong ? <Text size="sm">{t('reports.background.long')}</Text> : null;
}
