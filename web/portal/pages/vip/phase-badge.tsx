/** What a membership is today, and from when to when it is valid. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { showDay } from '../../../kit/time/time.ts';
import type { Membership } from './vip.queries.ts';

/** Dark enough on the page's own background. */
const COLORS = {
  upcoming: 'info',
  current: 'good',
  suspended: 'warning',
  ended: 'quiet',
  cancelled: 'quiet',
};

export function PhaseBadge({ phase }: Pick<Membership, 'phase'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[phase]} variant="outline" tt="none">
      {t(`vip.phases.${phase}`)}
    </Badge>
  );
}

export function Validity({ validFrom, validTo }: Pick<Membership, 'validFrom' | 'validTo'>) {
  const { t } = useTranslation();
  return validTo === null
    ? t('vip.since', { day: showDay(validFrom) })
    : t('vip.sinceUntil', { from: showDay(validFrom), to: showDay(validTo) });
}
