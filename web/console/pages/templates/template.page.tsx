/** A new role template, and an existing one. */
import { NewRoleTemplate } from '@hms/api-client/limits/NewRoleTemplate';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { textIn } from '../../../kit/forms/limits.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { PermissionBoxes } from '../../../kit/roles/permission-boxes.tsx';
import { permissionText, roleName } from '../../../kit/roles/role-name.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { permissionsQuery, type RoleTemplate, templateQuery, templatesQuery } from './templates.queries.ts';

const fields = z.object({
  name: textIn(NewRoleTemplate.name, 'roleName'),
  description: textIn(NewRoleTemplate.description),
  permissions: z.array(z.string()),
});
type Fields = z.output<typeof fields>;
type Body = Schemas['NewRoleTemplate'];

const LIST: string = '/templates';

export function NewTemplatePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useRecordForm<Fields, RoleTemplate>({
    schema: fields,
    values: { name: '', description: '', permissions: [] },
    // The module decides which texts are permissions.
    save: (values) => dataOf(api.POST('/api/console/role-templates', { body: values as Body })),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: templatesQuery.queryKey });
      void navigate({ to: LIST });
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('templates.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('templates.new')}
          submitLabel={t('templates.create')}
          onCancel={() => void navigate({ to: LIST })}
        >
          <Fieldset of={form} isNew />
        </FormBody>
      </Stack>
    </Stack>
  );
}

export function TemplatePage() {
  const { id = '' } = useParams({ strict: false });
  const found = useQuery(templateQuery(id));
  if (found.data) return <Template key={id} template={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={320} animate={false} aria-busy />
  );
}

function Template({ template }: { readonly template: RoleTemplate }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const { id, name, isSystem, status } = template;
  const path = { id };
  const onSaved = (saved: RoleTemplate) => {
    queries.setQueryData(templateQuery(id).queryKey, saved);
    void queries.invalidateQueries({ queryKey: templatesQuery.queryKey, exact: true });
  };
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={roleName(name)}>
        {!isSystem && may(status === 'active' ? 'retireRoleTemplate' : 'restoreRoleTemplate') && (
          <Step template={template} onSaved={onSaved} />
        )}
      </PageHead>
      <Text size="sm">{isSystem ? t('templates.systemHow') : t(`templates.status.${status}`)}</Text>
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          item={template}
          schema={fields}
          label={roleName(name)}
          mayChange={may('changeRoleTemplate') && !isSystem}
          valuesOf={({ description, permissions }): Fields => ({ name, description, permissions })}
          bodyOf={({ description, permissions }) => ({ description, permissions: permissions as Body['permissions'] })}
          labelOf={(field) => t(`templates.${field as keyof Fields}`)}
          save={(body) => dataOf(api.PUT('/api/console/role-templates/{id}', { params: { path }, body }))}
          read={() => queries.fetchQuery({ ...templateQuery(id), staleTime: 0 })}
          onSaved={onSaved}
          fields={(form) => <Fieldset of={form} />}
        >
          <Facts
            facts={[
              { label: t('templates.description'), value: <bdi>{template.description}</bdi> },
              { label: t('templates.permissions'), value: template.permissions.map(permissionLine) },
            ]}
          />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}

const permissionLine = (permission: string) => <div key={permission}>{permissionText(permission)}</div>;

interface FieldsetProps {
  readonly of: RecordForm<Fields>;
  readonly isNew?: boolean;
}

function Fieldset({ of, isNew = false }: FieldsetProps) {
  const { t } = useTranslation();
  const all = useQuery(permissionsQuery).data ?? [];
  const grantable = all.flatMap(({ name, isGrantable }) => (isGrantable ? [name] : []));
  return (
    <Stack gap="md">
      <Field
        of={of}
        name="name"
        label={t('templates.name')}
        description={isNew ? t('templates.nameHow') : undefined}
        placeholder="WARD_CLERK"
        required={isNew}
        readOnly={!isNew}
        autoFocus={isNew}
        autoComplete="off"
        dir="ltr"
      />
      <Field of={of} name="description" label={t('templates.description')} required autoComplete="off" />
      <Controller
        control={of.form.control}
        name="permissions"
        render={({ field }) => (
          <PermissionBoxes
            label={t('templates.permissions')}
            {...(isNew ? {} : { description: t('templates.permissionsHow') })}
            permissions={grantable}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
    </Stack>
  );
}

interface StepProps {
  readonly template: RoleTemplate;
  onSaved(saved: RoleTemplate): void;
}

/** Retires an active template, and restores a retired one. */
function Step({ template: { id, name, status, version }, onSaved }: StepProps) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState('');
  const isActive = status === 'active';
  const take = async () => {
    if (isActive && !(await ask(t('templates.confirmRetire', { name: roleName(name) }), t('templates.retire')))) return;
    setBusy(true);
    setError(undefined);
    try {
      const step = isActive ? 'retire' : 'restore';
      const sent = { params: { path: { id } }, body: { version } };
      onSaved(await dataOf(api.POST(`/api/console/role-templates/{id}/${step}`, sent)));
      setDone(t(isActive ? 'templates.retired' : 'templates.restored'));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="xs" align="flex-end">
      <Button
        size="compact-md"
        variant="default"
        {...(isActive ? { c: 'bad' } : {})}
        loading={isBusy}
        onClick={() => void take()}
      >
        {t(isActive ? 'templates.retire' : 'templates.restore')}
      </Button>
      <Text role="status" size="sm">
        {done}
      </Text>
      <ErrorPanel error={error} />
    </Stack>
  );
}
