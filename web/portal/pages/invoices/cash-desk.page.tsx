/**
 * The cashier's desk: scan or type an invoice or a patient, collect, and print the receipt. An invoice that is paid in cash
 * exactly takes the scan and Enter.
 */
import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { ShiftLine } from '../shifts/shift-line.tsx';
import {
  depositsQuery,
  findOpen,
  findUninvoiced,
  type Invoice,
  invoiceKeys,
  isInvoiced,
  type Uninvoiced,
} from './invoices.queries.ts';
import { useNewInvoice } from './new-invoice.ts';

type Paid = Schemas['CompletedPayment'];
const METHODS = ['CASH', 'CARD', 'TRANSFER', 'MOBILE', 'INSURANCE', 'ADVANCE'] as const;
type Method = (typeof METHODS)[number];

const route = getRouteApi('/cash-desk');

export function CashDeskPage() {
  const { t } = useTranslation();
  const { q } = route.useSearch();
  const queries = useQueryClient();
  const { error, run } = useRun();
  const [found, setFound] = useState<readonly Invoice[]>([]);
  const [uninvoiced, setUninvoiced] = useState<readonly Uninvoiced[]>([]);
  const [chosen, setChosen] = useState<Invoice>();
  const [done, setDone] = useState<Paid>();
  // Scanning an invoice again begins anew.
  const [scans, setScans] = useState(0);
  // After each payment, the field for scans has the focus again.
  const [turn, setTurn] = useState(0);
  const scan = async (text: string) => {
    if (text.length < 2) return t('invoices.tooShort');
    const [open, others] = await Promise.all([findOpen(text), findUninvoiced(text)]);
    setDone(undefined);
    setScans((now) => now + 1);
    setFound(open);
    setUninvoiced(others);
    setChosen(open.length === 1 && others.length === 0 ? open[0] : undefined);
    if (open.length + others.length > 0) return undefined;
    return t((await isInvoiced(text)) ? 'invoices.nothingOpenFor' : 'invoices.noneFor', { text });
  };
  // Another page has led here with an invoice.
  const start = useRef(run(async () => void (q === undefined || (await scan(q)))));
  useEffect(() => void start.current(), []);
  const onPaid = (paid: Paid) => {
    const { invoice } = paid;
    setDone(paid);
    // What is left is collected next, perhaps in another way.
    const isLeft = invoice.balance > 0;
    setChosen(isLeft ? invoice : undefined);
    setFound(found.flatMap((one) => (one.id === invoice.id ? (isLeft ? [invoice] : []) : [one])));
    setTurn((now) => now + 1);
    void queries.invalidateQueries({ queryKey: [invoiceKeys.all] });
  };
  const print = useRun();
  const printLast = () => {
    if (done) void print.run(() => openPdf(async () => `/api/payment/receipts/${done.id}/pdf`))();
  };
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('menu.cash-desk')} />
      <ShiftLine />
      <ScanField
        key={turn}
        label={t('invoices.scan')}
        onScan={scan}
        onEmpty={printLast}
        isFirst={(q === undefined || turn > 0) && !chosen}
      />
      <ErrorPanel error={error ?? print.error} />
      <div aria-live="assertive">{done && <Done paid={done} isNext={!chosen} onPrint={printLast} />}</div>
      {chosen && (
        <Collect
          key={`${chosen.id} ${chosen.version} ${scans}`}
          invoice={chosen}
          onPaid={onPaid}
          onCancel={() => setChosen(undefined)}
        />
      )}
      {!chosen && found.length > 0 && <Found found={found} onChoose={setChosen} />}
      {!chosen && uninvoiced.length > 0 && <NotInvoiced found={uninvoiced} />}
    </Stack>
  );
}

interface FoundProps {
  readonly found: readonly Invoice[];
  onChoose(invoice: Invoice): void;
}

