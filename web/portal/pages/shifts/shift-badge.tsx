/** The state of a shift, in words and color. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../../kit/money/money.tsx';
import type { Shift } from './shifts.queries.ts';

const COLORS = { open: 'info', closed: 'warning', disputed: 'bad', approved: 'good' } as const;

export function ShiftBadge({ status }: Pick<Shift, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`shifts.statuses.${status}`)}
    </Badge>
  );
}

/** More or less than expected, with its sign. */
export function Difference({ of }: { readonly of: number }) {
  const money = useMoney();
  const shown = money.show(Math.abs(of));
  return (
    <bdi
      dir="ltr"
      className="hms-number"
      style={{ fontWeight: 600, ...(of === 0 ? {} : { color: 'var(--mantine-color-bad-text)' }) }}
    >
      {of === 0 ? shown : `${of > 0 ? '+' : '−'}${shown}`}
    </bdi>
  );
}
