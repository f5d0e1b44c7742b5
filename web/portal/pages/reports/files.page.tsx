/** The files that somebody has had written in the background: how far each is, and its download. */
import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { focusTitle, ListPage } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { cancelFile, downloadFile, fileKeys, isOpen, type ReportFile, readFiles, startAgain } from './files.queries.ts';
import { useNames } from './names.ts';
import { lastDay } from './period.ts';
import { catalogueQuery } from './reports.queries.ts';
import { Trail } from './trail.tsx';
import { useValues } from './values.ts';
import './reports.css';

const route = getRouteApi('/reports/files');
/** Each request counts for the limit of reports. */
const POLL_MS = 5_000;

export function FilesPage() {
  const { t } = useTranslation();
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const zone = usePerson().hospital?.timezone;
  const titleOf = useTitleOf();
  const { isBusy, error, run } = useRun();
  const queryKey = fileKeys.list(page);
  const read = (signal: AbortSignal) => readFiles(page, signal);
  // The list shows it. This reads it again, as long as something changes.
  useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? POLL_MS : false),
  });
  const step = (work: (file: ReportFile) => Promise<unknown>) => (file: ReportFile) =>
    void run(async () => {
      // Also after a refusal: the file is not any more what the page shows.
      await work(file).finally(() => queries.invalidateQueries({ queryKey: [fileKeys.all] }));
    })();
  const title = t('reports.files.title');
  return (
    <Stack gap="md">
      <Trail period={{}} here={title} />
      <ListPage
        title={title}
        search={{ page }}
        onSearch={(changes) => void navigate({ search: { page: changes.page } })}
        queryKey={queryKey}
        read={read}
        rowKey={({ id }) => id}
        empty={t('reports.files.empty')}
        above={
          <>
            <Text size="sm" c="dimmed" maw="50rem">
              {t('reports.files.how')}
            </Text>
            <ErrorPanel error={error} />
          </>
        }
        columns={[
          { key: 'report', title: t('reports.files.report'), render: (file) => <Name file={file} /> },
          { key: 'days', title: t('reports.files.days'), render: (file) => titleOf(file).days },
          {
            key: 'createdAt',
            title: t('reports.files.asked'),
            render: ({ createdAt }) => <span className="hms-number">{showMoment(createdAt, zone)}</span>,
          },
          { key: 'state', title: t('reports.files.state'), render: (file) => <State file={file} /> },
          {
            key: 'actions',
            title: t('list.actions'),
            render: (file) => (
              <Actions
                file={file}
                isBusy={isBusy}
                onDownload={step(downloadFile)}
                onAgain={step(startAgain)}
                onCancel={step(async (one) => {
                  await cancelFile(one);
                  focusTitle();
                })}
              />
            ),
          },
        ]}
      />
    </Stack>
  );
}

/** What the list of a file is called, and of which days it is. */
function useTitleOf() {
  const { t } = useTranslation();
  const names = useNames();
  const { reports = [] } = useQuery(catalogueQuery).data ?? {};
  return ({ report: name, measure, filters, filterNames, from, to }: ReportFile) => {
    const report = reports.find((one) => one.name === name);
    const figure = report?.measures.find((one) => one.name === measure);
    const titles = report ? [report, ...(figure ? [figure] : [])].map(({ title }) => names.of(title)) : [name];
    const last = showDay(lastDay({ from, to: to.slice(0, 10) }));
    return {
      report,
      title: [...new Set(titles)].join(': '),
      days:
        report?.of === 'moment'
          ? t('reports.atTheEnd', { day: last })
          : t('reports.days', { from: showDay(from), to: last }),
      filters: Object.entries(filters).map(([group, key]) => {
        const title = report?.groups.find((one) => one.name === group)?.title;
        const name = report ? names.ofKey(report, group, key, filterNames[group] ?? null) : key;
        return t('reports.filter', { title: title ? names.of(title) : group, name });
      }),
    };
  };
}

interface Props {
  readonly file: ReportFile;
}

/** Leads to the list that is in the file. */
function Name({ file }: Props) {
  const { report, title, filters } = useTitleOf()(file);
  const { from, to, measure } = file;
  const search = { ...file.filters, from: from.slice(0, 10), to: to.slice(0, 10), ...(measure ? { measure } : {}) };
  return (
    <>
      {report ? (
        <Anchor
          size="sm"
          fw={500}
          renderRoot={(props) => (
            <Link to="/reports/$name/records" params={{ name: report.name }} search={search} {...props} />
          )}
        >
          {title}
        </Anchor>
      ) : (
        title
      )}
      {filters.map((filter) => (
        <Text key={filter} size="xs" c="dimmed">
          {filter}
        </Text>
      ))}
    </>
  );
}

/** Dark enough on the page's own background. */
const COLORS = { waiting: 'gray.7', running: 'blue.9', done: 'brand.9', failed: 'red.9', cancelled: 'gray.7' };

function State({ file }: Props) {
  const { t } = useTranslation();
  const values = useValues();
  const zone = usePerson().hospital?.timezone;
  const { status, rowsDone, rowsTotal, failReason, expiresAt } = file;
  const [done, total] = [rowsDone, rowsTotal].map((rows) => values.show('count', rows));
  return (
    <Stack gap={4} align="flex-start">
      <span role="status">
        <Badge color={COLORS[status]} variant="outline" tt="none">
          {t(`reports.files.states.${status}`)}
        </Badge>
      </span>
      {status === 'running' && (
        <>
          {/* Without a value, it shows that something goes on. */}
          <progress
            aria-label={t('reports.files.progress')}
            max={rowsTotal ?? 1}
            {...(rowsTotal === null ? {} : { value: rowsDone })}
          />
          <Text size="xs">
            {rowsTotal === null ? t('reports.files.counting') : t('reports.files.of', { done, total })}
          </Text>
        </>
      )}
      {status === 'done' && <Text size="xs">{t('reports.files.rows', { rows: done })}</Text>}
      {expiresAt && <Text size="xs">{t('reports.files.until', { at: showMoment(expiresAt, zone) })}</Text>}
      {failReason && <Text size="xs">{t(`reports.files.failed.${failReason}`)}</Text>}
    </Stack>
  );
}

interface ActionsProps extends Props {
  readonly isBusy: boolean;
  onDownload(file: ReportFile): void;
  onCancel(file: ReportFile): void;
  onAgain(file: ReportFile): void;
}

function Actions({ file, isBusy, onDownload, onCancel, onAgain }: ActionsProps) {
  const { t } = useTranslation();
  const { title, days } = useTitleOf()(file);
  const button = (action: 'download' | 'cancel' | 'again', onClick: (file: ReportFile) => void) => {
    const label = t(`reports.files.${action}`);
    return (
      <BusyButton
        size="compact-sm"
        variant="default"
        isBusy={isBusy}
        aria-label={`${label}: ${title}, ${days}`}
        onClick={() => onClick(file)}
      >
        {label}
      </BusyButton>
    );
  };
  if (file.status === 'done') return button('download', onDownload);
  if (isOpen(file)) return <Can operation="cancelReportExport">{button('cancel', onCancel)}</Can>;
  return <Can operation="createReportExport">{button('again', onAgain)}</Can>;
}
