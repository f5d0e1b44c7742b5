/** How an event of the audit log is shown: as a sentence, with what else is known of it on demand. */
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import type { Column } from '../../../kit/lists/data-table.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { EventDetails } from './event-details.tsx';
import { type Event, sentenceOf, WHO } from './sentence.ts';

export function useEventColumns(): readonly Column<Event>[] {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  return [
    {
      key: 'at',
      title: t('audit.when'),
      render: ({ at }) => <span className="hms-number">{showMoment(at, zone)}</span>,
    },
    { key: 'happened', title: t('audit.happened'), render: (event) => <Happened event={event} /> },
  ];
}

function Happened({ event }: { readonly event: Event }) {
  const { t } = useTranslation();
  const { action, impersonatorEmail, impersonatorName, patientId, patientCode } = event;
  return (
    <Stack gap={0}>
      <Text size="sm">
        <Sentence event={event} />
      </Text>
      {impersonatorEmail && !action.startsWith('impersonate.') && (
        <Text size="xs" fw={600} c="warning">
          {t('audit.impersonator', { name: impersonatorName ?? impersonatorEmail })}
        </Text>
      )}
      {patientId && patientCode && (
        <Anchor
          size="sm"
          lh="24px"
          w="max-content"
          className="hms-number"
          renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}
        >
          {patientCode}
        </Anchor>
      )}
      <OnDemand event={event} />
    </Stack>
  );
}

/** Stands for the person in a sentence. No word has it. */
const MARK = '\u0000';

function Sentence({ event }: { readonly event: Event }) {
  const { keys, values } = sentenceOf(event);
  const by = event.impersonatorName ?? event.impersonatorEmail ?? personOf({ ...event, actor: 'unknown' });
  const words = Object.entries(values).map(([name, options]) => [name, firstWord(options)]);
  const text = firstWord(keys, { ...Object.fromEntries(words), by, [WHO]: MARK });
  const [before, after = ''] = text.split(MARK);
  return (
    <>
      {before}
      <Text span fw={600} title={event.actorEmail ?? undefined}>
        <bdi>{personOf(event)}</bdi>
      </Text>
      {after}
    </>
  );
}

function firstWord(keys: readonly string[], values: object = {}): string {
  for (const key of keys) {
    const word = wordOf(key, values);
    if (word !== undefined) return word;
  }
  return '';
}

/** Whoever did it: a person, a program of the platform, or somebody outside of the hospital. */
function personOf({ actor, actorName, actorEmail }: Pick<Event, 'actor' | 'actorName' | 'actorEmail'>): string {
  if (actorName ?? actorEmail) return actorName ?? actorEmail ?? '';
  const [kind, name = ''] = actor.split(':');
  if (kind === 'task') return firstWord([`audit.by.${name}`, 'audit.by.task']);
  return wordOf(`audit.by.${kind}`) ?? wordOf('audit.by.gone') ?? actor;
}

function OnDemand({ event }: { readonly event: Event }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="hms-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('audit.details')}</summary>
      {isOpen && <EventDetails event={event} />}
    </details>
  );
}
