/** A new password, with a code from an e-mail. */
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dataOf, openApi } from '../api/api.ts';
import { CodeInput, useRun } from '../session/login.tsx';
import type { Challenge } from '../session/session.ts';
import { start } from '../start.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';

interface Props {
  /** Of the account, if it is known. */
  readonly email?: string;
  /** The first password of somebody who was invited. */
  readonly isFirst?: boolean;
  /** @param email of the account, for its login. */
  onDone(email: string): void;
}

export function ForgottenForm({ email: known = '', isFirst = false, onDone }: Props) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(known);
  const [challenge, setChallenge] = useState<Challenge>();
  const { isBusy, error, run } = useRun();
  if (challenge) return <ResetForm challenge={challenge} onDone={() => onDone(email.trim())} />;
  const submit = run(async () => {
    const body = { hospital: start.realm, email: email.trim() };
    setChallenge(await dataOf(openApi.POST('/api/auth/password/forgotten', { body })));
  });
  return (
    <form onSubmit={submit} aria-label={t('forgotten.title')}>
      <Stack gap="md">
        <Text size="sm">{t(isFirst ? 'forgotten.first' : 'forgotten.how')}</Text>
        <ErrorPanel error={error} />
        <TextInput
          label={t('login.email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('forgotten.submit')}
        </Button>
      </Stack>
    </form>
  );
}

function ResetForm({ challenge, onDone }: { readonly challenge: Challenge; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const { isBusy, error, run } = useRun();
  const submit = run(async () => {
    const body = { challenge: challenge.challenge, code, newPassword };
    await dataOf(openApi.POST('/api/auth/password/reset', { body }));
    onDone();
  });
  return (
    <form onSubmit={submit} aria-label={t('forgotten.title')}>
      <Stack gap="md">
        <Text size="sm">{t('forgotten.sent', { address: challenge.sentTo })}</Text>
        <ErrorPanel error={error} />
        <CodeInput value={code} onChange={setCode} />
        <PasswordInput
          label={t('forgotten.newPassword')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={newPassword}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('forgotten.save')}
        </Button>
      </Stack>
    </form>
  );
}
