/** Notes and coins of currencies, in their smallest unit, the largest first. */
import { digitsOf } from '@hms/money';

const FACES: Readonly<Record<string, readonly number[]>> = {
  AED: [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 100, 50, 25],
  CHF: [100_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5],
  EUR: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  GBP: [5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  IDR: [100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100].map((face) => face * 100),
  INR: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50],
  JPY: [10_000, 5_000, 2_000, 1_000, 500, 100, 50, 10, 5, 1],
  KWD: [20_000, 10_000, 5_000, 1_000, 500, 250, 100, 50, 20, 10, 5],
  SAR: [50_000, 20_000, 10_000, 5_000, 1_000, 500, 200, 100, 50, 25, 10, 5],
  USD: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 25, 10, 5, 1],
};

/** Of other currencies: 500 to the smallest unit, by 5, 2 and 1. */
function usual(currency: string): readonly number[] {
  const unit = 10 ** digitsOf(currency);
  const faces = [500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01].map((face) =>
    Math.round(face * unit),
  );
  return faces.filter((face) => face >= 1);
}

/** @param coin the smallest coin that there is. */
export function facesOf(currency: string, coin: number): readonly number[] {
  return (FACES[currency] ?? usual(currency)).filter((face) => face >= coin);
}
