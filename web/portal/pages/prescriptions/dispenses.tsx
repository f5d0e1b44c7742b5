/** What was dispensed of a prescription. What the patient brings back goes into quarantine. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Field, FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type Dispense, dispensesQuery, prescriptionKeys } from './prescriptions.queries.ts';
import { PrintLabels } from './print-labels.tsx';

interface Props {
  readonly prescriptionId: string;
  readonly rxNo: string;
}

export function Dispenses({ prescriptionId, rxNo }: Props) {
  const { t } = useTranslation();
  const found = useQuery(dispensesQuery(prescriptionId));
  if (found.isError) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data || found.data.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('prescriptions.dispensedOf', { rxNo })}>
      <Text fw={600}>{t('prescriptions.dispensed')}</Text>
      {found.data.map((dispense) => (
        <OneDispense key={dispense.id} dispense={dispense} />
      ))}
    </Stack>
  );
}

function OneDispense({ dispense }: { readonly dispense: Dispense }) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  // Undefined: it was not open yet.
  const [isReturning, setReturning] = useState<boolean>();
  const { dispenseNo, createdAt, dispensedByName, lines, status } = dispense;
  return (
    <Stack className="hms-panel" gap={0}>
      <Group px="md" pt="md" gap="md">
        <Text size="sm" fw={600} className="hms-number">
          {dispenseNo}
        </Text>
        <Text size="sm" c="dimmed">
          {showMoment(createdAt, zone)}
          {dispensedByName && ` · ${dispensedByName}`}
        </Text>
        {status !== 'returned' && <PrintLabels dispense={dispense} />}
        {may('returnDispense') && status !== 'returned' && !isReturning && (
          <Button
            size="compact-sm"
            variant="default"
            // After the form, the cursor is where it was.
            autoFocus={isReturning === false}
            aria-label={t('prescriptions.takeBackOf', { dispenseNo })}
            onClick={() => setReturning(true)}
          >
            {t('prescriptions.takeBack')}
          </Button>
        )}
      </Group>
      <DataTable
        label={dispenseNo}
        rows={lines}
        rowKey={(line) => line.id}
        columns={[
          {
            key: 'drug',
            title: t('prescriptions.drug'),
            render: ({ drugName, substitutionReason }) => (
              <>
                <bdi>{drugName}</bdi>
                {substitutionReason && (
                  <Text size="xs" c="dimmed">
                    {t('prescriptions.substituted')}: <bdi>{substitutionReason}</bdi>
                  </Text>
                )}
              </>
            ),
          },
          {
            key: 'batch',
            title: t('prescriptions.batch'),
            render: ({ batchNo }) => <span className="hms-number">{batchNo}</span>,
          },
          { key: 'expiresOn', title: t('prescriptions.expiresOn'), render: ({ expiresOn }) => showDay(expiresOn) },
          {
            key: 'quantity',
            title: t('prescriptions.units'),
            render: ({ quantity }) => <span className="hms-number">{quantity}</span>,
          },
          {
            key: 'returned',
            title: t('prescriptions.returned'),
            render: ({ returned }) => <span className="hms-number">{returned || '–'}</span>,
          },
        ]}
      />
      {isReturning && <ReturnForm dispense={dispense} onClose={() => setReturning(false)} />}
    </Stack>
  );
}

const isCount = (value: string) => value === '' || /^\d{1,7}$/.test(value);
const returnFields = z.object({
  lines: z.array(z.object({ quantity: z.string().check(z.trim(), z.refine(isCount, 'someUnits')) })).check(
    z.refine((lines) => lines.some(({ quantity }) => Number(quantity) > 0), {
      path: [0, 'quantity'],
      message: 'someUnits',
    }),
  ),
  reason: z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(200, 'tooLong')),
});

function ReturnForm({ dispense, onClose }: { readonly dispense: Dispense; onClose(): void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id, version } = dispense;
  const lines = dispense.lines.filter(({ quantity, returned }) => returned < quantity);
  const form = useRecordForm({
    schema: returnFields,
    values: { lines: lines.map(() => ({ quantity: '' })), reason: '' },
    save: (values, key) => {
      const returned = lines.flatMap(({ id: lineId }, index) => {
        const quantity = Number(values.lines[index]?.quantity ?? '');
        return quantity > 0 ? [{ lineId, quantity }] : [];
      });
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      const body = { lines: returned, reason: values.reason, version };
      return dataOf(api.POST('/api/hms/dispenses/{id}/return', { params, body }));
    },
    onSaved: () => {
      onClose();
      void queries.invalidateQueries({ queryKey: [prescriptionKeys.all] });
    },
  });
  return (
    <Stack p="md">
      <FormBody
        of={form}
        label={t('prescriptions.takeBack')}
        submitLabel={t('prescriptions.takeBackNow')}
        onCancel={onClose}
      >
        <Text size="sm">{t('prescriptions.intoQuarantine')}</Text>
        <Group gap="sm" align="flex-start">
          {lines.map(({ id: lineId, drugName, batchNo, quantity, returned }, index) => (
            <Field
              key={lineId}
              of={form}
              name={`lines.${index}.quantity`}
              label={t('prescriptions.unitsOf', { drug: drugName, batchNo, most: quantity - returned })}
              inputMode="numeric"
              autoComplete="off"
              autoFocus={index === 0}
            />
          ))}
          <Field
            of={form}
            name="reason"
            label={t('prescriptions.whyReturned')}
            required
            autoComplete="off"
            style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
          />
        </Group>
      </FormBody>
    </Stack>
  );
}
