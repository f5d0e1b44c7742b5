/** One report by mail: to whom it goes and when, a pause, and its end. */
import { Button, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { type PlanFields, PlanInputs, planFields } from './mail.form.tsx';
import { HowOften, NextMail, Recipients, ReportOf, useMaySee } from './mail.parts.tsx';
import { type Plan, planKeys, planQuery } from './mail.queries.ts';
import { Trail } from './trail.tsx';
import './reports.css';

const route = getRouteApi('/reports/mail/$id');

export function MailPage() {
  const { id } = route.useParams();
  const found = useQuery(planQuery(id));
  if (found.data) return <Record key={id} plan={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

function Record({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation();
  const may = useMay();
  const maySee = useMaySee(plan);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const { id, title, status, lastSentOn } = plan;
  const params = { path: { id } };
  const show = (saved: Plan) => {
    queries.setQueryData(planKeys.one(id), saved);
    void queries.invalidateQueries({ queryKey: [planKeys.all] });
  };
  const turn = run(async () =>
    show(
      await dataOf(
        status === 'active'
          ? api.POST('/api/report/schedules/{id}/pause', { params })
          : api.POST('/api/report/schedules/{id}/resume', { params }),
      ),
    ),
  );
  const remove = run(async () => {
    if (!(await ask(t('reports.mail.confirm', { title }), t('reports.mail.delete'), t('reports.mail.deleteHow'))))
      return;
    await dataOf(api.DELETE('/api/report/schedules/{id}', { params }));
    await navigate({ to: '/reports/mail' });
    void queries.invalidateQueries({ queryKey: [planKeys.all] });
  });
  return (
    <Stack gap="md" maw="52rem">
      <Trail period={{}} above="mail" here={title} />
      <PageHead title={title}>
        {maySee && (
          <>
            <Can operation="pauseReportSchedule">
              <BusyButton size="compact-md" variant="default" isBusy={isBusy} onClick={turn}>
                {t(status === 'active' ? 'reports.mail.pause' : 'reports.mail.resume')}
              </BusyButton>
            </Can>
            <Can operation="deleteReportSchedule">
              <Button size="compact-md" variant="default" c="red.9" onClick={remove}>
                {t('reports.mail.delete')}
              </Button>
            </Can>
          </>
        )}
      </PageHead>
      <ErrorPanel error={error} />
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          item={plan}
          schema={planFields}
          label={t('reports.mail.details')}
          mayChange={maySee && may('changeReportSchedule')}
          valuesOf={({ report, groupBy, title, period, sendAt, recipientIds }): PlanFields => ({
            ...{ report, groupBy, title, period, sendAt },
            recipientIds: [...recipientIds],
          })}
          bodyOf={(fields) => fields}
          labelOf={(field) => t(`reports.mail.fields.${field as keyof PlanFields}`)}
          wordOf={(field, value) =>
            field === 'period'
              ? t(`reports.mail.every.${value as Plan['period']}`)
              : (plan.recipients.find(({ id }) => id === value)?.name ?? value)
          }
          save={(body) => dataOf(api.PUT('/api/report/schedules/{id}', { params, body }))}
          read={() => queries.fetchQuery({ ...planQuery(id), staleTime: 0 })}
          onSaved={show}
          fields={(form) => <PlanInputs of={form} known={plan.recipients} />}
        >
          <Facts
            facts={[
              { label: t('reports.mail.fields.report'), value: <ReportOf plan={plan} /> },
              { label: t('reports.mail.fields.period'), value: <HowOften plan={plan} /> },
              { label: t('reports.mail.fields.recipientIds'), value: <Recipients plan={plan} /> },
              { label: t('reports.mail.next'), value: <NextMail plan={plan} /> },
              { label: t('reports.mail.last'), value: lastSentOn && showDay(lastSentOn) },
            ]}
          />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}
