/** One's own account: who one is here, and the password. */
import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../api/api.ts';
import { Field, FormBody, useRecordForm } from '../forms/record-form.tsx';
import { PageHead } from '../lists/list-page.tsx';
import { roleName } from '../roles/role-name.ts';
import { usePerson } from '../session/use-session.ts';

export function AccountPage() {
  const { t } = useTranslation();
  const { name, email, roles, hospital } = usePerson();
  return (
    <Stack gap="md">
      <PageHead title={t('app.account')} />
      <Stack className="hms-panel" p="lg">
        <dl className="hms-facts">
          {name !== null && (
            <>
              <dt>{t('account.name')}</dt>
              <dd>{name}</dd>
            </>
          )}
          <dt>{t('login.email')}</dt>
          <dd>{email}</dd>
          {hospital && (
            <>
              <dt>{t('account.hospital')}</dt>
              <dd>{hospital.name}</dd>
              <dt>{t('account.zone')}</dt>
              <dd>{hospital.timezone}</dd>
            </>
          )}
          <dt>{t('account.roles')}</dt>
          <dd>
            <Group gap={6}>
              {roles.map((name) => (
                <Badge key={name} variant="light" tt="none">
                  {roleName(name)}
                </Badge>
              ))}
            </Group>
          </dd>
        </dl>
      </Stack>
      <PasswordPanel />
    </Stack>
  );
}

const given = z.string().check(z.minLength(1, 'required'));
const change = z
  .object({ currentPassword: given, newPassword: given, repeated: z.string() })
  .check(
    z.refine(({ newPassword, repeated }) => newPassword === repeated, { path: ['repeated'], error: 'notRepeated' }),
  );

function PasswordPanel() {
  const { t } = useTranslation();
  const { email } = usePerson();
  const [isChanged, setChanged] = useState(false);
  const empty = { currentPassword: '', newPassword: '', repeated: '' };
  const form = useRecordForm({
    schema: change,
    values: empty,
    save: ({ currentPassword, newPassword }) =>
      dataOf(api.PUT('/api/auth/password', { body: { currentPassword, newPassword } })),
    onSaved: () => {
      form.form.reset(empty);
      setChanged(true);
    },
  });
  return (
    <Stack className="hms-panel" p="lg" maw="34rem">
      <Title order={2}>{t('account.password')}</Title>
      <Text size="sm" c="dimmed">
        {t('account.passwordHow')}
      </Text>
      <Text role="status" size="sm" c="good" fw={500}>
        {isChanged ? t('account.changed') : ''}
      </Text>
      <FormBody of={form} label={t('account.password')} submitLabel={t('account.change')}>
        {/* For password managers, which keep a password for each name. */}
        <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
        <Field
          of={form}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          label={t('account.currentPassword')}
        />
        <Field
          of={form}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          label={t('forgotten.newPassword')}
        />
        <Field of={form} name="repeated" type="password" autoComplete="new-password" label={t('account.repeated')} />
      </FormBody>
    </Stack>
  );
}
