/** A new clinic, and an existing one. */
import { Button, NativeSelect, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { EditForm } from '../../../kit/forms/edit-form.tsx';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { departmentsQuery } from '../departments/departments.queries.ts';
import { type Clinic, clinicKeys, clinicQuery } from './clinics.queries.ts';

const text = (longest: number) => z.string().check(z.trim(), z.maxLength(longest, 'tooLong'));
const clinicFields = z.object({
  name: text(100).check(z.minLength(1, 'required')),
  code: text(20).check(z.minLength(1, 'required')),
  departmentId: z.string(),
});
type ClinicFields = z.output<typeof clinicFields>;

const fieldsOf = ({ name, code, departmentId }: Clinic): ClinicFields => ({
  name,
  code,
  departmentId: departmentId ?? '',
});
const bodyOf = ({ departmentId, ...fields }: ClinicFields) => ({
  ...fields,
  departmentId: departmentId === '' ? null : departmentId,
});

function Fieldset({
  of,
  isReadOnly = false,
}: {
  readonly of: RecordForm<ClinicFields>;
  readonly isReadOnly?: boolean;
}) {
  const { t } = useTranslation();
  const departments = useQuery(departmentsQuery()).data ?? [];
  const common = { of, readOnly: isReadOnly, autoComplete: 'off', dir: 'auto' } as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Field {...common} name="name" label={t('clinics.name')} required autoFocus={!isReadOnly} />
      <Field {...common} name="code" label={t('clinics.code')} placeholder="ENT-1" required />
      <Controller
        control={of.form.control}
        name="departmentId"
        render={({ field }) => (
          <NativeSelect
            {...field}
            label={t('clinics.departmentId')}
            disabled={isReadOnly}
            data={[{ value: '', label: '–' }, ...departments.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        )}
      />
    </SimpleGrid>
  );
}

export function NewClinicPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useRecordForm<ClinicFields, Clinic>({
    schema: clinicFields,
    values: { name: '', code: '', departmentId: '' },
    save: (values, key) =>
      dataOf(api.POST('/api/hms/clinics', { params: { header: { 'Idempotency-Key': key } }, body: bodyOf(values) })),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: [clinicKeys.all] });
      void navigate({ to: '/clinics', search: {} });
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('clinics.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('clinics.new')}
          submitLabel={t('clinics.create')}
          onCancel={() => void navigate({ to: '/clinics', search: {} })}
        >
          <Fieldset of={form} />
        </FormBody>
      </Stack>
    </Stack>
  );
}

const route = getRouteApi('/clinics/$id');

export function ClinicPage() {
  const { id } = route.useParams();
  const found = useQuery(clinicQuery(id));
  if (found.data) return <Record key={id} clinic={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

function Record({ clinic }: { readonly clinic: Clinic }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const { id, name } = clinic;
  const path = { id };
  const remove = async () => {
    if (!confirm(t('clinics.confirm', { name }))) return;
    setError(undefined);
    try {
      await dataOf(api.DELETE('/api/hms/clinics/{id}', { params: { path } }));
      await navigate({ to: '/clinics', search: {} });
      void queries.invalidateQueries({ queryKey: [clinicKeys.all] });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={name}>
        <Can operation="deleteClinic">
          <Button size="compact-md" variant="default" c="red.9" onClick={() => void remove()}>
            {t('clinics.delete')}
          </Button>
        </Can>
      </PageHead>
      <ErrorPanel error={error} />
      <Stack className="hms-panel" p="lg">
        <EditForm
          item={clinic}
          schema={clinicFields}
          label={t('clinics.title')}
          mayChange={may('changeClinic')}
          valuesOf={fieldsOf}
          bodyOf={bodyOf}
          labelOf={(field) => t(`clinics.${field as keyof ClinicFields}`)}
          save={(body) => dataOf(api.PUT('/api/hms/clinics/{id}', { params: { path }, body }))}
          read={() => queries.fetchQuery({ ...clinicQuery(id), staleTime: 0 })}
          onSaved={(saved) => {
            queries.setQueryData(clinicKeys.one(id), saved);
            void queries.invalidateQueries({ queryKey: [clinicKeys.all] });
          }}
          fields={(form, isReadOnly) => <Fieldset of={form} isReadOnly={isReadOnly} />}
        />
      </Stack>
    </Stack>
  );
}
