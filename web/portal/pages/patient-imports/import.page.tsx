/** Imports patients from a file: first a check that names what is wrong, then the registration, which goes on by itself. */
import { Alert, Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { listQuery } from '../../../kit/lists/list-search.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { patientKeys } from '../patients/patients.queries.ts';

type PatientImport = Schemas['PatientImport'];

const route = getRouteApi('/patients/import');
const POLL_MS = 3_000;
const HEADER =
  'firstName,lastName,phone,dateOfBirth,email,gender,bloodGroup,street,city,region,postalCode,country,allergies,alerts';

const keyOf = (id: string) => [patientKeys.all, 'import', id] as const;

export function ImportPage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { id } = route.useSearch();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const check = (file: File | null) => {
    if (!file) return;
    void run(async () => {
      const header = { 'Idempotency-Key': crypto.randomUUID() };
      const body = { fileName: file.name.slice(0, 255), csv: await file.text() };
      const created = await dataOf(api.POST('/api/hms/patient-imports', { params: { header }, body }));
      queries.setQueryData(keyOf(created.id), created);
      await navigate({ search: { id: created.id } });
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
          <FileButton onChange={check} accept=".csv,text/csv,text/plain">
            {(props) => (
              <Button {...props} loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
                {t('import.choose')}
              </Button>
            )}
          </FileButton>
          <Anchor
            size="sm"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(`${HEADER}\r\n`)}`}
            download="patients.csv"
          >
            {t('import.template')}
          </Anchor>
        </Group>
        <ErrorPanel error={error} />
      </Stack>
      {id !== undefined && <Import key={id} id={id} />}
    </Stack>
  );
}

function Import({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { page } = route.useSearch();
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/patient-imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
  const { isBusy, error, run } = useRun();
  const start = ({ version }: PatientImport) =>
    run(async () => {
      const params = { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
      const started = await dataOf(api.POST('/api/hms/patient-imports/{id}/start', { params, body: { version } }));
      queries.setQueryData(keyOf(id), started);
    });
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const { status, total, wrong, imported, fileName } = found.data;
  const right = total - wrong;
  return (
    <>
      <Alert variant="outline" color={wrong > 0 ? '#8a3a00' : 'teal'} title={<bdi>{fileName}</bdi>} role="status">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{t(`import.status.${status}`, { total, wrong, right, imported })}</Text>
          {status === 'running' && (
            <progress value={imported} max={right} aria-label={t('import.progress')} style={{ width: '100%' }} />
          )}
          {status === 'checked' && right > 0 && (
            <Button loading={isBusy} onClick={start(found.data)}>
              {t('import.start', { count: right })}
            </Button>
          )}
          <ErrorPanel error={error} />
        </Stack>
      </Alert>
      {wrong > 0 && (
        <ListPage
          isPart
          title={t('import.problems')}
          search={{ page }}
          onSearch={(changes) => void navigate({ search: (now) => ({ ...now, page: changes.page }) })}
          queryKey={[...keyOf(id), 'problems', page, wrong]}
          read={(signal) => {
            const { sort: _, ...query } = listQuery({ page });
            const params = { path: { id }, query };
            return envelopeOf(api.GET('/api/hms/patient-imports/{id}/problems', { params, signal }));
          }}
          rowKey={({ line, column, message }) => `${line} ${column} ${message}`}
          empty=""
          columns={[
            { key: 'line', title: t('import.line'), render: ({ line }) => line },
            { key: 'column', title: t('import.column'), render: ({ column }) => column ?? t('import.wholeRow') },
            { key: 'value', title: t('import.value'), render: ({ value }) => <bdi>{value}</bdi> },
            { key: 'message', title: t('import.problem'), render: ({ message }) => message },
          ]}
        />
      )}
    </>
  );
}
