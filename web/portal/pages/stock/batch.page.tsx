/** One batch: what can be done with it, what happened to it, and who received it. */
import { Alert, Anchor, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { BatchDetails } from './batch-details.tsx';
import { type Step, StepForm, stepsOf } from './batch-steps.tsx';
import { BATCH_TABS } from './statuses.ts';
import { type Batch, batchQuery, readMovements, readRecipients, stockKeys } from './stock.queries.ts';
import { BatchBadge, Expiry } from './stock-parts.tsx';

const route = getRouteApi('/stock/batches/$id');

export function BatchPage() {
  const { id } = route.useParams();
  const found = useQuery(batchQuery(id));
  useChanges('/api/hms/stock-batches/changes', stockKeys.all);
  if (found.data) return <Shown key={id} batch={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Shown({ batch }: { readonly batch: Batch }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const [step, setStep] = useState<Step>();
  const { batchNo, drugName, drugCode, location, onHand, unit, status, statusReason } = batch;
  const usual = status === 'recalled' && may('listBatchRecipients') ? 'recipients' : 'movements';
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <PageHead title={t('stock.batch', { batchNo })}>
          {stepsOf(batch).map((one) => (
            <Can key={one} operation={`${one}StockBatch`}>
              <Button
                size="compact-md"
                variant="default"
                {...(one === 'recall' || one === 'discard' ? { c: 'bad' } : {})}
                onClick={() => setStep(one)}
              >
                {t(`stock.step.${one}`)}
              </Button>
            </Can>
          ))}
        </PageHead>
        <Group gap="lg">
          <Text fw={600} size="sm">
            <bdi>{drugName}</bdi> <span className="hms-number">{drugCode}</span>
          </Text>
          <div>
            <BatchBadge batch={batch} />
          </div>
          <Text size="sm">
            {t('stock.onHand')}: <span className="hms-number">{onHand}</span> <bdi>{unit}</bdi>
          </Text>
          <Text size="sm">
            <bdi>{location}</bdi>
          </Text>
          <Text size="sm" component="div">
            {t('stock.expiresOn')}: <Expiry expiresOn={batch.expiresOn} />
          </Text>
        </Group>
        {batch.returnedFromId && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/stock/batches/$id" params={{ id: batch.returnedFromId ?? '' }} {...props} />
            )}
          >
            {t('stock.origin')}
          </Anchor>
        )}
      </Stack>
      {status !== 'active' && (
        <Alert
          variant="outline"
          color={status === 'recalled' ? 'bad' : 'warning'}
          title={t(`stock.statuses.${status}`)}
        >
          <Text size="sm">
            <bdi>{statusReason}</bdi>
          </Text>
        </Alert>
      )}
      {step && (
        <Stack className="hms-panel" p="md">
          <StepForm
            key={step}
            step={step}
            batch={batch}
            onDone={(moved) => {
              setStep(undefined);
              void queries.invalidateQueries({ queryKey: [stockKeys.all] });
              if (step === 'recall') void navigate({ search: { tab: 'recipients' } });
              // What a patient has returned is in the batch from which it came.
              else if (moved !== undefined && moved !== batch.id)
                void navigate({ to: '/stock/batches/$id', params: { id: moved } });
            }}
            onCancel={() => setStep(undefined)}
          />
        </Stack>
      )}
      <Tabs
        value={tab ?? usual}
        onChange={(next) => void navigate({ search: { tab: BATCH_TABS.find((one) => one === next) } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="movements">{t('stock.movements')}</Tabs.Tab>
          {may('listBatchRecipients') && <Tabs.Tab value="recipients">{t('stock.recipients')}</Tabs.Tab>}
          <Tabs.Tab value="details">{t('stock.details')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="movements">
          <Movements id={batch.id} />
        </Tabs.Panel>
        <Tabs.Panel value="recipients">
          <Recipients id={batch.id} unit={unit} />
        </Tabs.Panel>
        <Tabs.Panel value="details">
          <BatchDetails batch={batch} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Movements({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const [page, setPage] = useState<number>();
  return (
    <ListPage
      isPart
      title={t('stock.movements')}
      search={{ page }}
      onSearch={(changes) => setPage(changes.page)}
      queryKey={stockKeys.movements(id, page ?? 1)}
      read={(signal) => readMovements(id, page ?? 1, signal)}
      rowKey={({ number }) => String(number)}
      empty={t('stock.noMovements')}
      columns={[
        { key: 'movedAt', title: t('stock.at'), render: ({ movedAt }) => showMoment(movedAt, zone) },
        {
          key: 'kind',
          title: t('stock.what'),
          render: ({ kind, quantity, otherLocation: location }) =>
            kind === 'transferred'
              ? t(quantity > 0 ? 'stock.transferredFrom' : 'stock.transferredTo', { location })
              : t(`stock.kinds.${kind}`),
        },
        {
          key: 'quantity',
          title: t('stock.quantity'),
          render: ({ quantity }) => (
            <span className="hms-number" dir="ltr">
              {quantity > 0 ? `+${quantity}` : String(quantity).replace('-', '−')}
            </span>
          ),
        },
        {
          key: 'balance',
          title: t('stock.balance'),
          render: ({ balance }) => <span className="hms-number">{balance}</span>,
        },
        { key: 'reason', title: t('stock.reason'), render: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
        { key: 'movedBy', title: t('stock.by'), render: ({ movedByName }) => <bdi>{movedByName ?? '–'}</bdi> },
      ]}
    />
  );
}

/** Whom to call after a recall. */
function Recipients({ id, unit }: { readonly id: string; readonly unit: string }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const [page, setPage] = useState<number>();
  return (
    <ListPage
      isPart
      title={t('stock.recipients')}
      search={{ page }}
      onSearch={(changes) => setPage(changes.page)}
      queryKey={stockKeys.recipients(id, page ?? 1)}
      read={(signal) => readRecipients(id, page ?? 1, signal)}
      rowKey={({ dispenseId, patientId }) => dispenseId + patientId}
      empty={t('stock.noRecipients')}
      columns={[
        {
          key: 'name',
          title: t('stock.patient'),
          render: ({ patientId, name, patientCode }) => (
            <>
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}
              >
                <bdi>{name}</bdi>
              </Anchor>{' '}
              <span className="hms-number">{patientCode}</span>
            </>
          ),
        },
        {
          key: 'phone',
          title: t('stock.phone'),
          render: ({ phone }) =>
            phone === null ? (
              <Phone kept={phone} />
            ) : (
              <Anchor size="sm" href={`tel:${phone}`}>
                <Phone kept={phone} />
              </Anchor>
            ),
        },
        {
          key: 'quantity',
          title: t('stock.got'),
          render: ({ quantity }) => (
            <>
              <span className="hms-number">{quantity}</span> <bdi>{unit}</bdi>
            </>
          ),
        },
        {
          key: 'returned',
          title: t('stock.cameBack'),
          render: ({ returned }) => <span className="hms-number">{returned}</span>,
        },
        { key: 'dispensedAt', title: t('stock.at'), render: ({ dispensedAt }) => showMoment(dispensedAt, zone) },
        {
          key: 'dispenseNo',
          title: t('stock.dispenseNo'),
          render: ({ dispenseNo }) => <span className="hms-number">{dispenseNo}</span>,
        },
      ]}
    />
  );
}
