/** How a figure differs from that of the period before: in words and with a sign. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Kind } from './reports.queries.ts';
import { useValues } from './values.ts';

interface Props {
  readonly kind: Kind;
  readonly value: number | null | undefined;
  readonly before: number | null | undefined;
}

export function Change({ kind, value, before }: Props) {
  const { t } = useTranslation();
  const values = useValues();
  const change = values.change(kind, value, before);
  const difference = (value ?? 0) - (before ?? 0);
  return (
    <Text size="xs" c="dimmed" component="p" m={0}>
      {change !== undefined && (
        <>
          <span aria-hidden>{difference > 0 ? '▲' : difference < 0 ? '▼' : '='}</span>{' '}
          <Text span inherit fw={600}>
            {difference === 0 ? t('reports.same') : t(difference > 0 ? 'reports.more' : 'reports.less', { change })}
          </Text>
          {' · '}
        </>
      )}
      {t('reports.before', { value: values.show(kind, before) })}
    </Text>
  );
}
