/** What the form of a test has, from and to what the module has. */
import { NewLabRange } from '@hms/api-client/limits/NewLabRange';
import { NewLabTest } from '@hms/api-client/limits/NewLabTest';
import * as z from 'zod/mini';
import type { Schemas } from '../../../kit/api/api.ts';
import { textIn, wholeIn } from '../../../kit/forms/limits.ts';
import { AGE_UNITS, ageOf, inUnit } from './ages.ts';
import type { LabTest } from './lab-tests.queries.ts';

const option = NewLabTest.options.parts;
const whole = z.string().check(z.trim(), z.regex(/^\d{0,6}$/, 'number'));

export const testFields = z.object({
  name: textIn(NewLabTest.name),
  code: textIn(NewLabTest.code),
  specimenType: textIn(NewLabTest.specimenType),
  valueType: z.enum(NewLabTest.valueType.choices, 'choose'),
  unit: textIn(NewLabTest.unit),
  decimals: wholeIn(NewLabTest.decimals),
  departmentId: z.string(),
  loinc: textIn(NewLabTest.loinc, 'loinc'),
  turnaroundMinutes: wholeIn(NewLabTest.turnaroundMinutes),
  price: wholeIn(NewLabTest.price, 'money'),
  options: z.array(
    z.object({
      code: textIn(option.code),
      name: textIn(option.name),
      meaning: z.enum(option.meaning.choices, 'choose'),
    }),
  ),
  ranges: z.array(
    z.object({
      sex: z.enum(NewLabRange.sex.choices, 'choose'),
      from: whole,
      fromUnit: z.enum(AGE_UNITS, 'choose'),
      to: whole,
      toUnit: z.enum(AGE_UNITS, 'choose'),
      low: textIn(NewLabRange.low, 'bound'),
      high: textIn(NewLabRange.high, 'bound'),
      criticalLow: textIn(NewLabRange.criticalLow, 'bound'),
      criticalHigh: textIn(NewLabRange.criticalHigh, 'bound'),
    }),
  ),
});
export type TestFields = z.output<typeof testFields>;

export const emptyTest: TestFields = {
  ...{ name: '', code: '', specimenType: '', valueType: 'numeric', unit: '', decimals: '' },
  ...{ departmentId: '', loinc: '', turnaroundMinutes: '1440', price: '', options: [], ranges: [] },
};

export function fieldsOf(test: LabTest): TestFields {
  const { name, code, specimenType, valueType, unit, decimals, departmentId, loinc, turnaroundMinutes, price } = test;
  return {
    ...{ name, code, specimenType, valueType, unit: unit ?? '', decimals: decimals === null ? '' : String(decimals) },
    ...{ departmentId: departmentId ?? '', loinc: loinc ?? '', turnaroundMinutes: String(turnaroundMinutes) },
    price: price === null ? '' : String(price),
    options: test.options ?? [],
    ranges: test.ranges.map(({ sex, ageUnit, fromAge, toAge, low, high, criticalLow, criticalHigh }) => {
      const [from, to] = [ageOf(fromAge, ageUnit), toAge === null ? undefined : ageOf(toAge, ageUnit)];
      return {
        ...{ sex, from: String(from.count), fromUnit: from.unit },
        ...{ to: to ? String(to.count) : '', toUnit: to?.unit ?? 'years' },
        ...{ low: low ?? '', high: high ?? '', criticalLow: criticalLow ?? '', criticalHigh: criticalHigh ?? '' },
      };
    }),
  };
}

const orNull = (value: string) => (value === '' ? null : value);

/** Only what the type of the test has is sent. */
export function bodyOf(values: TestFields): Schemas['NewLabTest'] {
  const { name, code, specimenType, valueType, options, ranges } = values;
  const isNumeric = valueType === 'numeric';
  return {
    ...{ name, code, specimenType, valueType, loinc: orNull(values.loinc), departmentId: orNull(values.departmentId) },
    turnaroundMinutes: Number(values.turnaroundMinutes || 1440),
    price: values.price === '' ? null : Number(values.price),
    unit: isNumeric ? orNull(values.unit) : null,
    decimals: isNumeric && values.decimals !== '' ? Number(values.decimals) : null,
    options: valueType === 'coded' ? options : null,
    ranges: isNumeric
      ? ranges.map(({ low, high, criticalLow, criticalHigh, ...whom }) => ({
          ...agesOf(whom),
          ...{ low: orNull(low), high: orNull(high) },
          ...{ criticalLow: orNull(criticalLow), criticalHigh: orNull(criticalHigh) },
        }))
      : [],
  };
}

type Whom = Pick<TestFields['ranges'][number], 'sex' | 'from' | 'fromUnit' | 'to' | 'toUnit'>;

/** In hours if one of both ages is. A unit beside an empty field says nothing. */
function agesOf({ sex, from, fromUnit, to, toUnit }: Whom) {
  const units = [from === '' ? 'days' : fromUnit, to === '' ? 'days' : toUnit];
  const ageUnit = units.includes('hours') ? ('hours' as const) : ('days' as const);
  return {
    ...{ sex, ageUnit, fromAge: inUnit({ count: Number(from), unit: fromUnit }, ageUnit) },
    toAge: to === '' ? null : inUnit({ count: Number(to), unit: toUnit }, ageUnit),
  };
}

/** Ages have other names in the form. */
export const fieldOf = (name: string) => name.replace(/\.fromAge$/, '.from').replace(/\.toAge$/, '.to');
