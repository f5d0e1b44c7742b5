/** A room at work: who is in it, and one key for the next person. Letters are for those who never touch the mouse. */
import { Group, Kbd, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { useKeptFocus } from '../../../kit/lists/kept-focus.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { type Entry, everybodyIn, type Queue } from './queue.queries.ts';
import type { PlainStep, Steps } from './steps.ts';

interface Props {
  readonly queue: Queue;
  readonly roomId: string | undefined;
  readonly steps: Steps;
}

type Action = Exclude<PlainStep, 'come-back'> | 'next';
/** The same in all languages, as they are on the buttons. */
const KEYS: Readonly<Record<Action, string>> = {
  next: 'n',
  serve: 'h',
  recall: 'r',
  skip: 's',
  'no-show': 'x',
  done: 'd',
  undo: 'u',
};

/** The heading, which gets the focus when somebody chooses a room. */
export const ROOM_HEADING = 'queue-room';

export function RoomPanel({ queue, roomId, steps }: Props) {
  const { t } = useTranslation();
  const kept = useKeptFocus<HTMLDivElement>(steps.isSettling);
  const { current, last } = peopleAt(queue, roomId, steps.lastId);
  const actions = actionsOf(queue, current, last);
  const callNext = () =>
    steps.run(async () => {
      const params = { path: { clinicId: queue.clinicId } };
      const body = { finish: true, ...(roomId === undefined ? {} : { roomId }) };
      const next = await dataOf(api.POST('/api/queue/{clinicId}/call-next', { params, body }));
      if (!next) return { text: t('queue.nobodyWaits') };
      return { text: t('queue.done.next', { label: next.label }), id: next.id };
    });
  const act = (action: Action) => {
    const subject = action === 'undo' ? last : current;
    if (action === 'next') void callNext();
    else if (subject) void steps.take(action, subject);
  };
  // A key that is pressed while a step is under way counts for what the step leads to.
  const early = useRef<string | undefined>(undefined);
  const press = (key: string) => {
    const action = actions.find((one) => KEYS[one] === key);
    if (action) act(action);
  };
  // A desk types names. Only a room works with letters.
  const hasKeys = roomId !== undefined;
  useKeys((key) => {
    if (!hasKeys) return;
    if (steps.isBusy) early.current = key;
    else press(key);
  });
  useEffect(() => {
    const key = early.current;
    if (steps.isBusy || key === undefined) return;
    early.current = undefined;
    press(key);
  });
  const roomName = queue.rooms.find(({ id }) => id === roomId)?.name;
  return (
    <Stack className="hms-panel" p="lg" gap="md" component="section" aria-labelledby={ROOM_HEADING} {...kept}>
      <Title order={2} size="h4" id={ROOM_HEADING} tabIndex={-1}>
        <bdi>{roomName ?? t('queue.withoutRoom')}</bdi>
      </Title>
      {current ? (
        <div>
          <Text size="sm" c="dimmed">
            {t(`queue.status.${current.status}`)}
          </Text>
          <Text fz="3rem" lh={1.1} fw={700} className="hms-number">
            {current.label}
          </Text>
          <Text fw={500}>
            <bdi>{current.patientName ?? t('queue.unknown')}</bdi>{' '}
            <span className="hms-number">{current.patientCode}</span>
          </Text>
          {current.note && (
            <Text size="sm">
              <bdi>{current.note}</bdi>
            </Text>
          )}
        </div>
      ) : (
        <Text>{t('queue.roomFree', { count: queue.waitingCount })}</Text>
      )}
      <Group gap="sm">
        {actions.map((action, index) => (
          <BusyButton
            key={action}
            data-action={action}
            size={index === 0 ? 'lg' : 'md'}
            variant={index === 0 ? 'filled' : 'default'}
            isBusy={steps.isBusy}
            aria-keyshortcuts={hasKeys ? KEYS[action].toUpperCase() : undefined}
            onClick={() => act(action)}
            rightSection={hasKeys && <Kbd aria-hidden>{KEYS[action].toUpperCase()}</Kbd>}
          >
            {t(`queue.action.${action}`)}
          </BusyButton>
        ))}
      </Group>
      <OnTelevision queue={queue} />
    </Stack>
  );
}

/** What people in the waiting room see, in the order in which they see it. */
function OnTelevision({ queue: { called, serving } }: { readonly queue: Queue }) {
  const { t } = useTranslation();
  return (
    <section className="hms-token" aria-label={t('queue.television')}>
      <Text size="sm" c="dimmed">
        {t('queue.television')}
      </Text>
      {called.length + serving.length === 0 && <Text size="sm">{t('queue.nobodyCalled')}</Text>}
      {[...called, ...serving].map(({ id, label, roomName, status }) => (
        <Group key={id} justify="space-between" gap="md">
          <Text fw={status === 'called' ? 700 : 400} className="hms-number">
            {label}
          </Text>
          <bdi>{roomName}</bdi>
        </Group>
      ))}
    </section>
  );
}

/** Who is called to a room or in it, and whose last step there can be undone. */
function peopleAt(queue: Queue, roomId: string | undefined, lastId: string | undefined) {
  const isHere = (one: Entry) => (one.roomId ?? undefined) === roomId;
  const current = queue.serving.find(isHere) ?? queue.called.find(isHere);
  // Who was skipped is in no room any more.
  const own = everybodyIn(queue).find(({ id }) => id === lastId) ?? current;
  const last = own?.canUndo ? own : undefined;
  return { current, last };
}

/** What can be done, the usual first. */
function actionsOf({ waitingCount }: Queue, current: Entry | undefined, last: Entry | undefined): readonly Action[] {
  const undo: readonly Action[] = last ? ['undo'] : [];
  if (!current) return [...(waitingCount > 0 ? (['next'] as const) : []), ...undo];
  if (current.status === 'called') return ['serve', 'recall', 'skip', 'no-show', ...undo];
  return waitingCount > 0 ? ['next', 'done', ...undo] : ['done', ...undo];
}

/** Letters, unless somebody types text or chooses from a list. */
function useKeys(onKey: (key: string) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // On a keyboard with other letters, by the place of the key.
      const [, letter = event.key] = /^Key([A-Z])$/.exec(event.code) ?? [];
      const target = event.target as HTMLElement;
      const isText = target.matches('input, textarea, select, [contenteditable]');
      if (isText || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      onKey((/^[a-z]$/i.test(event.key) ? event.key : letter).toLowerCase());
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
