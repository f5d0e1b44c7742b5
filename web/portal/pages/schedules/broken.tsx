/** Appointments that a change of the hours would leave without a slot: somebody sees them before the change is made. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { IconCalendarX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { scheduleKeys } from './schedules.queries.ts';

interface Refusal {
  /** The first ones, by their time. */
  readonly appointments: readonly { readonly id: string; readonly appointmentNo: string; readonly startsAt: string }[];
  readonly count: number;
  readonly breaks: string;
}

interface Asked {
  readonly refusal: Refusal;
  /** Sends the same request again. */
  retry(): unknown;
}

/** Asks before a change breaks appointments. */
export function useBroken(doctorId: string) {
  const [asked, setAsked] = useState<Asked>();
  const accepted = useRef<string>(undefined);
  return {
    /** Undefined while nothing is asked. */
    question: (asked && (
      <Question
        key={asked.refusal.breaks}
        {...{ doctorId, refusal: asked.refusal }}
        onAccept={() => {
          accepted.current = asked.refusal.breaks;
          asked.retry();
        }}
      />
    )) as ReactNode,
    /** What somebody has just accepted, for the next request. */
    accepted(): string | undefined {
      const breaks = accepted.current;
      accepted.current = undefined;
      return breaks;
    },
    /** @returns whether the error is that a change breaks appointments. */
    ask(error: unknown, retry: Asked['retry']): boolean {
      const isAsked = error instanceof ApiError && error.code === 'BREAKS_APPOINTMENTS';
      setAsked(isAsked ? { refusal: error.details as object as Refusal, retry } : undefined);
      return isAsked;
    },
  };
}

interface QuestionProps {
  readonly doctorId: string;
  readonly refusal: Refusal;
  onAccept(): void;
}

function Question({ doctorId, refusal: { appointments, count }, onAccept }: QuestionProps) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const names = useNames(doctorId, appointments);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      role="alert"
      color="warning"
      variant="outline"
      icon={<IconCalendarX aria-hidden />}
      title={t('schedules.breaks', { count })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('schedules.breaksHow')}</Text>
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {appointments.map(({ id, appointmentNo, startsAt }) => (
            <Text key={id} size="sm" component="li">
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/appointments"
                    search={{ doctor: doctorId, date: startsAt.slice(0, 10) }}
                    target="_blank"
                    {...props}
                  />
                )}
              >
                {showMoment(startsAt, zone)}
              </Anchor>{' '}
              <bdi>{names.get(id) ?? appointmentNo}</bdi>
            </Text>
          ))}
        </Stack>
        {count > appointments.length && (
          <Text size="sm">{t('schedules.breaksMore', { count: count - appointments.length })}</Text>
        )}
        <Button variant="default" c="bad" style={{ alignSelf: 'flex-start' }} onClick={onAccept}>
          {t('schedules.nevertheless')}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Who has the appointments, for those who may know it. */
function useNames(doctorId: string, appointments: Refusal['appointments']): ReadonlyMap<string, string> {
  const may = useMay();
  const [first, last] = [appointments[0]?.startsAt ?? '', appointments.at(-1)?.startsAt ?? ''];
  const found = useQuery({
    queryKey: [scheduleKeys.all, 'broken', doctorId, first, last],
    queryFn: ({ signal }) => {
      const startsBefore = new Date(Date.parse(last) + 1).toISOString();
      const query = { doctorId, startsFrom: new Date(first).toISOString(), startsBefore, limit: 100 };
      return dataOf(api.GET('/api/queue/appointments', { params: { query }, signal }));
    },
    enabled: may('listAppointments'),
  });
  return new Map(found.data?.map(({ id, patientName }) => [id, patientName]));
}
