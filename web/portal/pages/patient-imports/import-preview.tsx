/** How a file is read: encoding, separator, dates and columns as they are recognised, for a person to correct. */
import { NewPatientImport } from '@hms/api-client/limits/NewPatientImport';
import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { countries } from '../../../kit/i18n/countries.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { FIELDS, fieldName } from './field-names.ts';
import { importKeys } from './imports.queries.ts';

export interface ChosenFile {
  readonly key: string;
  readonly fileName: string;
  readonly content: string;
}

type Preview = Schemas['PatientImportPreview'];
type Field = Preview['columns'][number]['field'];
type Decisions = Pick<Schemas['NewPatientImport'], 'encoding' | 'separator' | 'columns' | 'dateOrder' | 'country'>;

const SEPARATOR_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;
const REQUIRED = ['firstName', 'lastName', 'phone', 'dateOfBirth'] as const;

/** @param onChecked gets the id of the import. */
export function ImportPreview({ file, onChecked }: { readonly file: ChosenFile; onChecked(id: string): void }) {
  const { t, i18n } = useTranslation();
  const queries = useQueryClient();
  const [decisions, setDecisions] = useState<Decisions>({});
  const { key, ...sent } = file;
  const found = useQuery({
    queryKey: [...importKeys.preview, key, decisions],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/api/hms/patient-imports/preview', { body: { ...sent, ...decisions }, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const { isBusy, error, run } = useRun();
  const preview = found.data;
  const check = run(async () => {
    if (!preview) return;
    const body = { ...sent, ...decisions, ...decidedIn(preview) };
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const created = await dataOf(api.POST('/api/hms/patient-imports', { params: { header }, body }));
    queries.setQueryData(importKeys.one(created.id), created);
    onChecked(created.id);
  });
  const decide = (changes: Decisions) => setDecisions((now) => ({ ...now, ...changes }));
  const setField = (at: number, field: Field) =>
    // Each field has one column: the last choice counts.
    decide({ columns: preview?.columns.map((column, own) => fieldFor(column.field, own === at, field)) });
  const missing = REQUIRED.filter((field) => preview?.columns.every((column) => column.field !== field));
  const isUndated = preview?.undecided.includes('dateOrder') ?? false;
  return (
    <Stack className="hms-panel" p="lg" gap="md" component="section" aria-label={t('import.preview')}>
      <Text fw={500}>
        <bdi>{file.fileName}</bdi>
      </Text>
      {preview && (
        <>
          <Text size="sm">{t('import.rows', { count: preview.total })}</Text>
          {preview.previousImportId && (
            <Alert variant="outline" color="warning">
              <Text size="sm">{t('import.again')}</Text>
              <Link to="/patients/import" search={{ id: preview.previousImportId }}>
                {t('import.showPrevious')}
              </Link>
            </Alert>
          )}
          <Group gap="md" align="flex-start">
            <NativeSelect
              label={t('import.encoding')}
              description={preview.words.length > 0 ? t('import.areRight') : undefined}
              value={preview.encoding}
              data={NewPatientImport.encoding.choices.map((value) => ({
                value,
                label: t(`import.encodings.${value}`),
              }))}
              onChange={({ currentTarget: { value } }) =>
                setDecisions({ country: decisions.country, encoding: value as Preview['encoding'] })
              }
            />
            <NativeSelect
              label={t('import.separator')}
              value={preview.separator}
              data={NewPatientImport.separator.choices.map((value) => ({
                value,
                label: t(`import.separators.${SEPARATOR_NAMES[value]}`),
              }))}
              onChange={({ currentTarget: { value } }) =>
                setDecisions({
                  ...{ encoding: decisions.encoding, country: decisions.country },
                  separator: value as Preview['separator'],
                })
              }
            />
            {(isUndated || preview.dateOrder) && (
              <NativeSelect
                label={t('import.dates')}
                value={preview.dateOrder ?? ''}
                error={isUndated ? whyUndated(preview) : undefined}
                data={[
                  ...(preview.dateOrder ? [] : [{ value: '', label: '–' }]),
                  ...NewPatientImport.dateOrder.choices.map((value) => ({ value, label: t(`import.orders.${value}`) })),
                ]}
                onChange={({ currentTarget: { value } }) => decide({ dateOrder: value as 'dmy' | 'mdy' })}
              />
            )}
            <NativeSelect
              label={t('import.country')}
              value={preview.country ?? ''}
              data={[{ value: '', label: t('import.noCountry') }, ...countries(i18n.language)]}
              onChange={({ currentTarget: { value } }) => decide({ country: value || undefined })}
            />
          </Group>
          {preview.words.length > 0 && (
            <Text size="sm">
              {t('import.words')} <bdi>{preview.words.join(' · ')}</bdi>
            </Text>
          )}
          <DataTable
            label={t('import.columns')}
            rows={preview.columns.map((column, at) => ({ ...column, at }))}
            rowKey={({ at }) => String(at)}
            columns={[
              { key: 'name', title: t('import.inFile'), render: ({ name }) => <bdi>{name || '–'}</bdi> },
              {
                key: 'field',
                title: t('import.fills'),
                render: ({ name, field, at }) => (
                  <NativeSelect
                    aria-label={t('import.fillsOf', { name })}
                    value={field ?? ''}
                    data={[
                      { value: '', label: t('import.leftOut') },
                      ...FIELDS.map((value) => ({ value, label: fieldName(t, value) })),
                    ]}
                    onChange={({ currentTarget: { value } }) => setField(at, (value || null) as Field)}
                  />
                ),
              },
              { key: 'values', title: t('import.values'), render: ({ values }) => <bdi>{values.join(' · ')}</bdi> },
            ]}
          />
          <FirstRows preview={preview} />
          {missing.length > 0 && (
            <Text size="sm" c="bad" role="alert">
              {t('import.missing', { names: missing.map((field) => fieldName(t, field)).join(t('import.comma')) })}
            </Text>
          )}
          <Group>
            <Button loading={isBusy} disabled={missing.length > 0 || isUndated || found.isFetching} onClick={check}>
              {t('import.check')}
            </Button>
          </Group>
        </>
      )}
      {found.isPending && <Text size="sm">{t('import.reading')}</Text>}
      <ErrorPanel error={found.error ?? error} />
    </Stack>
  );
}

/** What the page shows is what the import does. */
function decidedIn({ encoding, separator, columns, dateOrder }: Preview): Decisions {
  return {
    ...{ encoding, separator, columns: columns.map(({ field }) => field) },
    ...(dateOrder === null ? {} : { dateOrder }),
  };
}

function fieldFor(current: Field, isChosen: boolean, chosen: Field): Field {
  if (isChosen) return chosen;
  return current === chosen ? null : current;
}

/** Why a person has to choose the order of dates. */
function whyUndated({ contradiction }: Preview): string | undefined {
  const [dmy, mdy] = contradiction ?? [];
  return wordOf(contradiction ? 'import.contradiction' : 'import.ambiguous', { dmy, mdy });
}

/** The first rows as they are read, so that a person sees a day or a number that is wrong. */
function FirstRows({ preview: { rows } }: { readonly preview: Preview }) {
  const { t } = useTranslation();
  const filled = FIELDS.filter((field) => rows.some(({ read }) => read[field] !== undefined));
  return (
    <div>
      <Text size="sm" fw={500} aria-hidden>
        {t('import.firstRows')}
      </Text>
      <DataTable
        label={t('import.firstRows')}
        rows={rows}
        rowKey={({ line }) => String(line)}
        columns={filled.map((field) => ({
          key: field,
          title: fieldName(t, field),
          render: ({ read }: Preview['rows'][number]) => <bdi>{read[field] ?? '–'}</bdi>,
        }))}
      />
    </div>
  );
}
