/** Says at all times that somebody of the platform acts as somebody of the hospital. It can't be closed or covered. */
import { Button, Text } from '@mantine/core';
import { IconUserShield } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { stopActing } from './acting.ts';
import { useRun } from './login.tsx';
import { type Acting, endActing } from './session.ts';
import { useSession } from './use-session.ts';

export function ActingBar() {
  const session = useSession();
  return session.kind === 'in' && session.acting ? <Bar acting={session.acting} /> : null;
}

function Bar({ acting }: { readonly acting: Acting }) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const bar = useHeight();
  const { actor, person, reason, mode } = acting.impersonation;
  return (
    <section ref={bar} className="hms-acting" aria-label={t('acting.label')}>
      <div className="hms-acting-text">
        <IconUserShield size={20} aria-hidden />
        <Text span size="sm">
          <strong>
            <bdi>{actor.name ?? actor.email}</bdi>
          </strong>{' '}
          {t('acting.actsAs')}{' '}
          <strong>
            <bdi>{person.name ?? person.email}</bdi>
          </strong>
          . {t(mode === 'write' ? 'acting.write' : 'acting.read')}
        </Text>
        <Text span size="sm">
          {t('acting.reason')} <bdi>{reason}</bdi>
        </Text>
      </div>
      <div className="hms-acting-end">
        <TimeLeft endsAt={acting.endsAt} />
        <Button size="compact-sm" color="dark.7" loading={isBusy} onClick={run(() => endActing(acting))}>
          {t('app.endActing')}
        </Button>
      </div>
      <ErrorPanel error={error} />
    </section>
  );
}

/** Counts down, and leaves the page when the time is over. */
function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const { t } = useTranslation();
  const [seconds, setSeconds] = useState(() => secondsTo(endsAt));
  useEffect(() => {
    const timer = setInterval(() => {
      setSeconds(secondsTo(endsAt));
      if (secondsTo(endsAt) === 0) stopActing();
    }, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <Text span size="sm" className="hms-number">
      {t('acting.left', { time })}
    </Text>
  );
}

function secondsTo(moment: number): number {
  return Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}

/** The page begins below the bar, however many lines it has. */
function useHeight() {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--hms-bar', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--hms-bar');
    };
  }, []);
  return bar;
}
