/** The reference ranges of a numeric test, and the options of a coded one. */
import { NewLabRange } from '@hms/api-client/limits/NewLabRange';
import { NewLabTest } from '@hms/api-client/limits/NewLabTest';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AddButton } from '../../../kit/forms/add-button.tsx';
import { Choice } from '../../../kit/forms/choice.tsx';
import { Field, problemOf, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { AGE_UNITS, nextAge } from './ages.ts';
import type { TestFields } from './lab-test.fields.ts';

interface Props {
  readonly of: RecordForm<TestFields>;
}

const LIMITS = ['low', 'high', 'criticalLow', 'criticalHigh'] as const;
const emptyRange: TestFields['ranges'][number] = {
  ...{ sex: 'any', from: '0', fromUnit: 'years', to: '', toUnit: 'years' },
  ...{ low: '', high: '', criticalLow: '', criticalHigh: '' },
};

/** One row for each sex and age. The next row begins where the last one ends. */
export function RangesEditor({ of }: Props) {
  const { t } = useTranslation();
  const rows = useFieldArray({ control: of.form.control, name: 'ranges' });
  const common = { of, autoComplete: 'off' };
  const units = AGE_UNITS.map((value) => ({ value, label: t(`labTests.units.${value}`) }));
  const add = () => {
    const last = of.form.getValues('ranges').at(-1);
    const begin = last && /^\d+$/.test(last.to) ? nextAge({ count: Number(last.to), unit: last.toUnit }) : undefined;
    const next = begin ? { sex: last?.sex ?? 'any', from: String(begin.count), fromUnit: begin.unit } : {};
    rows.append({ ...emptyRange, ...next }, { focusName: `ranges.${rows.fields.length}.sex` });
  };
  return (
    <Stack gap="md">
      {rows.fields.map(({ id }, index) => (
        <Group
          key={id}
          gap="xs"
          align="flex-start"
          role="group"
          aria-label={t('labTests.rangeNumber', { number: index + 1 })}
        >
          <Choice
            {...common}
            name={`ranges.${index}.sex`}
            label={t('labTests.sex')}
            w="6.5rem"
            data={NewLabRange.sex.choices.map((value) => ({
              value,
              label: t(`labTests.sexes.${value}`),
            }))}
          />
          {(['from', 'to'] as const).map((end) => (
            <Group key={end} gap={4} wrap="nowrap" align="flex-start">
              <Field
                {...common}
                name={`ranges.${index}.${end}`}
                label={t(`labTests.${end}`)}
                placeholder={end === 'to' ? '∞' : '0'}
                inputMode="numeric"
                w="4.75rem"
              />
              <Choice
                {...common}
                name={`ranges.${index}.${end}Unit`}
                aria-label={t(`labTests.${end}Unit`)}
                mt={24}
                w="5.25rem"
                data={units}
              />
            </Group>
          ))}
          {LIMITS.map((limit) => (
            <Field
              {...common}
              key={limit}
              name={`ranges.${index}.${limit}`}
              label={t(`labTests.${limit}`)}
              inputMode="decimal"
              dir="ltr"
              w="6rem"
            />
          ))}
          <RemoveButton number={index + 1} onClick={() => rows.remove(index)} />
        </Group>
      ))}
      {rows.fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('labTests.noRanges')}
        </Text>
      )}
      <AddButton label={t('labTests.addRange')} onClick={add} />
    </Stack>
  );
}

/** @param isReadOnly of a test to whose options results refer. */
export function OptionsEditor({ of, isReadOnly }: Props & { readonly isReadOnly: boolean }) {
  const { t } = useTranslation();
  const rows = useFieldArray({ control: of.form.control, name: 'options' });
  const common = { of, readOnly: isReadOnly, autoComplete: 'off' };
  const { error } = of.form.getFieldState('options', of.form.formState);
  return (
    <Stack gap="sm">
      {rows.fields.map(({ id }, index) => (
        <Group key={id} gap="xs" align="flex-start">
          <Field {...common} name={`options.${index}.code`} label={t('labTests.optionCode')} w="8rem" required />
          <Field {...common} name={`options.${index}.name`} label={t('labTests.optionName')} required />
          <Choice
            {...common}
            name={`options.${index}.meaning`}
            label={t('labTests.meaning')}
            data={NewLabTest.options.parts.meaning.choices.map((value) => ({
              value,
              label: t(`labTests.meanings.${value}`),
            }))}
          />
          {!isReadOnly && <RemoveButton number={index + 1} onClick={() => rows.remove(index)} />}
        </Group>
      ))}
      {error?.message !== undefined && (
        <Text size="sm" c="error" role="alert">
          {problemOf(error.message)}
        </Text>
      )}
      {!isReadOnly && (
        <AddButton
          label={t('labTests.addOption')}
          onClick={() => rows.append({ code: '', name: '', meaning: 'normal' })}
        />
      )}
    </Stack>
  );
}

/** @param number of the row, from 1. */
function RemoveButton({ number, onClick }: { readonly number: number; onClick(): void }) {
  const { t } = useTranslation();
  return (
    <Button mt={24} px={8} variant="default" aria-label={t('labTests.removeNumber', { number })} onClick={onClick}>
      <IconX size={16} aria-hidden />
    </Button>
  );
}
