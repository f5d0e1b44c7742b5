/** Books a slot, or a series that begins with it: the reason, and then one search for the patient. */

import { NewAppointment } from '@hms/api-client/limits/NewAppointment';
import { Alert, Button, Group, List, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../kit/api/api.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { nameOf } from '../patients/identity.ts';
import { PatientPicker } from '../patients/patient-picker.tsx';
import type { Patient } from '../patients/patients.queries.ts';
import type { Slot } from './appointments.queries.ts';
import { useHold } from './use-hold.ts';

/** What somebody wants to book. */
export interface Wish {
  readonly patientId: string;
  readonly reason?: string;
  readonly visitTypeId?: string;
  readonly series?: { readonly everyWeeks: number; readonly times: number; readonly skipRefused: boolean };
}

/** Times of a series that are not possible. */
interface Refusal {
  readonly refused: readonly { readonly startsAt: string; readonly code: string; readonly message: string }[];
  /** How many others are. */
  readonly possible: number;
}

/** @returns what an error says about the times of a series, or undefined if it is about something else. */
export function refusalIn(error: unknown): Refusal | undefined {
  return error instanceof ApiError && error.code === 'SERIES_REFUSED'
    ? (error.details as unknown as Refusal)
    : undefined;
}

interface Props {
  readonly slot: Slot;
  /** When it begins, to be read. */
  readonly at: string;
  /** Undefined: as long as the schedule says. */
  readonly visitTypeId: string | undefined;
  /** Who gets it, if that is known. */
  readonly patient: Patient | undefined;
  /** Why the last series was not booked. */
  readonly refusal: Refusal | undefined;
  onBook(wish: Wish): Promise<void>;
  onCancel(): void;
  /** Somebody else has the place already. */
  onRefused(error: ApiError): void;
}

const FEWEST = 2;
const MOST = 52;
const WEEKS = [1, 2, 3, 4];

export function Book({ slot, at, visitTypeId, patient, refusal, onBook, onCancel, onRefused }: Props) {
  const { t } = useTranslation();
  const { heldUntil, onTyping, during } = useHold(slot, visitTypeId, onRefused);
  const [reason, setReason] = useState('');
  const [weeks, setWeeks] = useState(0);
  const [times, setTimes] = useState('6');
  const [asked, setAsked] = useState<{ readonly wish: Wish; readonly name: string }>();
  const count = Number(times);
  const isWrong = weeks > 0 && !(Number.isInteger(count) && count >= FEWEST && count <= MOST);
  const book = (chosen: Patient) => {
    if (isWrong) return;
    const wish: Wish = {
      patientId: chosen.id,
      ...(visitTypeId === undefined ? {} : { visitTypeId }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(weeks === 0 ? {} : { series: { everyWeeks: weeks, times: count, skipRefused: false } }),
    };
    setAsked({ wish, name: nameOf(chosen) });
    void during(() => onBook(wish));
  };
  return (
    <Stack gap="md" component="section" aria-labelledby="appointment-book" onKeyDown={onTyping} onInput={onTyping}>
      <Title order={2} size="h4" id="appointment-book">
        {t('appointments.book', { at })}
      </Title>
      <Text size="sm">
        <bdi>{slot.doctorName}</bdi> · <bdi>{slot.clinicName}</bdi>
      </Text>
      <Text size="sm" c="dimmed">
        {heldUntil === null
          ? t('appointments.notKept')
          : heldUntil && t('appointments.kept', { at: heldUntil.slice(11, 19) })}
      </Text>
      <Group align="flex-start" gap="md">
        {!patient && (
          <div style={{ flex: '1 1 18rem' }}>
            <PatientPicker
              label={t('appointments.patient')}
              placeholder={t('appointments.patientHow')}
              isFirst
              onPick={book}
            />
          </div>
        )}
        <TextInput
          label={t('appointments.reason')}
          value={reason}
          maxLength={NewAppointment.reason.longest}
          autoComplete="off"
          style={{ flex: '1 1 14rem' }}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('appointments.repeats')}
          value={String(weeks)}
          onChange={(event) => setWeeks(Number(event.currentTarget.value))}
          data={[
            { value: '0', label: t('appointments.once') },
            ...WEEKS.map((number) => ({
              value: String(number),
              label: t('appointments.everyWeeks', { count: number }),
            })),
          ]}
        />
        {weeks > 0 && (
          <TextInput
            type="number"
            label={t('appointments.times')}
            value={times}
            min={FEWEST}
            max={MOST}
            w="8rem"
            error={isWrong && t('appointments.timesWrong', { from: FEWEST, to: MOST })}
            onChange={(event) => setTimes(event.currentTarget.value)}
          />
        )}
      </Group>
      {refusal && asked?.wish.series && (
        <Refused
          name={asked.name}
          refusal={refusal}
          onOthers={() => void during(() => onBook(withoutRefused(asked.wish)))}
        />
      )}
      <Group>
        {patient && (
          <Button autoFocus onClick={() => book(patient)}>
            {t('appointments.bookFor', { name: nameOf(patient) })}
          </Button>
        )}
        <Button variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

function withoutRefused({ series, ...wish }: Wish): Wish {
  return { ...wish, ...(series ? { series: { ...series, skipRefused: true } } : {}) };
}

/** The times of a series that are not possible, and the offer to book the others. */
function Refused({ name, refusal, onOthers }: { readonly name: string; readonly refusal: Refusal; onOthers(): void }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const { refused, possible } = refusal;
  return (
    <Alert
      role="alert"
      color="warning"
      variant="outline"
      title={t('appointments.refused', { name, count: refused.length, of: refused.length + possible })}
    >
      <Stack gap="xs" align="flex-start">
        <List size="sm">
          {refused.map(({ startsAt, code, message }) => (
            <List.Item key={startsAt}>
              {showMoment(startsAt, zone)}: {wordOf(`appointments.why.${code}`) ?? message}
            </List.Item>
          ))}
        </List>
        {possible > 0 && (
          <Button size="compact-sm" onClick={onOthers}>
            {t('appointments.bookOthers', { count: possible })}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
