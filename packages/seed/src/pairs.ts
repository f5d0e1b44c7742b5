/** Who of the seeded patients is registered twice. */
import type { ErrorName } from './errors.ts';
import type { Person } from './names.ts';
import { personAt } from './people.ts';

/** Two records of one person. */
export interface LabelledPair {
  readonly first: Person;
  readonly again: Person;
  /** What whoever registered them again did wrong. */
  readonly errors: readonly ErrorName[];
  /** Their numbers among the seeded patients, in the order of registration, from 0 on. */
  readonly numbers: readonly [first: number, again: number];
}

/** All pairs among so many patients. */
export function* labelledPairs(seed: number, patients: number): Iterable<LabelledPair> {
  for (let number = 0; number < patients; number += 1) {
    const { origin, ...again } = personAt(seed, number);
    if (origin.kind !== 'duplicate') continue;
    const { origin: _, ...first } = personAt(seed, origin.of);
    yield { first, again, errors: origin.errors, numbers: [origin.of, number] };
  }
}
