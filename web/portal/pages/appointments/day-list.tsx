/** A doctor's day: each time, who has it, and what is left of it. */
import { Group, Stack, Text } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn } from '../../../kit/time/time.ts';
import type { Appointment, Slot } from './appointments.queries.ts';
import { SlotLine } from './slot-line.tsx';
import { isTaking, keyOf, type Time } from './times.ts';

interface Props {
  readonly times: readonly Time[];
  /** Whether somebody's appointment is moved to the time that is chosen. */
  readonly isMoving: boolean;
  lineOf(appointment: Appointment): ReactNode;
  onChoose(slot: Slot): void;
  /** The form below a time that is being booked. */
  formOf(slot: Slot): ReactNode;
}

export function DayList({ times, isMoving, lineOf, onChoose, formOf }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  return (
    <Stack
      component="ol"
      gap="xs"
      p={0}
      m={0}
      style={{ listStyle: 'none' }}
      aria-label={t('appointments.list')}
      onKeyDown={walkTimes}
    >
      {times.map(({ at, slot, appointments }) => {
        const clock = clockIn(zone, new Date(at).toISOString()).slice(11);
        const any = slot ?? appointments[0];
        return (
          <Group
            component="li"
            key={at}
            className="hms-panel"
            p="sm"
            gap="md"
            align="flex-start"
            wrap="nowrap"
            tabIndex={-1}
            data-time={any && keyOf(any)}
          >
            <Text fw={600} className="hms-number" miw="3.5rem">
              {clock}
            </Text>
            <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
              {appointments.map(lineOf)}
              {slot && (slot.free > 0 || !appointments.some(isTaking)) && (
                <SlotLine slot={slot} at={clock} isMoving={isMoving} onChoose={() => onChoose(slot)} />
              )}
              {slot && formOf(slot)}
            </Stack>
          </Group>
        );
      })}
    </Stack>
  );
}

/** The arrow keys lead from a time to the next one at which something can be pressed. */
function walkTimes(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const target = event.target as Element;
  // Fields have these keys for themselves, and browsers have them with others.
  if (step === undefined || target.matches('input, select') || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.children];
  const from = rows.findIndex((row) => row.contains(target));
  const others = step > 0 ? rows.slice(from + 1) : rows.slice(0, from).toReversed();
  const next = others.map((row) => row.querySelector<HTMLElement>('a, button')).find((control) => control !== null);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
