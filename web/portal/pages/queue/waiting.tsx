/** Who waits, and who was here: each with the steps that somebody at the desk takes. */
import { Anchor, Badge, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { type Column, DataTable } from '../../../kit/lists/data-table.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn } from '../../../kit/time/time.ts';
import { useClinics } from '../clinics/clinics.queries.ts';
import { PhoneLink } from './phone-link.tsx';
import { type Entry, PRIORITIES, type Queue } from './queue.queries.ts';
import type { Steps } from './steps.ts';

interface Props {
  readonly queue: Queue;
  readonly steps: Steps;
  readonly mayWrite: boolean;
}

type Row = Queue['waiting'][number];
/** Fewer waits say nothing about estimates. */
const FEWEST = 20;

export function Waiting({ queue, steps, mayWrite, roomId }: Props & { readonly roomId: string | undefined }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const [moving, setMoving] = useState<Entry>();
  const [linked, setLinked] = useState<Entry>();
  const call = ({ id, version }: Entry) =>
    steps.run(async () => {
      const body = { version, ...(roomId === undefined ? {} : { roomId }) };
      const { label } = await dataOf(api.POST('/api/queue/entries/{id}/call', { params: { path: { id } }, body }));
      steps.remember(id);
      return t('queue.done.next', { label });
    });
  const prioritize = ({ id, version }: Entry, priority: number) =>
    steps.run(async () => {
      const sent = { params: { path: { id } }, body: { version, priority } };
      const { label } = await dataOf(api.POST('/api/queue/entries/{id}/priority', sent));
      return t('queue.done.priority', { label });
    });
  const cancel = ({ id, version }: Entry) =>
    steps.run(async () => {
      const sent = { params: { path: { id } }, body: { version } };
      const { label } = await dataOf(api.POST('/api/queue/entries/{id}/cancel', sent));
      return t('queue.done.cancel', { label });
    });
  const columns: readonly Column<Row>[] = [
    { key: 'label', title: t('queue.token'), render: ({ entry }) => <Token entry={entry} /> },
    { key: 'patient', title: t('queue.patient'), render: ({ entry }) => <Patient entry={entry} /> },
    {
      key: 'priority',
      title: t('queue.priority'),
      render: ({ entry }) =>
        mayWrite ? (
          <NativeSelect
            size="xs"
            aria-label={t('queue.priorityOf', { label: entry.label })}
            value={String(entry.priority)}
            disabled={steps.isBusy}
            onChange={(event) => void prioritize(entry, Number(event.currentTarget.value))}
            data={PRIORITIES.map((name, level) => ({ value: String(level), label: t(`queue.priorities.${name}`) }))}
          />
        ) : (
          t(`queue.priorities.${PRIORITIES[entry.priority] ?? 'usual'}`)
        ),
    },
    {
      key: 'since',
      title: t('queue.since'),
      render: ({ entry }) => <span className="hms-number">{clockIn(zone, entry.joinedAt).slice(11)}</span>,
    },
    {
      key: 'estimate',
      title: t('queue.estimate'),
      render: ({ estimate: { p50, p80 } }) => t('queue.minutes', { from: p50, to: p80, count: p80 }),
    },
    ...(mayWrite
      ? [
          {
            key: 'actions',
            title: t('list.actions'),
            render: ({ entry }: Row) => (
              <Group gap={4}>
                <Button size="compact-sm" variant="default" disabled={steps.isBusy} onClick={() => void call(entry)}>
                  {t('queue.action.call')}
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => setMoving(entry)}>
                  {t('queue.action.transfer')}
                </Button>
                <Button size="compact-sm" variant="default" disabled={steps.isBusy} onClick={() => void cancel(entry)}>
                  {t('queue.action.cancel')}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('queue.phoneOf', { label: entry.label })}
                  onClick={() => setLinked(entry)}
                >
                  {t('queue.phone')}
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ];
  return (
    <Stack gap="sm" component="section" aria-labelledby="queue-waiting">
      <Title order={2} size="h4" id="queue-waiting">
        {t('queue.waiting', { count: queue.waitingCount })}
      </Title>
      {moving && (
        <Transfer entry={moving} clinicId={queue.clinicId} steps={steps} onDone={() => setMoving(undefined)} />
      )}
      {linked && <PhoneLink key={linked.id} entry={linked} onDone={() => setLinked(undefined)} />}
      {queue.waiting.length === 0 ? (
        <Text size="sm">{t('queue.nobodyWaits')}</Text>
      ) : (
        <DataTable
          label={t('queue.waiting', { count: queue.waitingCount })}
          rows={queue.waiting}
          rowKey={({ entry }) => entry.id}
          columns={columns}
        />
      )}
      <Accuracy accuracy={queue.accuracy} />
    </Stack>
  );
}

/** How right the estimates were, once there are enough to say so. */
function Accuracy({ accuracy: { waits, calledByP50, calledByP80 } }: Pick<Queue, 'accuracy'>) {
  const { t } = useTranslation();
  if (waits < FEWEST || calledByP50 === null || calledByP80 === null) return null;
  const percent = (share: number) => Math.round(share * 100);
  return (
    <Text size="xs" c="dimmed">
      {t('queue.accuracy', { count: waits, p50: percent(calledByP50), p80: percent(calledByP80) })}
    </Text>
  );
}

/** The last ones, for those who want to take something back. */
export function Ended({ queue, steps, mayWrite }: Props) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  if (queue.ended.length === 0) return null;
  const columns: readonly Column<Entry>[] = [
    { key: 'label', title: t('queue.token'), render: (entry) => <Token entry={entry} /> },
    { key: 'patient', title: t('queue.patient'), render: (entry) => <Patient entry={entry} /> },
    {
      key: 'status',
      title: t('queue.state'),
      render: ({ status }) => (
        <Badge variant="outline" tt="none" color="#495057">
          {t(`queue.status.${status}`)}
        </Badge>
      ),
    },
    {
      key: 'at',
      title: t('queue.endedAt'),
      render: ({ endedAt }) => <span className="hms-number">{endedAt && clockIn(zone, endedAt).slice(11)}</span>,
    },
    ...(mayWrite
      ? [
          {
            key: 'actions',
            title: t('list.actions'),
            render: (entry: Entry) => {
              const step = entry.canUndo ? 'undo' : entry.status === 'no_show' ? 'come-back' : undefined;
              return (
                step && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={steps.isBusy}
                    onClick={() => void steps.take(step, entry)}
                  >
                    {t(`queue.action.${step}`)}
                  </Button>
                )
              );
            },
          },
        ]
      : []),
  ];
  return (
    <Stack gap="sm" component="section" aria-labelledby="queue-ended">
      <Title order={2} size="h4" id="queue-ended">
        {t('queue.ended')}
      </Title>
      <DataTable label={t('queue.ended')} rows={queue.ended} rowKey={({ id }) => id} columns={columns} />
    </Stack>
  );
}

interface TransferProps {
  readonly entry: Entry;
  readonly clinicId: string;
  readonly steps: Steps;
  onDone(): void;
}

function Transfer({ entry, clinicId, steps, onDone }: TransferProps) {
  const { t } = useTranslation();
  const clinics = useClinics().filter(({ id, status }) => id !== clinicId && status === 'active');
  const [chosen, setChosen] = useState('');
  const to = chosen || (clinics[0]?.id ?? '');
  const send = () =>
    steps
      .run(async () => {
        const sent = { params: { path: { id: entry.id } }, body: { clinicId: to, version: entry.version } };
        const { label } = await dataOf(api.POST('/api/queue/entries/{id}/transfer', sent));
        const name = clinics.find(({ id }) => id === to)?.name ?? '';
        return t('queue.done.transfer', { label, name });
      })
      .then(onDone);
  return (
    <Group className="hms-panel" p="md" align="flex-end" gap="sm">
      <NativeSelect
        label={t('queue.transferTo', { label: entry.label })}
        value={to}
        autoFocus
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={clinics.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Button disabled={steps.isBusy || to === ''} onClick={() => void send()}>
        {t('queue.action.transfer')}
      </Button>
      <Button variant="default" onClick={onDone}>
        {t('form.cancel')}
      </Button>
    </Group>
  );
}

function Token({ entry: { label, priority } }: { readonly entry: Entry }) {
  return (
    <Text component="span" fw={priority > 0 ? 700 : 600} className="hms-number">
      {label}
    </Text>
  );
}

function Patient({ entry: { patientId, patientName, patientCode } }: { readonly entry: Entry }) {
  const { t } = useTranslation();
  if (patientId === null) return <>{t('queue.unknown')}</>;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}>
      <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
    </Anchor>
  );
}
