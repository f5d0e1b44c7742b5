import { describe, expect, it } from '@jest/globals';
import { OWNER_ATTRIBUTE } from './realm.ts';
import { realmConflict } from './realms.ts';

const ID = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e';

describe('realmConflict', () => {
  it('says how to adopt a realm without an owner', () => {
    expect(realmConflict('st-mary', { id: ID })).toContain(`spec.hospitalId ${ID}`);
  });

  it.each([
    ['that the operator has no rights on', {}],
    ['of another hospital', { id: ID, attributes: { [OWNER_ATTRIBUTE]: 'uid' } }],
    ['whose id is not a valid hospitalId', { id: 'st-mary' }],
  ])('does not offer to adopt a realm %s', (_, realm) => {
    expect(realmConflict('st-mary', realm)).toMatch(/choose another name for the hospital$/);
  });
});
