/** Which batches units come from and why, before and after the dispensing. */
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { showDay } from '../../../kit/time/time.ts';
import { itemLabel } from './prescription-parts.tsx';
import type { Prescription } from './prescriptions.queries.ts';
import { PrintLabels } from './print-labels.tsx';

export type CompletedDispense = Schemas['CompletedDispense'];
type Allocation = CompletedDispense['allocation'][number];

/** One line for each batch, taken or passed over. */
export function BatchesAndWhy({
  of: { taken, passedOver },
}: {
  readonly of: Pick<Allocation, 'taken' | 'passedOver'>;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {taken.map(({ batchId, batchNo, location, expiresOn, quantity, why }) => (
        <Text key={batchId} size="sm" component="li">
          <Text span fw={600} className="hms-number">
            {t('prescriptions.fromBatch', { quantity, batchNo })}
          </Text>{' '}
          <bdi>{location}</bdi>
          {t('prescriptions.comma')}
          {t('prescriptions.expires', { day: showDay(expiresOn) })}{' '}
          <Text span c="dimmed" size="sm">
            {t(`prescriptions.why.${why}`)}
          </Text>
        </Text>
      ))}
      {passedOver.map(({ batchId, batchNo, onHand, why }) => (
        <Text key={batchId} size="sm" component="li" c="warning">
          {t(`prescriptions.passedOver.${why}`, { batchNo, count: onHand })}
        </Text>
      ))}
    </Stack>
  );
}

interface Props {
  readonly given: CompletedDispense;
  readonly prescription: Prescription;
}

/** What somebody has just dispensed. Enter prints its labels. */
export function DispenseResult({ given, prescription }: Props) {
  const { t } = useTranslation();
  const { dispenseNo, lines, allocation } = given;
  return (
    <Alert
      role="status"
      color="good"
      variant="outline"
      icon={<IconCheck aria-hidden />}
      title={t('prescriptions.done', { dispenseNo })}
    >
      <Stack gap="xs">
        {allocation.map((one) => {
          const item = prescription.items.find(({ id }) => id === one.itemId);
          const line = lines.find(({ itemId }) => itemId === one.itemId);
          return (
            <div key={one.itemId}>
              <Text size="sm" fw={600}>
                <bdi>{line && item && line.drugId !== item.drugId ? line.drugName : item && itemLabel(item)}</bdi>
              </Text>
              <BatchesAndWhy of={one} />
            </div>
          );
        })}
        {/* Room for the frame of the focus, which the alert would cut. */}
        <Group p={4}>
          <PrintLabels dispense={given} isFirst />
        </Group>
      </Stack>
    </Alert>
  );
}
