/** Receives batches, one after the other, as they come out of a delivery. */
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { Field, FormBody, problemOf, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { type Drug, DrugPicker, drugLabel } from '../drugs/drug-picker.tsx';
import { stockKeys } from './stock.queries.ts';
import { writtenFields } from './stock-parts.tsx';

const batchFields = z.object({
  drugId: z.string().check(z.minLength(1, 'noDrug')),
  ...writtenFields,
  quantity: z.string().check(
    z.trim(),
    z.refine((value) => /^[1-9]\d{0,8}$/.test(value), 'units'),
  ),
});

export function ReceivePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [round, setRound] = useState(0);
  const [received, setReceived] = useState('');
  const [location, setLocation] = useState(t('stock.usualLocation'));
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('stock.receive')} />
      <Text role="status" size="sm" fw={500} c="good">
        {received}
      </Text>
      <Stack className="hms-panel" p="lg">
        <BatchForm
          key={round}
          location={location}
          onReceived={(text, where) => {
            setReceived(text);
            setLocation(where);
            setRound((before) => before + 1);
          }}
          onCancel={() => void navigate({ to: '/stock', search: {} })}
        />
      </Stack>
      <Group>
        <Button variant="default" renderRoot={(props) => <Link to="/stock" search={{ tab: 'batches' }} {...props} />}>
          {t('stock.toBatches')}
        </Button>
      </Group>
    </Stack>
  );
}

interface Props {
  readonly location: string;
  onReceived(text: string, location: string): void;
  onCancel(): void;
}

function BatchForm({ location, onReceived, onCancel }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const today = todayIn(usePerson().hospital?.timezone);
  const [drug, setDrug] = useState<Drug>();
  const form = useRecordForm({
    schema: batchFields,
    values: { drugId: '', batchNo: '', expiresOn: '', quantity: '', location },
    save: ({ quantity, ...values }, key) => {
      const params = { header: { 'Idempotency-Key': key } };
      return dataOf(api.POST('/api/hms/stock-batches', { params, body: { ...values, quantity: Number(quantity) } }));
    },
    onSaved: ({ batchNo, onHand, location: where }) => {
      void queries.invalidateQueries({ queryKey: [stockKeys.all] });
      const name = drug ? drugLabel(drug) : '';
      onReceived(t('stock.received', { drug: name, batchNo, quantity: onHand, unit: drug?.unit }), where);
    },
  });
  const { error } = form.form.getFieldState('drugId', form.form.formState);
  const choose = (chosen: Drug | undefined) => {
    setDrug(chosen);
    form.form.setValue('drugId', chosen?.id ?? '', { shouldDirty: true });
    form.form.clearErrors('drugId');
    if (chosen) setTimeout(() => form.form.setFocus('batchNo'));
  };
  return (
    <FormBody of={form} label={t('stock.receive')} submitLabel={t('stock.receiveNow')} onCancel={onCancel}>
      {drug ? (
        <Group gap="sm">
          <Text fw={600}>
            <bdi>{drugLabel(drug)}</bdi>
          </Text>
          <Text size="sm" c="dimmed" className="hms-number">
            {drug.code}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => choose(undefined)}>
            {t('stock.otherDrug')}
          </Button>
        </Group>
      ) : (
        <DrugPicker
          label={t('stock.drug')}
          placeholder={t('stock.nameOrCode')}
          isFirst
          error={problemOf(error?.message)}
          onPick={choose}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Field of={form} name="batchNo" label={t('stock.batchNo')} required autoComplete="off" />
        <DayField of={form} name="expiresOn" label={t('stock.expiresOn')} min={today} required />
        <Field
          of={form}
          name="quantity"
          label={drug ? t('stock.quantityOf', { unit: drug.unit }) : t('stock.quantity')}
          inputMode="numeric"
          autoComplete="off"
          required
        />
        <Field of={form} name="location" label={t('stock.location')} required />
      </SimpleGrid>
    </FormBody>
  );
}
