/** A specimen of an order: collected, received, rejected, and its tests. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDroplet, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { LabOrder, LabSpecimen } from './laboratory.queries.ts';
import { useBy } from './result-state.tsx';
import { focusScanField } from './scan-field.tsx';
import { SpecimenResults } from './specimen-results.tsx';
import { useShowOrder } from './use-order.ts';

interface Props {
  readonly order: LabOrder;
  readonly specimen: LabSpecimen;
  readonly isScanned: boolean;
}

/** Dark enough on the page's own background. */
const COLORS = {
  expected: 'info',
  collected: 'pending',
  received: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
};

export function Specimen({ order, specimen, isScanned }: Props) {
  const { t } = useTranslation();
  const by = useBy();
  const { id, accessionNo, type, status, collectedBy, collectedAt, rejectedBy, rejectedAt, rejectReason } = specimen;
  const items = order.items.filter(({ specimenId }) => specimenId === id);
  const successor = order.specimens.find(({ replacesId }) => replacesId === id);
  return (
    <Stack
      className="hms-panel"
      component="section"
      aria-label={t('laboratory.specimen', { number: accessionNo })}
      gap="sm"
      p="md"
      style={isScanned ? { borderInlineStart: '4px solid var(--mantine-color-brand-text)' } : undefined}
    >
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={2} className="hms-number" id={specimenTitle(specimen)} tabIndex={-1}>
            {accessionNo}
          </Title>
          <Text size="sm">
            <bdi>{type}</bdi>
          </Text>
          <Badge color={COLORS[status]} variant="outline" tt="none">
            {t(`laboratory.specimenStatuses.${status}`)}
          </Badge>
          {collectedAt !== null && status !== 'rejected' && (
            <Text size="xs" c="dimmed">
              {by('laboratory.collectedBy', collectedBy, collectedAt)}
            </Text>
          )}
        </Group>
        <Steps order={order} specimen={specimen} />
      </Group>
      {rejectedAt !== null && (
        <Text size="sm">
          {by('laboratory.rejectedBy', rejectedBy, rejectedAt)} <bdi>{rejectReason}</bdi>
          {successor && ` ${t('laboratory.replacedBy', { number: successor.accessionNo })}`}
        </Text>
      )}
      {items.length > 0 && <SpecimenResults order={order} specimen={specimen} items={items} />}
    </Stack>
  );
}

/** The number of a specimen, to which a scan leads if nothing can be done with it. */
export const specimenTitle = ({ accessionNo }: Pick<LabSpecimen, 'accessionNo'>) => `specimen-${accessionNo}`;
/** The button of a specimen that is expected, to which a scan leads. */
export const collectButton = ({ accessionNo }: Pick<LabSpecimen, 'accessionNo'>) => `collect-${accessionNo}`;

function Steps({ order, specimen }: Omit<Props, 'isScanned'>) {
  const { t } = useTranslation();
  const show = useShowOrder();
  const { isBusy, error, run } = useRun();
  const [isRejecting, setRejecting] = useState(false);
  const { id, accessionNo, status } = specimen;
  const path = { id: order.id };
  const labels = `/api/hms/lab-orders/${order.id}/labels?specimenId=${id}`;
  const collect = async () => {
    const body = { specimenIds: [id] };
    show(await dataOf(api.POST('/api/hms/lab-orders/{id}/collect', { params: { path }, body })));
    focusScanField();
  };
  const receive = run(async () => {
    const body = { specimenIds: [id] };
    show(await dataOf(api.POST('/api/hms/lab-orders/{id}/receive', { params: { path }, body })));
  });
  const isVerified = order.items.some(({ specimenId, result }) => specimenId === id && result?.verifiedAt);
  if (status === 'rejected' || status === 'cancelled') return null;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {status === 'expected' && (
          <Can operation="collectLabSpecimens">
            <Button
              id={collectButton(specimen)}
              size="compact-md"
              loading={isBusy}
              leftSection={<IconDroplet size={16} aria-hidden />}
              aria-label={t('laboratory.collectOne', { number: accessionNo })}
              onClick={run(collect)}
            >
              {t('laboratory.collect')}
            </Button>
            <Button
              size="compact-md"
              variant="default"
              loading={isBusy}
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={run(() =>
                openPdf(async () => {
                  await collect();
                  return labels;
                }),
              )}
            >
              {t('laboratory.collectAndPrint')}
            </Button>
          </Can>
        )}
        {status === 'collected' && (
          <Can operation="receiveLabSpecimens">
            <Button size="compact-md" variant="default" loading={isBusy} onClick={receive}>
              {t('laboratory.receive')}
            </Button>
          </Can>
        )}
        <Button
          size="compact-md"
          variant="default"
          loading={isBusy}
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={run(() => openPdf(async () => labels))}
        >
          {t('laboratory.print')}
        </Button>
        {status !== 'expected' && !isVerified && (
          <Can operation="rejectLabSpecimen">
            <Button
              size="compact-md"
              variant="default"
              c="bad"
              aria-label={t('laboratory.rejectOne', { number: accessionNo })}
              onClick={() => setRejecting(true)}
            >
              {t('laboratory.reject')}
            </Button>
          </Can>
        )}
      </Group>
      <ErrorPanel error={error} />
      {isRejecting && (
        <ReasonForm
          label={t('laboratory.whyRejected')}
          submitLabel={t('laboratory.reject')}
          suggestions={Object.values(t('laboratory.rejectReasons', { returnObjects: true }))}
          save={(reason, key) => {
            const params = { path, header: { 'Idempotency-Key': key } };
            const body = { specimenId: id, reason };
            return dataOf(api.POST('/api/hms/lab-orders/{id}/reject-specimen', { params, body }));
          }}
          onSaved={(saved) => {
            setRejecting(false);
            show(saved);
          }}
          onCancel={() => setRejecting(false)}
        />
      )}
    </Stack>
  );
}
