/** A login with a password, and with the code from an e-mail where the hospital asks for one. */
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { start } from '../start.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { type Challenge, login, resend, verify } from './session.ts';

/** @param email of the person whose session has ended, who can't become another one here. */
interface Props {
  readonly email?: string | undefined;
  /** Nobody else may continue here. */
  readonly isSamePerson?: boolean;
}

export function LoginForm({ email: known, isSamePerson = false }: Props) {
  const { t } = useTranslation();
  const [challenge, setChallenge] = useState<Challenge>();
  const [email, setEmail] = useState(known ?? '');
  const password = useRef<HTMLInputElement>(null);
  const { isBusy, error, run } = useRun();

  if (challenge) return <CodeForm challenge={challenge} onBack={() => setChallenge(undefined)} />;
  const submit = run(async () => setChallenge(await login(email.trim(), password.current?.value ?? '')));
  return (
    <form onSubmit={submit} aria-label={t('login.title')}>
      <Stack gap="md">
        <ErrorPanel error={error} />
        <TextInput
          // People of the platform have no code.
          label={t(start.entry === 'console' ? 'login.email' : 'login.account')}
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          name="username"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={!known}
          readOnly={isSamePerson}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={known !== undefined}
          ref={password}
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
        />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('login.submit')}
        </Button>
      </Stack>
    </form>
  );
}

export function CodeForm({ challenge: first, onBack }: { readonly challenge: Challenge; readonly onBack: () => void }) {
  const { t } = useTranslation();
  const [challenge, setChallenge] = useState(first);
  const [code, setCode] = useState('');
  const { isBusy, error, run } = useRun();
  return (
    <form onSubmit={run(() => verify(challenge.challenge, code))} aria-label={t('login.codeTitle')}>
      <Stack gap="md">
        <Text size="sm">{t('login.codeSent', { address: challenge.sentTo })}</Text>
        <ErrorPanel error={error} />
        <CodeInput value={code} onChange={setCode} />
        <Button type="submit" loading={isBusy} fullWidth>
          {t('login.submitCode')}
        </Button>
        <ResendButton challenge={challenge} onSent={setChallenge} />
        <Button variant="subtle" onClick={onBack}>
          {t('login.back')}
        </Button>
      </Stack>
    </form>
  );
}

/** Six digits. A pasted code may have spaces. */
export function CodeInput({ value, onChange }: { readonly value: string; readonly onChange: (code: string) => void }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('login.code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      title={t('login.codeFormat')}
      required
      withAsterisk={false}
      autoFocus
      dir="ltr"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 6))}
    />
  );
}

/** Sends another code after a pause. */
export function ResendButton({
  challenge,
  onSent,
}: {
  readonly challenge: Challenge;
  readonly onSent: (one: Challenge) => void;
}) {
  const { t } = useTranslation();
  const [seconds, setSeconds] = useState(challenge.resendIn);
  const { isBusy, error, run } = useRun();
  useEffect(() => {
    const until = Date.now() + challenge.resendIn * 1000;
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [challenge]);
  return (
    <>
      <ErrorPanel error={error} />
      <Button
        variant="default"
        disabled={seconds > 0}
        loading={isBusy}
        onClick={run(async () => onSent(await resend(challenge.challenge)))}
      >
        {seconds > 0 ? t('login.resendIn', { seconds }) : t('login.resend')}
      </Button>
    </>
  );
}

/** Runs a step of a form: busy until its end, with its error. */
export function useRun() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const busy = useRef(false);
  const run = (step: () => Promise<unknown>) => async (event?: FormEvent | React.MouseEvent) => {
    event?.preventDefault();
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await step();
    } catch (problem) {
      setError(problem);
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
