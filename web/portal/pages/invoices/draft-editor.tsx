/** The draft of an invoice: lines are added, changed and taken off, and the module computes the sums. */
import { ActionIcon, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayInput } from '../../../kit/forms/day-input.tsx';
import { type Column, DataTable } from '../../../kit/lists/data-table.tsx';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { PatientPicker } from '../patients/patient-picker.tsx';
import { LineName } from './benefit.tsx';
import { Cell } from './cell.tsx';
import {
  type Draft,
  discountIn,
  discountText,
  type Line,
  type NewLine,
  percentIn,
  percentText,
  sameLine,
} from './draft.ts';
import type { Invoice } from './invoices.queries.ts';
import { ItemPicker } from './item-picker.tsx';

interface Props {
  readonly invoice: Invoice;
  readonly draft: Draft;
}

export function DraftEditor({ invoice, draft: { change } }: Props) {
  const { t } = useTranslation();
  const columns = useLineColumns(change, invoice.insurer !== null);
  const add = (line: NewLine) => change(({ lines }) => ({ lines: [...lines.map(sameLine), line] }));
  return (
    <Stack gap="md">
      <Stack className="hms-panel" p="lg" gap="md">
        <Payer invoice={invoice} change={change} />
        <ItemPicker isFirst onPick={({ id }) => add({ itemId: id, quantity: 1 })} />
        <TypedLine onAdd={add} />
      </Stack>
      <div className="hms-panel">
        <DataTable
          label={t('invoices.lines')}
          rows={invoice.lines}
          rowKey={({ seq }) => String(seq)}
          columns={columns}
        />
      </div>
      <Terms invoice={invoice} change={change} />
    </Stack>
  );
}

type Change = Draft['change'];

/** @param isInsured whether an insurer pays a part of each line. */
function useLineColumns(change: Change, isInsured: boolean): readonly Column<Line>[] {
  const { t } = useTranslation();
  const money = useMoney();
  const changeLine = (changed: Line, changes: Partial<NewLine>) =>
    change(({ lines }) => ({
      lines: lines.map((line) => (line.seq === changed.seq ? { ...sameLine(line), ...changes } : sameLine(line))),
    }));
  const remove = (removed: Line) =>
    change(({ lines }) => ({ lines: lines.filter(({ seq }) => seq !== removed.seq).map(sameLine) }));
  const labelOf = (name: 'quantity' | 'price' | 'discount' | 'tax' | 'coverage', { description }: Line) =>
    t('invoices.ofLine', { name: t(`invoices.${name}`), line: description });
  return [
    {
      key: 'description',
      title: t('invoices.description'),
      render: (line: Line) => <LineName line={line} />,
    },
    {
      key: 'quantity',
      title: t('invoices.quantity'),
      // What another module charges has the quantity that it gave.
      render: (line: Line) =>
        line.chargeId === null ? (
          <Cell
            label={labelOf('quantity', line)}
            shown={String(line.quantity)}
            width="4.5rem"
            read={(text) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined)}
            problem={t('form.problem.number')}
            onChange={(quantity) => changeLine(line, { quantity })}
          />
        ) : (
          <span className="hms-number">{line.quantity}</span>
        ),
    },
    {
      key: 'unitPrice',
      title: t('invoices.price'),
      render: (line: Line) =>
        line.chargeId === null ? (
          <Cell
            label={labelOf('price', line)}
            shown={money.write(line.unitPrice)}
            width="8rem"
            read={money.read}
            problem={t('form.problem.money')}
            onChange={(unitPrice) => changeLine(line, { unitPrice })}
          />
        ) : (
          <Amount of={line.unitPrice} />
        ),
    },
    {
      key: 'discount',
      title: t('invoices.discount'),
      render: (line: Line) => (
        <Cell
          label={labelOf('discount', line)}
          shown={discountText(line, money)}
          placeholder={t('invoices.discountHow')}
          width="7rem"
          read={(text) => discountIn(text, money)}
          problem={t('invoices.discountWrong')}
          onChange={({ discount }) => changeLine(line, { discount })}
        />
      ),
    },
    {
      key: 'tax',
      title: t('invoices.tax'),
      // The price list says it, or what was charged.
      render: (line: Line) =>
        line.chargeId === null && line.itemId === null ? (
          <Cell
            label={labelOf('tax', line)}
            shown={percentText(line.taxBps)}
            width="5rem"
            read={percentIn}
            problem={t('invoices.taxWrong')}
            onChange={(taxBps) => changeLine(line, { taxBps })}
          />
        ) : (
          <span className="hms-number">{percentText(line.taxBps)}</span>
        ),
    },
    ...(isInsured
      ? [
          {
            key: 'coverage',
            title: t('invoices.coverage'),
            render: (line: Line) => (
              <Cell
                label={labelOf('coverage', line)}
                shown={percentText(line.coverageBps)}
                width="5rem"
                read={percentIn}
                problem={t('invoices.taxWrong')}
                onChange={(coverageBps) => changeLine(line, { coverageBps })}
              />
            ),
          },
        ]
      : []),
    { key: 'total', title: t('invoices.total'), render: ({ total }: Line) => <Amount of={total} /> },
    {
      key: 'actions',
      title: t('list.actions'),
      render: (line: Line) => (
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t('invoices.removeLine', { line: line.description })}
          onClick={() => remove(line)}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
}

interface PartProps {
  readonly invoice: Invoice;
  readonly change: Change;
}

function Payer({ invoice: { patientName, patientCode, payerName }, change }: PartProps) {
  const { t } = useTranslation();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Group gap="lg">
        <Text size="sm">
          {t('invoices.patient')}: <bdi>{patientName}</bdi> <span className="hms-number">{patientCode}</span>
        </Text>
        <Text size="sm">
          {t('invoices.payer')}: <bdi>{payerName}</bdi>
        </Text>
        <Button size="compact-sm" variant="default" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          {t('invoices.otherPayer')}
        </Button>
      </Group>
      {isChoosing && (
        <PatientPicker
          label={t('invoices.payer')}
          isFirst
          onPick={({ id }) => {
            setChoosing(false);
            change(() => ({ payerId: id }));
          }}
        />
      )}
    </>
  );
}

