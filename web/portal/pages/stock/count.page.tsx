/**
 * One count. What should be there is not shown until the count is submitted, so that people count what there is. Somebody
 * else approves it.
 */
import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type Batch, type Count, type CountLine, countKeys, countLinesQuery, countQuery } from './stock.queries.ts';
import { CountBadge } from './stock-parts.tsx';

const route = getRouteApi('/stock/counts/$id');

export function CountPage() {
  const { id } = route.useParams();
  const count = useQuery(countQuery(id));
  const lines = useQuery(countLinesQuery(id));
  useChanges('/api/hms/stock-counts/changes', countKeys.all);
  if (count.data && lines.data) return <Shown key={id} count={count.data} lines={lines.data} />;
  const error = count.error ?? lines.error;
  return error ? <ErrorPanel error={error} /> : <Skeleton height={240} animate={false} aria-busy />;
}

interface Props {
  readonly count: Count;
  readonly lines: readonly CountLine[];
}

function Shown({ count, lines }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const { countNo, status, createdAt, submittedByName, decidedByName, rejectReason } = count;
  const isOpen = status === 'open';
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <PageHead title={countNo} />
        <Group gap="lg">
          <CountBadge status={status} />
          <Text size="sm">{showMoment(createdAt, zone)}</Text>
          {submittedByName && <Text size="sm">{t('stock.count.submitted', { name: submittedByName })}</Text>}
          {decidedByName && <Text size="sm">{t('stock.count.decided', { name: decidedByName })}</Text>}
          {rejectReason && (
            <Text size="sm">
              <bdi>{rejectReason}</bdi>
            </Text>
          )}
        </Group>
      </Stack>
      {isOpen && may('recordStockCount') && <Counting count={count} />}
      <div className="hms-panel">
        {lines.length === 0 ? (
          <Text p="xl" ta="center" c="dimmed">
            {t('stock.count.empty')}
          </Text>
        ) : (
          <DataTable
            label={t('stock.count.lines')}
            rows={lines}
            rowKey={({ batchId }) => batchId}
            columns={[
              { key: 'drug', title: t('stock.drug'), render: ({ drugName }) => <bdi>{drugName}</bdi> },
              {
                key: 'batchNo',
                title: t('stock.batchNo'),
                render: ({ batchNo }) => <span className="hms-number">{batchNo}</span>,
              },
              { key: 'location', title: t('stock.location'), render: ({ location }) => <bdi>{location}</bdi> },
              {
                key: 'counted',
                title: t('stock.count.counted'),
                render: ({ counted, unit }) => (
                  <>
                    <span className="hms-number">{counted}</span> <bdi>{unit}</bdi>
                  </>
                ),
              },
              ...(isOpen
                ? []
                : [expectedColumn(t('stock.count.expected')), differenceColumn(t('stock.count.difference'))]),
              {
                key: 'countedBy',
                title: t('stock.by'),
                render: ({ countedByName }) => <bdi>{countedByName ?? '–'}</bdi>,
              },
            ]}
          />
        )}
      </div>
      <Steps count={count} lines={lines} />
    </Stack>
  );
}

const expectedColumn = (title: string) => ({
  key: 'expected',
  title,
  render: ({ expected }: CountLine) => <span className="hms-number">{expected}</span>,
});

const differenceColumn = (title: string) => ({
  key: 'difference',
  title,
  render: ({ difference }: CountLine) => (
    <Text span size="sm" className="hms-number" dir="ltr" fw={600} {...(difference === 0 ? {} : { c: 'bad' })}>
      {difference > 0 ? `+${difference}` : String(difference).replace('-', '−')}
    </Text>
  ),
});

