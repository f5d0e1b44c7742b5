/** The file of an analyser: first what would happen with each row, then the import. */
import { Alert, Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { labKeys } from './laboratory.queries.ts';
import { refusalText } from './refusals.ts';

const HEADER = 'accessionNo,testCode,value,unit,measuredAt';

interface Checked {
  readonly name: string;
  readonly csv: string;
  readonly isImported: boolean;
  readonly outcome: Schemas['LabAnalyserOutcome'];
}

export function AnalyserImportPage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const [checked, setChecked] = useState<Checked>();
  const send = async (name: string, csv: string, dryRun: boolean) => {
    const outcome = await dataOf(api.POST('/api/hms/lab-results/import', { body: { csv, dryRun } }));
    setChecked({ name, csv, isImported: !dryRun, outcome });
    if (!dryRun) void queries.invalidateQueries({ queryKey: [labKeys.all] });
  };
  const check = (file: File | null) => {
    if (!file) return;
    setChecked(undefined);
    void run(async () => send(file.name, await file.text(), true))();
  };
  return (
    <Stack gap="md">
      <PageHead title={t('laboratory.import')}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/laboratory" search={{}} {...props} />}>
          {t('laboratory.back')}
        </Anchor>
      </PageHead>
      <Stack className="hms-panel" p="lg" gap="sm">
        <Text size="sm">{t('laboratory.importHow')}</Text>
        <Group gap="sm">
          <FileButton onChange={check} accept=".csv,.txt,text/csv,text/plain">
            {(props) => (
              <Button {...props} loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
                {t('laboratory.chooseFile')}
              </Button>
            )}
          </FileButton>
          <Anchor
            size="sm"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(`${HEADER}\r\n`)}`}
            download="results.csv"
          >
            {t('laboratory.emptyFile')}
          </Anchor>
        </Group>
        <ErrorPanel error={error} />
      </Stack>
      {checked && <Outcome {...checked} isBusy={isBusy} onImport={run(() => send(checked.name, checked.csv, false))} />}
    </Stack>
  );
}

interface OutcomeProps extends Checked {
  readonly isBusy: boolean;
  onImport(): void;
}

function Outcome({ name, isImported, outcome, isBusy, onImport }: OutcomeProps) {
  const { t } = useTranslation();
  const { total, imported, repeated, wrong, problems } = outcome;
  return (
    <>
      <Alert role="status" variant="outline" color={wrong > 0 ? '#8a3a00' : 'teal'} title={<bdi>{name}</bdi>}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {t(isImported ? 'laboratory.importDone' : 'laboratory.importWould', { total, imported, repeated, wrong })}
          </Text>
          {!isImported && imported > 0 && (
            <Button loading={isBusy} onClick={onImport}>
              {t('laboratory.importRows', { count: imported })}
            </Button>
          )}
          {isImported && imported > 0 && (
            <Anchor size="sm" renderRoot={(props) => <Link to="/laboratory" search={{ work: 'verify' }} {...props} />}>
              {t('laboratory.toVerification')}
            </Anchor>
          )}
        </Stack>
      </Alert>
      {problems.length > 0 && (
        <div className="hms-panel">
          <DataTable
            label={t('laboratory.problems')}
            rows={problems}
            rowKey={({ line, column, message }) => `${line} ${column} ${message}`}
            columns={[
              { key: 'line', title: t('laboratory.line'), render: ({ line }) => line },
              {
                key: 'column',
                title: t('laboratory.column'),
                render: ({ column }) => column ?? t('laboratory.wholeRow'),
              },
              { key: 'value', title: t('laboratory.value'), render: ({ value }) => <bdi>{value}</bdi> },
              { key: 'message', title: t('laboratory.problem'), render: ({ message }) => refusalText(message) },
            ]}
          />
        </div>
      )}
    </>
  );
}