/** What the whole invoice is reduced by, and until when it is to be paid. */
function Terms({ invoice, change }: PartProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { payerGroup, dueOn, notes, insurer, policyNo, coverageBps } = invoice;
  return (
    <div className="hms-panel">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" p="lg">
        <Cell
          label={t('invoices.discount')}
          hasLabel
          shown={discountText(invoice, money)}
          placeholder={t('invoices.discountHow')}
          read={(text) => discountIn(text, money)}
          problem={t('invoices.discountWrong')}
          onChange={({ discount }) => change(() => ({ discount: discount ?? null }))}
        />
        <Cell
          label={t('invoices.payerGroup')}
          hasLabel
          shown={payerGroup ?? ''}
          read={(text) => ({ text })}
          problem=""
          onChange={({ text }) => change(() => ({ payerGroup: text === '' ? null : text }))}
        />
        <DayInput
          label={t('invoices.dueOn')}
          isLive
          value={dueOn?.slice(0, 10) ?? ''}
          onChange={(day) => change(() => ({ dueOn: day === '' ? null : day }))}
        />
        <Cell
          label={t('invoices.notes')}
          hasLabel
          shown={notes ?? ''}
          read={(text) => ({ text })}
          problem=""
          onChange={({ text }) => change(() => ({ notes: text === '' ? null : text }))}
        />
        <Cell
          label={t('invoices.insurer')}
          hasLabel
          shown={insurer ?? ''}
          read={(text) => ({ text })}
          problem=""
          onChange={({ text }) =>
            change(({ lines }) =>
              text === ''
                ? {
                    ...{ insurer: null, policyNo: null, coverageBps: 0 },
                    lines: lines.map((line) => ({ ...sameLine(line), coverageBps: 0 })),
                  }
                : { insurer: text },
            )
          }
        />
        {insurer !== null && (
          <>
            <Cell
              label={t('invoices.coverage')}
              hasLabel
              shown={percentText(coverageBps)}
              placeholder={t('invoices.coverageHow')}
              read={percentIn}
              problem={t('invoices.taxWrong')}
              onChange={(bps) => change(() => ({ coverageBps: bps }))}
            />
            <Cell
              label={t('invoices.policyNo')}
              hasLabel
              shown={policyNo ?? ''}
              read={(text) => ({ text })}
              problem=""
              onChange={({ text }) => change(() => ({ policyNo: text === '' ? null : text }))}
            />
          </>
        )}
      </SimpleGrid>
    </div>
  );
}

/** Something that is not on the price list. */
function TypedLine({ onAdd }: { onAdd(line: NewLine): void }) {
  const { t } = useTranslation();
  const [description, setDescription] = useState('');
  const [price, setPrice] = useState('');
  const isPrice = /^\d{1,15}$/.test(price);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (description.trim() === '' || !isPrice) return;
    onAdd({ description: description.trim(), unitPrice: Number(price), quantity: 1 });
    setDescription('');
    setPrice('');
  };
  return (
    <form onSubmit={submit} aria-label={t('invoices.typedLine')} noValidate>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t('invoices.typedLine')}
          value={description}
          maxLength={200}
          autoComplete="off"
          style={{ flexGrow: 1, width: '14rem', maxWidth: '28rem' }}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <MoneyInput label={t('invoices.price')} w="9rem" value={price} onChange={setPrice} />
        <Button type="submit" variant="default" disabled={description.trim() === '' || !isPrice}>
          {t('invoices.addLine')}
        </Button>
      </Group>
    </form>
  );
}
