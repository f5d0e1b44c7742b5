import { expect, it } from '@jest/globals';
import { wordsOf } from './spoken.ts';

it.each([
  ['A-012', 'Room 1', 'number A 0 1 2 room 1'],
  ['ENT-007', null, 'number E N T 0 0 7'],
  ['a-1', 'Zimmer 12B', 'number A 1 room 1 2 B'],
  ['A-003', 'غرفة ٣', 'number A 0 0 3 room 3'],
  ['A-003', 'Room B', 'number A 0 0 3 room B'],
  // What is no number of a room.
  ['A-003', 'Consultation', 'number A 0 0 3'],
  ['A-003', 'Built in 1995', 'number A 0 0 3'],
  ['A-003', '', 'number A 0 0 3'],
])('%s to %s', (label, room, words) => {
  expect(wordsOf({ label, room }).join(' ')).toBe(words);
});
