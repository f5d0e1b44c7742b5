import { describe, expect, it } from '@jest/globals';
import { OWNER_ATTRIBUTE } from './realm.ts';
import { realmConflict } from './realms.ts';

const ID = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e';

describe('realmConflict', () => {
  it('says how a realm without an owner is taken over', () => {
    expect(realmConflict('st-mary', { id: ID })).toContain(`spec.hospitalId ${ID}`);
  });

  it.each([
    ['that the operator has no rights on', {}],
    ["that is another hospital's", { id: ID, attributes: { [OWNER_ATTRIBUTE]: 'uid' } }],
    ['whose id can be no hospitalId', { id: 'st-mary' }],
  ])('offers no take-over of a realm %s', (_, realm) => {
    expect(realmConflict('st-mary', realm)).toMatch(/choose another name for the hospital$/);
  });
});
