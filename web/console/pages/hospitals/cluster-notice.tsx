/** Says that what is shown is old, or that nobody works on it. */
import { Alert, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { locale } from '../../../kit/i18n/i18n.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { clusterQuery } from './hospitals.queries.ts';

export function ClusterNotice() {
  const { t } = useTranslation();
  const { data } = useQuery(clusterQuery);
  const { online } = useNetwork();
  const isFine = !data || (data.isReachable && data.operatorSilentSince === null);
  if (online && isFine) return <div role="status" />;
  return (
    <Alert role="status" color="warning" variant="outline" icon={<IconPlugConnectedX aria-hidden />}>
      <Text size="sm">
        {!online || isFine
          ? t('hospitals.offline')
          : data.isReachable
            ? t('hospitals.operatorAway', { since: showMoment(data.operatorSilentSince ?? '', undefined) })
            : t('hospitals.clusterAway', { at: showMoment(data.asOf, undefined) })}
      </Text>
    </Alert>
  );
}

/** How long something lasts, such as “2 min”. @param seconds at least 0. */
export function showSeconds(seconds: number): string {
  const [count, unit] =
    seconds < 100
      ? [Math.max(1, Math.round(seconds)), 'second']
      : seconds < 6000
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: String(unit), unitDisplay: 'long' }).format(
    Number(count),
  );
}
