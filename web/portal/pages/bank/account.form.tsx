/** An account at a bank, and how the bank writes its files. */
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { BankAccount } from './bank.queries.ts';

interface Props {
  onCreated(account: BankAccount): void;
  onCancel(): void;
}

const KINDS = ['bank', 'card'] as const;
const FORMATS = ['camt053', 'csv'] as const;
const SEPARATOR_NAMES = ['semicolon', 'comma', 'tab'] as const;
const DECIMALS = [',', '.'] as const;
const COLUMNS = ['date', 'amount', 'debit', 'credit', 'texts', 'reference', 'partyName', 'balance'] as const;
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
const ENCODINGS = ['utf-8', 'windows-1252', 'windows-1250', 'windows-1256', 'iso-8859-1'] as const;
const DATES = ['DD.MM.YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD', 'MM/DD/YYYY', 'DD-MM-YYYY'] as const;

function chosen<Value extends string>(values: readonly Value[], text: string): Value {
  return values.find((one) => one === text) ?? (values[0] as Value);
}

export function AccountForm({ onCreated, onCancel }: Props) {
  const { t } = useTranslation();
  const currency = usePerson().hospital?.currency ?? 'USD';
  const { isBusy, error, run } = useRun();
  const [name, setName] = useState('');
  const [accountNo, setAccountNo] = useState('');
  const [kind, setKind] = useState<'bank' | 'card'>('bank');
  const [format, setFormat] = useState<'camt053' | 'csv'>('camt053');
  const [flipsReversals, setFlips] = useState(false);
  const [separator, setSeparator] = useState<keyof typeof SEPARATORS>('semicolon');
  const [decimal, setDecimal] = useState<',' | '.'>(',');
  const [dateFormat, setDateFormat] = useState<(typeof DATES)[number]>('DD.MM.YYYY');
  const [encoding, setEncoding] = useState<(typeof ENCODINGS)[number]>('utf-8');
  const [linesBefore, setLinesBefore] = useState('0');
  const [columns, setColumns] = useState<Partial<Record<(typeof COLUMNS)[number], string>>>({});
  const column = (of: (typeof COLUMNS)[number]) => columns[of]?.trim() ?? '';
  const isMapped = column('date') !== '' && (column('amount') !== '' || column('credit') !== '');
  const isRight = name.trim() !== '' && (format === 'camt053' || (isMapped && /^\d{1,2}$/.test(linesBefore)));
  const submit = (event: FormEvent) => {
    if (!isRight) return event.preventDefault();
    return run(async () => {
      const { date = '', texts = '', ...others } = Object.fromEntries(COLUMNS.map((of) => [of, column(of)]));
      const mapping = {
        ...({ encoding, separator: SEPARATORS[separator], decimal, group: decimal === ',' ? '.' : ',' } as const),
        ...{ dateFormat, linesBefore: Number(linesBefore), currency, date },
        texts: texts
          .split(',')
          .map((text) => text.trim())
          .filter(Boolean),
        ...Object.fromEntries(Object.entries(others).filter(([, text]) => text !== '')),
      };
      const body = {
        ...{ name: name.trim(), kind, currency, format, flipsReversals },
        ...(accountNo.trim() ? { accountNo: accountNo.trim() } : {}),
        ...(format === 'csv' ? { mapping } : {}),
      };
      onCreated(await dataOf(api.POST('/api/payment/bank-accounts', { body })));
    })(event);
  };
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('bank.newAccount')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
          <TextInput
            label={t('bank.name')}
            value={name}
            maxLength={100}
            required
            autoFocus
            autoComplete="off"
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NativeSelect
            label={t('bank.kind')}
            value={kind}
            data={KINDS.map((value) => ({ value, label: t(`bank.kinds.${value}`) }))}
            onChange={({ currentTarget }) => setKind(chosen(KINDS, currentTarget.value))}
          />
          <TextInput
            label={t('bank.accountNo')}
            value={accountNo}
            maxLength={40}
            dir="ltr"
            autoComplete="off"
            onChange={({ currentTarget }) => setAccountNo(currentTarget.value)}
          />
          <NativeSelect
            label={t('bank.format')}
            value={format}
            data={FORMATS.map((value) => ({ value, label: t(`bank.formats.${value}`) }))}
            onChange={({ currentTarget }) => setFormat(chosen(FORMATS, currentTarget.value))}
          />
        </SimpleGrid>
        {format === 'camt053' ? (
          <Checkbox
            label={t('bank.flips')}
            checked={flipsReversals}
            onChange={({ currentTarget }) => setFlips(currentTarget.checked)}
          />
        ) : (
          <>
            <div>
              <Text fw={600}>{t('bank.csv')}</Text>
              <Text size="sm">{t('bank.csvHow')}</Text>
            </div>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
              <NativeSelect
                label={t('bank.separator')}
                value={separator}
                data={SEPARATOR_NAMES.map((value) => ({
                  value,
                  label: t(`bank.separators.${value}`),
                }))}
                onChange={({ currentTarget }) => setSeparator(chosen(SEPARATOR_NAMES, currentTarget.value))}
              />
              <NativeSelect
                label={t('bank.decimal')}
                value={decimal}
                data={[...DECIMALS]}
                onChange={({ currentTarget }) => setDecimal(chosen(DECIMALS, currentTarget.value))}
              />
              <NativeSelect
                label={t('bank.dateFormat')}
                value={dateFormat}
                data={[...DATES]}
                onChange={({ currentTarget }) => setDateFormat(chosen(DATES, currentTarget.value))}
              />
              <NativeSelect
                label={t('bank.encoding')}
                value={encoding}
                data={[...ENCODINGS]}
                onChange={({ currentTarget }) => setEncoding(chosen(ENCODINGS, currentTarget.value))}
              />
              <TextInput
                label={t('bank.linesBefore')}
                value={linesBefore}
                inputMode="numeric"
                dir="ltr"
                onChange={({ currentTarget }) => setLinesBefore(currentTarget.value.trim())}
              />
              {COLUMNS.map((of) => (
                <TextInput
                  key={of}
                  label={t(`bank.columns.${of}`)}
                  value={columns[of] ?? ''}
                  maxLength={200}
                  autoComplete="off"
                  required={of === 'date'}
                  onChange={({ currentTarget }) => setColumns({ ...columns, [of]: currentTarget.value })}
                />
              ))}
            </SimpleGrid>
          </>
        )}
        <ErrorPanel error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={!isRight}>
            {t('form.save')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('form.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
