/** How many searches somebody causes who types a text, and how soon the last one begins. */
import { expect, it } from '@jest/globals';
import { pauseAfter } from './typing.ts';

/** @param gaps milliseconds before each key from the second character on. @returns what is searched until the end. */
function typed(gaps: readonly number[]): { searches: number; lastAfter: number } {
  let searches = 0;
  const shorter = (index: number): number => Math.min(...gaps.slice(Math.max(0, index - 1), index + 1));
  gaps.forEach((_, index) => {
    const next = gaps[index + 1];
    if (next === undefined || pauseAfter(searches, shorter(index)) < next) searches += 1;
  });
  return { searches, lastAfter: pauseAfter(searches - 1, shorter(gaps.length - 1)) };
}

it.each([
  ['quickly', [95, 95, 95, 95, 95], { searches: 1, lastAfter: 120 }],
  ['quickly, with one letter that takes longer', [95, 180, 95, 95, 95], { searches: 2, lastAfter: 120 }],
  ['quickly, with such a letter at the end', [95, 95, 180, 95, 180], { searches: 3, lastAfter: 120 }],
  ['as most people do', [180, 200, 160, 220, 190], { searches: 2, lastAfter: 300 }],
  ['slowly', [250, 280, 250, 290], { searches: 2, lastAfter: 300 }],
])('whoever types %s causes few searches', (_, gaps, expected) => {
  expect(typed(gaps)).toEqual(expected);
});
