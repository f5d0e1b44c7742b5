/** The file of an analyser: first what would happen with each row, then the import. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { CsvChoice, CsvRemarks } from '../csv-file/csv-file.tsx';
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
  const check = (file: File) => {
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
      <CsvChoice
        {...{ how: t('laboratory.importHow'), header: HEADER, fileName: 'results.csv', isBusy, error }}
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
  const { total, imported, repeated, wrong, problems } = outcome;
  return (
    <>
      <Alert role="status" variant="outline" color={wrong > 0 ? 'warning' : 'good'} title={<bdi>{name}</bdi>}>
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
      <CsvRemarks
        title={t('csvFile.problems')}
        remarks={problems.map((one) => ({ ...one, message: refusalText(one.message) }))}
      />
    </>
  );
}
