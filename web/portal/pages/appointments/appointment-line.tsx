/** One appointment of a time: who comes, what became of it, and what can be done with it. */
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goOnAt } from '../../../kit/lists/go-on.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn } from '../../../kit/time/time.ts';
import { useNow } from '../../../kit/time/use-now.ts';
import type { Appointment } from './appointments.queries.ts';
import { StatusBadge } from './status-badge.tsx';

/** What can be done with one press. */
export type Step = 'confirm' | 'cancel' | 'no-show' | 'accept' | 'decline';

interface Props {
  readonly appointment: Appointment;
  readonly isToday: boolean;
  onCheckIn(): void;
  onStep(step: Step): void;
  onMove(): void;
  /** Cancels it, and those of its series after it. */
  onEndSeries(): void;
}

export function AppointmentLine({ appointment, isToday, onCheckIn, onStep, onMove, onEndSeries }: Props) {
  const { t } = useTranslation();
  const mayWrite = useMay()('createAppointment');
  // Whether it has begun changes while somebody waits for that.
  const now = useNow();
  const [isEnding, setEnding] = useState(false);
  const { patientId, patientName, patientCode, status, reason, seriesId, startsAt, endsAt, visitTypeName } =
    appointment;
  const zone = usePerson().hospital?.timezone;
  const isPlanned = status === 'booked' || status === 'confirmed';
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Anchor
          size="sm"
          data-item={appointment.id}
          renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}
        >
          <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
        </Anchor>
        <StatusBadge status={status} />
        {seriesId !== null && <IconRepeat size={16} role="img" aria-label={t('appointments.inSeries')} />}
        {visitTypeName !== null && (
          <Text size="sm">
            {t('appointments.visitUntil', { name: visitTypeName, at: clockIn(zone, endsAt).slice(11) })}
          </Text>
        )}
        {reason !== null && (
          <Text size="sm">
            <bdi>{reason}</bdi>
          </Text>
        )}
        {mayWrite && (
          <Group gap={4}>
            {isToday && (isPlanned || status === 'no_show') && (
              <Button size="compact-sm" onClick={onCheckIn}>
                {t('appointments.action.check-in')}
              </Button>
            )}
            {status === 'offered' && (
              <>
                <Action verb="accept" onClick={() => onStep('accept')} />
                <Action verb="decline" onClick={() => onStep('decline')} />
              </>
            )}
            {isPlanned && (
              <>
                {status === 'booked' && <Action verb="confirm" onClick={() => onStep('confirm')} />}
                <Action verb="move" onClick={onMove} />
                <Action verb="cancel" onClick={() => onStep('cancel')} />
                {seriesId !== null && <Action verb="cancel-following" onClick={() => setEnding(true)} />}
                {Date.parse(startsAt) <= now && <Action verb="no-show" onClick={() => onStep('no-show')} />}
              </>
            )}
          </Group>
        )}
      </Group>
      {isEnding && isPlanned && (
        <Alert color="warning" variant="outline" title={t('appointments.ending', { name: patientName })}>
          <Group gap="sm">
            <Button size="compact-sm" color="warning" autoFocus onClick={onEndSeries}>
              {t('appointments.end')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setEnding(false);
                goOnAt([`[data-item="${appointment.id}"]`], document.activeElement);
              }}
            >
              {t('appointments.keep')}
            </Button>
          </Group>
        </Alert>
      )}
    </Stack>
  );
}

type Verb = Step | 'move' | 'cancel-following';

function Action({ verb, onClick }: { readonly verb: Verb; onClick(): void }) {
  const { t } = useTranslation();
  return (
    <Button size="compact-sm" variant="default" onClick={onClick}>
      {t(`appointments.action.${verb}`)}
    </Button>
  );
}
