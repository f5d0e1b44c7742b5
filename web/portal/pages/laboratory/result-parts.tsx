/** How priorities, values, flags and ranges are shown. */
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { LabItem, LabOrder, LabRange, LabResult } from './laboratory.queries.ts';

export function PriorityBadge({ priority }: Pick<LabOrder, 'priority'>) {
  const { t } = useTranslation();
  if (priority === 'routine') return <Text size="sm">{t('laboratory.priorities.routine')}</Text>;
  return (
    <Badge
      color={priority === 'stat' ? 'bad' : 'warning'}
      variant={priority === 'stat' ? 'filled' : 'outline'}
      leftSection={priority === 'stat' ? <IconAlertTriangle size={12} aria-hidden /> : undefined}
      tt="none"
    >
      {t(`laboratory.priorities.${priority}`)}
    </Badge>
  );
}

type Measured = Pick<LabItem, 'options' | 'valueType' | 'unit'>;

/** A value as people read it: the name of a code, and the unit. */
export function Value({ item, value }: { readonly item: Measured; readonly value: string }) {
  const name = item.options?.find(({ code }) => code === value)?.name;
  return (
    <span
      className={item.valueType === 'text' ? undefined : 'hms-number'}
      // The unit stays behind its number in Arabic too.
      dir={item.valueType === 'numeric' ? 'ltr' : undefined}
    >
      <bdi>{name ?? value}</bdi>
      {item.unit !== null && <bdi> {item.unit}</bdi>}
    </span>
  );
}

type Flagged = Pick<LabResult, 'flag' | 'unflagged' | 'isCritical'>;

/** The letters of laboratories everywhere, with the word for them. A comparator may leave open whether it is critical. */
export function Flag({ flag, unflagged, isCritical }: Flagged) {
  const { t } = useTranslation();
  if (isCritical && unflagged === 'uncertain')
    return (
      <Badge color="bad" variant="filled" tt="none">
        {t('laboratory.mayBeCritical', { flag: t('laboratory.unflagged.uncertain') })}
      </Badge>
    );
  if (flag === null)
    return (
      <Text size="sm" c="dimmed">
        {unflagged && unflagged !== 'text' ? t(`laboratory.unflagged.${unflagged}`) : ''}
      </Text>
    );
  if (flag === 'N')
    return (
      <Text size="sm" c="good" style={{ whiteSpace: 'nowrap' }}>
        {t('laboratory.flags.N')}
      </Text>
    );
  const word = t(isCritical && flag === 'A' ? 'laboratory.flags.critical' : `laboratory.flags.${flag}`);
  const isOpen = isCritical && (flag === 'L' || flag === 'H');
  return (
    <Badge color={isCritical ? 'bad' : 'warning'} variant={isCritical ? 'filled' : 'outline'} tt="none">
      <bdi>{flag}</bdi> · {isOpen ? t('laboratory.mayBeCritical', { flag: word }) : word}
    </Badge>
  );
}

/** `3.5 – 5.1`, or one limit. */
function rangeText({ low, high }: Pick<LabRange, 'low' | 'high'>): string {
  if (low !== null && high !== null) return `${low} – ${high}`;
  if (low !== null) return `≥ ${low}`;
  return high === null ? '' : `≤ ${high}`;
}

/** The range of a patient, with the limits that are critical. */
export function Range({ range }: { readonly range: LabRange | null }) {
  const { t } = useTranslation();
  if (range === null) return '–';
  const critical = [
    range.criticalLow === null ? [] : `< ${range.criticalLow}`,
    range.criticalHigh === null ? [] : `> ${range.criticalHigh}`,
  ].flat();
  return (
    <>
      <span className="hms-number" dir="ltr">
        {rangeText(range) || '–'}
      </span>
      {critical.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('laboratory.critical')}:{' '}
          <span className="hms-number" dir="ltr">
            {critical.join(', ')}
          </span>
        </Text>
      )}
    </>
  );
}

interface LinesProps {
  readonly items: readonly LabItem[];
  /** Each test leads to its results over time. */
  readonly patientId?: string;
}

/** The results of an order in one line each, the critical ones first in the eye. */
export function ResultLines({ items, patientId }: LinesProps) {
  return items.map((item) => (
    <Group key={item.id} gap={6} wrap="nowrap">
      {patientId !== undefined && item.result ? (
        <Anchor
          size="sm"
          py={3}
          renderRoot={(props) => (
            <Link to="/laboratory/results" search={{ patient: patientId, test: item.testId }} {...props} />
          )}
        >
          {item.name}
        </Anchor>
      ) : (
        <Text size="sm" span>
          {item.name}
        </Text>
      )}
      {item.result && (
        <>
          <Text size="sm" span fw={item.result.isCritical ? 700 : 500}>
            <Value item={item} value={item.result.value} />
          </Text>
          {item.result.flag !== 'N' && <Flag {...item.result} />}
        </>
      )}
    </Group>
  ));
}
