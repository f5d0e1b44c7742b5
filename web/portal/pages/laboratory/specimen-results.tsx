/**
 * The tests of a specimen: what is typed is flagged at once, and what was entered is verified by somebody else. Enter and
 * Tab go from test to test.
 */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, problemOf, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { AmendForm } from './amend.form.tsx';
import { CancelForm } from './cancel.form.tsx';
import { comparisonQuery, type LabItem, type LabOrder, type LabSpecimen, orderQuery } from './laboratory.queries.ts';
import { refusalOf, refusalText } from './refusals.ts';
import { Flag, Range, Value } from './result-parts.tsx';
import { FormerVersions, ResultState } from './result-state.tsx';
import { focusScanField } from './scan-field.tsx';
import { useJudgements } from './use-judgements.ts';
import { useShowOrder } from './use-order.ts';

type Values = Record<string, string>;
const text = z.string().check(z.trim(), z.maxLength(500, 'tooLong'));

interface Props {
  readonly order: LabOrder;
  readonly specimen: LabSpecimen;
  readonly items: readonly LabItem[];
}

export function SpecimenResults({ order, specimen, items }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const person = usePerson();
  const queries = useQueryClient();
  const show = useShowOrder();
  const comparison = useQuery(comparisonQuery(order)).data;
  // The version that the person has seen, of each result that is entered again.
  const [again, setAgain] = useState<ReadonlyMap<string, string>>(new Map());
  const [amended, setAmended] = useState<string>();
  const [cancelled, setCancelled] = useState<string>();
  const isHere = specimen.status === 'collected' || specimen.status === 'received';

  const first = items.find(({ result }) => !result)?.id ?? items[0]?.id ?? '';
  const form: RecordForm<Values> = useRecordForm<Values, LabOrder>({
    schema: z
      .object(Object.fromEntries(items.map(({ id }) => [id, text])))
      .check(z.refine((all) => Object.values(all).some(Boolean), { path: [first], error: 'required' })),
    values: Object.fromEntries(items.map(({ id }) => [id, ''])),
    save: (_, key) => {
      const params = { path: { id: order.id }, header: { 'Idempotency-Key': key } };
      const results = typed.map(({ itemId, value }) => ({ itemId, value, replaces: again.get(itemId) }));
      return dataOf(api.POST('/api/hms/lab-orders/{id}/results', { params, body: { results } }));
    },
    onSaved: (saved) => {
      form.form.reset(Object.fromEntries(items.map(({ id }) => [id, ''])));
      setAgain(new Map());
      show(saved);
      focusScanField();
    },
    wordsFor: refusalOf,
    fieldOf: (name) => typed[Number(/^results\.(\d+)\.value$/.exec(name)?.[1])]?.itemId,
    onError: ({ code }) => {
      // The row then shows what somebody else has entered.
      if (code === 'LAB_RESULT_CHANGED') void queries.fetchQuery({ ...orderQuery(order.id), staleTime: 0 });
      return false;
    },
  });
  const values = form.form.watch();
  const isTyped = ({ id }: LabItem) => (values[id] ?? '').trim() !== '';
  const isOpen = (item: LabItem) =>
    may('enterLabResults') &&
    isHere &&
    item.status !== 'cancelled' &&
    (item.result === null || again.has(item.id) || isTyped(item));
  const open = items.filter(isOpen);
  const typed = open.filter(isTyped).map(({ id }) => ({ itemId: id, value: (values[id] ?? '').trim() }));
  const judgements = useJudgements(order.id, typed);

  const isOwn = ({ result }: LabItem) =>
    comparison?.needsSecondVerifier !== false && result?.enteredBy.id === person.id;
  const waiting = items.filter(({ result }) => result && !result.verifiedAt);
  const verifiable = waiting.filter((item) => !isOwn(item));
  const enterAgain = (item: LabItem) => {
    if (!item.result) return;
    setAgain(new Map(again).set(item.id, item.result.id));
    form.form.setValue(item.id, item.result.value);
    // The field appears with the next rendering.
    setTimeout(() => document.getElementById(valueInput(item.id))?.focus());
  };
  const leave = ({ id }: LabItem) => {
    setAgain(new Map([...again].filter(([one]) => one !== id)));
    form.form.setValue(id, '');
  };
  const toAmend = items.find(({ id }) => id === amended);
  const toCancel = items.find(({ id, result, status }) => id === cancelled && !result && status !== 'cancelled');

  const table = (
    <DataTable
      label={t('laboratory.resultsOf', { specimen: specimen.accessionNo })}
      rows={items}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'test',
          title: t('laboratory.test'),
          render: ({ name, code, status }) => (
            <Text size="sm" fw={500} td={status === 'cancelled' ? 'line-through' : undefined}>
              <bdi>{name}</bdi>{' '}
              <Text span size="xs" c="dimmed">
                {code}
              </Text>
            </Text>
          ),
        },
        {
          key: 'value',
          title: t('laboratory.result'),
          render: (item) => (
            <Stack gap={2}>
              {isOpen(item) && (
                <ValueInput
                  of={form}
                  item={item}
                  problem={judgements.get(item.id)?.problem ?? undefined}
                  onLeave={again.has(item.id) ? () => leave(item) : undefined}
                />
              )}
              {item.result && (!isOpen(item) || item.result.id !== again.get(item.id)) && (
                <Text size="sm" fw={item.result.isCritical ? 700 : 500}>
                  <Value item={item} value={item.result.value} />
                </Text>
              )}
              {isOpen(item) && item.result && item.result.id !== again.get(item.id) && (
                <Meanwhile
                  item={item}
                  onReplace={() => setAgain(new Map(again).set(item.id, item.result?.id ?? ''))}
                  onLeave={() => leave(item)}
                />
              )}
              <FormerVersions order={order} item={item} />
            </Stack>
          ),
        },
        {
          key: 'flag',
          title: t('laboratory.flag'),
          render: (item) => {
            const shown = isOpen(item) ? judgements.get(item.id) : item.result;
            return <span aria-live="polite">{shown && <Flag {...shown} />}</span>;
          },
        },
        {
          key: 'range',
          title: t('laboratory.range'),
          render: ({ id, result }) => (
            <Range range={result?.range ?? comparison?.items.find(({ itemId }) => itemId === id)?.range ?? null} />
          ),
        },
        {
          key: 'previous',
          title: t('laboratory.previous'),
          render: (item) => {
            const previous = comparison?.items.find(({ itemId }) => itemId === item.id)?.previous;
            if (!previous) return '–';
            return (
              <>
                <Text size="sm">
                  <Value item={item} value={previous.value} />
                  {previous.flag !== null && previous.flag !== 'N' && ` ${previous.flag}`}
                </Text>
                <Text size="xs" c="dimmed">
                  {showDay(previous.collectedAt)}
                </Text>
              </>
            );
          },
        },
        {
          key: 'state',
          title: t('laboratory.state'),
          render: (item) => (
            <ResultState
              order={order}
              item={item}
              isOwn={isOwn(item)}
              isAlone={verifiable.length === 1}
              onAgain={isOpen(item) || !isHere ? undefined : () => enterAgain(item)}
              onAmend={() => setAmended(item.id)}
              onCancel={() => setCancelled(item.id)}
            />
          ),
        },
      ]}
    />
  );
  return (
    <Stack gap="sm">
      {open.length > 0 ? (
        <FormBody
          of={form}
          label={t('laboratory.resultsOf', { specimen: specimen.accessionNo })}
          submitLabel={t('laboratory.saveResults')}
        >
          {table}
        </FormBody>
      ) : (
        table
      )}
      {waiting.length > 0 && waiting.some(isOwn) && may('verifyLabResults') && (
        <Text size="sm" c="warning">
          {t('laboratory.ownResults')}
        </Text>
      )}
      {verifiable.length > 0 && (
        <VerifyAll order={order} specimen={specimen} items={verifiable} isTyping={typed.length > 0} />
      )}
      {toCancel && (
        <CancelForm
          key={toCancel.id}
          order={order}
          item={toCancel}
          onCancel={() => setCancelled(undefined)}
          onSaved={(saved) => {
            setCancelled(undefined);
            show(saved);
          }}
        />
      )}
      {toAmend?.result && (
        <Stack>
          <AmendForm
            key={toAmend.result.id}
            order={order}
            item={toAmend}
            result={toAmend.result}
            onCancel={() => setAmended(undefined)}
            onSaved={(saved) => {
              setAmended(undefined);
              show(saved);
            }}
          />
        </Stack>
      )}
    </Stack>
  );
}

