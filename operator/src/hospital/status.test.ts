import { describe, expect, it } from '@jest/globals';
import { provisionedStatus } from './status.ts';
import { tenantOf } from './tenant.ts';
import { FINE, hospitalObject } from './testing.ts';

describe('the time of the last proof', () => {
  const NOW = new Date('2026-01-01T12:00:00.500Z');
  const tenant = tenantOf(hospitalObject(), 'id', { baseUrl: 'http://localhost', domain: 'localhost' });
  const lastAfter = (verified: boolean, last?: string) => {
    const hospital = hospitalObject(last === undefined ? {} : { status: { lastVerifiedTime: last } });
    const provisioned = { tenant, outcomes: FINE, missing: undefined, schema: undefined, verified };
    return provisionedStatus(hospital, provisioned, NOW).lastVerifiedTime;
  };

  it.each([
    ['a hospital that was never proved', true, undefined, '2026-01-01T12:00:00Z'],
    ['one whose proof is an hour old', true, '2026-01-01T11:00:00Z', '2026-01-01T12:00:00Z'],
    [
      'one whose proof is recent, so that a resync writes nothing',
      true,
      '2026-01-01T11:30:00Z',
      '2026-01-01T11:30:00Z',
    ],
    ['one that is not served', false, '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['one that was never served', false, undefined, undefined],
  ])('of %s', (_, verified, last, expected) => {
    expect(lastAfter(verified, last)).toBe(expected);
  });
});
