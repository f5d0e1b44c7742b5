/** Why a visitor may not come in, in words of the desk. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../kit/api/api.ts';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';

interface Ban {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  readonly validTo: string | null;
  readonly isSamePhone: boolean;
}

interface Props {
  readonly error: unknown;
  /** Somebody else has the same name. */
  onOther?(banIds: readonly string[]): void;
}

export function Refusal({ error, onOther }: Props) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError)) return <ErrorPanel error={error} />;
  const { code, details } = error;
  if (code === 'VISITOR_BANNED') {
    const bans = (details.bans ?? []) as readonly Ban[];
    const isOpen = bans.every(({ isSamePhone }) => !isSamePhone);
    return (
      <Stop title={t('visitors.refusal.banned')}>
        {bans.map(({ id, name, reason, validTo }) => (
          <Text key={id} size="sm">
            <bdi>{name}</bdi>: <bdi>{reason}</bdi>
            {validTo !== null && ` (${t('visitors.until', { time: showDay(validTo) })})`}
          </Text>
        ))}
        {onOther && isOpen && (
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => onOther(bans.map(({ id }) => id))}>
              {t('visitors.refusal.other')}
            </Button>
          </Group>
        )}
      </Stop>
    );
  }
  if (code === 'VISITOR_LIMIT_REACHED') {
    const inside = (details.inside ?? []) as readonly { readonly id: string; readonly name: string }[];
    return (
      <Stop title={t('visitors.refusal.full', { number: details.limit })}>
        {inside.map(({ id, name }) => (
          <Text key={id} size="sm">
            <bdi>{name}</bdi>
          </Text>
        ))}
      </Stop>
    );
  }
  if (code === 'VISITORS_PER_HOUR_REACHED') {
    const at = String(details.nextAt).slice(11, 16);
    return <Stop title={t('visitors.refusal.perHour', { number: details.limit, at })} />;
  }
  if (code === 'OUTSIDE_VISITING_HOURS') {
    const hours = (details.hours ?? []) as readonly Readonly<Record<'startTime' | 'endTime', string>>[];
    const times = hours.map(({ startTime, endTime }) => `${startTime}–${endTime}`).join(', ');
    return (
      <Stop title={t('visitors.refusal.hours')}>
        <Text size="sm" className="hms-number">
          {times === '' ? t('visitors.refusal.noHours') : times}
        </Text>
      </Stop>
    );
  }
  return <ErrorPanel error={error} />;
}

function Stop({ title, children }: { readonly title: string; readonly children?: React.ReactNode }) {
  return (
    <Alert role="alert" color="bad" variant="outline" title={title}>
      <Stack gap={4}>{children}</Stack>
    </Alert>
  );
}
