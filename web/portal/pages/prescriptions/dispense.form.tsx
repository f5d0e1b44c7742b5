/**
 * Dispenses what is left of a prescription. The pharmacist scans each package: the page says whether it is the right
 * batch. Nothing has to be typed if everything is in stock.
 */
import { Badge, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { useAfterPause } from '../../../kit/forms/typing.ts';
import { useChanges } from '../../../kit/live/changes.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { stockKeys } from '../stock/stock.queries.ts';
import { BatchesAndWhy, type CompletedDispense } from './dispense-result.tsx';
import { FindingAlert, itemLabel, useHowTo } from './prescription-parts.tsx';
import type { Prescription, PrescriptionItem, Proposal } from './prescriptions.queries.ts';

/** What the pharmacist has decided about one item. */
interface Choice {
  /** As typed. Undefined: what is left and in stock. */
  readonly quantity?: string;
  /** A drug in place of the prescribed one. */
  readonly substituteId?: string;
  readonly reason?: string;
  readonly isScanned?: boolean;
}
type Choices = Readonly<Record<string, Choice>>;

interface Props {
  readonly prescription: Prescription;
  /** Whether the cursor is in the field for scans. */
  readonly isFirst: boolean;
  onDispensed(completed: CompletedDispense): void;
}

const PAUSE_MS = 250;

export function DispenseForm({ prescription, isFirst, onDispensed }: Props) {
  const { t } = useTranslation();
  const { id } = prescription;
  const left = prescription.items.filter(({ quantity, dispensed }) => dispensed < quantity);
  const [choices, setChoices] = useState<Choices>({});
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const [scanned, setScanned] = useState('');
  useChanges('/api/hms/stock-batches/changes', stockKeys.all);
  const proposal = useProposal(id, left, choices);
  const choose = (itemId: string, choice: Choice) =>
    setChoices((now) => ({ ...now, [itemId]: { ...now[itemId], ...choice } }));
  const scan = useScan(left, proposal.data, (itemId, choice) => {
    choose(itemId, choice);
    const item = left.find((one) => one.id === itemId);
    if (item) setScanned(t('prescriptions.checked', { drug: itemLabel(item) }));
  });
  const form = useRecordForm({
    schema: z.object({}),
    values: {},
    save: async (_, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      const items = left.flatMap((item) => itemBody(item, choices[item.id], proposal.data));
      const overrides = Object.entries(reasons).map(([finding, reason]) => ({ finding, reason }));
      return dataOf(api.POST('/api/hms/prescriptions/{id}/dispense', { params, body: { items, overrides } }));
    },
    onSaved: onDispensed,
    onError: () => {
      // Somebody else may have taken what was proposed.
      void proposal.refetch();
      return false;
    },
  });
  return (
    <Stack className="hms-panel" p="lg" gap="md" component="section" aria-label={t('prescriptions.dispense')}>
      <Text fw={600}>{t('prescriptions.dispense')}</Text>
      <FormBody of={form} label={t('prescriptions.dispense')} submitLabel={t('prescriptions.dispenseNow')}>
        <ScanField
          label={t('prescriptions.scanPackage')}
          placeholder="B-2041"
          onScan={scan}
          numberIn={(text) => numberIn(text, left, proposal.data)}
          isFirst={isFirst}
        />
        <Text size="sm" role="status" c="good">
          {scanned}
        </Text>
        <ErrorPanel error={proposal.error} onRetry={() => void proposal.refetch()} />
        <Stack gap="lg">
          {left.map((item) => (
            <ItemFields
              key={item.id}
              item={item}
              choice={choices[item.id] ?? {}}
              proposal={proposal.data?.items.find(({ itemId }) => itemId === item.id)}
              onChoose={(choice) => choose(item.id, choice)}
            />
          ))}
          {proposal.data?.findings.map((finding) => (
            <FindingAlert key={finding.finding} finding={finding}>
              {proposal.data.mayOverride ? (
                <TextInput
                  label={t('prescriptions.whyNevertheless')}
                  value={reasons[finding.finding] ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    setReasons((now) => ({ ...now, [finding.finding]: value }))
                  }
                  maxLength={200}
                  autoComplete="off"
                  required
                />
              ) : (
                <Text size="sm">{t('prescriptions.askDoctor')}</Text>
              )}
            </FindingAlert>
          ))}
        </Stack>
      </FormBody>
    </Stack>
  );
}

type Proposed = Proposal['items'][number];

/** From which batches the items would come. It follows the stock and what is typed. */
function useProposal(id: string, left: readonly PrescriptionItem[], choices: Choices) {
  const items = left.flatMap((item) => {
    const { quantity, substituteId } = choices[item.id] ?? {};
    const wanted = Number(quantity ?? item.quantity - item.dispensed);
    if (!Number.isInteger(wanted) || wanted < 1) return [];
    const most = Math.min(wanted, item.quantity - item.dispensed);
    // The reason is written later, and does not matter here.
    return [
      {
        itemId: item.id,
        quantity: most,
        ...(substituteId ? { substitute: { drugId: substituteId, reason: '-' } } : {}),
      },
    ];
  });
  const body = useAfterPause(JSON.stringify(items), PAUSE_MS);
  return useQuery({
    queryKey: stockKeys.proposal(id, body),
    queryFn: ({ signal }) => {
      const given: typeof items = JSON.parse(body);
      const sent = given.length > 0 ? { body: { items: given } } : {};
      return dataOf(api.POST('/api/hms/prescriptions/{id}/proposal', { params: { path: { id } }, ...sent, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** What is sent for an item: nothing if nothing is given of it. */
function itemBody(item: PrescriptionItem, choice: Choice = {}, proposal: Proposal | undefined) {
  const quantity = Number(
    choice.quantity ??
      usualQuantity(
        item,
        proposal?.items.find((one) => one.itemId === item.id),
      ),
  );
  if (!(quantity > 0)) return [];
  const { substituteId, reason = '' } = choice;
  return [{ itemId: item.id, quantity, ...(substituteId ? { substitute: { drugId: substituteId, reason } } : {}) }];
}

/** What is left and in stock. */
function usualQuantity({ quantity, dispensed }: PrescriptionItem, proposed: Proposed | undefined): number {
  return quantity - dispensed - (proposed?.missing ?? 0);
}

/** The number of a batch or code of a drug that belongs here, but no mere digits: they may be a quantity. */
function numberIn(text: string, left: readonly PrescriptionItem[], proposal: Proposal | undefined): string | undefined {
  const found = text.trim();
  const ofItems = proposal?.items ?? [];
  const known = [
    ...left.map(({ drugCode }) => drugCode),
    ...ofItems.flatMap(({ substitutes }) => substitutes.map(({ code }) => code)),
    ...ofItems.flatMap(({ taken, passedOver }) => [...taken, ...passedOver].map(({ batchNo }) => batchNo)),
  ];
  const isKnown = known.some((one) => one.toLowerCase() === found.toLowerCase());
  return isKnown && /\D/.test(found) ? found : undefined;
}

/** Takes a scanned number of a batch, or code of a drug. */
function useScan(
  left: readonly PrescriptionItem[],
  proposal: Proposal | undefined,
  onFound: (itemId: string, choice: Choice) => void,
) {
  const { t } = useTranslation();
  return async (text: string): Promise<string | undefined> => {
    const isText = (other: string) => other.toLowerCase() === text.toLowerCase();
    const item = left.find(({ drugCode }) => isText(drugCode));
    if (item) return void onFound(item.id, { isScanned: true });
    const proposed = proposal?.items ?? [];
    const offered = proposed.flatMap(({ itemId, substitutes }) =>
      substitutes.map(({ drugId, code }) => ({ itemId, drugId, code })),
    );
    const byCode = offered.find(({ code }) => isText(code));
    if (byCode) return void onFound(byCode.itemId, { isScanned: true, substituteId: byCode.drugId });

    const query = { batchNo: text, limit: 100 };
    const batches = await dataOf(api.GET('/api/hms/stock-batches', { params: { query } }));
    if (batches.length === 0) return t('prescriptions.scan.unknown', { text });
    const has = (batchId: string) => batches.some(({ id }) => id === batchId);
    for (const { itemId, taken, passedOver } of proposed) {
      if (taken.some(({ batchId }) => has(batchId))) return void onFound(itemId, { isScanned: true });
      const over = passedOver.find(({ batchId }) => has(batchId));
      if (over) return t(`prescriptions.scan.${over.why}`, { batchNo: over.batchNo });
    }
    const ofDrug = (drugId: string) => batches.some((batch) => batch.drugId === drugId);
    const later = proposed.find(({ drugId }) => ofDrug(drugId));
    const [first] = later?.taken ?? [];
    if (first) return t('prescriptions.scan.later', { text, batchNo: first.batchNo, location: first.location });
    const substitute = offered.find(({ drugId }) => ofDrug(drugId));
    if (!substitute) return t('prescriptions.scan.other', { drug: batches[0]?.drugName });
    return void onFound(substitute.itemId, { isScanned: true, substituteId: substitute.drugId });
  };
}

interface ItemProps {
  readonly item: PrescriptionItem;
  readonly choice: Choice;
  readonly proposal: Proposed | undefined;
  onChoose(choice: Choice): void;
}

function ItemFields({ item, choice, proposal, onChoose }: ItemProps) {
  const { t } = useTranslation();
  const howTo = useHowTo();
  const rest = item.quantity - item.dispensed;
  const name = itemLabel(item);
  const offered = proposal?.substitutes ?? [];
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      <Group gap="xs">
        <Text fw={600} size="sm">
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {howTo(item)}
        </Text>
        {choice.isScanned && (
          <Badge color="good" variant="outline" tt="none" leftSection={<IconCheck size={12} aria-hidden />}>
            {t('prescriptions.isScanned')}
          </Badge>
        )}
      </Group>
      {proposal && <BatchesAndWhy of={proposal} />}
      {proposal && proposal.missing > 0 && (
        <Text size="sm" c="warning" fw={500}>
          {t('prescriptions.missing', { count: proposal.missing })}
        </Text>
      )}
      <Group gap="sm" align="flex-start">
        <TextInput
          label={t('prescriptions.quantity', { unit: item.unit, left: rest })}
          aria-label={`${name}: ${t('prescriptions.quantity', { unit: item.unit, left: rest })}`}
          inputMode="numeric"
          autoComplete="off"
          w="12rem"
          value={choice.quantity ?? String(usualQuantity(item, proposal))}
          onChange={({ currentTarget: { value } }) => onChoose({ quantity: value.trim(), isScanned: false })}
          error={
            /^\d+$/.test(choice.quantity ?? '0') && Number(choice.quantity ?? 0) <= rest
              ? undefined
              : t('prescriptions.wrongQuantity', { left: rest })
          }
        />
        {(offered.length > 0 || choice.substituteId) && (
          <NativeSelect
            label={t('prescriptions.substitute')}
            value={choice.substituteId ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChoose({ substituteId: value, isScanned: false, reason: choice.reason ?? '' })
            }
            data={[
              { value: '', label: t('prescriptions.asPrescribed') },
              ...offered.map(({ drugId, name: other, code, available }) => ({
                value: drugId,
                label: t('prescriptions.inStock', { drug: `${other} (${code})`, count: available }),
              })),
            ]}
          />
        )}
        {choice.substituteId && (
          <TextInput
            label={t('prescriptions.whySubstitute')}
            value={choice.reason ?? ''}
            onChange={({ currentTarget: { value } }) => onChoose({ reason: value })}
            maxLength={200}
            autoComplete="off"
            required
          />
        )}
      </Group>
    </Stack>
  );
}
