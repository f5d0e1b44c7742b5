/** Shows the pages to those who are logged in, and a login to others. When a session ends, the login is laid over them. */
import { Alert, Anchor, Button, Center, Loader, Modal, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ForgottenForm } from '../account/forgotten.tsx';
import { InvitationForm } from '../account/invitation.tsx';
import { forgetInvitation, takeInvitation } from '../account/waiting-invitation.ts';
import { forgetReset, waitingReset } from '../account/waiting-reset.ts';
import { wordOf } from '../i18n/i18n.ts';
import { start } from '../start.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { LanguageMenu } from '../ui/language-menu.tsx';
import { useTitle } from '../ui/title.ts';
import { isOver } from './acting.ts';
import { LoginForm } from './login.tsx';
import { hasLeft, logout } from './session.ts';
import { useSession } from './use-session.ts';

export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const session = useSession();
  if (isOver) return <Over />;
  if (session.kind === 'starting') {
    return (
      <Center h="100dvh">
        <Loader aria-label={t('loading')} />
      </Center>
    );
  }
  if (session.kind === 'out') return <Door problem={session.problem} />;
  return (
    <>
      {children}
      <Modal
        opened={session.kind === 'ended'}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        centered
        lockScroll={false}
        title={t('session.ended')}
        // Nobody who passes by can read the page below.
        overlayProps={{ blur: 14, backgroundOpacity: 0.75 }}
      >
        {session.kind === 'ended' && (
          <Stack gap="md">
            <Text size="sm">{t(session.reason === 'idle' ? 'session.idle' : 'session.expired')}</Text>
            <LoginForm email={session.person.email ?? ''} isSamePerson />
            <Button
              variant="subtle"
              h="auto"
              py="xs"
              styles={{ label: { whiteSpace: 'normal' } }}
              onClick={() => void logout()}
            >
              {t('session.other')}
            </Button>
          </Stack>
        )}
      </Modal>
    </>
  );
}

/** The tab of an impersonation that has ended. */
function Over() {
  const { t } = useTranslation();
  useTitle(t('acting.over'));
  return (
    <div className="hms-door">
      <header style={{ display: 'flex', justifyContent: 'flex-end', padding: '0.75rem 1rem' }}>
        <LanguageMenu />
      </header>
      <main>
        <Stack className="hms-panel" p="xl" gap="md">
          <Title order={1} ta="center" tabIndex={-1} ref={(title) => title?.focus()}>
            {t('acting.over')}
          </Title>
          <Text size="sm">{t('acting.overHow')}</Text>
          <Anchor href="/" size="sm" ta="center">
            {t('acting.toLogin')}
          </Anchor>
        </Stack>
      </main>
      <span />
    </div>
  );
}

function Door({ problem }: { readonly problem: unknown }) {
  const { t } = useTranslation();
  const invitation = useInvitation();
  const [isForgotten, setForgotten] = useState(() => waitingReset() !== undefined);
  /** Whose password was chosen just now. */
  const [resetFor, setResetFor] = useState<string>();
  const isLogin = invitation.link === undefined && !isForgotten;
  const toggle = () => {
    forgetReset();
    invitation.forget();
    setForgotten(isLogin);
  };
  const onDone = (email: string) => {
    setResetFor(email);
    invitation.forget();
    setForgotten(false);
  };
  const name = start.name ?? t(start.entry === 'console' ? 'app.console' : 'app.platform');
  const title = start.platform
    ? t('notFound.hospital')
    : t(isLogin ? 'login.title' : invitation.link === undefined ? 'forgotten.title' : 'forgotten.welcome');
  useTitle(title);
  return (
    <div className="hms-door">
      <header style={{ display: 'flex', justifyContent: 'flex-end', padding: '0.75rem 1rem' }}>
        <LanguageMenu />
      </header>
      <main>
        <Stack gap="lg">
          <Stack gap={4} align="center">
            {start.logoUrl && <img className="hms-logo" src={start.logoUrl} alt="" />}
            <Text fw={600} size="lg" ta="center">
              {name}
            </Text>
          </Stack>
          <Stack className="hms-panel" p="xl" gap="md">
            <Title order={1} ta="center">
              {title}
            </Title>
            {start.problem ? (
              <Alert color="bad" variant="outline" role="alert">
                {wordOf(`error.code.${start.problem}`) ?? t('error.server')}{' '}
                {start.platform && <Anchor href={`${start.platform}/`}>{t('login.find')}</Anchor>}
              </Alert>
            ) : invitation.link !== undefined ? (
              <InvitationForm key={invitation.link} invitation={invitation.link} onDone={onDone} />
            ) : isForgotten ? (
              <ForgottenForm onDone={onDone} />
            ) : (
              <>
                {resetFor !== undefined && (
                  <Alert color="brand" variant="light" role="status">
                    <Text size="sm">{t('forgotten.done')}</Text>
                  </Alert>
                )}
                {hasLeft() ? (
                  <Text size="sm" role="status">
                    {t('login.left')}
                  </Text>
                ) : (
                  <ErrorPanel error={problem} />
                )}
                <LoginForm email={resetFor} />
              </>
            )}
            {!start.problem && (
              <Anchor component="button" type="button" size="sm" ta="center" onClick={toggle}>
                {t(isLogin ? 'forgotten.link' : 'forgotten.back')}
              </Anchor>
            )}
          </Stack>
        </Stack>
      </main>
      <Text component="footer" size="xs" c="dimmed" ta="center" p="md">
        {t('app.platform')}
      </Text>
    </div>
  );
}

/** The invitation that was opened last in this tab. */
function useInvitation() {
  const [link, setLink] = useState(takeInvitation);
  useEffect(() => {
    // Another link to this page changes only the part behind #, which loads nothing.
    const take = () => setLink(takeInvitation());
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  const forget = () => {
    forgetInvitation();
    setLink(undefined);
  };
  return { link, forget };
}
