/** Who waits for a time, in their turn: add, book, answer an offer, take off. */
import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import type { Column } from '../../../kit/lists/data-table.tsx';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { goOnAt } from '../../../kit/lists/go-on.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { readWaiting, type WaitingEntry, waitingKey } from './waiting-list.queries.ts';

const route = getRouteApi('/waiting-list');
// The list comes first.
const ReasonForm = soon(async () => (await import('../../../kit/forms/reason-form.tsx')).ReasonForm);
const WaitingForm = soon(async () => (await import('./waiting.form.tsx')).WaitingForm);

export function WaitingListPage() {
  const { t } = useTranslation();
  const { over, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mayWrite = useMay()('createWaitingListEntry');
  const zone = usePerson().hospital?.timezone;
  const [isNew, setNew] = useState(false);
  const [leaving, setLeaving] = useState<WaitingEntry>();
  const [news, setNews] = useState('');
  const [error, setError] = useState<unknown>();
  const busy = useRef(false);
  useChanges('/api/queue/waiting-list/changes', waitingKey);
  const change = (changes: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes });
  const tell = async (text: string) => {
    setNews(text);
    setError(undefined);
    await queries.invalidateQueries({ queryKey: [waitingKey] });
  };
  const answer = async (
    verb: 'accept' | 'decline',
    { id: entryId, appointmentId, patientName: name }: WaitingEntry,
  ) => {
    // A second press before the page shows that it is busy.
    if (busy.current || appointmentId === null) return;
    busy.current = true;
    const from = document.activeElement;
    try {
      await dataOf(api.POST(`/api/queue/appointments/{id}/${verb}`, { params: { path: { id: appointmentId } } }));
      await tell(t(`waiting.done.${verb}`, { name }));
      goOn(entryId, from);
    } catch (problem) {
      setNews('');
      setError(problem);
      void queries.invalidateQueries({ queryKey: [waitingKey] });
    } finally {
      busy.current = false;
    }
  };
  const columns: readonly Column<WaitingEntry>[] = [
    {
      key: 'patient',
      title: t('waiting.patient'),
      render: ({ id, patientId, patientName, patientCode, patientPhone, priority }) => (
        <Stack gap={8} align="flex-start">
          <Anchor
            size="sm"
            fw={500}
            data-item={id}
            renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}
          >
            <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
          </Anchor>
          {patientPhone !== null && (
            <Anchor size="sm" href={`tel:${patientPhone}`}>
              <Phone kept={patientPhone} />
            </Anchor>
          )}
          {priority === 'urgent' && (
            <Badge variant="outline" tt="none" color="bad">
              {t('waiting.urgent')}
            </Badge>
          )}
        </Stack>
      ),
    },
    {
      key: 'wish',
      title: t('waiting.wish'),
      render: ({ doctorName, clinicName, visitTypeName, reason, ...when }) => (
        <Stack gap={2}>
          <Text size="sm">
            <bdi>{doctorName ?? t('waiting.anyDoctor')}</bdi>
            {clinicName !== null && (
              <>
                {' · '}
                <bdi>{clinicName}</bdi>
              </>
            )}
          </Text>
          {visitTypeName !== null && (
            <Text size="sm">
              <bdi>{visitTypeName}</bdi>
            </Text>
          )}
          <When {...when} />
          {reason !== null && (
            <Text size="xs" c="dimmed">
              <bdi>{reason}</bdi>
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'createdAt',
      title: t('waiting.since'),
      render: ({ createdAt }) => <Text size="sm">{showMoment(createdAt, zone)}</Text>,
    },
    {
      key: 'state',
      title: t('waiting.state'),
      render: (entry) => (
        <Stack gap="xs" align="flex-start">
          {entry.offer ? (
            <>
              <Text size="sm" fw={600}>
                {t('waiting.offer', { at: showMoment(entry.offer.startsAt, zone), doctor: entry.offer.doctorName })}
              </Text>
              <Text size="xs">{t('waiting.keptUntil', { at: showMoment(entry.offer.expiresAt, zone) })}</Text>
              {mayWrite && (
                <Group gap={4}>
                  <Button
                    size="compact-sm"
                    aria-label={t('waiting.acceptOf', { name: entry.patientName })}
                    onClick={() => void answer('accept', entry)}
                  >
                    {t('waiting.accept')}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('waiting.declineOf', { name: entry.patientName })}
                    onClick={() => void answer('decline', entry)}
                  >
                    {t('waiting.decline')}
                  </Button>
                </Group>
              )}
            </>
          ) : (
            <Text size="sm">
              {t(`waiting.status.${entry.status}`)}
              {entry.endReason !== null && (
                <>
                  {': '}
                  <bdi>{entry.endReason}</bdi>
                </>
              )}
            </Text>
          )}
          {mayWrite && !over && (
            <Group gap={4}>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('waiting.bookOf', { name: entry.patientName })}
                renderRoot={(props) => (
                  <Link to="/appointments" search={{ waiting: entry.id, ...placeOf(entry) }} {...props} />
                )}
              >
                {t('waiting.book')}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="bad"
                aria-label={t('waiting.withdrawOf', { name: entry.patientName })}
                onClick={() => setLeaving(entry)}
              >
                {t('waiting.withdraw')}
              </Button>
            </Group>
          )}
        </Stack>
      ),
    },
  ];
  return (
    <ListPage
      title={t('menu.waiting-list')}
      search={search}
      onSearch={change}
      queryKey={[waitingKey, 'list', search, over]}
      read={(signal) => readWaiting(search, over !== true, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('waiting.search')}
      empty={t(over ? 'waiting.emptyOver' : 'waiting.empty')}
      columns={columns}
      action={
        mayWrite &&
        !isNew && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} data-new onClick={() => setNew(true)}>
            {t('waiting.new')}
          </Button>
        )
      }
      filters={
        <FilterCheckbox label={t('waiting.over')} checked={over === true} onChange={(on) => change({ over: on })} />
      }
      above={
        <>
          <div className={news === '' && !error ? undefined : 'hms-said hms-panel'}>
            <Text role="status" size="sm" fw={500} c="good">
              {news}
            </Text>
            <ErrorPanel error={error} />
          </div>
          <Suspense>
            {isNew && (
              <WaitingForm
                onDone={(saved) => {
                  setNew(false);
                  goOnAt(['[data-new]'], document.activeElement);
                  if (saved) void tell(t('waiting.done.new', { name: saved.patientName }));
                }}
              />
            )}
            {leaving && (
              <Stack className="hms-panel" p="lg">
                <ReasonForm
                  key={leaving.id}
                  label={t('waiting.why', { name: leaving.patientName })}
                  submitLabel={t('waiting.withdraw')}
                  suggestions={[t('waiting.notNeeded'), t('waiting.notReached')]}
                  save={(reason) => {
                    const { id, version } = leaving;
                    const sent = { params: { path: { id } }, body: { reason, version } };
                    return dataOf(api.POST('/api/queue/waiting-list/{id}/withdraw', sent));
                  }}
                  onSaved={({ id, patientName: name }) => {
                    setLeaving(undefined);
                    const from = document.activeElement;
                    void tell(t('waiting.done.withdraw', { name })).then(() => goOn(id, from));
                  }}
                  onCancel={() => {
                    setLeaving(undefined);
                    goOn(leaving.id, document.activeElement);
                  }}
                />
              </Stack>
            )}
          </Suspense>
        </>
      }
    />
  );
}

