/** What is left of a slot, and the button that takes it. */
import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../kit/roles/can.tsx';
import type { Slot } from './appointments.queries.ts';

interface Props {
  readonly slot: Slot;
  /** When it begins, by the clock of the hospital. */
  readonly at: string;
  /** Whether somebody's appointment is moved here. */
  readonly isMoving: boolean;
  onChoose(): void;
}

export function SlotLine({ slot, at, isMoving, onChoose }: Props) {
  const { t } = useTranslation();
  const mayWrite = useMay()('createAppointment');
  const isFree = slot.free > 0;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {isFree ? t('appointments.free', { count: slot.free }) : t(`appointments.full.${whyFull(slot)}`)}
      </Text>
      {mayWrite && isFree && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t(isMoving ? 'appointments.moveTo' : 'appointments.bookAt', { at })}
          onClick={onChoose}
        >
          {t(isMoving ? 'appointments.action.moveHere' : 'appointments.action.book')}
        </Button>
      )}
    </Group>
  );
}

function whyFull({ heldUntil, startsAt }: Slot): 'held' | 'over' | 'taken' {
  if (heldUntil !== null) return 'held';
  return Date.parse(startsAt) < Date.now() ? 'over' : 'taken';
}
