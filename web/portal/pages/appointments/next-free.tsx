/** Leads to the next day on which a doctor has a free place. */
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { plusDays } from '../schedules/week.ts';

const MONTH = 31;
/** Nobody books later than that. */
const MOST_DAYS_AHEAD = 366;

interface Props {
  readonly doctorId: string;
  /** Undefined: as long as the schedule says. */
  readonly visitTypeId: string | undefined;
  readonly today: string;
  /** The first day that is looked at. */
  readonly from: string;
  onFound(day: string): void;
  /** There is none that anybody can book. */
  onNone(): void;
  onError(error: unknown): void;
}

export function NextFree({ doctorId, visitTypeId, today, from, onFound, onNone, onError }: Props) {
  const { t } = useTranslation();
  const busy = useRef(false);
  const look = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const last = plusDays(today, MOST_DAYS_AHEAD);
      for (let date = from < today ? today : from; date <= last; date = plusDays(date, MONTH)) {
        const query = { doctorId, date, days: MONTH, ...(visitTypeId === undefined ? {} : { visitTypeId }) };
        const days = await dataOf(api.GET('/api/queue/slots/days', { params: { query } }));
        const found = days.find(({ free }) => free > 0);
        if (found) return onFound(found.day);
      }
      onNone();
    } catch (error) {
      onError(error);
    } finally {
      busy.current = false;
    }
  };
  return (
    <Button variant="default" onClick={() => void look()}>
      {t('appointments.nextFree')}
    </Button>
  );
}
