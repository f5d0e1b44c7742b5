/** The results of one test for a patient over time: as a chart, and as a table. */
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { nameOf } from '../patients/identity.ts';
import { patientQuery } from '../patients/patients.queries.ts';
import { labChanges, labKeys, readPastResults } from './laboratory.queries.ts';
import { ResultChart } from './result-chart.tsx';
import { Flag, Range, Value } from './result-parts.tsx';

const route = getRouteApi('/laboratory/results');

export function PastResultsPage() {
  const { t } = useTranslation();
  const { patient: patientId, test: testId, page } = route.useSearch();
  const navigate = route.useNavigate();
  const zone = usePerson().hospital?.timezone;
  useChanges(labChanges, labKeys.all);
  const patient = useQuery(patientQuery(patientId));
  const test = useQuery({
    queryKey: ['lab-tests', testId],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-tests/{id}', { params: { path: { id: testId } }, signal })),
  });
  const queryKey = labKeys.past(patientId, testId, page);
  const read = (signal: AbortSignal) => readPastResults(patientId, testId, page, signal);
  const results = useQuery({ queryKey, queryFn: ({ signal }) => read(signal), placeholderData: keepPreviousData });
  const failed = [patient, test].find(({ isError }) => isError);
  if (failed) return <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!patient.data || !test.data) return <Skeleton height={240} animate={false} aria-busy />;
  const { name, unit } = test.data;
  return (
    <Stack gap="md" maw="60rem">
      <Stack gap={2}>
        <PageHead title={unit === null ? name : `${name} (${unit})`} />
        <Group gap="lg">
          <Anchor
            size="sm"
            fw={600}
            renderRoot={(props) => (
              <Link to="/patients/$id" params={{ id: patientId }} search={{ tab: 'laboratory' }} {...props} />
            )}
          >
            <bdi>{nameOf(patient.data)}</bdi> <span className="hms-number">{patient.data.patientCode}</span>
          </Anchor>
        </Group>
      </Stack>
      <ListPage
        isPart
        title={t('laboratory.overTime')}
        above={<ResultChart results={results.data?.data ?? []} />}
        search={{ page, q: undefined, sort: undefined }}
        onSearch={(changes) => void navigate({ search: (now) => ({ ...now, page: changes.page }) })}
        queryKey={queryKey}
        read={read}
        rowKey={({ id }) => id}
        empty={t('laboratory.noResults')}
        columns={[
          {
            key: 'collectedAt',
            title: t('laboratory.takenAt'),
            render: ({ collectedAt }) => showMoment(collectedAt, zone),
          },
          {
            key: 'value',
            title: t('laboratory.value'),
            render: ({ value, isCritical, status }) => (
              <>
                <Text size="sm" fw={isCritical ? 700 : 500}>
                  <Value item={test.data} value={value} />
                </Text>
                {status !== 'final' && (
                  <Text size="xs" c="dimmed">
                    {t(`laboratory.${status}`)}
                  </Text>
                )}
              </>
            ),
          },
          { key: 'flag', title: t('laboratory.flag'), render: (result) => <Flag {...result} /> },
          { key: 'range', title: t('laboratory.range'), render: ({ range }) => <Range range={range} /> },
          {
            key: 'orderNo',
            title: t('laboratory.order'),
            render: ({ orderId, orderNo }) => (
              <Anchor
                size="sm"
                className="hms-number"
                renderRoot={(props) => <Link to="/laboratory/$id" params={{ id: orderId }} {...props} />}
              >
                {orderNo}
              </Anchor>
            ),
          },
        ]}
      />
    </Stack>
  );
}
