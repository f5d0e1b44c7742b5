/** How batches and counts are shown, in lists and alone. */
import { NewStockBatch } from '@hms/api-client/limits/NewStockBatch';
import { Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { textIn } from '../../../kit/forms/limits.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, todayIn } from '../../../kit/time/time.ts';
import { addDays, type Batch, type Count } from './stock.queries.ts';

/** What is written on a batch and beside it. */
export const writtenFields = {
  batchNo: textIn(NewStockBatch.batchNo),
  expiresOn: z.iso.date('day'),
  location: textIn({ ...NewStockBatch.location, required: true }),
};

/** Dark enough on the page's own background. */
const COLORS = { active: 'good', quarantined: 'warning', recalled: 'bad' };
const COUNT_COLORS = { open: 'info', submitted: 'warning', approved: 'good', rejected: 'quiet' };

export function BatchBadge({ batch }: { readonly batch: Pick<Batch, 'status' | 'returnedFromId'> }) {
  const { t } = useTranslation();
  return (
    <>
      <Badge color={COLORS[batch.status]} variant="outline" tt="none">
        {t(`stock.statuses.${batch.status}`)}
      </Badge>
      {batch.returnedFromId !== null && (
        <Text size="xs" c="dimmed">
          {t('stock.returned')}
        </Text>
      )}
    </>
  );
}

export function CountBadge({ status }: Pick<Count, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COUNT_COLORS[status]} variant="outline" tt="none">
      {t(`stock.count.statuses.${status}`)}
    </Badge>
  );
}

/** Today in the hospital, and the day before which a batch expires soon, as `YYYY-MM-DD`. */
export function useExpiry() {
  const { timezone, expiryWarningDays = 0 } = usePerson().hospital ?? {};
  const today = todayIn(timezone);
  return { today, soonBefore: addDays(today, expiryWarningDays) };
}

/** The last day, and whether it is near or over. */
export function Expiry({ expiresOn }: Pick<Batch, 'expiresOn'>) {
  const { t } = useTranslation();
  const { today, soonBefore } = useExpiry();
  const day = expiresOn.slice(0, 10);
  return (
    <>
      <span className="hms-number">{showDay(expiresOn)}</span>
      {day < today ? (
        <Text size="xs" c="bad" fw={500}>
          {t('stock.expired')}
        </Text>
      ) : (
        day < soonBefore && (
          <Text size="xs" c="warning">
            {t('stock.soon')}
          </Text>
        )
      )}
    </>
  );
}
