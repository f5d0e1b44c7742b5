/** Reports: the person's dashboards, and all reports. */
import { Button, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { IconFileDownload, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Catalogue } from './catalogue.tsx';
import { Dashboard } from './dashboard.tsx';
import { useNames } from './names.ts';
import { PeriodBar } from './period-bar.tsx';
import { PrintButton } from './print-button.tsx';
import { catalogueQuery } from './reports.queries.ts';
import { usePeriod } from './use-period.ts';
import './reports.css';

const route = getRouteApi('/reports');
const ALL = 'all';

export function ReportsPage() {
  const { t } = useTranslation();
  const names = useNames();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { period, asked, isWaiting } = usePeriod(search);
  const found = useQuery(catalogueQuery);
  const { reports = [], dashboards = [] } = found.data ?? {};
  const tabs = [
    ...dashboards.map(({ name, title }) => ({ name, label: names.of(title) })),
    { name: ALL, label: t('reports.all') },
  ];
  const tab = tabs.find(({ name }) => name === search.tab) ?? tabs[0];
  return (
    <Stack gap="md">
      <PageHead title={t('menu.reports')}>
        <Can operation="listReportExports">
          <Button
            variant="default"
            leftSection={<IconFileDownload size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/reports/files" {...props} />}
          >
            {t('reports.files.title')}
          </Button>
        </Can>
        <Can operation="listReportSchedules">
          <Button
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/reports/mail" {...props} />}
          >
            {t('reports.mail.title')}
          </Button>
        </Can>
        <PrintButton />
      </PageHead>
      <PeriodBar period={period} onPeriod={(days) => void navigate({ search: (now) => ({ ...now, ...days }) })} />
      {found.isError && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={360} animate={false} aria-busy />}
      {found.data && (
        <Tabs
          value={tab?.name ?? ALL}
          onChange={(name) => void navigate({ search: (now) => ({ ...now, tab: name ?? undefined }) })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            {tabs.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Text fw={600} className="hms-on-paper">
            {tab?.label}
          </Text>
          {dashboards.map(({ name }) => (
            <Tabs.Panel key={name} value={name}>
              <Dashboard name={name} reports={reports} period={asked} isWaiting={isWaiting} />
            </Tabs.Panel>
          ))}
          <Tabs.Panel value={ALL}>
            <Catalogue reports={reports} period={period} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}
