/** A new test, and an existing one with the steps of its life: draft, active, retired. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { TestFacts } from './lab-test.facts.tsx';
import { bodyOf, emptyTest, fieldOf, fieldsOf, type TestFields, testFields } from './lab-test.fields.ts';
import { TestFieldset } from './lab-test.form.tsx';
import { TestStatusBadge } from './lab-tests.page.tsx';
import { type LabTest, testKeys, testQuery } from './lab-tests.queries.ts';

const route = getRouteApi('/lab-tests/$id');

function useShowTest() {
  const queries = useQueryClient();
  return (saved: LabTest) => {
    queries.setQueryData(testKeys.one(saved.id), saved);
    void queries.invalidateQueries({ queryKey: [testKeys.all, 'list'] });
  };
}

export function NewLabTestPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const show = useShowTest();
  const form = useRecordForm<TestFields, LabTest>({
    schema: testFields,
    values: emptyTest,
    save: (values, key) => {
      const params = { header: { 'Idempotency-Key': key } };
      return dataOf(api.POST('/api/hms/lab-tests', { params, body: bodyOf(values) }));
    },
    onSaved: (saved) => {
      show(saved);
      void navigate({ to: '/lab-tests/$id', params: { id: saved.id } });
    },
    fieldOf,
  });
  return (
    <Stack gap="md" maw="64rem">
      <PageHead title={t('labTests.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('labTests.new')}
          submitLabel={t('records.create')}
          onCancel={() => void navigate({ to: '/lab-tests', search: {} })}
        >
          <TestFieldset of={form} />
        </FormBody>
      </Stack>
    </Stack>
  );
}

export function LabTestPage() {
  const { id } = route.useParams();
  const found = useQuery(testQuery(id));
  if (found.data) return <Existing key={id} test={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Existing({ test }: { readonly test: LabTest }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const show = useShowTest();
  const { id, status } = test;
  return (
    <Stack gap="md" maw="64rem">
      <Stack gap={4}>
        <Steps test={test} />
        <Group gap="sm">
          <TestStatusBadge status={status} />
          {status === 'draft' && <Text size="sm">{t('labTests.draftHow')}</Text>}
        </Group>
      </Stack>
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          key={status}
          item={test}
          schema={testFields}
          label={t('menu.lab-tests')}
          mayChange={may('changeLabTest')}
          valuesOf={fieldsOf}
          bodyOf={bodyOf}
          labelOf={(name) => t(`labTests.${name as keyof TestFields}`)}
          save={(body) => dataOf(api.PUT('/api/hms/lab-tests/{id}', { params: { path: { id } }, body }))}
          read={() => queries.fetchQuery({ ...testQuery(id), staleTime: 0 })}
          onSaved={show}
          fieldOf={fieldOf}
          fields={(form) => <TestFieldset of={form} isFixed={status !== 'draft'} />}
        >
          <TestFacts test={test} />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}

/** The name of a test, and what can be done with it. */
function Steps({ test: { id, name, status, version } }: { readonly test: LabTest }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const show = useShowTest();
  const { isBusy, error, run } = useRun();
  const request = { params: { path: { id } }, body: { version } };
  const remove = run(async () => {
    await dataOf(api.DELETE('/api/hms/lab-tests/{id}', { params: { path: { id } } }));
    await navigate({ to: '/lab-tests', search: {} });
    void queries.invalidateQueries({ queryKey: [testKeys.all] });
  });
  return (
    <>
      <PageHead title={name}>
        {status === 'active' ? (
          <Can operation="retireLabTest">
            <Button
              size="compact-md"
              variant="default"
              loading={isBusy}
              onClick={run(async () => show(await dataOf(api.POST('/api/hms/lab-tests/{id}/retire', request))))}
            >
              {t('labTests.retire')}
            </Button>
          </Can>
        ) : (
          <Can operation="activateLabTest">
            <Button
              size="compact-md"
              loading={isBusy}
              onClick={run(async () => show(await dataOf(api.POST('/api/hms/lab-tests/{id}/activate', request))))}
            >
              {t('labTests.activate')}
            </Button>
          </Can>
        )}
        <Can operation="deleteLabTest">
          <Button
            size="compact-md"
            variant="default"
            c="bad"
            loading={isBusy}
            onClick={() =>
              void ask(t('labTests.confirm', { name }), t('records.delete')).then((isYes) =>
                isYes ? remove() : undefined,
              )
            }
          >
            {t('records.delete')}
          </Button>
        </Can>
      </PageHead>
      <ErrorPanel error={error} />
    </>
  );
}
