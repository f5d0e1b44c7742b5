import { describe, expect, it } from '@jest/globals';
import { isNewEnough } from './helm.ts';

describe('the Helm on PATH', () => {
  it.each(['v3.14.0', 'v3.22.0+gabcdef1', 'v3.22'])('%s is used', (version) => {
    expect(isNewEnough(version)).toBe(true);
  });

  it.each(['v3.13.3+gc8b9489', 'v2.17.0', 'v4.0.0', 'a helm that can not be run', ''])('%s is ignored', (version) => {
    expect(isNewEnough(version)).toBe(false);
  });
});
