/**
 * Tests and panels of a general hospital. Ranges are those of common textbooks for adults and children. They make
 * believable results and are not meant for patients: each laboratory has ranges of its own.
 */
import type { newLabTest } from '@hms/domain/lab-tests';
import type { z } from 'zod';

type NewLabRange = NonNullable<z.input<typeof newLabTest>['ranges']>[number];

const YEAR = 365;

export interface SeededTest {
  readonly code: string;
  readonly name: string;
  readonly specimenType: string;
  readonly loinc: string;
  /** In minor units. */
  readonly price: number;
  readonly turnaroundMinutes: number;
  readonly value: NumericValue | CodedValue;
}

/** @property usual the middle and the spread of what healthy people have. */
interface NumericValue {
  readonly type: 'numeric';
  readonly unit: string;
  readonly decimals: number;
  readonly usual: readonly [middle: number, spread: number];
  readonly ranges: readonly NewLabRange[];
}

/** @property options the code, the name, the meaning, and of how many results in a hundred it is. */
interface CodedValue {
  readonly type: 'coded';
  readonly options: readonly (readonly [string, string, 'normal' | 'abnormal' | 'critical', number])[];
}

/** `10-20` within, critical below 5 or above 30: `limits(10, 20, 5, 30)`. */
function limits(low?: number, high?: number, criticalLow?: number, criticalHigh?: number): NewLabRange {
  const named = { low, high, criticalLow, criticalHigh };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ) as NewLabRange;
}

const adults = (sex: 'female' | 'male', range: NewLabRange): NewLabRange => ({ ...range, sex, fromAge: 16 * YEAR });
const children = (range: NewLabRange): NewLabRange => ({ ...range, toAge: 16 * YEAR });

function numeric(
  [code, name, loinc]: readonly [string, string, string],
  specimenType: string,
  value: Omit<NumericValue, 'type'>,
  [price, turnaroundMinutes]: readonly [number, number] = [900, 180],
): SeededTest {
  return { code, name, loinc, specimenType, price, turnaroundMinutes, value: { type: 'numeric', ...value } };
}

const BLOOD = 'EDTA blood';
const SERUM = 'Serum';
const URINE = 'Urine';

