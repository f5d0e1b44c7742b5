/** How an event of the audit log is shown. */
import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import type { Column } from '../../../kit/lists/data-table.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';

type Event = Schemas['ShownAuditEvent'];

export function useEventColumns(): readonly Column<Event>[] {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const word = (group: string, name: string) => wordOf(`audit.${group}.${name}`) ?? name;
  return [
    {
      key: 'at',
      title: t('audit.when'),
      render: ({ at }) => <span className="hms-number">{showMoment(at, zone)}</span>,
    },
    {
      key: 'actor',
      title: t('audit.who'),
      render: ({ actorName, actorEmail, actor, impersonatorEmail, impersonatorName, address }) => (
        <Stack gap={0}>
          <bdi title={actorEmail ?? undefined}>{actorName ?? actorEmail ?? actor}</bdi>
          {impersonatorEmail && (
            <Text size="xs" fw={600} c="warning">
              {t('audit.impersonator', { name: impersonatorName ?? impersonatorEmail })}
            </Text>
          )}
          {address && (
            <Text size="xs" c="dimmed" dir="ltr" ta="start">
              {address}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'action',
      title: t('audit.what'),
      render: ({ action }) => (
        <Badge variant="outline" color={COLORS[action] ?? 'quiet'} tt="none">
          {word('action', action)}
        </Badge>
      ),
    },
    {
      key: 'record',
      title: t('audit.record'),
      render: ({ record, patientId, patientCode }) => (
        <Stack gap={0}>
          {word('table', record)}
          {patientId && patientCode && (
            <Anchor
              size="sm"
              className="hms-number"
              renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}
            >
              {patientCode}
            </Anchor>
          )}
        </Stack>
      ),
    },
    { key: 'changes', title: t('audit.changes'), render: (event) => <Changes event={event} /> },
  ];
}

const COLORS: Readonly<Record<string, string>> = {
  delete: 'bad',
  refuse: 'bad',
  create: 'brand',
  update: 'brand',
};

/** Changed fields with their former and their new values, or why a warning was overruled. */
function Changes({ event: { action, before, after, details } }: { readonly event: Event }) {
  if (action === 'overrule') return <Overruled details={details as unknown as OverruledDetails} />;
  const [old, now] = [(before ?? {}) as Values, (after ?? {}) as Values];
  const names = Object.keys({ ...old, ...now }).filter((name) => !TECHNICAL.has(name));
  return names.map((name) => (
    <Text key={name} size="xs">
      <bdi>{name}</bdi>: {name in old && <del>{text(old[name])}</del>} {name in now && <ins>{text(now[name])}</ins>}
    </Text>
  ));
}

interface OverruledDetails {
  readonly reason: string;
  /** Those whom the person resembles. */
  readonly candidates: readonly { readonly patientCode: string }[];
}

function Overruled({ details: { reason, candidates } }: { readonly details: OverruledDetails }) {
  return (
    <Text size="xs">
      <bdi>{candidates.map(({ patientCode }) => patientCode).join(', ')}</bdi>: <bdi>{reason}</bdi>
    </Text>
  );
}

type Values = Readonly<Record<string, unknown>>;
/** What says nothing to people. */
const TECHNICAL = new Set([
  'id',
  'hospitalId',
  'patientId',
  'version',
  'sha256',
  'createdAt',
  'updatedAt',
  'photoId',
  'familyId',
]);

function text(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
