import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differences } from './contains.ts';

describe('differences', () => {
  it.each([
    ['a default that the engine added', { a: 1 }, { a: 1, b: 2 }, []],
    ['another order', { list: ['x', 'y'] }, { list: ['y', 'x'] }, []],
    ['null for a missing field', { a: null }, {}, []],
    ['an undefined field', { a: undefined }, { a: 1 }, []],
    ['a changed value', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b']],
    ['a missing record', { a: { b: 1 } }, {}, ['a']],
    ['one more element than wanted', { list: ['x'] }, { list: ['x', 'y'] }, ['list']],
    ['another element', { list: [{ name: 'x', v: 1 }] }, { list: [{ name: 'x', v: 2 }] }, ['list']],
  ])('%s', (_, wanted, actual, expected) => {
    expect(differences(wanted, actual)).toEqual(expected);
  });

  it('finds no difference to a value with more fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (wanted, extra) => {
        const actual = JSON.parse(JSON.stringify({ ...wanted, 'something else': extra }));
        expect(
          differences(JSON.parse(JSON.stringify(wanted)), { ...actual, ...JSON.parse(JSON.stringify(wanted)) }),
        ).toEqual([]);
      }),
    );
  });
});
