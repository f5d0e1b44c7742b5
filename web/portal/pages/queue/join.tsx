/** The desk: one search for each person, and the token is given. */
import { Button, Group, NativeSelect, Stack, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { PatientPicker } from '../patients/patient-picker.tsx';
import { type Entry, PRIORITIES, type Queue } from './queue.queries.ts';
import type { Steps } from './steps.ts';
import { Ticket } from './ticket.tsx';

export function Join({ queue: { clinicId, clinicName }, steps }: { readonly queue: Queue; readonly steps: Steps }) {
  const { t } = useTranslation();
  const [priority, setPriority] = useState(0);
  const [given, setGiven] = useState<Entry>();
  // A repeated attempt after a lost answer is the same token.
  const attempt = useRef({ of: '', key: '' });
  const join = (patientId?: string) =>
    steps.run(async () => {
      const of = `${clinicId} ${patientId} ${priority}`;
      if (attempt.current.of !== of) attempt.current = { of, key: crypto.randomUUID() };
      const body = { priority, ...(patientId === undefined ? {} : { patientId }) };
      const header = { 'Idempotency-Key': attempt.current.key };
      const sent = { params: { path: { clinicId }, header }, body };
      const entry = await dataOf(api.POST('/api/queue/{clinicId}/entries', sent)).catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) attempt.current = { of: '', key: '' };
        throw error;
      });
      attempt.current = { of: '', key: '' };
      setPriority(0);
      setGiven(entry);
      const { label, patientName, estimateP50: from, estimateP80: to } = entry;
      const values = { label, from, to, count: to };
      return patientName === null
        ? t('queue.joinedUnknown', values)
        : t('queue.joined', { ...values, name: patientName });
    });
  return (
    <Stack className="hms-panel" p="lg" gap="md" component="section" aria-labelledby="queue-join">
      <Title order={2} size="h4" id="queue-join">
        {t('queue.join')}
      </Title>
      <PatientPicker
        label={t('queue.patient')}
        placeholder={t('queue.patientHow')}
        isFirst
        onPick={({ id }) => void join(id)}
      />
      <Group align="flex-end" gap="md">
        <NativeSelect
          label={t('queue.priority')}
          value={String(priority)}
          onChange={(event) => setPriority(Number(event.currentTarget.value))}
          data={PRIORITIES.map((name, level) => ({ value: String(level), label: t(`queue.priorities.${name}`) }))}
        />
        <Button variant="default" disabled={steps.isBusy} onClick={() => void join()}>
          {t('queue.joinUnknown')}
        </Button>
      </Group>
      {given && <Ticket key={given.id} entry={given} clinicName={clinicName} />}
    </Stack>
  );
}
