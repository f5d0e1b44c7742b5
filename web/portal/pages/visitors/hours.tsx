/** The visiting hours of each weekday. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { weekdayName } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { hoursQuery, type VisitingHour, visitorKeys } from './visitors.queries.ts';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
/** Each day of the week at once. */
const EVERY = 'every';

export function Hours() {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const found = useQuery(hoursQuery());
  const { error, isBusy, run } = useRun();
  useChanges('/api/crm/visiting-hours/changes', visitorKeys.hours);
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const refresh = () => queries.invalidateQueries({ queryKey: [visitorKeys.hours] });
  const remove = ({ id }: VisitingHour) =>
    run(async () => {
      await dataOf(api.DELETE('/api/crm/visiting-hours/{id}', { params: { path: { id } } }));
      await refresh();
    });
  return (
    <Stack className="hms-panel" p="md" gap="md">
      <ErrorPanel error={error} />
      {found.data.length === 0 ? (
        <Text c="dimmed">{t('visitors.anyTime')}</Text>
      ) : (
        <dl className="hms-facts">
          {WEEKDAYS.map((weekday) => {
            const hours = found.data
              .filter((one) => one.weekday === weekday)
              .toSorted((one, other) => one.startTime.localeCompare(other.startTime));
            return (
              <div key={weekday} style={{ display: 'contents' }}>
                <dt>{weekdayName(weekday)}</dt>
                <dd>
                  <Group gap="md">
                    {hours.length === 0 && t('visitors.closed')}
                    {hours.map((one) => (
                      <Group key={one.id} gap={4}>
                        <span className="hms-number">
                          {one.startTime}–{one.endTime}
                        </span>
                        {may('deleteVisitingHour') && (
                          <Button
                            size="compact-xs"
                            variant="subtle"
                            color="bad"
                            disabled={isBusy}
                            aria-label={t('visitors.removeHours', {
                              ...{ day: weekdayName(weekday), start: one.startTime, end: one.endTime },
                            })}
                            onClick={remove(one)}
                          >
                            {t('visitors.remove')}
                          </Button>
                        )}
                      </Group>
                    ))}
                  </Group>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      <Can operation="createVisitingHour">
        <AddHours onAdded={refresh} />
      </Can>
    </Stack>
  );
}

function AddHours({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const { t } = useTranslation();
  const [day, setDay] = useState(EVERY);
  const [startTime, setStart] = useState('');
  const [endTime, setEnd] = useState('');
  const { error, isBusy, run } = useRun();
  const add = run(async () => {
    try {
      for (const weekday of day === EVERY ? WEEKDAYS : [Number(day)]) {
        const body = { weekday, startTime, endTime: endTime === '00:00' ? '24:00' : endTime };
        await dataOf(api.POST('/api/crm/visiting-hours', { body }));
      }
    } finally {
      await onAdded();
    }
  });
  return (
    <form onSubmit={add} aria-label={t('visitors.addHours')}>
      <ErrorPanel error={error} />
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={t('visitors.day')}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
          data={[
            { value: EVERY, label: t('visitors.everyDay') },
            ...WEEKDAYS.map((weekday) => ({ value: String(weekday), label: weekdayName(weekday) })),
          ]}
        />
        <TextInput
          type="time"
          label={t('visitors.from')}
          required
          withAsterisk={false}
          value={startTime}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
        <TextInput
          type="time"
          label={t('visitors.to')}
          required
          withAsterisk={false}
          value={endTime}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isBusy}>
          {t('visitors.addHours')}
        </Button>
      </Group>
    </form>
  );
}
