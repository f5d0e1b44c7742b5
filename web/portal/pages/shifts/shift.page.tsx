/** One shift: what was counted, what was paid in and out, and whether somebody else approves it. */
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Amount } from '../../../kit/money/money.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { later } from '../../../kit/ui/later.ts';
import { Counts } from './counts.tsx';
import { Difference, ShiftBadge } from './shift-badge.tsx';
import { readEntries, type Shift, shiftKeys, shiftQuery } from './shifts.queries.ts';
import { Transfers } from './transfers.tsx';

const CloseForm = later(() => import('./close.form.tsx'), 'CloseForm');
const HandOverForm = later(() => import('./hand-over.form.tsx'), 'HandOverForm');

const route = getRouteApi('/shifts/$id');

export function ShiftPage() {
  const { id } = route.useParams();
  const found = useQuery(shiftQuery(id));
  useChanges('/api/payment/reconciliation/changes', shiftKeys.all);
  if (found.data)
    return (
      <Stack gap="md" maw="60rem">
        <PageHead title={found.data.shiftNo}>
          <ShiftBadge status={found.data.status} />
        </PageHead>
        <ShiftRecord key={id} shift={found.data} />
      </Stack>
    );
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

export function ShiftRecord({ shift }: { readonly shift: Shift }) {
  const { t } = useTranslation();
  const { id: own, hospital } = usePerson();
  const zone = hospital?.timezone;
  const { cashier, cashierName, counter, openedAt, closedAt, openedOn, openingFloat, difference } = shift;
  const { status, decidedByName, decisionNote } = shift;
  const isOwn = cashier === own;
  return (
    <>
      <Stack className="hms-panel" p="lg">
        <Facts
          facts={[
            { label: t('shifts.cashier'), value: <bdi>{cashierName}</bdi> },
            { label: t('shifts.counter'), value: <bdi>{counter}</bdi> },
            { label: t('shifts.day'), value: showDay(openedOn) },
            { label: t('shifts.opened'), value: showMoment(openedAt, zone) },
            { label: t('shifts.closed'), value: closedAt && showMoment(closedAt, zone) },
            { label: t('shifts.float'), value: <Amount of={openingFloat} /> },
            { label: t('shifts.difference'), value: difference !== null && <Difference of={difference} /> },
          ]}
        />
        {decidedByName && (
          <Text size="sm">
            {t('shifts.decided', { name: decidedByName })}
            {decisionNote && (
              <>
                {': '}
                <bdi>{decisionNote}</bdi>
              </>
            )}
          </Text>
        )}
      </Stack>
      {status === 'closed' && <Decision shift={shift} isOwn={isOwn} />}
      {isOwn && (status === 'open' || status === 'disputed') && <OwnSteps shift={shift} />}
      <Counts counts={shift.counts} />
      <TransfersOf shift={shift} />
      <Entries id={shift.id} />
    </>
  );
}

function useShown() {
  const queries = useQueryClient();
  return (saved: Shift) => {
    queries.setQueryData(shiftKeys.one(saved.id), saved);
    void queries.invalidateQueries({ queryKey: [shiftKeys.all] });
  };
}

function TransfersOf({ shift: { transfers } }: { readonly shift: Shift }) {
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey: [shiftKeys.all] });
  return <Transfers transfers={transfers} onDecided={refresh} />;
}

