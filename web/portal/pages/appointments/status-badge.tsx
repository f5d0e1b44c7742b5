/** The state of an appointment. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Appointment } from './appointments.queries.ts';

/** Dark enough on the page's own background. */
const COLORS: Readonly<Record<Appointment['status'], string>> = {
  offered: 'pending',
  booked: 'info',
  confirmed: 'good',
  checked_in: 'warning',
  in_consultation: 'warning',
  completed: 'quiet',
  cancelled: 'quiet',
  no_show: 'bad',
  rescheduled: 'quiet',
};

export function StatusBadge({ status }: Pick<Appointment, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="outline" tt="none" color={COLORS[status]}>
      {t(`appointments.status.${status}`)}
    </Badge>
  );
}
