/** One statement: what was paid, beside what it may belong to. */
import { Alert, Anchor, Badge, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { findOpen } from '../invoices/invoices.queries.ts';
import {
  bankKeys,
  matchAll,
  type Part,
  readParts,
  type Statement,
  type Suggestion,
  statementQuery,
} from './bank.queries.ts';

const route = getRouteApi('/bank/$id');
const COLORS = { open: 'warning', matched: 'good', ignored: 'quiet', pending: 'quiet' } as const;

export function StatementPage() {
  const { id } = route.useParams();
  const found = useQuery(statementQuery(id));
  if (found.data) return <Shown key={id} statement={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Shown({ statement }: { readonly statement: Statement }) {
  const { t } = useTranslation();
  const money = useMoney();
  const queries = useQueryClient();
  const { tab = 'open', match, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const mayMatch = useMay()('matchBankStatement');
  const { isBusy, error, run } = useRun();
  const [found, setFound] = useState<{ readonly count: number; readonly open: number }>();
  const [ignoring, setIgnoring] = useState<Part>();
  const [choosing, setChoosing] = useState<Part>();
  const { id, fromDay, toDay, fileName, opening, closing, entryCount, newEntries, hasGap } = statement;
  const changed = () => {
    setIgnoring(undefined);
    setChoosing(undefined);
    void queries.invalidateQueries({ queryKey: [bankKeys.all] });
  };
  // The file was imported just now.
  const start = useRef(
    run(async () => {
      if (!match || !mayMatch) return;
      await matchAll(id, (count, open) => setFound({ count, open }));
      changed();
    }),
  );
  useEffect(() => void start.current(), []);
  const all = tab === 'all' ? (true as const) : undefined;
  const list = { ...search, statementId: id, all };
  return (
    <Stack gap="md">
      <PageHead title={[fromDay, toDay].flatMap((day) => (day ? [showDay(day)] : [])).join(' – ') || fileName} />
      <Stack className="hms-panel" p="lg">
        <Facts
          facts={[
            { label: t('bank.file'), value: <bdi>{fileName}</bdi> },
            { label: t('bank.entries'), value: t('bank.entriesOf', { new: newEntries, all: entryCount }) },
            { label: t('bank.opening'), value: opening !== null && <Amount of={opening} /> },
            { label: t('bank.closing'), value: closing !== null && <Amount of={closing} /> },
          ]}
        />
        {hasGap && (
          <Text size="sm" c="bad">
            {t('bank.gap')}
          </Text>
        )}
      </Stack>
      <div role="status">
        {isBusy && <Text size="sm">{t('bank.matching')}</Text>}
        {found && (
          <Alert color="good" variant="outline">
            {t('bank.matched', found)}
          </Alert>
        )}
      </div>
      <ErrorPanel error={error} />
      {ignoring && (
        <Stack className="hms-panel" p="md">
          <ReasonForm
            label={t('bank.ignoreWhy', { amount: money.show(ignoring.amount) })}
            submitLabel={t('bank.ignore')}
            save={(reason, key) => {
              const params = { path: { id: ignoring.id }, header: { 'Idempotency-Key': key } };
              const { version } = ignoring;
              return dataOf(api.POST('/api/payment/bank-parts/{id}/ignore', { params, body: { reason, version } }));
            }}
            onSaved={changed}
            onCancel={() => setIgnoring(undefined)}
          />
        </Stack>
      )}
      {choosing && <Choose part={choosing} onMatched={changed} onCancel={() => setChoosing(undefined)} />}
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: next === 'all' ? { tab: 'all' } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="open">{t('bank.tabs.open')}</Tabs.Tab>
          <Tabs.Tab value="all">{t('bank.tabs.all')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <ListPage
        isPart
        title={t('bank.entries')}
        search={search}
        onSearch={(changes) =>
          void navigate({ search: (now) => ({ ...now, match: undefined, page: undefined, ...changes }) })
        }
        queryKey={bankKeys.parts(list)}
        read={(signal) => readParts(list, signal)}
        rowKey={(part) => part.id}
        empty={t('bank.nothing')}
        columns={[
          { key: 'bookedOn', title: t('bank.bookedOn'), sortable: true, render: ({ bookedOn }) => showDay(bookedOn) },
          {
            key: 'amount',
            title: t('bank.amount'),
            render: ({ amount, matched, status }) => (
              <>
                <Amount of={amount} />
                {status === 'open' && matched > 0 && (
                  <Text size="xs" c="dimmed">
                    {t('bank.left', {
                      amount: money.show(Math.abs(amount) - matched),
                      all: money.show(Math.abs(amount)),
                    })}
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'who',
            title: t('bank.who'),
            render: ({ partyName, reference, text }) => (
              <>
                <bdi>{partyName ?? '–'}</bdi>
                <Text size="xs" c="dimmed">
                  <bdi>{[reference, text].filter(Boolean).join(' · ')}</bdi>
                </Text>
              </>
            ),
          },
          {
            key: 'suggestions',
            title: t('bank.suggestions'),
            render: (part) => (
              <Belongs
                part={part}
                onDone={changed}
                onChoose={() => setChoosing(part)}
                onIgnore={() => setIgnoring(part)}
              />
            ),
          },
        ]}
      />
    </Stack>
  );
}

interface BelongsProps {
  readonly part: Part;
  onDone(): void;
  onChoose(): void;
  onIgnore(): void;
}

function Belongs({ part, onDone, onChoose, onIgnore }: BelongsProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { isBusy, error, run } = useRun();
  const { id, version, status, suggestions, matches, ignoreReason } = part;
  const path = { id };
  const take = ({ invoiceId, paymentId, debtor }: Suggestion) =>
    run(async () => {
      const what = paymentId !== null ? { paymentId } : { invoiceId: invoiceId ?? '', debtor: debtor ?? 'patient' };
      await dataOf(api.POST('/api/payment/bank-parts/{id}/match', { params: { path }, body: { ...what, version } }));
      onDone();
    });
  const reopen = run(async () => {
    await dataOf(api.POST('/api/payment/bank-parts/{id}/reopen', { params: { path }, body: { version } }));
    onDone();
  });
  return (
    <Stack gap={4}>
      {status !== 'open' && (
        <Group gap="xs">
          <Badge color={COLORS[status]} variant="outline" tt="none">
            {t(`bank.statuses.${status}`)}
          </Badge>
          {ignoreReason && <bdi>{ignoreReason}</bdi>}
          {status === 'ignored' && (
            <Can operation="reopenBankPart">
              <Button size="compact-sm" variant="default" loading={isBusy} onClick={reopen}>
                {t('bank.reopen')}
              </Button>
            </Can>
          )}
        </Group>
      )}
      {matches.map(({ paymentId, invoiceId, invoiceNo, receiptNo, reason }) => (
        <Text size="sm" key={paymentId}>
          {invoiceId === null ? (
            <span className="hms-number">{receiptNo}</span>
          ) : (
            <Anchor
              size="sm"
              className="hms-number"
              renderRoot={(props) => <Link to="/invoices/$id" params={{ id: invoiceId }} {...props} />}
            >
              {invoiceNo}
            </Anchor>
          )}{' '}
          ({t(`bank.reasons.${reason}`)})
        </Text>
      ))}
      {status === 'open' && (
        <Can operation="matchBankPart">
          {suggestions.map((suggestion) => {
            const { invoiceId, paymentId, debtor, invoiceNo, receiptNo, payerName, amount, reason } = suggestion;
            const what = [invoiceNo ?? receiptNo, debtor === 'insurer' ? t('bank.insurerPart') : undefined];
            return (
              <Group gap="xs" key={`${invoiceId} ${paymentId} ${debtor}`}>
                <Button
                  size="compact-sm"
                  loading={isBusy}
                  onClick={take(suggestion)}
                  aria-label={t('bank.take', { what: what.filter(Boolean).join(' · ') })}
                >
                  <span className="hms-number">{what.filter(Boolean).join(' · ')}</span>
                </Button>
                <Text size="xs">
                  <bdi>{payerName}</bdi> · {money.show(amount)} · {t(`bank.reasons.${reason}`)}
                </Text>
              </Group>
            );
          })}
          <Group gap="xs">
            {part.amount > 0 && (
              <Button size="compact-sm" variant="default" onClick={onChoose}>
                {t('bank.choose')}
              </Button>
            )}
            {part.matched === 0 && (
              <Button size="compact-sm" variant="default" onClick={onIgnore}>
                {t('bank.ignore')}
              </Button>
            )}
          </Group>
        </Can>
      )}
      <ErrorPanel error={error} />
    </Stack>
  );
}

interface ChooseProps {
  readonly part: Part;
  onMatched(): void;
  onCancel(): void;
}

/** An invoice that nothing suggests: by its number, or by the patient. */
function Choose({ part, onMatched, onCancel }: ChooseProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { isBusy, error, run } = useRun();
  const [found, setFound] = useState<readonly Schemas['ShownInvoice'][]>([]);
  const scan = async (text: string) => {
    if (text.length < 2) return t('invoices.tooShort');
    const open = await findOpen(text);
    setFound(open);
    return open.length === 0 ? t('invoices.noneFor', { text }) : undefined;
  };
  const take = (invoiceId: string, debtor: 'patient' | 'insurer') =>
    run(async () => {
      const { id, version } = part;
      const params = { path: { id } };
      await dataOf(api.POST('/api/payment/bank-parts/{id}/match', { params, body: { invoiceId, debtor, version } }));
      onMatched();
    });
  return (
    <Stack className="hms-panel" p="md" gap="sm">
      <Text fw={600}>
        <Amount of={part.amount} /> <bdi>{part.partyName}</bdi>
      </Text>
      <ScanField label={t('bank.invoice')} onScan={scan} isFirst />
      {found.flatMap((invoice) => {
        const { id, invoiceNo, patientName, balance, insurerBalance, insurer } = invoice;
        const owed = [
          { debtor: 'patient' as const, amount: balance - insurerBalance, name: patientName },
          { debtor: 'insurer' as const, amount: insurerBalance, name: insurer ?? '' },
        ];
        return owed
          .filter(({ amount }) => amount > 0)
          .map(({ debtor, amount, name }) => (
            <Group gap="sm" key={`${id} ${debtor}`}>
              <Button
                size="compact-sm"
                loading={isBusy}
                onClick={take(id, debtor)}
                aria-label={t('bank.choosePart', { invoice: invoiceNo ?? '', amount: money.show(amount) })}
              >
                <span className="hms-number">{invoiceNo}</span>
              </Button>
              <Text size="sm">
                <bdi>{name}</bdi> · {money.show(amount)}
              </Text>
            </Group>
          ));
      })}
      <ErrorPanel error={error} />
      <Group>
        <Button variant="default" onClick={onCancel}>
          {t('form.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
