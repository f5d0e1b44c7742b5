import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { adoptionChanges } from './adoption.ts';

const settings = { baseUrl: 'http://localhost:8000', domain: 'localhost' };
const tenant = (adoption: 'Never' | 'IfUnowned') => tenantOf(hospitalObject({ spec: { adoption } }), 'id', settings);

describe('adoptionChanges', () => {
  it('does nothing if no consumer has the username', () => {
    expect(adoptionChanges(tenant('Never'), undefined)).toEqual([]);
  });

  it('refuses a consumer without a mark, and says how to adopt it', () => {
    expect(() => adoptionChanges(tenant('Never'), { id: 'x' })).toThrow(/without an owner's mark.*IfUnowned/);
  });

  it('replaces a consumer without a mark if adoption allows it', () => {
    expect(adoptionChanges(tenant('IfUnowned'), { id: 'x', tags: ['made-by-hand'] })).toEqual([
      expect.objectContaining({ action: 'delete', entity: { collection: 'consumers', id: 'x' } }),
    ]);
  });

  it("never adopts a consumer with another owner's mark", () => {
    expect(() => adoptionChanges(tenant('IfUnowned'), { id: 'x', tags: ['hms-platform'] })).toThrow(
      /somebody else's \(hms-platform\)/,
    );
  });
});
