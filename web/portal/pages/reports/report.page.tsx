/** A report: its figures, a chart and a table, by what somebody chooses. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { BigFigures } from './big-figures.tsx';
import { Downloads } from './downloads.tsx';
import { FiguresChart } from './figures-chart.tsx';
import { FiguresTable } from './figures-table.tsx';
import { FilterChips } from './filter-chips.tsx';
import { GroupSelects } from './group-selects.tsx';
import { useNamedFilters } from './named-filters.ts';
import { useNames } from './names.ts';
import { OnlyThis } from './only-this.tsx';
import { PeriodBar } from './period-bar.tsx';
import { PrintButton } from './print-button.tsx';
import { type Figures, figuresQuery, type Report } from './reports.queries.ts';
import { filtersIn, groupsIn, isEmpty } from './search.ts';
import { Trail } from './trail.tsx';
import { usePeriod } from './use-period.ts';
import { WithReport } from './with-report.tsx';
import './reports.css';

const route = getRouteApi('/reports/$name');

export function ReportPage() {
  const { name } = route.useParams();
  return <WithReport name={name}>{(report) => <Shown key={name} report={report} />}</WithReport>;
}

function Shown({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const names = useNames();
  const search = route.useSearch();
  const change = useChange();
  const { period, asked, isWaiting } = usePeriod(search);
  const [error, setError] = useState<unknown>();
  const [filters, groupBy] = [filtersIn(report, search), groupsIn(report, search)];
  const wanted = { ...asked, filters, groupBy };
  const found = useQuery({ ...figuresQuery(report.name, wanted), placeholderData: keepPreviousData });
  const named = useNamedFilters(report, filters, found.data);
  const title = names.of(report.title);
  return (
    <Stack gap="md">
      <Trail period={{ ...period }} here={title} />
      <PageHead title={title}>
        <Downloads
          formats={['csv', 'xlsx', 'pdf']}
          path={`/api/report/${report.name}`}
          query={{ ...period, ...filters, groupBy: groupBy.join(',') }}
          onError={setError}
        />
        <Can operation="createReportSchedule">
          <Button
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link to="/reports/mail/new" search={{ report: report.name, groupBy: groupBy[0] }} {...props} />
            )}
          >
            {t('reports.mail.byMail')}
          </Button>
        </Can>
        <PrintButton />
      </PageHead>
      <Text size="sm" c="dimmed" maw="50rem">
        {names.of(report.about)}
      </Text>
      <Group gap="sm" align="flex-end">
        <PeriodBar period={period} onPeriod={(days) => change({ ...days })} />
        <GroupSelects
          report={report}
          chosen={groupBy}
          onChange={(by) => change({ groupBy: by.join(','), sort: undefined })}
        />
      </Group>
      <FilterChips named={named} onRemove={(group) => change({ [group]: undefined })} />
      <ErrorPanel error={error} />
      {found.data && !found.isError ? (
        <Body report={report} figures={found.data} isFormer={isWaiting || found.isPlaceholderData} sort={search.sort} />
      ) : found.isError ? (
        <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton height={360} animate={false} aria-busy />
      )}
    </Stack>
  );
}

function useChange() {
  const navigate = route.useNavigate();
  return (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (now) => ({ ...now, ...changes }) });
}

interface BodyProps {
  readonly report: Report;
  readonly figures: Figures;
  /** They are those of another choice, until its own are there. */
  readonly isFormer: boolean;
  readonly sort: string | undefined;
}

function Body({ report, figures, isFormer, sort }: BodyProps) {
  const change = useChange();
  const { measures } = report;
  const [first] = measures;
  return (
    <Stack gap="md" className={isFormer ? 'hms-former' : ''} aria-busy={isFormer}>
      <section className="hms-panel hms-tile">
        <BigFigures {...{ report, measures, figures }} />
        {first && (
          <FiguresChart {...{ report, figures }} measure={first} type={figures.groups.length > 14 ? 'line' : 'bars'} />
        )}
      </section>
      {!isEmpty(figures) && (
        <div className="hms-panel">
          <FiguresTable
            {...{ report, measures, figures, sort }}
            onSort={(sort) => change({ sort })}
            nameCell={(group, key, name) => (
              <OnlyThis {...{ report, figures, group, name }} of={key} onChoose={change} />
            )}
          />
        </div>
      )}
    </Stack>
  );
}
