import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allocate } from './allocation.ts';

const TODAY = '2026-05-10';
const batch = (
  id: string,
  expiresOn: string,
  onHand: number,
  status: 'active' | 'quarantined' | 'recalled' = 'active',
) => {
  return {
    id,
    batchNo: id,
    location: 'Pharmacy',
    expiresOn: `${expiresOn}T00:00:00.000Z`,
    onHand,
    status,
    statusReason: null,
  };
};
const taken = (...[stock, wanted]: [Parameters<typeof allocate>[0], number]) =>
  allocate(stock, wanted, TODAY).taken.map(({ batch: { id }, quantity, why }) => [id, quantity, why]);

it('takes what expires first, and of one day what came first', () => {
  const stock = [batch('c', '2026-06-01', 9), batch('b', '2026-05-20', 2), batch('a', '2026-06-01', 1)];
  expect(taken(stock, 4)).toEqual([
    ['b', 2, 'expires_first'],
    ['a', 1, 'rest'],
    ['c', 1, 'rest'],
  ]);
});

it('uses a batch on its last day, and not after it', () => {
  expect(taken([batch('a', TODAY, 1), batch('b', '2026-05-09', 1)], 2)).toEqual([['a', 1, 'expires_first']]);
});

it('names what it passes over, but not what is empty', () => {
  const stock = [
    ...[batch('old', '2026-01-01', 5), batch('kept', '2026-06-01', 5, 'quarantined')],
    ...[batch('back', '2026-06-01', 5, 'recalled'), batch('empty', '2026-01-01', 0)],
  ];
  const { passedOver, missing } = allocate(stock, 3, TODAY);
  expect(passedOver.map((one) => [one.batch.id, one.why])).toEqual([
    ['old', 'expired'],
    ['back', 'recalled'],
    ['kept', 'quarantined'],
  ]);
  expect(missing).toBe(3);
});

it('takes exactly what is wanted, or all that may be dispensed', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-05-${String(date).padStart(2, '0')}`);
  const status = fc.constantFrom('active', 'quarantined', 'recalled');
  const one = fc.tuple(day, fc.nat(20), status);
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.integer({ min: 1, max: 100 }), (rows, wanted) => {
      const stock = rows.map(([expiresOn, onHand, state], index) => batch(`b${index}`, expiresOn, onHand, state));
      const usable = stock.filter(
        ({ status: state, expiresOn }) => state === 'active' && expiresOn.slice(0, 10) >= TODAY,
      );
      const { taken: some, missing } = allocate(stock, wanted, TODAY);
      const total = some.reduce((sum, { quantity }) => sum + quantity, 0);
      expect(total).toBe(
        Math.min(
          wanted,
          usable.reduce((sum, { onHand }) => sum + onHand, 0),
        ),
      );
      expect(missing).toBe(wanted - total);
      expect(some.every(({ batch: { id }, quantity }) => quantity > 0 && usable.some((other) => other.id === id))).toBe(
        true,
      );
      const days = some.map(({ batch: { expiresOn } }) => expiresOn);
      expect(days).toEqual(days.toSorted());
    }),
  );
});
