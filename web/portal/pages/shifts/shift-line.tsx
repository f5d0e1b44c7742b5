/** Whose shift money belongs to, on the page where it is taken. */
import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useChanges } from '../../../kit/live/changes.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { currentShiftQuery, shiftKeys } from './shifts.queries.ts';

export function ShiftLine() {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const { data: shift } = useQuery(currentShiftQuery);
  useChanges('/api/payment/reconciliation/changes', shiftKeys.all);
  if (shift === undefined) return null;
  return (
    <Group gap="sm">
      <Text size="sm" c={shift === null ? 'warning' : undefined}>
        {shift === null
          ? t('shifts.none')
          : t('shifts.youAre', {
              number: shift.shiftNo,
              counter: shift.counter,
              when: showMoment(shift.openedAt, zone),
            })}
      </Text>
      <Anchor size="sm" renderRoot={(props) => <Link to="/shifts" {...props} />}>
        {t(shift === null ? 'shifts.open' : 'shifts.toShift')}
      </Anchor>
    </Group>
  );
}
