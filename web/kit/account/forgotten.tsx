/** A new password, with a code from an e-mail. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dataOf, openApi } from '../api/api.ts';
import { CodeForm, CodeInput, ResendButton, useRun } from '../session/login.tsx';
import type { Challenge } from '../session/session.ts';
import { start } from '../start.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { NewPasswordInput, useLoginAfterwards } from './new-password.tsx';
import { forgetReset, keepReset, type WaitingReset, waitingReset } from './waiting-reset.ts';

interface Props {
  /** Of the account, if it is known. */
  readonly email?: string;
  /** The code is on its way. */
  onSent?(): void;
  /** @param email of the account, for its login. */
  onDone(email: string): void;
}

export function ForgottenForm({ email: known = '', onSent, onDone }: Props) {
  const { t } = useTranslation();
  const [waiting, setWaiting] = useState(waitingReset);
  const [email, setEmail] = useState(waiting?.email ?? known);
  const { isBusy, error, run } = useRun();
  const keep = (challenge: Challenge) => setWaiting(keepReset(email.trim(), challenge));
  if (waiting) return <ResetForm of={waiting} onResent={keep} onDone={() => onDone(waiting.email)} />;
  const submit = run(async () => {
    const body = { hospital: start.realm, email: email.trim() };
    keep(await dataOf(openApi.POST('/api/auth/password/forgotten', { body })));
    onSent?.();
  });
  return (
    <form onSubmit={submit} aria-label={t('forgotten.title')}>
      <Stack gap="md">
        <Text size="sm">{t('forgotten.how')}</Text>
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
  const { second, enter } = useLoginAfterwards(onDone);
  const { isBusy, error, run } = useRun();
  const submit = run(async () => {
    const body = { challenge: challenge.challenge, code, newPassword };
    await dataOf(openApi.POST('/api/auth/password/reset', { body }));
    forgetReset();
    await enter(email, newPassword);
  });
  if (second) return <CodeForm challenge={second} onBack={onDone} />;
  return (
    <form onSubmit={submit} aria-label={t('forgotten.title')}>
      <Stack gap="md">
        <Text size="sm">{t('forgotten.sent', { address: challenge.sentTo })}</Text>
        <ErrorPanel error={error} />
        <CodeInput value={code} onChange={setCode} />
        <NewPasswordInput value={newPassword} onChange={setNewPassword} />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('forgotten.save')}
        </Button>
        <ResendButton challenge={challenge} onSent={onResent} />
      </Stack>
    </form>
  );
}
