/** What a test is, to be read. */
import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Amount } from '../../../kit/money/money.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { useDepartments } from '../departments/departments.queries.ts';
import { ageOf } from './ages.ts';
import type { LabTest } from './lab-tests.queries.ts';

export function TestFacts({ test }: { readonly test: LabTest }) {
  const { t } = useTranslation();
  const departments = useDepartments();
  const { code, specimenType, valueType, unit, decimals, departmentId, turnaroundMinutes, price, loinc } = test;
  const numeric = [
    { label: t('labTests.unit'), value: unit && <bdi>{unit}</bdi> },
    { label: t('labTests.decimals'), value: decimals === null ? null : String(decimals) },
  ];
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          { label: t('labTests.code'), value: <bdi>{code}</bdi> },
          { label: t('labTests.specimenType'), value: <bdi>{specimenType}</bdi> },
          { label: t('labTests.valueType'), value: t(`labTests.valueTypes.${valueType}`) },
          ...(valueType === 'numeric' ? numeric : []),
          {
            label: t('labTests.departmentId'),
            value: <bdi>{departments.find(({ id }) => id === departmentId)?.name ?? '–'}</bdi>,
          },
          { label: t('labTests.turnaroundMinutes'), value: <span className="hms-number">{turnaroundMinutes}</span> },
          { label: t('labTests.price'), value: price === null ? '–' : <Amount of={price} /> },
          { label: t('labTests.loinc'), value: loinc && <bdi>{loinc}</bdi> },
        ]}
      />
      {valueType === 'numeric' && <Ranges ranges={test.ranges} />}
      {valueType === 'coded' && <Options options={test.options ?? []} />}
    </Stack>
  );
}

function Ranges({ ranges }: Pick<LabTest, 'ranges'>) {
  const { t } = useTranslation();
  const age = (given: number, ageUnit: LabTest['ranges'][number]['ageUnit']) => {
    const { count, unit } = ageOf(given, ageUnit);
    return `${count} ${t(`labTests.units.${unit}`)}`;
  };
  const limit = (name: 'low' | 'high' | 'criticalLow' | 'criticalHigh') => ({
    key: name,
    title: t(`labTests.${name}`),
    render: (range: LabTest['ranges'][number]) => (
      <span className="hms-number" dir="ltr">
        {range[name] ?? '–'}
      </span>
    ),
  });
  if (ranges.length === 0) return <p>{t('labTests.noRanges')}</p>;
  return (
    <div>
      <TableTitle of="ranges" />
      <DataTable
        label={t('labTests.ranges')}
        rows={ranges}
        rowKey={({ sex, ageUnit, fromAge }) => `${sex} ${fromAge} ${ageUnit}`}
        columns={[
          { key: 'sex', title: t('labTests.sex'), render: ({ sex }) => t(`labTests.sexes.${sex}`) },
          { key: 'from', title: t('labTests.from'), render: ({ fromAge, ageUnit }) => age(fromAge, ageUnit) },
          {
            key: 'to',
            title: t('labTests.to'),
            render: ({ toAge, ageUnit }) => (toAge === null ? '–' : age(toAge, ageUnit)),
          },
          ...[limit('low'), limit('high'), limit('criticalLow'), limit('criticalHigh')],
        ]}
      />
    </div>
  );
}

function Options({ options }: { readonly options: NonNullable<LabTest['options']> }) {
  const { t } = useTranslation();
  return (
    <div>
      <TableTitle of="options" />
      <DataTable
        label={t('labTests.options')}
        rows={options}
        rowKey={({ code }) => code}
        columns={[
          { key: 'code', title: t('labTests.optionCode'), render: ({ code }) => <bdi>{code}</bdi> },
          { key: 'name', title: t('labTests.optionName'), render: ({ name }) => <bdi>{name}</bdi> },
          { key: 'meaning', title: t('labTests.meaning'), render: ({ meaning }) => t(`labTests.meanings.${meaning}`) },
        ]}
      />
    </div>
  );
}

function TableTitle({ of }: { readonly of: 'ranges' | 'options' }) {
  const { t } = useTranslation();
  return (
    <Title order={2} size="h5" mb="xs">
      {t(`labTests.${of}`)}
    </Title>
  );
}
