/** The state of an appointment. */
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Appointment } from './appointments.queries.ts';

/** Dark enough on the page's own background. */
const COLORS: Readonly<Record<Appointment['status'], string>> = {
  offered: '#5f3dc4',
  booked: '#1864ab',
  confirmed: '#1d6b2f',
  checked_in: '#8a3a00',
  in_consultation: '#8a3a00',
  completed: '#495057',
  cancelled: '#495057',
  no_show: '#a01c1c',
  rescheduled: '#495057',
};

export function StatusBadge({ status }: Pick<Appointment, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="outline" tt="none" color={COLORS[status]}>
      {t(`appointments.status.${status}`)}
    </Badge>
  );
}