/** On which days and at which hours somebody can come. */
function When({
  fromDate,
  untilDate,
  fromTime,
  untilTime,
}: Pick<WaitingEntry, 'fromDate' | 'untilDate' | 'fromTime' | 'untilTime'>) {
  const { t } = useTranslation();
  const parts = [
    ...(fromDate === null ? [] : [t('waiting.from', { at: showDay(fromDate) })]),
    ...(untilDate === null ? [] : [t('waiting.until', { at: showDay(untilDate) })]),
    ...(fromTime === null ? [] : [t('waiting.notBefore', { at: fromTime })]),
    ...(untilTime === null ? [] : [t('waiting.notAfter', { at: untilTime })]),
  ];
  return <Text size="sm">{parts.length === 0 ? t('waiting.anyTime') : parts.join(' · ')}</Text>;
}

/** To somebody of the list, or to the title when they have left it. */
function goOn(id: string, from: Element | null): void {
  goOnAt([`[data-item="${id}"]`], from);
}

/** Where the page of appointments looks for a time: with the doctor, or with everybody in the clinic. */
function placeOf({ doctorId, clinicId }: WaitingEntry) {
  if (doctorId !== null) return { doctor: doctorId };
  return clinicId === null ? {} : ({ view: 'doctors', clinic: clinicId } as const);
}