/** Several invoices, of which one is collected. */
function Found({ found, onChoose }: FoundProps) {
  const { t } = useTranslation();
  return (
    <div className="hms-panel">
      <DataTable
        label={t('invoices.open')}
        rows={found}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'invoiceNo',
            title: t('invoices.number'),
            render: (invoice) => (
              <Anchor component="button" type="button" size="sm" fw={500} onClick={() => onChoose(invoice)}>
                {invoice.invoiceNo}
              </Anchor>
            ),
          },
          { key: 'patient', title: t('invoices.patient'), render: ({ patientName }) => <bdi>{patientName}</bdi> },
          { key: 'balance', title: t('invoices.balance'), render: ({ balance }) => <Amount of={balance} /> },
        ]}
      />
    </div>
  );
}

/** What has to be paid and is on no invoice yet. */
function NotInvoiced({ found }: { readonly found: readonly Uninvoiced[] }) {
  const { t } = useTranslation();
  const { isBusy, error, write } = useNewInvoice();
  return (
    <Can operation="createInvoice">
      <ErrorPanel error={error} />
      <div className="hms-panel">
        <DataTable
          label={t('invoices.uninvoiced')}
          rows={found}
          rowKey={({ patientId }) => patientId}
          columns={[
            {
              key: 'patient',
              title: t('invoices.uninvoiced'),
              render: ({ patientName, patientCode }) => (
                <>
                  <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
                </>
              ),
            },
            { key: 'what', title: t('invoices.lines'), render: ({ what }) => <bdi>{what.join(', ')}</bdi> },
            {
              key: 'actions',
              title: t('list.actions'),
              render: ({ patientId }) => (
                <Button size="compact-sm" loading={isBusy} onClick={() => void write(patientId)}>
                  {t('invoices.new')}
                </Button>
              ),
            },
          ]}
        />
      </div>
    </Can>
  );
}

interface CollectProps {
  readonly invoice: Invoice;
  onPaid(paid: Paid): void;
  onCancel(): void;
}

