import { expect, it } from '@jest/globals';
import type { Board } from './boards.ts';
import { Calls } from './calls.ts';

const NOW = Date.parse('2026-11-25T10:00:30Z');

function board(...called: readonly (readonly [label: string, since: string, calls?: number])[]): Board {
  return {
    ...{ clinicId: 'c', clinicName: 'ENT', serviceDate: '2026-11-25', revision: 1, serving: [], next: [], waiting: 0 },
    updatedAt: '2026-11-25T10:00:00.000Z',
    called: called.map(([label, since, calls = 1]) => ({ label, initials: null, room: 'Room 1', since, calls })),
  };
}
/** The tokens that are announced at each board. */
function announced(...boards: readonly Board[]): readonly (readonly string[])[] {
  const calls = new Calls();
  return boards.map((one) => calls.newOn(one, NOW).map(({ label }) => label));
}

const first = board(['A-001', '2026-11-25T10:00:00Z']);
const again = board(['A-001', '2026-11-25T10:00:20Z', 2]);

it('what was there before is not new', () => {
  expect(announced(first, first)).toEqual([[], []]);
});

it('a second call of the same person is new, and its undoing is not', () => {
  expect(announced(first, again, first, again)).toEqual([[], ['A-001'], [], []]);
});

it('whoever is called back from the room is not new', () => {
  expect(announced(board(), first, board(), first)).toEqual([[], ['A-001'], [], []]);
});

it('several are announced in their order, and old ones not at all', () => {
  const after = board(
    ['A-003', '2026-11-25T10:00:20Z'],
    ['A-002', '2026-11-25T10:00:10Z'],
    ['A-001', '2026-11-25T09:58:00Z'],
  );
  expect(announced(board(), after)).toEqual([[], ['A-002', 'A-003']]);
});
