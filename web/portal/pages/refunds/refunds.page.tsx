/** Refunds: who approves them, and who pays them out. Those that wait for somebody come first. */
import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { later } from '../../../kit/ui/later.ts';
import { type Refund, readRefunds, refundKeys } from './refunds.queries.ts';

const RejectForm = later(() => import('./reject.form.tsx'), 'RejectForm');

const route = getRouteApi('/refunds');
const COLORS = { requested: 'warning', approved: 'info', rejected: 'quiet', completed: 'good' } as const;

export function RefundsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const [rejecting, setRejecting] = useState<Refund>();
  const [done, setDone] = useState<Refund>();
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes });
  useChanges('/api/payment/refunds/changes', refundKeys.all);
  const changed = (saved: Refund) => {
    setRejecting(undefined);
    setDone(saved.status === 'completed' && saved.amount > 0 ? saved : undefined);
    void queries.invalidateQueries({ queryKey: [refundKeys.all] });
  };
  return (
    <Stack gap="md">
      <div aria-live="polite">{done && <PaidOut refund={done} />}</div>
      {rejecting && (
        <Suspense>
          <RejectForm refund={rejecting} onRejected={changed} onCancel={() => setRejecting(undefined)} />
        </Suspense>
      )}
      <ListPage
        title={t('menu.refunds')}
        search={search}
        onSearch={change}
        queryKey={refundKeys.list(search)}
        read={(signal) => readRefunds(search, signal)}
        rowKey={({ id }) => id}
        searchLabel={t('refunds.search')}
        empty={t(search.all ? 'refunds.empty' : 'refunds.emptyOpen')}
        filters={
          <FilterCheckbox
            label={t('refunds.onlyOpen')}
            checked={search.all !== true}
            onChange={(open) => change({ all: open ? undefined : true })}
          />
        }
        columns={[
          {
            key: 'refundNo',
            title: t('refunds.number'),
            render: ({ refundNo, status }) => (
              <Group gap="xs">
                <span className="hms-number">{refundNo}</span>
                <Badge color={COLORS[status]} variant="outline" tt="none">
                  {t(`refunds.statuses.${status}`)}
                </Badge>
              </Group>
            ),
          },
          {
            key: 'patient',
            title: t('refunds.patient'),
            render: ({ patientName, patientCode }) => (
              <>
                <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
              </>
            ),
          },
          { key: 'of', title: t('refunds.of'), render: (refund) => <Of refund={refund} /> },
          {
            key: 'amount',
            title: t('refunds.amount'),
            render: ({ amount, method }) =>
              amount === 0 ? (
                '–'
              ) : (
                <>
                  <Amount of={amount} /> {t(`invoices.methods.${method}`)}
                </>
              ),
          },
          {
            key: 'credited',
            title: t('refunds.credited'),
            render: ({ credited }) => (credited === 0 ? '–' : <Amount of={credited} />),
          },
          {
            key: 'reason',
            title: t('refunds.reason'),
            render: ({ reason, requestedByName }) => (
              <>
                <bdi>{reason}</bdi>
                <Text size="xs" c="dimmed">
                  <bdi>{requestedByName}</bdi>
                </Text>
              </>
            ),
          },
          {
            key: 'actions',
            title: t('list.actions'),
            render: (refund) => <Steps refund={refund} onDone={changed} onReject={() => setRejecting(refund)} />,
          },
        ]}
      />
    </Stack>
  );
}

/** What it gives back, with its papers. */
function Of({ refund: { invoiceId, invoiceNo, depositNo, creditNo, patientId } }: { readonly refund: Refund }) {
  return (
    <>
      {invoiceId === null ? (
        <Anchor
          size="sm"
          className="hms-number"
          renderRoot={(props) => (
            <Link to="/patients/$id" params={{ id: patientId }} search={{ tab: 'invoices' }} {...props} />
          )}
        >
          {depositNo}
        </Anchor>
      ) : (
        <Anchor
          size="sm"
          className="hms-number"
          renderRoot={(props) => <Link to="/invoices/$id" params={{ id: invoiceId }} {...props} />}
        >
          {invoiceNo}
        </Anchor>
      )}
      {creditNo && (
        <Text size="xs" className="hms-number">
          {creditNo}
        </Text>
      )}
    </>
  );
}

interface StepsProps {
  readonly refund: Refund;
  onDone(saved: Refund): void;
  onReject(): void;
}

function Steps({ refund, onDone, onReject }: StepsProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { id: own } = usePerson();
  const { isBusy, error, run } = useRun();
  const { id, version, status, refundNo, createdBy, amount, method } = refund;
  if (status !== 'requested' && status !== 'approved') return null;
  const take = (step: 'approve' | 'pay-out') =>
    run(async () => {
      const params = { path: { id } };
      onDone(await dataOf(api.POST(`/api/payment/refunds/{id}/${step}`, { params, body: { version } })));
    });
  return (
    <>
      <Group gap="xs">
        {status === 'requested' && createdBy === own && <Text size="xs">{t('refunds.own')}</Text>}
        {status === 'requested' && createdBy !== own && (
          <Can operation="approveRefund">
            <Button
              size="compact-sm"
              loading={isBusy}
              aria-label={t('refunds.approveOf', { number: refundNo })}
              onClick={take('approve')}
            >
              {t('refunds.approve')}
            </Button>
          </Can>
        )}
        {status === 'approved' && (
          <Can operation="payOutRefund">
            <Button size="compact-sm" loading={isBusy} onClick={take('pay-out')}>
              {t('refunds.payOut', { amount: money.show(method === 'CASH' ? money.inCash(amount) : amount) })}
            </Button>
          </Can>
        )}
        <Can operation="rejectRefund">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('refunds.rejectOf', { number: refundNo })}
            onClick={onReject}
          >
            {t('refunds.reject')}
          </Button>
        </Can>
      </Group>
      <ErrorPanel error={error} />
    </>
  );
}

function PaidOut({ refund: { amount, method, patientName, receiptNo, paymentId } }: { readonly refund: Refund }) {
  const { t } = useTranslation();
  const money = useMoney();
  const { run } = useRun();
  const given = method === 'CASH' ? money.inCash(amount) : amount;
  return (
    <Alert color="good" variant="outline">
      <Group justify="space-between">
        <Text fw={600}>
          {t('refunds.paidOut', { amount: money.show(given), name: patientName, receipt: receiptNo ?? '' })}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={run(() => openPdf(async () => `/api/payment/receipts/${paymentId}/pdf`))}
        >
          {t('invoices.print')}
        </Button>
      </Group>
    </Alert>
  );
}