/** Closing, counting again, and handing over. */
function OwnSteps({ shift }: { readonly shift: Shift }) {
  const { t } = useTranslation();
  const shown = useShown();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [step, setStep] = useState<'close' | 'handOver'>();
  const done = () => setStep(undefined);
  const closed = (saved: Shift) => {
    done();
    shown(saved);
    // What was expected is shown there.
    void navigate({ to: '/shifts/$id', params: { id: saved.id } });
  };
  const offered = () => {
    done();
    void queries.invalidateQueries({ queryKey: [shiftKeys.all] });
  };
  if (step !== undefined)
    return (
      <Suspense>
        {step === 'close' ? (
          <CloseForm shift={shift} onClosed={closed} onCancel={done} />
        ) : (
          <HandOverForm shift={shift} onOffered={offered} onCancel={done} />
        )}
      </Suspense>
    );
  return (
    <Group gap="sm">
      <Can operation="closeShift">
        <Button onClick={() => setStep('close')}>
          {t(shift.status === 'disputed' ? 'shifts.recount' : 'shifts.close')}
        </Button>
      </Can>
      {shift.status === 'open' && (
        <Can operation="offerShiftTransfer">
          <Button variant="default" onClick={() => setStep('handOver')}>
            {t('shifts.handOver')}
          </Button>
        </Can>
      )}
    </Group>
  );
}

function Decision({ shift: { id, version }, isOwn }: { readonly shift: Shift; readonly isOwn: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const shown = useShown();
  const { isBusy, error, run } = useRun();
  const [isDisputing, setDisputing] = useState(false);
  if (isOwn) return <Text size="sm">{t('shifts.byAnother')}</Text>;
  if (!may('approveShift')) return null;
  const approve = run(async () => {
    const params = { path: { id } };
    shown(await dataOf(api.POST('/api/payment/reconciliation/{id}/approve', { params, body: { version } })));
  });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button loading={isBusy} onClick={approve}>
          {t('shifts.approve')}
        </Button>
        <Button variant="default" onClick={() => setDisputing(true)}>
          {t('shifts.dispute')}
        </Button>
      </Group>
      <ErrorPanel error={error} />
      {isDisputing && (
        <Stack className="hms-panel" p="md">
          <ReasonForm
            label={t('shifts.disputeWhy')}
            submitLabel={t('shifts.dispute')}
            save={(reason, key) => {
              const params = { path: { id }, header: { 'Idempotency-Key': key } };
              return dataOf(
                api.POST('/api/payment/reconciliation/{id}/dispute', { params, body: { reason, version } }),
              );
            }}
            onSaved={(saved) => {
              setDisputing(false);
              shown(saved);
            }}
            onCancel={() => setDisputing(false)}
          />
        </Stack>
      )}
    </Stack>
  );
}

/** What was paid in and out, the latest first. */
function Entries({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const [page, setPage] = useState<number>();
  return (
    <ListPage
      isPart
      title={t('shifts.entries')}
      search={{ page, q: undefined, sort: undefined }}
      onSearch={(changes) => setPage(changes.page)}
      queryKey={[...shiftKeys.entries(id), page]}
      read={(signal) => readEntries(id, page ?? 1, signal)}
      rowKey={(entry) => entry.id}
      empty={t('shifts.entries')}
      columns={[
        {
          key: 'receiptNo',
          title: t('invoices.receipt'),
          render: ({ receiptNo, invoiceId }) =>
            invoiceId === null ? (
              <span className="hms-number">{receiptNo}</span>
            ) : (
              <Anchor
                size="sm"
                className="hms-number"
                renderRoot={(props) => <Link to="/invoices/$id" params={{ id: invoiceId }} {...props} />}
              >
                {receiptNo}
              </Anchor>
            ),
        },
        { key: 'paidAt', title: t('invoices.when'), render: ({ paidAt }) => showMoment(paidAt, zone) },
        { key: 'kind', title: t('invoices.kind'), render: ({ kind }) => t(`invoices.kinds.${kind}`) },
        {
          key: 'method',
          title: t('invoices.method'),
          render: ({ parts }) => parts.map(({ method }) => t(`invoices.methods.${method}`)).join(' · '),
        },
        {
          key: 'amount',
          title: t('invoices.amount'),
          render: ({ amount, kind }) => (
            <bdi dir="ltr">
              {kind === 'payment' ? '' : '−'}
              <Amount of={amount} />
            </bdi>
          ),
        },
      ]}
    />
  );
}