interface InputProps {
  readonly of: RecordForm<Values>;
  readonly item: LabItem;
  readonly problem: string | undefined;
  /** Of a result that is entered again. */
  readonly onLeave: (() => void) | undefined;
}

function ValueInput({ of: { form }, item, problem, onLeave }: InputProps) {
  const { t } = useTranslation();
  const { id, name, unit, options, valueType } = item;
  const message = form.formState.errors[id]?.message;
  const common = {
    ...form.register(id),
    'aria-label': unit === null ? name : `${name} (${unit})`,
    error: problemOf(typeof message === 'string' ? message : undefined) ?? (problem && refusalText(problem)),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave?.();
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {options ? (
        <NativeSelect
          {...common}
          id={valueInput(id)}
          onKeyDown={onKeyDown}
          miw="9rem"
          data={[{ value: '', label: '–' }, ...options.map((one) => ({ value: one.code, label: one.name }))]}
        />
      ) : (
        <TextInput
          {...common}
          id={valueInput(id)}
          onKeyDown={onKeyDown}
          inputMode={valueType === 'numeric' ? 'decimal' : 'text'}
          autoComplete="off"
          dir={valueType === 'numeric' ? 'ltr' : 'auto'}
          w={valueType === 'numeric' ? '10rem' : undefined}
          rightSection={unit === null ? undefined : <bdi style={{ fontSize: 12, whiteSpace: 'nowrap' }}>{unit}</bdi>}
          rightSectionWidth={unit === null ? undefined : 62}
          rightSectionProps={{ style: { pointerEvents: 'none' } }}
        />
      )}
      {onLeave && (
        <Button size="compact-sm" mt={6} variant="subtle" onClick={onLeave}>
          {t('form.cancel')}
        </Button>
      )}
    </Group>
  );
}

