/** One invoice: its lines and sums, what was paid, and what can be done with it. */
import { Button, Group, Skeleton, Stack, Table } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openTab } from '../../../kit/api/pdf.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { later } from '../../../kit/ui/later.ts';
import { tellMissing } from '../../../kit/ui/missing-characters.tsx';
import { BenefitName, benefitsOf, LineName } from './benefit.tsx';
import { type Draft, percentText, useDraft } from './draft.ts';
import { DraftEditor } from './draft-editor.tsx';
import { type Invoice, invoiceKeys, invoiceQuery, paymentsQuery } from './invoices.queries.ts';
import { Payments } from './payments.tsx';
import { InvoiceBadge } from './status-badge.tsx';

const RefundForm = later(() => import('./refund.form.tsx'), 'RefundForm');

const route = getRouteApi('/invoices/$id');

export function InvoicePage() {
  const { id } = route.useParams();
  const found = useQuery(invoiceQuery(id));
  useChanges('/api/payment/invoices/changes', invoiceKeys.all);
  if (found.data) return <Record key={id} invoice={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Record({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation();
  const may = useMay();
  const show = useShowInvoice();
  const draft = useDraft(invoice, show);
  const payments = useQuery(paymentsQuery(invoice.id));
  const { invoiceNo, status } = invoice;
  return (
    <Stack gap="md" maw="60rem">
      <PageHead title={invoiceNo ?? t('invoices.draft')}>
        <InvoiceBadge status={status} />
      </PageHead>
      <Steps invoice={invoice} draft={draft} />
      {status === 'draft' && may('changeInvoice') ? (
        <>
          <DraftEditor invoice={invoice} draft={draft} />
          <div className="hms-panel">
            <Sums invoice={invoice} />
          </div>
        </>
      ) : (
        <Issued invoice={invoice} />
      )}
      {(payments.data ?? []).length > 0 && <Payments payments={payments.data ?? []} />}
    </Stack>
  );
}

/** What an invoice says, to be read. */
function Issued({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const { patientName, patientCode, payerName, issuedAt, dueOn, notes, insurer, policyNo } = invoice;
  return (
    <>
      <Stack className="hms-panel" p="lg">
        <Facts
          facts={[
            { label: t('invoices.patient'), value: <bdi>{`${patientName} (${patientCode})`}</bdi> },
            { label: t('invoices.payer'), value: <bdi>{payerName}</bdi> },
            { label: t('invoices.issued'), value: issuedAt && showMoment(issuedAt, zone) },
            { label: t('invoices.dueOn'), value: dueOn && showDay(dueOn) },
            ...(insurer
              ? [
                  { label: t('invoices.insurer'), value: <bdi>{insurer}</bdi> },
                  { label: t('invoices.policyNo'), value: policyNo && <bdi>{policyNo}</bdi> },
                ]
              : []),
            { label: t('invoices.notes'), value: notes && <bdi>{notes}</bdi> },
          ]}
        />
      </Stack>
      <div className="hms-panel">
        <DataTable
          label={t('invoices.lines')}
          rows={invoice.lines}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'description',
              title: t('invoices.description'),
              render: (line) => <LineName line={line} />,
            },
            {
              key: 'quantity',
              title: t('invoices.quantity'),
              render: ({ quantity }) => <span className="hms-number">{quantity}</span>,
            },
            { key: 'unitPrice', title: t('invoices.price'), render: ({ unitPrice }) => <Amount of={unitPrice} /> },
            {
              key: 'discount',
              title: t('invoices.discount'),
              render: ({ lineDiscount, invoiceDiscount }) => <Amount of={lineDiscount + invoiceDiscount} />,
            },
            {
              key: 'tax',
              title: t('invoices.tax'),
              render: ({ tax, taxBps }) => (
                <>
                  <Amount of={tax} /> ({percentText(taxBps)})
                </>
              ),
            },
            { key: 'total', title: t('invoices.total'), render: ({ total }) => <Amount of={total} /> },
          ]}
        />
        <Sums invoice={invoice} />
      </div>
    </>
  );
}

function useShowInvoice() {
  const queries = useQueryClient();
  return (saved: Invoice) => {
    queries.setQueryData(invoiceKeys.one(saved.id), saved);
    void queries.invalidateQueries({ queryKey: [invoiceKeys.all] });
  };
}

type SumName =
  | 'subtotal'
  | 'discount'
  | 'tax'
  | 'total'
  | 'insurerPays'
  | 'credited'
  | 'paid'
  | 'refunded'
  | 'insurerBalance'
  | 'patientBalance'
  | 'balance';

function Sums({ invoice }: { readonly invoice: Invoice }) {
  const { t } = useTranslation();
  const { subtotal, discount, tax, total, paid, balance, status, insured, credited, refunded, insurerBalance } =
    invoice;
  const benefits = benefitsOf(invoice);
  const other = benefits.reduce((left, { amount }) => left - amount, discount);
  const row = (name: SumName, amount: number) => ({
    ...{ key: name, label: t(`invoices.${name}`), amount },
  });
  const rows = [
    ...(discount > 0 ? [row('subtotal', subtotal)] : []),
    ...(other > 0 ? [row('discount', -other)] : []),
    ...benefits.map((given) => ({
      ...{ key: `${given.membershipNo} ${given.benefitBps}`, label: <BenefitName of={given} />, amount: -given.amount },
    })),
    ...[row('tax', tax), row('total', total)],
    ...(insured > 0 ? [row('insurerPays', insured)] : []),
    // Nothing is due before it is issued, or once it is void.
    ...(status === 'draft' || status === 'void'
      ? []
      : [
          ...(credited > 0 ? [row('credited', -credited)] : []),
          row('paid', paid),
          ...(refunded > 0 ? [row('refunded', -refunded)] : []),
          ...(insured > 0
            ? [row('insurerBalance', insurerBalance), row('patientBalance', balance - insurerBalance)]
            : []),
          row('balance', balance),
        ]),
  ];
  return (
    <Table maw="22rem" ms="auto" my="sm" aria-label={t('invoices.sums')}>
      <Table.Tbody>
        {rows.map(({ key, label, amount }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={key === 'total' || key === 'balance' ? 600 : 400}>
              {label}
            </Table.Th>
            <Table.Td ta="end">
              <Amount of={amount} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Steps({ invoice, draft }: { readonly invoice: Invoice; readonly draft: Draft }) {
  const { t } = useTranslation();
  const show = useShowInvoice();
  const { isBusy, error, run } = useRun();
  const [isVoiding, setVoiding] = useState(false);
  const { id, version, status, invoiceNo, paid, credited, balance, insurerBalance } = invoice;
  const money = useMoney();
  const navigate = useNavigate();
  const [isDeclining, setDeclining] = useState(false);
  const [isRefunding, setRefunding] = useState(false);
  const wasDraft = useRef(status === 'draft');
  // Whoever has just issued it usually collects at once.
  const focusIfIssued = useCallback((button: HTMLElement | null) => {
    if (wasDraft.current) button?.focus();
  }, []);
  const mayIssue = useMay()('issueInvoice') && status === 'draft';
  const issue = () => {
    // A field takes what was typed in it when it is left, and then says if that is wrong.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    setTimeout(() => {
      const wrong = document.querySelector<HTMLElement>('main [aria-invalid=true]');
      if (wrong) wrong.focus();
      else draft.issue();
    });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !mayIssue) return;
    event.preventDefault();
    issue();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const path = { id };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {mayIssue && <Button onClick={issue}>{t('invoices.issue')}</Button>}
        {invoiceNo !== null && balance > 0 && (
          <Can operation="payInvoice">
            <Button
              ref={focusIfIssued}
              renderRoot={(props) => <Link to="/cash-desk" search={{ q: invoiceNo }} {...props} />}
            >
              {t('invoices.collect')}
            </Button>
          </Can>
        )}
        {invoiceNo !== null && (
          <Button
            variant="default"
            leftSection={<IconFileText size={16} aria-hidden />}
            loading={isBusy}
            onClick={run(() =>
              openTab(async () => {
                const pdf = await dataOf(api.GET('/api/payment/invoices/{id}/pdf', { params: { path } }));
                tellMissing(pdf.missingCharacters);
                return pdf.url;
              }),
            )}
          >
            {t('invoices.pdf')}
          </Button>
        )}
        {insurerBalance > 0 && (
          <Can operation="declineInsuranceInvoice">
            <Button variant="default" onClick={() => setDeclining(true)}>
              {t('invoices.decline')}
            </Button>
          </Can>
        )}
        {invoiceNo !== null && status !== 'void' && status !== 'refunded' && (
          <Can operation="requestRefund">
            <Button variant="default" onClick={() => setRefunding(true)}>
              {t('invoices.refund.request')}
            </Button>
          </Can>
        )}
        {paid === 0 && credited === 0 && status !== 'void' && (
          <Can operation="voidInvoice">
            <Button variant="default" c="bad" onClick={() => setVoiding(true)}>
              {t('invoices.void')}
            </Button>
          </Can>
        )}
      </Group>
      <ErrorPanel error={error ?? draft.error} />
      {isRefunding && (
        <Suspense>
          <RefundForm
            invoice={invoice}
            onRequested={() => void navigate({ to: '/refunds' })}
            onCancel={() => setRefunding(false)}
          />
        </Suspense>
      )}
      {isDeclining && (
        <ReasonForm
          label={t('invoices.declineWhy', { amount: money.show(insurerBalance) })}
          submitLabel={t('invoices.decline')}
          save={(reason, key) =>
            dataOf(
              api.POST('/api/payment/invoices/{id}/decline-insurance', {
                params: { path, header: { 'Idempotency-Key': key } },
                body: { reason, version },
              }),
            )
          }
          onSaved={(saved) => {
            show(saved);
            setDeclining(false);
          }}
          onCancel={() => setDeclining(false)}
        />
      )}
      {isVoiding && (
        <ReasonForm
          label={t('invoices.voidWhy')}
          submitLabel={t('invoices.void')}
          save={(reason, key) =>
            dataOf(
              api.POST('/api/payment/invoices/{id}/void', {
                params: { path, header: { 'Idempotency-Key': key } },
                body: { reason, version },
              }),
            )
          }
          onSaved={(saved) => {
            show(saved);
            setVoiding(false);
          }}
          onCancel={() => setVoiding(false)}
        />
      )}
    </Stack>
  );
}
