/** Interactions from a file: first what would happen with each row, then the import. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { CsvChoice, CsvRemarks } from '../csv-file/csv-file.tsx';

const HEADER = 'substance,other substance,severity,effect';

interface Checked {
  readonly name: string;
  readonly csv: string;
  readonly isImported: boolean;
  readonly outcome: Schemas['DrugInteractionOutcome'];
}

export function InteractionImportPage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const [checked, setChecked] = useState<Checked>();
  const send = async (name: string, csv: string, dryRun: boolean) => {
    const outcome = await dataOf(api.POST('/api/hms/drug-interactions/import', { body: { csv, dryRun } }));
    setChecked({ name, csv, isImported: !dryRun, outcome });
    if (!dryRun) void queries.invalidateQueries({ queryKey: ['interactions'] });
  };
  const check = (file: File) => {
    setChecked(undefined);
    void run(async () => send(file.name, await file.text(), true))();
  };
  return (
    <Stack gap="md">
      <PageHead title={t('interactions.import')}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/interactions" search={{}} {...props} />}>
          {t('interactions.all')}
        </Anchor>
      </PageHead>
      <CsvChoice
        {...{ how: t('interactions.importHow'), header: HEADER, fileName: 'interactions.csv', isBusy, error }}
        onFile={check}
      />
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
  const { total, imported, existing, wrong, problems, differences } = outcome;
  const isClear = wrong === 0 && differences.length === 0;
  return (
    <>
      <Alert role="status" variant="outline" color={isClear ? 'good' : 'warning'} title={<bdi>{name}</bdi>}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {t(isImported ? 'interactions.importDone' : 'interactions.importWould', {
              ...{ total, imported, existing, wrong },
            })}
          </Text>
          {!isImported && imported > 0 && (
            <Button loading={isBusy} onClick={onImport}>
              {t('interactions.importRows', { count: imported })}
            </Button>
          )}
        </Stack>
      </Alert>
      <CsvRemarks title={t('csvFile.problems')} remarks={problems} />
      <CsvRemarks title={t('interactions.differences')} remarks={differences} />
    </>
  );
}