/** What is still to be paid, and how. Enter collects. */
function Collect({ invoice, onPaid, onCancel }: CollectProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { isBusy, error, run } = useRun();
  const key = useRef(crypto.randomUUID());
  const { id, invoiceNo, patientId, patientName, patientCode, insurer, insurerBalance, version } = invoice;
  const patientBalance = invoice.balance - insurerBalance;
  const dueBy = (by: Method) => (by === 'INSURANCE' ? insurerBalance : patientBalance);
  // Whoever owes something.
  const [method, setMethod] = useState<Method>(patientBalance > 0 ? 'CASH' : 'INSURANCE');
  const balance = dueBy(method);
  const [amount, setAmount] = useState(String(balance));
  const deposits = useQuery(depositsQuery(patientId));
  const available = (deposits.data ?? []).reduce((sum, deposit) => sum + deposit.balance, 0);
  const [tendered, setTendered] = useState('');
  const [reference, setReference] = useState('');
  const isAmount = /^\d{1,15}$/.test(amount) && Number(amount) > 0 && Number(amount) <= balance;
  const inCash = money.inCash(balance);
  const asked = method === 'CASH' && amount === String(balance) ? inCash : Number(amount);
  const isTendered = tendered === '' || (/^\d{1,15}$/.test(tendered) && Number(tendered) >= asked);
  const submit = (event: FormEvent) => {
    if (!isAmount || (method === 'CASH' && !isTendered)) return event.preventDefault();
    return run(async () => {
      const body = {
        ...{ amount: Number(amount), method, version },
        ...(method === 'CASH' && tendered !== '' ? { tendered: Number(tendered) } : {}),
        ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
      };
      try {
        onPaid(
          await dataOf(
            api.POST('/api/payment/invoices/{id}/pay', {
              params: { path: { id }, header: { 'Idempotency-Key': key.current } },
              body,
            }),
          ),
        );
      } catch (problem) {
        // A refusal is kept under the key, so what is corrected is another request. Without an answer, it may be paid.
        if (problem instanceof ApiError && problem.status < 500 && problem.code !== 'IDEMPOTENCY_IN_PROGRESS')
          key.current = crypto.randomUUID();
        throw problem;
      }
    })(event);
  };
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('invoices.collect')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Anchor renderRoot={(props) => <Link to="/invoices/$id" params={{ id }} {...props} />} fw={600}>
              {invoiceNo}
            </Anchor>
            <Text size="sm">
              <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
            </Text>
          </div>
          <div style={{ textAlign: 'end' }}>
            <Text size="sm">{t('invoices.balance')}</Text>
            <Text fz="2rem" fw={700}>
              <Amount of={balance} />
            </Text>
            {insurerBalance > 0 && (
              <Text size="sm">
                <bdi>{insurer}</bdi>: <Amount of={insurerBalance} />
              </Text>
            )}
            {available > 0 && (
              <Text size="sm">{t('invoices.deposit.available', { amount: money.show(available) })}</Text>
            )}
            {method === 'CASH' && inCash !== balance && (
              <Text fw={600}>
                {t('invoices.inCash')} <Amount of={inCash} />
              </Text>
            )}
          </div>
        </Group>
        <Group gap="md" align="flex-start">
          <MoneyInput
            label={t('invoices.amount')}
            value={amount}
            onChange={setAmount}
            error={isAmount ? undefined : t('invoices.amountWrong', { most: money.show(balance) })}
          />
          <NativeSelect
            label={t('invoices.method')}
            value={method}
            onChange={({ currentTarget }) => {
              const next = METHODS.find((one) => one === currentTarget.value) ?? 'CASH';
              setMethod(next);
              if (dueBy(next) !== balance) setAmount(String(dueBy(next)));
            }}
            data={METHODS.filter((value) => dueBy(value) > 0 && (value !== 'ADVANCE' || available > 0)).map(
              (value) => ({
                value,
                label: t(`invoices.methods.${value}`),
              }),
            )}
          />
          {method === 'CASH' ? (
            <MoneyInput
              label={t('invoices.tendered')}
              placeholder={t('invoices.exactly')}
              value={tendered}
              onChange={setTendered}
              error={isTendered ? undefined : t('invoices.tenderedWrong', { least: money.show(asked) })}
            />
          ) : (
            <TextInput
              label={t('invoices.reference')}
              value={reference}
              maxLength={100}
              autoComplete="off"
              onChange={({ currentTarget }) => setReference(currentTarget.value)}
            />
          )}
        </Group>
        <ErrorPanel error={error} />
        <Group gap="sm">
          <Button type="submit" size="md" autoFocus loading={isBusy}>
            {t('invoices.collectAmount', { amount: isAmount ? money.show(asked) : '' })}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('form.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DoneProps {
  readonly paid: Paid;
  /** Whether Enter prints. */
  readonly isNext: boolean;
  onPrint(): void;
}

/** What was paid last, with the change in large type, until the next scan. */
function Done({ paid, isNext, onPrint }: DoneProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { parts, change, receiptNo, invoice } = paid;
  const collected = parts.reduce((sum, part) => sum + part.amount + part.rounding, 0);
  return (
    <Alert color="good" variant="outline">
      <Group justify="space-between" align="center">
        <div>
          <Text fw={600}>
            {t('invoices.collected', { amount: money.show(collected), name: invoice.patientName, receipt: receiptNo })}
          </Text>
          {invoice.balance > 0 && <Text size="sm">{t('invoices.left', { amount: money.show(invoice.balance) })}</Text>}
          {change > 0 && (
            <Text fz="2.5rem" fw={700} lh={1.2}>
              {t('invoices.changeDue', { amount: money.show(change) })}
            </Text>
          )}
        </div>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={onPrint}>
          {t('invoices.print')}
          {isNext && (
            <kbd aria-hidden style={{ marginInlineStart: '0.5rem' }}>
              ⏎
            </kbd>
          )}
        </Button>
      </Group>
    </Alert>
  );
}
