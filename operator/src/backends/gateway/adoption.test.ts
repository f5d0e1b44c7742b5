import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { adoptionChanges } from './adoption.ts';

const settings = { baseUrl: 'http://localhost:8000', domain: 'localhost' };
const tenant = (adoption: 'Never' | 'IfUnowned') => tenantOf(hospitalObject({ spec: { adoption } }), 'id', settings);

describe('adoptionChanges', () => {
  it('has nothing to do where nobody has the username', () => {
    expect(adoptionChanges(tenant('Never'), undefined)).toEqual([]);
  });

  it('leaves a consumer without a mark alone, and says how it could be taken over', () => {
    expect(() => adoptionChanges(tenant('Never'), { id: 'x' })).toThrow(/without an owner's mark.*IfUnowned/);
  });

  it('replaces a consumer without a mark where that is allowed', () => {
    expect(adoptionChanges(tenant('IfUnowned'), { id: 'x', tags: ['made-by-hand'] })).toEqual([
      expect.objectContaining({ action: 'delete', entity: { collection: 'consumers', id: 'x' } }),
    ]);
  });

  it("never takes a consumer that carries somebody's mark", () => {
    expect(() => adoptionChanges(tenant('IfUnowned'), { id: 'x', tags: ['hms-platform'] })).toThrow(
      /somebody else's \(hms-platform\)/,
    );
  });
});
