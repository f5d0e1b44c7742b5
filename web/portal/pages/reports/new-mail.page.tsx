/** Has a report sent by mail regularly. The address may name the report. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type PlanFields, PlanInputs, planFields } from './mail.form.tsx';
import { type Plan, planKeys } from './mail.queries.ts';
import { useNames } from './names.ts';
import { catalogueQuery, type Report } from './reports.queries.ts';
import { groupsIn } from './search.ts';
import { Trail } from './trail.tsx';
import './reports.css';

const route = getRouteApi('/reports/mail/new');

/** Before people begin to work. */
const USUAL_TIME = '07:00';

export function NewMailPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const { data, error, refetch } = useQuery(catalogueQuery);
  const title = t('reports.mail.new');
  return (
    <Stack gap="md" maw="52rem">
      <Trail period={{}} above="mail" here={title} />
      <PageHead title={title} />
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={360} animate={false} aria-busy />}
      {data && <Form report={data.reports.find(({ name }) => name === search.report)} />}
    </Stack>
  );
}

/** @param report of the page from which somebody comes. */
function Form({ report }: { readonly report: Report | undefined }) {
  const { t } = useTranslation();
  const names = useNames();
  const search = route.useSearch();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const back = () => void navigate({ to: '/reports/mail' });
  const form = useRecordForm<PlanFields, Plan>({
    schema: planFields,
    values: {
      report: report?.name ?? '',
      groupBy: report ? (groupsIn(report, search)[0] ?? '') : '',
      title: report ? names.of(report.title) : '',
      period: 'month',
      sendAt: USUAL_TIME,
      recipientIds: [],
    },
    save: (body, key) =>
      dataOf(api.POST('/api/report/schedules', { params: { header: { 'Idempotency-Key': key } }, body })),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: [planKeys.all] });
      back();
    },
  });
  return (
    <Stack className="hms-panel" p="lg">
      <Text size="sm">{t('reports.mail.how')}</Text>
      <FormBody of={form} label={t('reports.mail.new')} submitLabel={t('reports.mail.create')} onCancel={back}>
        <PlanInputs of={form} known={[]} />
      </FormBody>
    </Stack>
  );
}
