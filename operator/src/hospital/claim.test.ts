import { describe, expect, it } from '@jest/globals';
import { ownedId } from './claim.ts';

describe('ownedId', () => {
  it.each([
    ['the row is the object’s own', { id: 'a', ownerUid: 'me' }, 'a', 'a'],
    ['the status was never written', { id: 'a', ownerUid: 'me' }, undefined, 'a'],
    ['the row says another id than the status', { id: 'a', ownerUid: 'me' }, 'b', 'a'],
    ['another object has taken it over', { id: 'a', ownerUid: 'other' }, 'a', undefined],
    ['another object has the name and this one was never made', { id: 'a', ownerUid: 'other' }, undefined, undefined],
    ['the registry has lost the row', undefined, 'a', 'a'],
    ['nothing was ever made', undefined, undefined, undefined],
  ])('%s', (_, row, lastKnown, expected) => {
    expect(ownedId(row, 'me', lastKnown)).toBe(expected);
  });
});
