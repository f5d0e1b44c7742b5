/** The fields of a test, with its reference ranges or its options. */
import { NewLabTest } from '@hms/api-client/limits/NewLabTest';
import { Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../../kit/forms/choice.tsx';
import { Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { MoneyField } from '../../../kit/money/money-field.tsx';
import { useDepartments } from '../departments/departments.queries.ts';
import type { TestFields } from './lab-test.fields.ts';
import { OptionsEditor, RangesEditor } from './rows-editor.tsx';

const DECIMALS = Array.from({ length: NewLabTest.decimals.most + 1 }, (_, count) => String(count));

interface Props {
  readonly of: RecordForm<TestFields>;
  /** Of a draft, everything can be changed. Results refer to the meaning of the others. */
  readonly isFixed?: boolean;
}

export function TestFieldset({ of, isFixed = false }: Props) {
  const { t } = useTranslation();
  const departments = useDepartments();
  const valueType = of.form.watch('valueType');
  const common = { of, autoComplete: 'off' };
  const fixed = { of, readOnly: isFixed, autoComplete: 'off' };
  return (
    <Stack gap="md">
      {isFixed && (
        <Text size="sm" c="dimmed">
          {t('labTests.fixed')}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Field {...common} name="name" label={t('labTests.name')} required autoFocus />
        <Field {...common} name="code" label={t('labTests.code')} placeholder="K" required />
        <Field
          {...fixed}
          name="specimenType"
          label={t('labTests.specimenType')}
          placeholder={t('labTests.specimenExample')}
          required
        />
        <Choice
          {...fixed}
          name="valueType"
          label={t('labTests.valueType')}
          required
          data={NewLabTest.valueType.choices.map((value) => ({
            value,
            label: t(`labTests.valueTypes.${value}`),
          }))}
        />
        {valueType === 'numeric' && (
          <>
            <Field {...fixed} name="unit" label={t('labTests.unit')} placeholder="mmol/L" />
            <Choice
              {...common}
              name="decimals"
              label={t('labTests.decimals')}
              data={DECIMALS.map((value) => ({ value, label: value }))}
            />
          </>
        )}
        <Choice
          {...common}
          name="departmentId"
          label={t('labTests.departmentId')}
          data={departments
            .filter(({ id, status }) => status !== 'inactive' || id === of.form.getValues('departmentId'))
            .map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field
          {...common}
          name="turnaroundMinutes"
          label={t('labTests.turnaroundMinutes')}
          inputMode="numeric"
          required
        />
        <MoneyField of={of} name="price" label={t('labTests.price')} description={t('labTests.priceHow')} />
        <Field {...common} name="loinc" label={t('labTests.loinc')} placeholder="2823-3" />
      </SimpleGrid>
      {valueType === 'numeric' && (
        <Fieldset legend={t('labTests.ranges')}>
          <RangesEditor of={of} />
        </Fieldset>
      )}
      {valueType === 'coded' && (
        <Fieldset legend={t('labTests.options')}>
          <OptionsEditor of={of} isReadOnly={isFixed} />
        </Fieldset>
      )}
    </Stack>
  );
}
