/** Critical results that nobody has answered in time: above each page of whoever can acknowledge them. */
import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../kit/roles/can.tsx';
import { countsQuery } from './pages/laboratory/counts.query.ts';

/** In ms. The result has waited for many minutes before. */
const INTERVAL = 60_000;

export function CriticalNotice() {
  const { t } = useTranslation();
  const isFor = useMay()('acknowledgeLabResults');
  const { data } = useQuery({ ...countsQuery(), enabled: isFor, refetchInterval: INTERVAL });
  const count = data?.escalated ?? 0;
  return (
    <div aria-live="polite">
      {isFor && count > 0 && (
        <Alert color="bad" variant="outline" mb="md" title={t('critical.waits', { count })}>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/laboratory" search={{ work: 'acknowledge' }} {...props} />}
          >
            {t('critical.open')}
          </Anchor>
        </Alert>
      )}
    </div>
  );
}
