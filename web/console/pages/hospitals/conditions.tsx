/** What is ready and what is not, for how long, and why. */
import { Badge, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { showMoment } from '../../../kit/time/time.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { showSeconds } from './cluster-notice.tsx';
import type { ManagedHospital } from './hospitals.queries.ts';
import { OperatorText } from './operator-text.tsx';
import { type Step, stepsOf } from './stalled.ts';

const COLORS = { True: 'good', False: 'bad', Unknown: 'quiet' } as const;

export function Conditions({ hospital }: { readonly hospital: ManagedHospital }) {
  const { t } = useTranslation();
  const now = useNow();
  const steps = stepsOf(hospital, now);
  const parts = steps.filter(({ type }) => type.endsWith('Ready'));
  const done = parts.filter(({ status }) => status === 'True').length;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('hospitals.conditions')}
        </Title>
        <Retry prefix={hospital.prefix} isUrgent={steps.some(({ isStalled }) => isStalled)} />
      </Group>
      <div aria-live="polite" className="hms-hidden">
        {t(`hospitals.status.${hospital.status}`)}
      </div>
      {hospital.status === 'Provisioning' && parts.length > 0 && (
        <Progress value={(100 * done) / parts.length} aria-label={t('hospitals.progress')} color="brand" />
      )}
      {parts.length === 0 && <Unbegun hospital={hospital} now={now} />}
      {steps.length > 0 && <Steps steps={steps} now={now} />}
      {hospital.teardown.length > 0 && (
        <ul>
          {hospital.teardown.map(({ backend, done: isDone, remaining }) => (
            <li key={backend}>
              {wordOf(`hospitals.backend.${backend}`) ?? backend}:{' '}
              {isDone ? t('hospitals.removed') : (remaining ?? '…')}
            </li>
          ))}
        </ul>
      )}
      {hospital.plan.length > 0 && (
        <Stack gap={4}>
          <Text fw={500}>{t('hospitals.plan')}</Text>
          <ul dir="ltr">
            {hospital.plan.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Stack>
      )}
    </Stack>
  );
}

/** How long a hospital waits for the operator before that is worth a word, in s. */
const PATIENCE = 20;

function Unbegun({ hospital, now }: { readonly hospital: ManagedHospital; readonly now: number }) {
  const { t } = useTranslation();
  const seconds = Math.max(0, (now - Date.parse(hospital.createdAt)) / 1000);
  return (
    <Text>
      {t('hospitals.notStarted')}{' '}
      {seconds > PATIENCE && <strong>{t('hospitals.stalled', { time: showSeconds(seconds) })}</strong>}
    </Text>
  );
}

function Steps({ steps, now }: { readonly steps: readonly Step[]; readonly now: number }) {
  const { t } = useTranslation();
  return (
    <div className="hms-panel">
      <DataTable
        label={t('hospitals.conditions')}
        rows={steps}
        rowKey={({ type }) => type}
        columns={[
          {
            key: 'part',
            title: t('hospitals.columns.part'),
            render: ({ type }) => (
              <Text size="sm" fw={500}>
                {wordOf(`hospitals.condition.${type}`) ?? type}
              </Text>
            ),
          },
          {
            key: 'isSo',
            title: t('hospitals.columns.isSo'),
            render: (step) => (
              <Badge variant="outline" tt="none" miw="max-content" color={colorOf(step)}>
                {t(`hospitals.is.${step.status}`)}
              </Badge>
            ),
          },
          { key: 'why', title: t('hospitals.columns.why'), render: (step) => <Why step={step} /> },
          {
            key: 'since',
            title: t('hospitals.columns.since'),
            render: ({ since }) => (
              <span className="hms-number" title={showMoment(since, undefined)}>
                {showSeconds(Math.max(0, (now - Date.parse(since)) / 1000))}
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}

function Why({ step: { message, reason, runningFor, usualSeconds, isStalled } }: { readonly step: Step }) {
  const { t } = useTranslation();
  return (
    <Stack gap={2}>
      <OperatorText>{message}</OperatorText>
      <OperatorText isReason>{reason}</OperatorText>
      {runningFor !== undefined && (
        <Text size="xs" fw={isStalled ? 600 : 400} c={isStalled ? 'warning' : undefined}>
          {isStalled ? t('hospitals.stalled', { time: showSeconds(runningFor) }) : ''}{' '}
          {usualSeconds === null ? '' : t('hospitals.usually', { time: showSeconds(usualSeconds) })}
        </Text>
      )}
    </Stack>
  );
}

/** Suspended=False and Deleting=True are no faults and no successes. */
function colorOf({ type, status }: Step): string {
  return type === 'Suspended' || type === 'Deleting' ? (status === 'True' ? 'warning' : 'quiet') : COLORS[status];
}

function Retry({ prefix, isUrgent }: { readonly prefix: string; readonly isUrgent: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState('');
  const [error, setError] = useState<unknown>();
  if (!may('retryHospital')) return null;
  const retry = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const path = { hospital: prefix };
      await dataOf(api.POST('/api/console/hospitals/{hospital}/retry', { params: { path }, body: {} }));
      setDone(t('hospitals.retried'));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="sm">
        <Text size="sm" role="status">
          {done}
        </Text>
        <BusyButton
          size="compact-sm"
          variant={isUrgent ? 'filled' : 'default'}
          isBusy={isBusy}
          onClick={() => void retry()}
        >
          {t('hospitals.retry')}
        </BusyButton>
      </Group>
      <ErrorPanel error={error} />
    </Stack>
  );
}

/** The time, each second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
