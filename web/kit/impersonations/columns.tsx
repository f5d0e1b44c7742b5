/** How an impersonation is shown in lists. */
import { Badge, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../api/api.ts';
import type { Column } from '../lists/data-table.tsx';
import { usePerson } from '../session/use-session.ts';
import { showMoment } from '../time/time.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';

type Impersonation = Schemas['Impersonation'];

/** The key of all queries of impersonations. */
export const IMPERSONATIONS = 'impersonations';

/** @param mayEnd whether the person may end those that they see. */
export function useImpersonationColumns({ mayEnd }: { readonly mayEnd: boolean }): readonly Column<Impersonation>[] {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  return [
    {
      key: 'startedAt',
      title: t('acting.when'),
      render: ({ startedAt }) => <span className="hms-number">{showMoment(startedAt, zone)}</span>,
    },
    { key: 'actor', title: t('acting.whoColumn'), render: ({ actor }) => <bdi>{actor.name ?? actor.email}</bdi> },
    {
      key: 'person',
      title: t('acting.asWhom'),
      render: ({ person, hospital }) => (
        <Stack gap={0}>
          <bdi>{person.name ?? person.email}</bdi>
          {zone === undefined && (
            <Text size="xs" c="dimmed">
              {hospital.name}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'reason', title: t('acting.reasonField'), render: ({ reason }) => <bdi>{reason}</bdi> },
    {
      key: 'mode',
      title: t('acting.may'),
      render: ({ mode }) => t(mode === 'write' ? 'acting.modeWrite' : 'acting.modeRead'),
    },
    {
      key: 'state',
      title: t('acting.state'),
      render: (one) => (one.isLive ? <Live one={one} zone={zone} mayEnd={mayEnd} /> : <Ended one={one} zone={zone} />),
    },
  ];
}

interface Props {
  readonly one: Impersonation;
  readonly zone: string | undefined;
}

function Live({ one, zone, mayEnd }: Props & { readonly mayEnd: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => dataOf(api.POST('/api/auth/impersonations/{id}/end', { params: { path: { id: one.id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [IMPERSONATIONS] }),
  });
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="light" color="warning" tt="none">
        {t('acting.until', { time: showMoment(one.endsAt, zone) })}
      </Badge>
      {mayEnd && (
        <Button
          size="compact-sm"
          color="bad"
          loading={end.isPending}
          onClick={() => end.mutate()}
          aria-label={t('acting.endOf', { name: one.actor.name ?? one.actor.email })}
        >
          {t('app.endActing')}
        </Button>
      )}
      <ErrorPanel error={end.error} />
    </Stack>
  );
}

function Ended({ one: { endedAt, endsAt, endedBy, endedByName }, zone }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap={0}>
      <span className="hms-number">
        {t('acting.ended')} {showMoment(endedAt ?? endsAt, zone)}
      </span>
      {endedBy && (
        <Text size="xs" c="dimmed">
          {t('acting.endedBy', { name: endedByName ?? endedBy })}
        </Text>
      )}
    </Stack>
  );
}
