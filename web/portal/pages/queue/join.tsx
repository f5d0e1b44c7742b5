/** The desk: one search for each person, and the token is given. */
import { Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { PatientPicker } from '../patients/patient-picker.tsx';
import { type Entry, PRIORITIES, type Queue } from './queue.queries.ts';
import type { Steps } from './steps.ts';
import { Ticket } from './ticket.tsx';

const SEARCH = 'queue-search';

interface Props {
  readonly queue: Queue;
  readonly steps: Steps;
  /** Whether somebody who opens the page begins to search. */
  readonly isFirst: boolean;
}

export function Join({ queue: { clinicId, clinicName, waiting }, steps, isFirst }: Props) {
  const { t } = useTranslation();
  const [priority, setPriority] = useState(0);
  const [given, setGiven] = useState<{ readonly entry: Entry; readonly isNew: boolean }>();
  // A repeated attempt after a lost answer is the same token.
  const attempt = useRef({ of: '', key: '' });
  const join = (patientId?: string) => {
    // Already now, for what is typed before the token is given.
    document.getElementById(SEARCH)?.focus();
    return steps.run(async () => {
      const of = `${clinicId} ${patientId} ${priority}`;
      if (attempt.current.of !== of) attempt.current = { of, key: crypto.randomUUID() };
      const body = { priority, ...(patientId === undefined ? {} : { patientId }) };
      const header = { 'Idempotency-Key': attempt.current.key };
      const sent = { params: { path: { clinicId }, header }, body };
      const entry = await dataOf(api.POST('/api/queue/{clinicId}/entries', sent)).catch(async (error: unknown) => {
        if (error instanceof ApiError && error.status < 500) attempt.current = { of: '', key: '' };
        // Nobody is shown the number of somebody else.
        setGiven(undefined);
        const former = await formerOf(error);
        if (former) setGiven({ entry: former, isNew: false });
        throw error;
      });
      attempt.current = { of: '', key: '' };
      setPriority(0);
      setGiven({ entry, isNew: true });
      const { label, patientName, estimateP50: from, estimateP80: to } = entry;
      const values = { label, from, to, count: to };
      const text =
        patientName === null ? t('queue.joinedUnknown', values) : t('queue.joined', { ...values, name: patientName });
      return { text };
      // The next patient may be found before.
    }, patientId !== undefined);
  };
  const row = waiting.find(({ entry }) => entry.id === given?.entry.id);
  return (
    <Stack className="hms-panel" p="lg" gap="md" component="section" aria-labelledby="queue-join">
      <Title order={2} size="h4" id="queue-join">
        {t('queue.join')}
      </Title>
      <PatientPicker
        label={t('queue.patient')}
        placeholder={t('queue.patientHow')}
        id={SEARCH}
        isFirst={isFirst}
        onPick={({ id }) => void join(id)}
      />
      <Group align="flex-end" gap="md">
        <NativeSelect
          label={t('queue.priority')}
          value={String(priority)}
          onChange={(event) => setPriority(Number(event.currentTarget.value))}
          data={PRIORITIES.map((name, level) => ({ value: String(level), label: t(`queue.priorities.${name}`) }))}
        />
        <BusyButton variant="default" isBusy={steps.isBusy} onClick={() => void join()}>
          {t('queue.joinUnknown')}
        </BusyButton>
      </Group>
      {given && <Ticket key={given.entry.id} {...given} clinicName={clinicName} estimate={row?.estimate} />}
    </Stack>
  );
}

/** @returns the token that a patient has already, if that is why they get no other one. */
async function formerOf(error: unknown): Promise<Entry | undefined> {
  if (!(error instanceof ApiError) || error.code !== 'ALREADY_IN_QUEUE') return undefined;
  const path = { id: String(error.details.id) };
  return dataOf(api.GET('/api/queue/entries/{id}', { params: { path } })).catch(() => undefined);
}
