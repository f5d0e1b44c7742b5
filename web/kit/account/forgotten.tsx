/** A new password, with a code from an e-mail. */
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dataOf, openApi } from '../api/api.ts';
import { CodeForm, CodeInput, ResendButton, useRun } from '../session/login.tsx';
import { type Challenge, login } from '../session/session.ts';
import { start } from '../start.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { forgetReset, keepReset, type WaitingReset, waitingReset } from './waiting-reset.ts';

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
  const [waiting, setWaiting] = useState(waitingReset);
  const [email, setEmail] = useState(waiting?.email ?? known);
  const { isBusy, error, run } = useRun();
  const keep = (challenge: Challenge) => setWaiting(keepReset(email.trim(), challenge));
  if (waiting) return <ResetForm of={waiting} onResent={keep} onDone={() => onDone(waiting.email)} />;
  const submit = run(async () => {
    const body = { hospital: start.realm, email: email.trim() };
    keep(await dataOf(openApi.POST('/api/auth/password/forgotten', { body })));
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

interface ResetProps {
  readonly of: WaitingReset;
  onResent(challenge: Challenge): void;
  /** The password is saved, and the person has to log in with it. */
  onDone(): void;
}

function ResetForm({ of: { email, challenge }, onResent, onDone }: ResetProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [newPassword, setNewPassword] = useState('');
  /** Of the login with the new password, where the hospital asks for a code. */
  const [second, setSecond] = useState<Challenge>();
  const { isBusy, error, run } = useRun();
  const submit = run(async () => {
    const body = { challenge: challenge.challenge, code, newPassword };
    await dataOf(openApi.POST('/api/auth/password/reset', { body }));
    forgetReset();
    try {
      setSecond(await login(email, newPassword));
    } catch {
      onDone();
    }
  });
  if (second) return <CodeForm challenge={second} onBack={onDone} />;
  return (
    <form onSubmit={submit} aria-label={t('forgotten.title')}>
      <Stack gap="md">
        <Text size="sm">{t('forgotten.sent', { address: challenge.sentTo })}</Text>
        <ErrorPanel error={error} />
        <CodeInput value={code} onChange={setCode} />
        <PasswordInput
          label={t('forgotten.newPassword')}
          description={t('forgotten.rules')}
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
        <ResendButton challenge={challenge} onSent={onResent} />
      </Stack>
    </form>
  );
}
