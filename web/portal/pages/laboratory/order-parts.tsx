/** The state of an order, and its reports. */
import { Badge, Button, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openTab } from '../../../kit/api/pdf.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { MissingCharacters } from '../../../kit/ui/missing-characters.tsx';
import { isReportDue, type LabOrder } from './laboratory.queries.ts';

const COLORS: Readonly<Record<LabOrder['status'], string>> = {
  ordered: 'info',
  collected: 'pending',
  in_progress: 'pending',
  resulted: 'warning',
  verified: 'good',
  amended: 'good',
  cancelled: 'quiet',
};

export function StatusBadge({ status }: Pick<LabOrder, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[status]} variant="outline" tt="none">
      {t(`laboratory.statuses.${status}`)}
    </Badge>
  );
}

/** Opens the report, and the ones that it replaces. */
export function ReportButtons({ order }: { readonly order: LabOrder }) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const open = (revision: number) =>
    run(() =>
      openTab(async () => {
        const params = { path: { id: order.id }, query: { revision } };
        const { url } = await dataOf(api.GET('/api/hms/lab-orders/{id}/report', { params }));
        return url;
      }),
    );
  return (
    <Can operation="readLabReportUrl">
      {isReportDue(order) && (
        <Text size="sm" role="status">
          {t('laboratory.reportDue')}
        </Text>
      )}
      {order.reports.toReversed().map(({ revision, isSuperseded }) => (
        <Button
          key={revision}
          size="compact-md"
          variant="default"
          c={isSuperseded ? 'dimmed' : undefined}
          loading={isBusy}
          leftSection={<IconFileText size={16} aria-hidden />}
          onClick={open(revision)}
        >
          {isSuperseded ? t('laboratory.oldReport', { number: revision }) : t('laboratory.report')}
        </Button>
      ))}
      <MissingCharacters codes={order.reports.at(-1)?.missingCharacters ?? []} />
      <ErrorPanel error={error} />
    </Can>
  );
}
