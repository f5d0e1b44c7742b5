/** What all forms for a new password have. */
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Challenge, login } from '../session/session.ts';

interface Props {
  readonly value: string;
  readonly autoFocus?: boolean;
  onChange(password: string): void;
}

/** A new password, with its rules. */
export function NewPasswordInput({ value, autoFocus = false, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      label={t('forgotten.newPassword')}
      description={t('forgotten.rules')}
      autoComplete="new-password"
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
    />
  );
}

/**
 * Logs in with a password that was saved just now.
 * @param onFailed the person has to log in.
 * @returns `second`: the challenge of the login, where the hospital asks for a code.
 */
export function useLoginAfterwards(onFailed: () => void) {
  const [second, setSecond] = useState<Challenge>();
  const enter = async (email: string, password: string) => {
    try {
      setSecond(await login(email, password));
    } catch {
      onFailed();
    }
  };
  return { second, enter };
}
