/** The first password of somebody who was invited, with the link of the mail. */
import { Alert, Button, Center, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, dataOf, openApi } from '../api/api.ts';
import { CodeForm, useRun } from '../session/login.tsx';
import { start } from '../start.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { ForgottenForm } from './forgotten.tsx';
import { NewPasswordInput, useLoginAfterwards } from './new-password.tsx';
import { forgetInvitation } from './waiting-invitation.ts';

interface Props {
  /** The part of the link behind #. */
  readonly invitation: string;
  /** The password is saved, and the person has to log in with it. */
  onDone(email: string): void;
}

export function InvitationForm({ invitation, onDone }: Props) {
  const { t } = useTranslation();
  const [ended, setEnded] = useState<ApiError>();
  const link = { hospital: start.realm, invitation };
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () => dataOf(openApi.POST('/api/auth/invitations/read', { body: link })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [newPassword, setNewPassword] = useState('');
  const email = data?.email ?? '';
  const { second, enter } = useLoginAfterwards(() => onDone(email));
  const { isBusy, error: refusal, run } = useRun();
  const submit = run(async () => {
    try {
      await dataOf(openApi.POST('/api/auth/invitations/accept', { body: { ...link, newPassword } }));
    } catch (problem) {
      if (!isEnded(problem)) throw problem;
      setEnded(problem);
      return;
    }
    forgetInvitation();
    await enter(email, newPassword);
  });

  const end = ended ?? (isEnded(error) ? error : undefined);
  if (end) return <EndedInvitation of={end} onDone={onDone} />;
  if (second) return <CodeForm challenge={second} onBack={() => onDone(email)} />;
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Center>
        <Loader aria-label={t('loading')} />
      </Center>
    );
  }
  return (
    <form onSubmit={submit} aria-label={t('forgotten.welcome')}>
      <Stack gap="md">
        <Text size="sm">{t('forgotten.first')}</Text>
        <ErrorPanel error={refusal} />
        <TextInput label={t('login.email')} dir="ltr" autoComplete="username" readOnly value={email} />
        <NewPasswordInput autoFocus value={newPassword} onChange={setNewPassword} />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('forgotten.save')}
        </Button>
      </Stack>
    </form>
  );
}

/** Whoever can't use the link any more can still get a code. */
function EndedInvitation({ of: ended, onDone }: { readonly of: ApiError; readonly onDone: Props['onDone'] }) {
  const { t } = useTranslation();
  const { email } = ended.details;
  return (
    <Stack gap="md">
      <Alert color="brand" variant="light" role="status">
        <Text size="sm">{t('forgotten.ended')}</Text>
      </Alert>
      {/* From then on, a reload keeps the step of the code. */}
      <ForgottenForm email={typeof email === 'string' ? email : ''} onSent={forgetInvitation} onDone={onDone} />
    </Stack>
  );
}

function isEnded(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'INVITATION_ENDED';
}