/** Scan a batch, type what is there, Enter. Then scan the next one. */
function Counting({ count: { id, version } }: { readonly count: Count }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [found, setFound] = useState<readonly Batch[]>([]);
  const [batch, setBatch] = useState<Batch>();
  const [counted, setCounted] = useState('');
  const [round, setRound] = useState(0);
  const [done, setDone] = useState('');
  const { isBusy, error, run } = useRun();
  const choose = (one: Batch) => {
    setFound([]);
    setBatch(one);
    setCounted('');
  };
  const scan = async (text: string) => {
    const byNumber = await dataOf(
      api.GET('/api/hms/stock-batches', { params: { query: { batchNo: text, limit: 100 } } }),
    );
    const all =
      byNumber.length > 0 || text.length < 2
        ? byNumber
        : await dataOf(api.GET('/api/hms/stock-batches', { params: { query: { q: text, inStock: true, limit: 20 } } }));
    const [only, ...others] = all;
    if (!only) return t('stock.count.unknown', { text });
    if (others.length === 0) choose(only);
    else setFound(all);
    return undefined;
  };
  const record = run(async () => {
    if (!batch || !/^\d{1,9}$/.test(counted.trim())) return;
    const body = { lines: [{ batchId: batch.id, counted: Number(counted) }], version };
    await dataOf(api.PUT('/api/hms/stock-counts/{id}/lines', { params: { path: { id } }, body }));
    await queries.invalidateQueries({ queryKey: [countKeys.all] });
    setDone(t('stock.count.recorded', { batchNo: batch.batchNo, counted: counted.trim() }));
    setBatch(undefined);
    setRound((before) => before + 1);
  });
  return (
    <Stack className="hms-panel" p="lg" gap="sm" component="section" aria-label={t('stock.count.counting')}>
      <ScanField key={round} label={t('stock.count.scan')} placeholder="B-2041" onScan={scan} isFirst />
      <Text role="status" size="sm" c="good">
        {done}
      </Text>
      {found.length > 0 && (
        <Group gap="xs">
          {found.map((one) => (
            <Button key={one.id} size="compact-sm" variant="default" onClick={() => choose(one)}>
              <bdi>{`${one.drugName} · ${one.batchNo} · ${one.location}`}</bdi>
            </Button>
          ))}
        </Group>
      )}
      {batch && (
        <form onSubmit={record} aria-label={t('stock.count.howMany')}>
          <Group gap="sm" align="flex-end">
            <TextInput
              key={batch.id}
              autoFocus
              label={t('stock.count.unitsOf', {
                drug: batch.drugName,
                batchNo: batch.batchNo,
                location: batch.location,
              })}
              inputMode="numeric"
              autoComplete="off"
              value={counted}
              onChange={(event) => setCounted(event.currentTarget.value)}
              required
            />
            <Button type="submit" loading={isBusy}>
              {t('stock.count.record')}
            </Button>
          </Group>
        </form>
      )}
      <ErrorPanel error={error} />
    </Stack>
  );
}

function Steps({ count, lines }: Props) {
  const { t } = useTranslation();
  const { id: own } = usePerson();
  const queries = useQueryClient();
  const [isRejecting, setRejecting] = useState(false);
  const { isBusy, error, run } = useRun();
  const { id, status, version, submittedBy } = count;
  const changed = () => queries.invalidateQueries({ queryKey: [countKeys.all] });
  const isOwn = submittedBy === own || lines.some(({ countedBy }) => countedBy === own);
  const take = (step: 'submit' | 'approve') =>
    run(async () => {
      await dataOf(api.POST(`/api/hms/stock-counts/{id}/${step}`, { params: { path: { id } }, body: { version } }));
      await changed();
    });
  return (
    <Stack gap="sm">
      <ErrorPanel error={error} />
      {status === 'open' && lines.length > 0 && (
        <Can operation="submitStockCount">
          <Group>
            <Button loading={isBusy} onClick={take('submit')}>
              {t('stock.count.submit')}
            </Button>
          </Group>
        </Can>
      )}
      {status === 'submitted' && (
        <Can operation="approveStockCount">
          {isOwn ? (
            <Text size="sm">{t('stock.count.byAnother')}</Text>
          ) : (
            <Group>
              <Button loading={isBusy} onClick={take('approve')}>
                {t('stock.count.approve')}
              </Button>
              <Button variant="default" onClick={() => setRejecting(true)}>
                {t('stock.count.reject')}
              </Button>
            </Group>
          )}
        </Can>
      )}
      {isRejecting && (
        <Stack className="hms-panel" p="md">
          <ReasonForm
            label={t('stock.reason')}
            submitLabel={t('stock.count.reject')}
            save={(reason, key) => {
              const params = { path: { id }, header: { 'Idempotency-Key': key } };
              return dataOf(api.POST('/api/hms/stock-counts/{id}/reject', { params, body: { reason, version } }));
            }}
            onSaved={() => {
              setRejecting(false);
              void changed();
            }}
            onCancel={() => setRejecting(false)}
          />
        </Stack>
      )}
    </Stack>
  );
}