export const TESTS: readonly SeededTest[] = [
  numeric(['HB', 'Haemoglobin', '718-7'], BLOOD, {
    ...{ unit: 'g/dL', decimals: 1, usual: [14, 1.4] },
    ranges: [
      adults('female', limits(12, 15.5, 7, 20)),
      adults('male', limits(13.5, 17.5, 7, 20)),
      children(limits(11, 15, 7, 20)),
    ],
  }),
  numeric(['HCT', 'Haematocrit', '4544-3'], BLOOD, {
    ...{ unit: '%', decimals: 1, usual: [42, 4] },
    ranges: [
      adults('female', limits(36, 46, 20, 60)),
      adults('male', limits(41, 53, 20, 60)),
      children(limits(33, 45, 20, 60)),
    ],
  }),
  numeric(['WBC', 'White blood cells', '6690-2'], BLOOD, {
    ...{ unit: '10*9/L', decimals: 1, usual: [7, 2] },
    ranges: [
      { ...limits(4, 11, 1, 50), fromAge: YEAR },
      { ...limits(6, 17.5, 2, 50), toAge: YEAR },
    ],
  }),
  numeric(['PLT', 'Platelets', '777-3'], BLOOD, {
    ...{ unit: '10*9/L', decimals: 0, usual: [260, 60], ranges: [limits(150, 400, 20, 1000)] },
  }),
  numeric(['ESR', 'Erythrocyte sedimentation rate', '4537-7'], BLOOD, {
    ...{ unit: 'mm/h', decimals: 0, usual: [10, 6] },
    ranges: [
      adults('female', limits(undefined, 20)),
      adults('male', limits(undefined, 15)),
      children(limits(undefined, 10)),
    ],
  }),
  numeric(
    ['HBA1C', 'Haemoglobin A1c', '4548-4'],
    BLOOD,
    { unit: '%', decimals: 1, usual: [5.4, 0.5], ranges: [limits(4, 5.7)] },
    [2200, 1440],
  ),
  numeric(['NA', 'Sodium', '2951-2'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 0, usual: [140, 2.5], ranges: [limits(135, 145, 120, 160)] },
  }),
  numeric(['K', 'Potassium', '2823-3'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 1, usual: [4.3, 0.4], ranges: [limits(3.5, 5.1, 2.8, 6.2)] },
  }),
  numeric(['CL', 'Chloride', '2075-0'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 0, usual: [102, 3], ranges: [limits(98, 107, 80, 120)] },
  }),
  numeric(['UREA', 'Urea', '22664-7'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 1, usual: [5, 1.3], ranges: [limits(2.5, 7.8, undefined, 35)] },
  }),
  numeric(['CREA', 'Creatinine', '14682-9'], SERUM, {
    ...{ unit: 'umol/L', decimals: 0, usual: [78, 14] },
    ranges: [
      adults('female', limits(45, 90, undefined, 500)),
      adults('male', limits(60, 110, undefined, 500)),
      children(limits(20, 75, undefined, 300)),
    ],
  }),
  numeric(['GLU', 'Glucose, fasting', '14771-0'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 1, usual: [5.1, 0.6], ranges: [limits(3.9, 5.6, 2.5, 25)] },
  }),
  numeric(['CA', 'Calcium', '2000-8'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 2, usual: [2.36, 0.09], ranges: [limits(2.15, 2.55, 1.6, 3.3)] },
  }),
  numeric(['ALT', 'Alanine aminotransferase', '1742-6'], SERUM, {
    ...{ unit: 'U/L', decimals: 0, usual: [24, 9], ranges: [limits(undefined, 45, undefined, 1000)] },
  }),
  numeric(['AST', 'Aspartate aminotransferase', '1920-8'], SERUM, {
    ...{ unit: 'U/L', decimals: 0, usual: [23, 8], ranges: [limits(undefined, 40, undefined, 1000)] },
  }),
  numeric(['ALP', 'Alkaline phosphatase', '6768-6'], SERUM, {
    ...{ unit: 'U/L', decimals: 0, usual: [75, 20] },
    ranges: [{ ...limits(40, 130), fromAge: 16 * YEAR }, children(limits(80, 400))],
  }),
  numeric(['BILI', 'Bilirubin, total', '14631-6'], SERUM, {
    ...{ unit: 'umol/L', decimals: 0, usual: [10, 4] },
    ranges: [
      { ...limits(undefined, 21, undefined, 250), fromAge: 28 },
      { ...limits(undefined, 103, undefined, 137), ageUnit: 'hours', toAge: 24 },
      { ...limits(undefined, 171, undefined, 205), ageUnit: 'hours', fromAge: 24, toAge: 48 },
      { ...limits(undefined, 205, undefined, 257), fromAge: 2, toAge: 28 },
    ],
  }),
  numeric(['ALB', 'Albumin', '1751-7'], SERUM, {
    ...{ unit: 'g/L', decimals: 0, usual: [43, 3], ranges: [limits(35, 50, 15)] },
  }),
  numeric(['CRP', 'C-reactive protein', '1988-5'], SERUM, {
    ...{ unit: 'mg/L', decimals: 1, usual: [2.5, 1.8], ranges: [limits(undefined, 5, undefined, 300)] },
  }),
  numeric(['CHOL', 'Cholesterol', '14647-2'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 1, usual: [4.7, 0.8], ranges: [limits(undefined, 5.2)] },
  }),
  numeric(['HDL', 'HDL cholesterol', '14646-4'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 1, usual: [1.4, 0.3] },
    ranges: [adults('female', limits(1.2)), adults('male', limits(1)), children(limits(1))],
  }),
  numeric(['TRIG', 'Triglycerides', '14927-8'], SERUM, {
    ...{ unit: 'mmol/L', decimals: 1, usual: [1.2, 0.4], ranges: [limits(undefined, 1.7, undefined, 20)] },
  }),
  numeric(
    ['TSH', 'Thyroid stimulating hormone', '3016-3'],
    SERUM,
    { unit: 'mU/L', decimals: 2, usual: [1.9, 0.8], ranges: [limits(0.4, 4.2)] },
    [1900, 1440],
  ),
  numeric(
    ['TROP', 'Troponin I, high sensitivity', '89579-7'],
    SERUM,
    { unit: 'ng/L', decimals: 0, usual: [5, 3], ranges: [limits(undefined, 16, undefined, 50)] },
    [3500, 60],
  ),
  {
    ...{ code: 'UPRO', name: 'Protein in urine', loinc: '20454-5', specimenType: URINE, price: 500 },
    turnaroundMinutes: 120,
    value: {
      type: 'coded',
      options: [
        ['neg', 'Negative', 'normal', 82],
        ['1+', '1+', 'abnormal', 11],
        ['2+', '2+', 'abnormal', 5],
        ['3+', '3+', 'abnormal', 2],
      ],
    },
  },
  {
    ...{ code: 'ULEU', name: 'Leukocytes in urine', loinc: '20408-1', specimenType: URINE, price: 500 },
    turnaroundMinutes: 120,
    value: {
      type: 'coded',
      options: [
        ['neg', 'Negative', 'normal', 80],
        ['1+', '1+', 'abnormal', 12],
        ['2+', '2+', 'abnormal', 8],
      ],
    },
  },
  {
    ...{ code: 'FLU', name: 'Influenza A and B', loinc: '92142-9', specimenType: 'Throat swab', price: 2500 },
    turnaroundMinutes: 240,
    value: {
      type: 'coded',
      options: [
        ['neg', 'Not detected', 'normal', 88],
        ['pos', 'Detected', 'abnormal', 12],
      ],
    },
  },
];

/** The code, the name, the tests, and how often it is ordered. */
export const PANELS: readonly (readonly [string, string, readonly string[], number])[] = [
  ['CBC', 'Complete blood count', ['HB', 'HCT', 'WBC', 'PLT'], 30],
  ['BMP', 'Electrolytes and kidney', ['NA', 'K', 'CL', 'UREA', 'CREA', 'GLU'], 25],
  ['LIVER', 'Liver', ['ALT', 'AST', 'ALP', 'BILI', 'ALB'], 12],
  ['LIPID', 'Lipids', ['CHOL', 'HDL', 'TRIG'], 10],
  ['URIN', 'Urine strip', ['UPRO', 'ULEU'], 10],
];

/** Tests and panels that are not ordered for children. */
export const FOR_ADULTS: ReadonlySet<string> = new Set(['HBA1C', 'LIPID', 'TROP']);
