/** Who waits, and who was here: each with the steps that somebody at the desk takes. */
import { Anchor, Badge, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { type Column, DataTable } from '../../../kit/lists/data-table.tsx';
import { useKeptFocus } from '../../../kit/lists/kept-focus.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn } from '../../../kit/time/time.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { VipMark } from '../vip/vip-mark.tsx';
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
/** Nobody means a row that has been under the pointer for a shorter time. */
const STEADY_MS = 1000;

export function Waiting({ queue, steps, mayWrite, roomId }: Props & { readonly roomId: string | undefined }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const [moving, setMoving] = useState<Entry>();
  const [linked, setLinked] = useState<Entry>();
  const kept = useKeptFocus<HTMLDivElement>(steps.isSettling);
  const isMeant = useSteadyRows(
    queue.waiting.map(({ entry }) => entry.id),
    steps,
  );
  const call = ({ id, version }: Entry) =>
    steps.run(async () => {
      const body = { version, ...(roomId === undefined ? {} : { roomId }) };
      const { label } = await dataOf(api.POST('/api/queue/entries/{id}/call', { params: { path: { id } }, body }));
      return { text: t('queue.done.next', { label }), id };
    });
  const prioritize = ({ id, version }: Entry, priority: number) =>
    steps.run(async () => {
      const sent = { params: { path: { id } }, body: { version, priority } };
      const { label } = await dataOf(api.POST('/api/queue/entries/{id}/priority', sent));
      return { text: t('queue.done.priority', { label }) };
    });
  const cancel = ({ id, version }: Entry) =>
    steps.run(async () => {
      const sent = { params: { path: { id } }, body: { version } };
      const { label } = await dataOf(api.POST('/api/queue/entries/{id}/cancel', sent));
      return { text: t('queue.done.cancel', { label }), id };
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
            data-action="priority"
            aria-disabled={steps.isBusy}
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (!steps.isBusy) void prioritize(entry, Number(value));
            }}
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
                <BusyButton
                  data-action="call"
                  size="compact-sm"
                  variant="default"
                  isBusy={steps.isBusy}
                  onClick={(event) => isMeant(event, entry.id) && void call(entry)}
                >
                  {t('queue.action.call')}
                </BusyButton>
                <Button data-action="transfer" size="compact-sm" variant="default" onClick={() => setMoving(entry)}>
                  {t('queue.action.transfer')}
                </Button>
                <BusyButton
                  data-action="cancel"
                  size="compact-sm"
                  variant="default"
                  isBusy={steps.isBusy}
                  onClick={(event) => isMeant(event, entry.id) && void cancel(entry)}
                >
                  {t('queue.action.cancel')}
                </BusyButton>
                <Button
                  data-action="phone"
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
    <Stack gap="sm" component="section" aria-labelledby="queue-waiting" {...kept}>
      <Title order={2} size="h4" id="queue-waiting" tabIndex={-1}>
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
  const kept = useKeptFocus<HTMLDivElement>(steps.isSettling);
  const isMeant = useSteadyRows(
    queue.ended.map(({ id }) => id),
    steps,
  );
  if (queue.ended.length === 0) return null;
  const columns: readonly Column<Entry>[] = [
    { key: 'label', title: t('queue.token'), render: (entry) => <Token entry={entry} /> },
    { key: 'patient', title: t('queue.patient'), render: (entry) => <Patient entry={entry} /> },
    {
      key: 'status',
      title: t('queue.state'),
      render: ({ status }) => (
        <Badge variant="outline" tt="none" color="quiet">
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
                  <BusyButton
                    data-action={step}
                    size="compact-sm"
                    variant="default"
                    isBusy={steps.isBusy}
                    onClick={(event) => isMeant(event, entry.id) && void steps.take(step, entry)}
                  >
                    {t(`queue.action.${step}`)}
                  </BusyButton>
                )
              );
            },
          },
        ]
      : []),
  ];
  return (
    <Stack gap="sm" component="section" aria-labelledby="queue-ended" {...kept}>
      <Title order={2} size="h4" id="queue-ended" tabIndex={-1}>
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
        return { text: t('queue.done.transfer', { label, name }) };
      })
      .then(onDone);
  return (
    <Group
      className="hms-panel"
      p="md"
      align="flex-end"
      gap="sm"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onDone();
      }}
    >
      <NativeSelect
        label={t('queue.transferTo', { label: entry.label })}
        value={to}
        autoFocus
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={clinics.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <BusyButton isBusy={steps.isBusy} disabled={to === ''} onClick={() => void send()}>
        {t('queue.action.transfer')}
      </BusyButton>
      <Button variant="default" onClick={onDone}>
        {t('form.cancel')}
      </Button>
    </Group>
  );
}

/**
 * Protects from a click on somebody who has just moved under the pointer.
 * @returns whether a click on a row is meant. One of the keyboard always is.
 */
function useSteadyRows(ids: readonly string[], { isSettling }: Steps) {
  const places = useRef(new Map<string, { readonly at: number; readonly since: number }>());
  const clicked = useRef<string>(undefined);
  useLayoutEffect(() => {
    const since = places.current.size === 0 ? Number.NEGATIVE_INFINITY : performance.now();
    places.current = new Map(
      ids.map((id, at) => {
        const before = places.current.get(id);
        return [id, before?.at === at ? before : { at, since }];
      }),
    );
  });
  return (event: MouseEvent, id: string): boolean => {
    const { since = 0 } = places.current.get(id) ?? {};
    const hasMoved = performance.now() - since < STEADY_MS;
    // A message above the list moves it as well.
    const isSteady = !hasMoved && (id === clicked.current || !isSettling());
    if (event.detail > 0 && !isSteady) return false;
    clicked.current = id;
    return true;
  };
}

function Token({ entry: { label, priority } }: { readonly entry: Entry }) {
  return (
    <Text component="span" fw={priority > 0 ? 700 : 600} className="hms-number">
      {label}
    </Text>
  );
}

function Patient({ entry: { patientId, patientName, patientCode, tierName } }: { readonly entry: Entry }) {
  const { t } = useTranslation();
  if (patientId === null) return <>{t('queue.unknown')}</>;
  return (
    <Group gap={6}>
      <Anchor size="sm" renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}>
        <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
      </Anchor>
      {tierName !== null && <VipMark tiers={[tierName]} />}
    </Group>
  );
}
