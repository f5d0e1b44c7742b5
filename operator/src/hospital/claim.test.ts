import { describe, expect, it } from '@jest/globals';
import { ownership } from './claim.ts';

describe('ownership', () => {
  it.each([
    ['the row belongs to the object', { id: 'a', ownerUid: 'me' }, 'a', { kind: 'ours', hospitalId: 'a' }],
    ['the status was never written', { id: 'a', ownerUid: 'me' }, undefined, { kind: 'ours', hospitalId: 'a' }],
    ['the row has another id than the status', { id: 'a', ownerUid: 'me' }, 'b', { kind: 'ours', hospitalId: 'a' }],
    ['another object has adopted it', { id: 'a', ownerUid: 'other' }, 'a', { kind: 'others', uid: 'other' }],
    [
      'another object has the name and this one was never provisioned',
      { id: 'a', ownerUid: 'other' },
      undefined,
      { kind: 'others', uid: 'other' },
    ],
    ['the registry has lost the row', undefined, 'a', { kind: 'ours', hospitalId: 'a' }],
    ['nothing was ever created', undefined, undefined, { kind: 'nothing' }],
  ])('%s', (_, row, lastKnown, expected) => {
    expect(ownership(row, 'me', lastKnown)).toEqual(expected);
  });
});
