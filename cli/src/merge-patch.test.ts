import { describe, expect, it } from '@jest/globals';
import { mergePatch } from './merge-patch.ts';

describe('a merge patch', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: 1, b: { c: 1, d: 2 } }, { a: 1, b: { c: 3, d: 2 } }, { b: { c: 3 } }],
    [{ a: { b: 1 } }, {}, { a: null }],
    [{ a: [1, 2] }, { a: [2] }, { a: [2] }],
    [{}, { a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }],
    [{ a: 1 }, { a: {} }, { a: {} }],
  ])('from %j to %j is %j', (before, after, patch) => {
    expect(mergePatch(before, after)).toEqual(patch);
  });
});
