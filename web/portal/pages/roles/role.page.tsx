/** One role: an owner withholds permissions from it, and gives them again. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { PermissionBoxes } from '../../../kit/roles/permission-boxes.tsx';
import { roleName } from '../../../kit/roles/role-name.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { NotFoundPage } from '../../../kit/ui/page.tsx';
import { type HospitalRole, rolesQuery } from './roles.queries.ts';

const route = getRouteApi('/roles/$name');

export function RolePage() {
  const { name } = route.useParams();
  const roles = useQuery(rolesQuery);
  const role = roles.data?.find((one) => one.name === name);
  if (role) return <Role key={name} role={role} />;
  if (roles.isSuccess) return <NotFoundPage />;
  return roles.isError ? (
    <ErrorPanel error={roles.error} onRetry={() => void roles.refetch()} />
  ) : (
    <Skeleton height={320} animate={false} aria-busy />
  );
}

const fields = z.object({ given: z.array(z.string()) });

function Role({ role }: { readonly role: HospitalRole }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isSaved, setSaved] = useState(false);
  const { name, permissions, withheld } = role;
  const mayChange = useMay()('changeRole') && name !== 'OWNER';
  const form = useRecordForm({
    schema: fields,
    values: { given: permissions.filter((permission) => !withheld.includes(permission)) },
    save: ({ given }) =>
      dataOf(
        api.PUT('/api/hms/roles/{name}', {
          params: { path: { name } },
          body: { withheld: permissions.filter((permission) => !given.includes(permission)) },
        }),
      ),
    onSaved: () => {
      setSaved(true);
      void queries.invalidateQueries({ queryKey: rolesQuery.queryKey });
    },
  });
  const boxes = (
    <Controller
      control={form.form.control}
      name="given"
      render={({ field }) => (
        <PermissionBoxes
          label={t('roles.may', { role: roleName(name) })}
          description={name === 'OWNER' ? t('roles.ownerHow') : t('roles.templateHow')}
          permissions={permissions}
          value={field.value}
          isReadOnly={!mayChange}
          onChange={(value) => {
            setSaved(false);
            field.onChange(value);
          }}
        />
      )}
    />
  );
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={roleName(name)} />
      <Stack className="hms-panel" p="lg">
        {mayChange ? (
          <FormBody
            of={form}
            label={roleName(name)}
            submitLabel={t('roles.save')}
            onCancel={() => void navigate({ to: '/roles' })}
          >
            {boxes}
          </FormBody>
        ) : (
          boxes
        )}
        <Text role="status" size="sm">
          {isSaved ? t('roles.saved') : ''}
        </Text>
      </Stack>
    </Stack>
  );
}
