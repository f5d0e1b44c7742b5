/** Chooses the days of a report: by a name, day by day, or the period before or after. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DayInput } from '../../../kit/forms/day-input.tsx';
import { locale } from '../../../kit/i18n/i18n.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import {
  firstWeekdayOf,
  lastDay,
  type Period,
  PRESETS,
  type Preset,
  presetPeriod,
  shifted,
  withFirst,
  withLast,
} from './period.ts';

interface Props {
  readonly period: Period;
  onPeriod(period: Period): void;
}

export function PeriodBar({ period, onPeriod }: Props) {
  const { t } = useTranslation();
  const today = todayIn(usePerson().hospital?.timezone);
  const periodOf = (preset: Preset) => presetPeriod(preset, today, firstWeekdayOf(locale()));
  const chosen = PRESETS.find((preset) => {
    const { from, to } = periodOf(preset);
    return from === period.from && to === period.to;
  });
  const choose = (name: string) => {
    const preset = PRESETS.find((one) => one === name);
    if (preset) onPeriod(periodOf(preset));
  };
  return (
    <Group gap="sm" align="flex-end" className="hms-period">
      <NativeSelect
        label={t('reports.period')}
        value={chosen ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          ...(chosen ? [] : [{ value: '', label: t('reports.preset.own') }]),
          ...PRESETS.map((value) => ({ value, label: t(`reports.preset.${value}`) })),
        ]}
      />
      <DayInput
        label={t('reports.from')}
        value={period.from}
        isLive
        onChange={(day) => day && onPeriod(withFirst(period, day))}
      />
      <DayInput
        label={t('reports.to')}
        value={lastDay(period)}
        isLive
        onChange={(day) => day && onPeriod(withLast(period, day))}
      />
      <Group gap={4} wrap="nowrap">
        <Step direction={-1} {...{ period, onPeriod }} />
        <Step direction={1} {...{ period, onPeriod }} />
      </Group>
    </Group>
  );
}

function Step({ direction, period, onPeriod }: Props & { readonly direction: 1 | -1 }) {
  const { t } = useTranslation();
  const Icon = direction === -1 ? IconChevronLeft : IconChevronRight;
  const label = t(direction === -1 ? 'reports.earlier' : 'reports.later');
  return (
    <Button
      variant="default"
      px="xs"
      aria-label={label}
      title={label}
      onClick={() => onPeriod(shifted(period, direction))}
    >
      <Icon size={18} aria-hidden className="hms-mirrored" />
    </Button>
  );
}
