/** Says at once that there is no network, and before the session ends because nobody does anything. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { idleEnd } from '../session/session.ts';
import { isPartMissing, onMissingParts } from './new-build.ts';

/** Seconds before the end in which somebody is warned. */
const WARNED = 60;

export function NetworkBar() {
  const { t } = useTranslation();
  const isOffline = useSyncExternalStore(onNetwork, () => !navigator.onLine || isPartMissing());
  const seconds = useIdleSeconds();
  const text = seconds !== undefined ? t('session.idleSoon', { seconds }) : isOffline ? t('app.offline') : '';
  return (
    <div role="status" className={text ? 'hms-network' : 'hms-hidden'}>
      {text}
    </div>
  );
}

function onNetwork(listener: () => void): () => void {
  const end = onMissingParts(listener);
  for (const name of ['online', 'offline']) addEventListener(name, listener);
  return () => {
    end();
    for (const name of ['online', 'offline']) removeEventListener(name, listener);
  };
}

/** Seconds until the session ends if nobody does anything. Undefined: not soon. In steps, so that it is not read aloud each second. */
function useIdleSeconds(): number | undefined {
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    const timer = setInterval(() => {
      const left = Math.ceil(((idleEnd() ?? Infinity) - Date.now()) / 1000);
      setSeconds(left > 0 && left <= WARNED ? Math.ceil(left / 10) * 10 : undefined);
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
