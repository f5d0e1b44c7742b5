/** What came of a scenario, and what must never be. */
import type { TestAnswer } from '@hms/service/testing';

export interface Proof {
  readonly scenario: string;
  readonly requests: number;
  /** The outcomes of the requests, and how many had each. */
  readonly outcomes: readonly (number | string)[];
  /** What must never be, as it was found. */
  readonly violations: readonly string[];
}

/** A scenario that is repeated, because either request may come first. */
const ROUNDS = Number(process.env.HMS_PROVE_ROUNDS ?? 20);
export const MANY = 500;

export async function repeated(
  scenario: string,
  round: () => Promise<{ readonly answers: readonly TestAnswer[]; readonly violations: readonly string[] }>,
): Promise<Proof> {
  const outcomes: (number | string)[] = [];
  const violations: string[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const one = await round();
    outcomes.push(...one.answers.map(outcome));
    violations.push(...one.violations);
  }
  return { scenario: `${scenario}, ${ROUNDS} times`, requests: outcomes.length, outcomes, violations };
}

/** Creations at once. Their numbers follow each other. @param codes such as `HSP-000123` */
export function numbered(
  scenario: string,
  answers: readonly TestAnswer[],
  codes: readonly string[],
  before: number,
): Proof {
  const numbers = codes.map((code) => Number(code.split('-')[1]) - before).sort((one, other) => one - other);
  const gap = numbers.findIndex((number, index) => number !== index + 1);
  return {
    scenario,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(numbers.length === answers.length, `${numbers.length} of ${answers.length} were created`),
      ...unless(gap === -1, `number ${gap + 1} is missing or there twice`),
    ],
  };
}

export function outcome({ status, error }: TestAnswer): number | string {
  return status < 300 ? status : error.code;
}

export function isDone(answer: TestAnswer | undefined): boolean {
  return answer !== undefined && answer.status < 300;
}

export function succeeded(answers: readonly TestAnswer[]): number {
  return answers.filter(isDone).length;
}

export function unless(holds: boolean, violation: string): readonly string[] {
  return holds ? [] : [violation];
}

/** Refusals for another reason than the race. */
export function unexpected(answers: readonly TestAnswer[], expected: readonly string[]): readonly string[] {
  const others = answers.map(outcome).filter((one) => typeof one === 'string' && !expected.includes(one));
  return others.map((code) => `a request was refused with ${code}`);
}
