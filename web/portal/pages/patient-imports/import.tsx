/** An import: its rows by what becomes of them, its progress, and what is to be said about single rows. */
import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { sentenceFor } from '../../../kit/forms/sentence.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { listQuery } from '../../../kit/lists/list-search.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { useNow } from '../../../kit/time/use-now.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { columnName } from './field-names.ts';
import { importKeys } from './imports.queries.ts';

type PatientImport = Schemas['PatientImport'];
type Finding = Schemas['PatientImportFinding'];

const route = getRouteApi('/patients/import');
const POLL_MS = 3_000;
/** A batch takes less than a second. */
const STUCK_MS = 60_000;

export function Import({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/patient-imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
  const now = useNow();
  const { isBusy, error, run } = useRun();
  const start = ({ version }: PatientImport) =>
    run(async () => {
      const params = { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
      const started = await dataOf(api.POST('/api/hms/patient-imports/{id}/start', { params, body: { version } }));
      queries.setQueryData(importKeys.one(id), started);
    });
  const remove = ({ fileName, status, version }: PatientImport) =>
    run(async () => {
      const isAgreed =
        status === 'running'
          ? ask(t('import.confirmStop', { fileName }), t('import.stop'), t('import.stopHow'))
          : ask(t('import.confirmRemove', { fileName }), t('import.remove'), t('import.removeHow'));
      if (!(await isAgreed)) return;
      await dataOf(api.DELETE('/api/hms/patient-imports/{id}', { params: { path: { id }, query: { version } } }));
      await navigate({ search: {} });
    });
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const { status, total, wrong, known, repaired, imported, fileName, updatedAt } = found.data;
  const right = total - wrong - known;
  const isStuck = status === 'running' && now - Date.parse(updatedAt) > STUCK_MS;
  return (
    <>
      <Alert variant="outline" color={wrong > 0 ? 'warning' : 'good'} title={<bdi>{fileName}</bdi>} role="status">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{t(`import.status.${status}`, { total, right, imported })}</Text>
          <Text size="sm">{t('import.left', { wrong, known, repaired })}</Text>
          {status === 'running' && (
            <progress value={imported} max={right} aria-label={t('import.progress')} style={{ width: '100%' }} />
          )}
          {isStuck && <Text size="sm">{t('import.stuck')}</Text>}
          <Group gap="sm">
            {((status === 'checked' && right > 0) || isStuck) && (
              <Button loading={isBusy} onClick={start(found.data)}>
                {isStuck ? t('import.goOn') : t('import.start', { count: right })}
              </Button>
            )}
            <Button variant="default" loading={isBusy} onClick={remove(found.data)}>
              {status === 'running' ? t('import.stop') : t('import.remove')}
            </Button>
          </Group>
          <ErrorPanel error={error} />
        </Stack>
      </Alert>
      {wrong + known + repaired > 0 && <Findings of={found.data} />}
    </>
  );
}

function Findings({ of: { id, wrong, known, repaired } }: { readonly of: PatientImport }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { page, kind: chosen } = route.useSearch();
  const counts = { wrong, known, repaired };
  const kinds = (['wrong', 'known', 'repaired'] as const).filter((kind) => counts[kind] > 0);
  const kind = kinds.find((one) => one === chosen) ?? kinds[0] ?? 'wrong';
  return (
    <ListPage
      isPart
      title={t(`import.kinds.${kind}`)}
      search={{ page }}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, page: changes.page }) })}
      queryKey={[...importKeys.one(id), 'findings', kind, page, counts[kind]]}
      read={(signal) => {
        const { sort: _, ...query } = listQuery({ page });
        const params = { path: { id }, query: { ...query, kind } };
        return envelopeOf(api.GET('/api/hms/patient-imports/{id}/findings', { params, signal }));
      }}
      rowKey={({ line, column, code }) => `${line} ${column} ${code}`}
      empty=""
      filters={
        <SegmentedControl
          aria-label={t('import.findings')}
          value={kind}
          data={kinds.map((value) => ({ value, label: `${t(`import.kinds.${value}`)} (${counts[value]})` }))}
          onChange={(value) => void navigate({ search: (now) => ({ ...now, kind: value, page: undefined }) })}
        />
      }
      columns={[
        { key: 'line', title: t('import.line'), render: ({ line }) => line },
        {
          key: 'column',
          title: t('import.column'),
          render: ({ column }) => (column === null ? t('import.wholeRow') : columnName(t, column)),
        },
        { key: 'value', title: t('import.value'), render: ({ value }) => <bdi>{value}</bdi> },
        { key: 'message', title: t('import.remark'), render: (finding) => remarkOf(finding) },
      ]}
    />
  );
}

/** The module's own sentence is about a value that has no words here. */
function remarkOf({ code, column, details, message }: Finding): string {
  const key = code === 'invalid' ? `import.invalid.${column}` : `import.remarks.${code}`;
  return wordOf(key, isolated(details)) ?? sentenceFor(message);
}

/** Names and numbers keep their direction in an Arabic sentence. */
function isolated(details: Finding['details']): Record<string, string> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, `\u2068${value}\u2069`]));
}
