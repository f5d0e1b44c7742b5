/** Doses by the weight of the patient. Pure, and exact: milligrams are whole numbers of millionths. */
import type { Drug } from '../drugs/drugs.ts';

export interface Weight {
  readonly kg: number;
  /** When it was taken, `YYYY-MM-DD`. */
  readonly on: string;
}

/** Days after which a weight is old. */
const WEIGHT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

interface Taken {
  readonly drug: Pick<Drug, 'mgPerUnit'>;
  /** Units in a day. */
  readonly dailyDose: number;
}

interface Limit {
  /** Most milligrams a day for each kilogram. */
  readonly maxDailyMgPerKg: number;
  readonly weight: Weight | null;
  /** `YYYY-MM-DD` */
  readonly today: string;
}

interface WeightProblem {
  /** A reason counts for this dose, this weight and this limit only. */
  readonly key: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** What speaks against a dose. @param taken all that contains the substance. What has no `mgPerUnit` counts nothing. */
export function weightProblems(
  taken: readonly Taken[],
  { maxDailyMgPerKg, weight, today }: Limit,
): readonly WeightProblem[] {
  const dose = taken.reduce((sum, { drug, dailyDose }) => sum + millionths(dailyDose, drug.mgPerUnit ?? 0), 0n);
  const dailyMg = milligrams(dose);
  if (weight === null) {
    const message = 'the dose depends on the weight, which is missing';
    return [{ key: `missing/${dailyMg}`, message, details: { problem: 'missing', dailyMg } }];
  }
  const { kg, on } = weight;
  const most = millionths(maxDailyMgPerKg, kg);
  const figures = { dailyMg, maxDailyMg: milligrams(most), maxDailyMgPerKg, weightKg: kg, weighedOn: on };
  const old = {
    key: `old/${dailyMg}/${kg}/${on}`,
    message: `the dose depends on the weight, which was taken more than ${WEIGHT_DAYS} days ago, on ${on}`,
    details: { problem: 'old', ...figures },
  };
  const exceeded = {
    key: `exceeded/${dailyMg}/${kg}/${maxDailyMgPerKg}`,
    message: `${dailyMg} mg a day are more than ${figures.maxDailyMg} mg, which are ${maxDailyMgPerKg} mg for each of ${kg} kg`,
    details: { problem: 'exceeded', ...figures },
  };
  const isOld = Date.parse(today) - Date.parse(on) > WEIGHT_DAYS * DAY_MS;
  return [...(isOld ? [old] : []), ...(dose > most ? [exceeded] : [])];
}

/** The product of two numbers of at most three decimals each. */
function millionths(one: number, other: number): bigint {
  return BigInt(Math.round(one * 1000)) * BigInt(Math.round(other * 1000));
}

function milligrams(ofMillionths: bigint): number {
  return Number(ofMillionths) / 1e6;
}