/** The field of a test, to which a scan leads. */
export const valueInput = (itemId: string) => `value-${itemId}`;

interface MeanwhileProps {
  readonly item: LabItem;
  onReplace(): void;
  onLeave(): void;
}

/** Somebody else has entered the same result while this one was typed. */
function Meanwhile({ item, onReplace, onLeave }: MeanwhileProps) {
  const { t } = useTranslation();
  return (
    <Stack gap={4} role="alert">
      <Text size="sm" c="warning">
        {t('laboratory.meanwhile', { name: item.result?.enteredBy.name ?? t('laboratory.somebody') })}
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={onLeave}>
          {t('laboratory.takeTheirs')}
        </Button>
        {item.result?.status === 'preliminary' && !item.result.verifiedAt && (
          <Button size="compact-sm" variant="default" onClick={onReplace}>
            {t('laboratory.replaceTheirs')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface VerifyProps extends Props {
  readonly isTyping: boolean;
}

function VerifyAll({ order, specimen, items, isTyping }: VerifyProps) {
  const { t } = useTranslation();
  const show = useShowOrder();
  const { isBusy, error, run } = useRun();
  const verify = run(async () => {
    const body = { resultIds: items.flatMap(({ result }) => result?.id ?? []) };
    show(await dataOf(api.POST('/api/hms/lab-orders/{id}/verify', { params: { path: { id: order.id } }, body })));
    focusScanField();
  });
  return (
    <Can operation="verifyLabResults">
      <Stack gap="xs" align="flex-start">
        <Button id={verifyButton(specimen)} loading={isBusy} disabled={isTyping} onClick={verify}>
          {t('laboratory.verifyAll', { count: items.length })}
        </Button>
        <ErrorPanel error={error} />
      </Stack>
    </Can>
  );
}

export const verifyButton = ({ accessionNo }: Pick<LabSpecimen, 'accessionNo'>) => `verify-${accessionNo}`;
