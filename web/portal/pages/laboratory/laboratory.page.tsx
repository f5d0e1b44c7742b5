/** The bench: what waits for whom, the most urgent first. */

import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../kit/lists/data-table.tsx';
import { FilterSelect } from '../../../kit/lists/filter-select.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { useNow } from '../../../kit/time/use-now.ts';
import { later } from '../../../kit/ui/later.ts';
import { listedNameOf } from '../patients/identity.ts';
import { countsQuery } from './counts.query.ts';
import { type LabOrder, labChanges, labKeys, orderableTestsQuery, readWork } from './laboratory.queries.ts';
import { PriorityBadge, ResultLines } from './result-parts.tsx';
import { SpecimenScan } from './scan-field.tsx';
import { showDuration } from './waiting-time.ts';
import { WORK, type Work } from './work.ts';

const Acknowledge = later(() => import('./acknowledge.tsx'), 'Acknowledge');

const route = getRouteApi('/laboratory');

export function LaboratoryPage() {
  const { t } = useTranslation();
  const own = useOwnWork();
  const { work = own, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  useChanges(labChanges, labKeys.all);
  return (
    <ListPage
      title={t('menu.laboratory')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={labKeys.list({ work, ...search })}
      read={(signal) => readWork(work, search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('laboratory.search')}
      empty={t(`laboratory.nothing.${work}`)}
      action={
        <Can operation="importLabResults">
          <Button
            variant="default"
            leftSection={<IconUpload size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/laboratory/import" {...props} />}
          >
            {t('laboratory.import')}
          </Button>
        </Can>
      }
      above={
        <>
          <Group>
            <SpecimenScan isFirst />
          </Group>
          <WorkLinks chosen={work} />
        </>
      }
      filters={<TestFilter />}
      columns={useColumns(work)}
    />
  );
}

/** One test, such as for those who fill one analyser. */
function TestFilter() {
  const { t } = useTranslation();
  const { testId } = route.useSearch();
  const navigate = route.useNavigate();
  const tests = useQuery(orderableTestsQuery()).data ?? [];
  return (
    <FilterSelect
      label={t('laboratory.test')}
      value={testId}
      data={tests.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(value) => void navigate({ search: (now) => ({ ...now, testId: value, page: undefined }) })}
    />
  );
}

/** What somebody most likely came for. */
function useOwnWork(): Work {
  const may = useMay();
  if (may('enterLabResults')) return 'result';
  if (may('acknowledgeLabResults')) return 'acknowledge';
  return may('collectLabSpecimens') ? 'collect' : 'done';
}

/** The lists, with how many orders are on each. */
function WorkLinks({ chosen }: { readonly chosen: Work }) {
  const { t } = useTranslation();
  const counts = useQuery(countsQuery());
  return (
    <Group gap="xs" component="nav" aria-label={t('laboratory.lists')}>
      {WORK.map((work) => {
        const count = work === 'done' ? undefined : counts.data?.[work];
        const isUrgent = work === 'acknowledge' && (count ?? 0) > 0;
        return (
          <Button
            key={work}
            size="compact-md"
            variant={work === chosen ? 'filled' : 'default'}
            aria-current={work === chosen ? 'page' : undefined}
            renderRoot={(props) => <Link to="/laboratory" search={({ testId }) => ({ work, testId })} {...props} />}
            rightSection={
              count !== undefined && (
                <Badge
                  size="sm"
                  miw={24}
                  color={isUrgent ? 'bad' : 'quiet'}
                  variant={isUrgent || work === chosen ? 'filled' : 'outline'}
                >
                  {count}
                </Badge>
              )
            }
          >
            {t(`laboratory.work.${work}`)}
          </Button>
        );
      })}
    </Group>
  );
}

function useColumns(work: Work): readonly Column<LabOrder>[] {
  const { t } = useTranslation();
  const now = useNow();
  const zone = usePerson().hospital?.timezone;
  return [
    {
      key: 'patient',
      title: t('laboratory.patient'),
      render: ({ id, patient }) => (
        <>
          <Anchor renderRoot={(props) => <Link to="/laboratory/$id" params={{ id }} {...props} />} fw={500} size="sm">
            <bdi>{listedNameOf(patient)}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" className="hms-number">
            {patient.patientCode}
          </Text>
        </>
      ),
    },
    {
      key: 'urgency',
      title: t('laboratory.priority'),
      render: ({ priority }) => <PriorityBadge priority={priority} />,
    },
    {
      key: 'specimens',
      title: t('laboratory.specimens'),
      render: ({ specimens }) =>
        specimens
          .filter(({ status }) => status !== 'rejected' && status !== 'cancelled')
          .map(({ id, accessionNo, type }) => (
            <Text key={id} size="sm">
              <span className="hms-number">{accessionNo}</span> <bdi>{type}</bdi>
            </Text>
          )),
    },
    work === 'acknowledge'
      ? {
          key: 'results',
          title: t('laboratory.criticalResults'),
          render: ({ items }) => (
            <ResultLines items={items.filter(({ result }) => result?.isCritical && !result.acknowledgedAt)} />
          ),
        }
      : {
          key: 'tests',
          title: t('laboratory.tests'),
          render: ({ items }) => (
            <Text size="sm" lineClamp={2}>
              {items
                .filter(({ status }) => status !== 'cancelled')
                .map(({ code }) => code)
                .join(', ')}
            </Text>
          ),
        },
    work === 'done'
      ? {
          key: 'createdAt',
          title: t('laboratory.ordered'),
          render: ({ createdAt }) => showMoment(createdAt, zone),
        }
      : {
          key: 'waiting',
          title: t('laboratory.waiting'),
          render: (order) => <Waiting order={order} work={work} now={now} />,
        },
    ...(work === 'acknowledge'
      ? [
          {
            key: 'actions',
            title: t('list.actions'),
            render: (order: LabOrder) => (
              <Suspense>
                <Acknowledge order={order} />
              </Suspense>
            ),
          },
        ]
      : []),
  ];
}

/** Since the step before, and whether a result is later than the catalogue promises. */
function Waiting({ order, work, now }: { readonly order: LabOrder; readonly work: Work; readonly now: number }) {
  const { t } = useTranslation();
  const isLate = order.items.some(
    ({ status, dueAt, result }) => status !== 'cancelled' && !result?.verifiedAt && Date.parse(dueAt) < now,
  );
  return (
    <Text size="sm" c={isLate ? 'bad' : undefined} fw={isLate ? 600 : undefined} className="hms-number">
      {showDuration(Math.max(0, now - sinceWhen(order, work)))}
      {isLate && ` · ${t('laboratory.late')}`}
      {work === 'acknowledge' &&
        order.escalation > 0 &&
        ` · ${t(`laboratory.told.${order.escalation === 1 ? 'doctor' : 'doctors'}`)}`}
    </Text>
  );
}

function sinceWhen({ createdAt, specimens, items }: LabOrder, work: Work): number {
  const entered = items.flatMap(({ result }) =>
    result && (work === 'verify' ? !result.verifiedAt : result.isCritical && !result.acknowledgedAt)
      ? result.enteredAt
      : [],
  );
  const collected = specimens.flatMap(({ status, collectedAt }) =>
    status === 'collected' || status === 'received' ? (collectedAt ?? []) : [],
  );
  const times = work === 'collect' ? [createdAt] : work === 'result' ? collected : entered;
  return Math.min(...(times.length > 0 ? times : [createdAt]).map((time) => Date.parse(time)));
}
