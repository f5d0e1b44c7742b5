/** A new department, and an existing one. */
import { Button, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { EditForm } from '../../../kit/forms/edit-form.tsx';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type Department, departmentKeys, departmentQuery } from './departments.queries.ts';

const text = (longest: number) => z.string().check(z.trim(), z.maxLength(longest, 'tooLong'));
const departmentFields = z.object({
  name: text(100).check(z.minLength(1, 'required')),
  code: text(20).check(z.minLength(1, 'required')),
  location: text(200),
});
type DepartmentFields = z.output<typeof departmentFields>;

const fieldsOf = ({ name, code, location }: Department): DepartmentFields => ({ name, code, location: location ?? '' });
const bodyOf = ({ location, ...fields }: DepartmentFields) => ({
  ...fields,
  location: location === '' ? null : location,
});

function Fieldset({
  of,
  isReadOnly = false,
}: {
  readonly of: RecordForm<DepartmentFields>;
  readonly isReadOnly?: boolean;
}) {
  const { t } = useTranslation();
  const common = { of, readOnly: isReadOnly, autoComplete: 'off', dir: 'auto' } as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Field {...common} name="name" label={t('departments.name')} required autoFocus={!isReadOnly} />
      <Field {...common} name="code" label={t('departments.code')} placeholder="ENT" required />
      <Field {...common} name="location" label={t('departments.location')} />
    </SimpleGrid>
  );
}

export function NewDepartmentPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useRecordForm<DepartmentFields, Department>({
    schema: departmentFields,
    values: { name: '', code: '', location: '' },
    save: (values, key) =>
      dataOf(
        api.POST('/api/hms/departments', { params: { header: { 'Idempotency-Key': key } }, body: bodyOf(values) }),
      ),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: [departmentKeys.all] });
      void navigate({ to: '/departments', search: {} });
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('departments.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('departments.new')}
          submitLabel={t('departments.create')}
          onCancel={() => void navigate({ to: '/departments', search: {} })}
        >
          <Fieldset of={form} />
        </FormBody>
      </Stack>
    </Stack>
  );
}

const route = getRouteApi('/departments/$id');

export function DepartmentPage() {
  const { id } = route.useParams();
  const found = useQuery(departmentQuery(id));
  if (found.data) return <Record key={id} department={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

function Record({ department }: { readonly department: Department }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const { id, name } = department;
  const path = { id };
  const remove = async () => {
    if (!confirm(t('departments.confirm', { name }))) return;
    setError(undefined);
    try {
      await dataOf(api.DELETE('/api/hms/departments/{id}', { params: { path } }));
      await navigate({ to: '/departments', search: {} });
      void queries.invalidateQueries({ queryKey: [departmentKeys.all] });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={name}>
        <Can operation="deleteDepartment">
          <Button size="compact-md" variant="default" c="red.9" onClick={() => void remove()}>
            {t('departments.delete')}
          </Button>
        </Can>
      </PageHead>
      <ErrorPanel error={error} />
      <Stack className="hms-panel" p="lg">
        <EditForm
          item={department}
          schema={departmentFields}
          label={t('departments.title')}
          mayChange={may('changeDepartment')}
          valuesOf={fieldsOf}
          bodyOf={bodyOf}
          labelOf={(field) => t(`departments.${field as keyof DepartmentFields}`)}
          save={(body) => dataOf(api.PUT('/api/hms/departments/{id}', { params: { path }, body }))}
          read={() => queries.fetchQuery({ ...departmentQuery(id), staleTime: 0 })}
          onSaved={(saved) => {
            queries.setQueryData(departmentKeys.one(id), saved);
            void queries.invalidateQueries({ queryKey: [departmentKeys.all] });
          }}
          fields={(form, isReadOnly) => <Fieldset of={form} isReadOnly={isReadOnly} />}
        />
      </Stack>
    </Stack>
  );
}
