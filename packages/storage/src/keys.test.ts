import { describe, expect, it } from '@jest/globals';
import { objectKey } from './keys.ts';

const mary = { prefix: 'st-mary' };

describe('objectKey', () => {
  it("is in the hospital's folder", () => {
    expect(objectKey(mary, 'patients/HSP-000001/7c9e.pdf')).toBe('st-mary/patients/HSP-000001/7c9e.pdf');
  });

  it.each([
    '',
    'patients',
    'patients/',
    '/patients/a',
    'patients//a',
    'patients/../../st-john/patients/a',
    'patients/./a',
    'patients/..',
    'patients/%2e%2e/a',
    'patients/a\\b',
    'patients/a\r\nb',
    'patients/a b',
    'patients/a?b',
    'patients/\u0627',
    '../st-john/patients/a',
    'st-john/patients/a',
    'console/a',
    `patients/${'a'.repeat(600)}`,
  ])('refuses %j', (key) => {
    expect(() => objectKey(mary, key)).toThrow('is no key of an object');
  });
});
