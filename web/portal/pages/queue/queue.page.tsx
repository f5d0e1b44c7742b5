/** The queue of a clinic: the desk gives tokens, and a room calls the next person. */
import { Group, NativeSelect, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeptFocus } from '../../../kit/lists/kept-focus.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { Join } from './join.tsx';
import { lastPlace, rememberPlace } from './place.ts';
import { everybodyIn, type Queue, queueKeys, queueQuery } from './queue.queries.ts';
import { ROOM_HEADING, RoomPanel } from './room-panel.tsx';
import { type Steps, useSteps } from './steps.ts';
import { Ended, Waiting } from './waiting.tsx';

const route = getRouteApi('/queue');

export function QueuePage() {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const clinics = useClinics().filter(({ status }) => status === 'active');
  const last = lastPlace();
  const known = clinics.find(({ id }) => id === (search.clinic ?? last.clinic)) ?? clinics[0];
  const clinicId = known?.id ?? '';
  const found = useQuery(queueQuery(clinicId));
  useChanges('/api/queue/entries/changes', queueKeys.all);
  const rooms = found.data?.rooms ?? [];
  const chosen = search.clinic === undefined ? last.room : search.room;
  const roomId = rooms.find(({ id }) => id === chosen)?.id;
  const choose = (place: { readonly clinic: string; readonly room?: string | undefined }) => {
    rememberPlace(place);
    void navigate({ search: place, replace: true });
  };
  // Letters in the list of rooms would choose another room. Arrows choose one after the other, and stay there.
  const isByArrows = useRef(false);
  const chooseRoom = (room: string) => {
    choose({ clinic: clinicId, room: room || undefined });
    if (room !== '' && !isByArrows.current) document.getElementById(ROOM_HEADING)?.focus();
  };
  return (
    <Stack gap="md">
      <PageHead title={t('menu.queue')} />
      <Group gap="md" align="flex-end">
        <NativeSelect
          label={t('queue.clinic')}
          value={clinicId}
          onChange={(event) => choose({ clinic: event.currentTarget.value })}
          data={clinics.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {rooms.length > 0 && (
          <NativeSelect
            label={t('queue.room')}
            value={roomId ?? ''}
            onKeyDown={() => {
              isByArrows.current = true;
            }}
            onPointerDown={() => {
              isByArrows.current = false;
            }}
            onChange={(event) => chooseRoom(event.currentTarget.value)}
            data={[
              { value: '', label: t('queue.noRoom') },
              ...rooms.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </Group>
      {found.data ? (
        <Shown key={clinicId} queue={found.data} roomId={roomId} isQueueEnabled={known?.isQueueEnabled ?? false} />
      ) : found.isError ? (
        <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      ) : clinicId === '' ? (
        <Text>{t('queue.noClinic')}</Text>
      ) : (
        <Skeleton height={240} animate={false} aria-busy />
      )}
    </Stack>
  );
}

interface ShownProps {
  readonly queue: Queue;
  readonly roomId: string | undefined;
  readonly isQueueEnabled: boolean;
}

function Shown({ queue, roomId, isQueueEnabled }: ShownProps) {
  const { t } = useTranslation();
  const may = useMay();
  const steps = useSteps();
  const mayWrite = may('callNext');
  return (
    <>
      <Said {...{ queue, steps, mayWrite }} />
      {mayWrite && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <RoomPanel {...{ queue, roomId, steps }} />
          {isQueueEnabled ? (
            <Join queue={queue} steps={steps} isFirst={roomId === undefined} />
          ) : (
            <Text className="hms-panel" p="lg" size="sm">
              {t('queue.noWalkIns')}
            </Text>
          )}
        </SimpleGrid>
      )}
      <Waiting {...{ queue, roomId, steps, mayWrite }} />
      <Ended {...{ queue, steps, mayWrite }} />
    </>
  );
}

interface SaidProps {
  readonly queue: Queue;
  readonly steps: Steps;
  readonly mayWrite: boolean;
}

/** What was done last or went wrong, in sight wherever somebody has scrolled to. */
function Said({ queue, steps: { news, error, isBusy, isSettling, take }, mayWrite }: SaidProps) {
  const { t } = useTranslation();
  const kept = useKeptFocus<HTMLDivElement>(isSettling);
  const undoable = everybodyIn(queue).find(({ id, canUndo }) => id === news.id && canUndo);
  const isEmpty = news.text === '' && !error;
  return (
    <div className={isEmpty ? 'hms-said' : 'hms-said hms-panel'} {...kept}>
      <Group gap="sm" mih={error ? 0 : '1.75rem'} wrap="nowrap">
        <Text role="status" tabIndex={-1} size="sm" fw={500} c="good">
          {news.text}
        </Text>
        {undoable && mayWrite && (
          <BusyButton
            data-action="undo"
            size="compact-sm"
            variant="default"
            flex="none"
            isBusy={isBusy}
            onClick={() => void take('undo', undoable)}
          >
            {t('queue.action.undo')}
          </BusyButton>
        )}
      </Group>
      <ErrorPanel error={error} />
    </div>
  );
}
