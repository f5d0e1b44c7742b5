/** What is written on a batch, to be corrected. */
import { SimpleGrid, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { Field } from '../../../kit/forms/record-form.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { Facts } from '../../../kit/ui/facts.tsx';
import { type Batch, batchQuery, stockKeys } from './stock.queries.ts';
import { writtenFields } from './stock-parts.tsx';

const details = z.object(writtenFields);
type Details = z.output<typeof details>;
/** What of a batch the form shows. */
type Written = Pick<Batch, keyof Details | 'version'>;

const LABELS = { batchNo: 'batchNo', expiresOn: 'expiresOn', location: 'location' } as const;

export function BatchDetails({ batch }: { readonly batch: Batch }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const { id, status, returnedFromId } = batch;
  return (
    <Stack className="hms-panel" p="lg" maw="52rem">
      <ReadableForm<Written, Details, Details>
        item={batch}
        schema={details}
        label={t('stock.details')}
        // What a recall or a return refers to stays.
        mayChange={may('changeStockBatch') && status !== 'recalled' && returnedFromId === null}
        valuesOf={valuesOf}
        bodyOf={(values) => values}
        labelOf={(name) => t(`stock.${LABELS[name as keyof Details]}`)}
        save={(body) => dataOf(api.PUT('/api/hms/stock-batches/{id}', { params: { path: { id } }, body }))}
        read={() => queries.fetchQuery({ ...batchQuery(id), staleTime: 0 })}
        onSaved={() => void queries.invalidateQueries({ queryKey: [stockKeys.all] })}
        fields={(form) => {
          const common = { of: form, autoComplete: 'off', required: true };
          return (
            <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
              <Field {...common} name="batchNo" label={t('stock.batchNo')} />
              <DayField {...common} name="expiresOn" label={t('stock.expiresOn')} />
              <Field {...common} name="location" label={t('stock.location')} />
            </SimpleGrid>
          );
        }}
      >
        <Facts
          facts={[
            { label: t('stock.batchNo'), value: <bdi>{batch.batchNo}</bdi> },
            { label: t('stock.expiresOn'), value: showDay(batch.expiresOn) },
            { label: t('stock.location'), value: <bdi>{batch.location}</bdi> },
          ]}
        />
      </ReadableForm>
    </Stack>
  );
}

function valuesOf({ batchNo, expiresOn, location }: Written): Details {
  return { batchNo, expiresOn: expiresOn.slice(0, 10), location };
}
