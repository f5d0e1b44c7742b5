/** The list behind a figure: the records from which it is computed. */
import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { BackgroundFile, BackgroundNotice } from './background-file.tsx';
import { Downloads } from './downloads.tsx';
import { useNamedFilters } from './named-filters.ts';
import { useNames } from './names.ts';
import { lastDay } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { PrintButton } from './print-button.tsx';
import { useRecordColumns } from './record-columns.tsx';
import { RecordSums } from './record-sums.tsx';
import { figuresQuery, type Report, readRecords } from './reports.queries.ts';
import { filtersIn, wholeIn } from './search.ts';
import { Trail } from './trail.tsx';
import { usePeriod } from './use-period.ts';
import { WithReport } from './with-report.tsx';
import './reports.css';

/** Rows of a list that is better written in the background. A spreadsheet can't have more of them. */
const LONG = 50_000;

const route = getRouteApi('/reports/$name/records');

export function RecordsPage() {
  const { name } = route.useParams();
  return <WithReport name={name}>{(report) => <Shown key={name} report={report} />}</WithReport>;
}

function Shown({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const names = useNames();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { period, asked } = usePeriod(search);
  const [error, setError] = useState<unknown>();
  const [isStarted, setStarted] = useState(false);
  const measure = report.measures.find(({ name }) => name === search.measure);
  const filters = filtersIn(report, search);
  const query = { ...asked, ...filters, ...(measure ? { measure: measure.name } : {}) };
  // They also say what the filters are called.
  const figures = useQuery(
    figuresQuery(report.name, { ...asked, filters, groupBy: [report.groupBy], compare: false }),
  ).data;
  const named = useNamedFilters(report, filters, figures);
  const key = ['reports', 'records', report.name, query, search.page];
  const read = async (signal: AbortSignal) => {
    const { data, meta } = await readRecords(report.name, query, search.page ?? 1, signal);
    return { data: data.records, meta, sums: data.sums };
  };
  // The list reads it. This is for what is above the list.
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    enabled: false,
  }).data;
  const isLong = (list?.meta.total ?? 0) > LONG;
  const columns = useRecordColumns(report, list?.data ?? []);
  const title = measure ? names.of(measure.title) : t('reports.records');
  const whole = { ...period, ...wholeIn(search.whole) };
  const days = t('reports.days', { from: showDay(period.from), to: showDay(lastDay(period)) });
  return (
    <Stack gap="md">
      <Trail period={whole} above={{ report, search: { ...whole, ...filters } }} here={title} />
      <PageHead title={[...new Set([names.of(report.title), title])].join(': ')}>
        <Downloads
          formats={['csv', 'xlsx']}
          path={`/api/report/${report.name}/records`}
          query={query}
          onError={setError}
        />
        <Can operation="createReportExport">
          <BackgroundFile
            wanted={{ report: report.name, ...asked, measure: measure?.name ?? null, filters }}
            named={named}
            isLong={isLong}
            onStarted={() => setStarted(true)}
            onError={setError}
          />
        </Can>
        <PrintButton />
      </PageHead>
      <Text size="sm">
        {[
          report.of === 'moment' ? t('reports.atTheEnd', { day: showDay(lastDay(period)) }) : days,
          ...named.map(({ title, name }) => t('reports.filter', { title, name })),
        ].join(' · ')}
      </Text>
      <PeriodBar
        period={period}
        onPeriod={(days) =>
          void navigate({ search: (now) => ({ ...now, ...days, page: undefined, whole: undefined }) })
        }
      />
      <ErrorPanel error={error} />
      <BackgroundNotice isStarted={isStarted} isLong={isLong} />
      {list && <RecordSums {...{ report, measure, figures, sums: list.sums }} total={list.meta.total} />}
      <div className="hms-records">
        <ListPage
          isPart
          title={title}
          search={search}
          onSearch={({ page }) => void navigate({ search: (now) => ({ ...now, page }) })}
          queryKey={key}
          read={read}
          rowKey={({ id }) => id}
          empty={t('reports.nothing')}
          columns={columns}
        />
      </div>
    </Stack>
  );
}
