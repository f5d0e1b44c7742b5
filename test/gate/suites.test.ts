import { describe, expect, it } from '@jest/globals';
import { partOf } from '../run/suites.ts';

describe('the name of a suite says which command runs it', () => {
  it.each([
    ['packages/money/src/round.test.ts', 'gate'],
    ['services/hms/src/patients/list.engine.test.ts', 'gate'],
    ['test/gate/login.test.ts', 'gate'],
    ['services/hms/src/fhir/validator.long.test.ts', 'long'],
    ['operator/src/doctor/doctor.alone.test.ts', 'alone'],
    ['test/web/spite.test.ts', 'web'],
    ['test/faults/operator.test.ts', 'faults'],
  ])('%s: %s', (file, part) => expect(partOf(file)).toBe(part));

  it.each([
    'test/login.test.ts',
    'test/support/login.test.ts',
    'test/gate/login.alone.test.ts',
    'cli/src/main.slow.test.ts',
  ])('%s: neither', (file) => expect(partOf(file)).toBeUndefined());
});
