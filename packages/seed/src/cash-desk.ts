/** The shift of the cashier: opened in the morning with a float, counted in the evening, and approved by the accountant. */
import { approveShift, closeShift, closing, currentShift, expectedIn, openShift } from '@hms/domain/shifts';
import type { Day } from './day.ts';
import { Random } from './random.ts';
import { after } from './run.ts';

const FLOAT = 20_000;
const COUNTER = 'Main desk';
/** Minutes after midnight. Nobody pays before or after. */
const OPENS = 5;
const CLOSES = 23 * 60 + 50;
/** On some days the count is wrong, by coins. */
const WRONG = 0.08;

export function planShift(day: Day): void {
  const { cashier, accountant } = day.place.staff;
  const [opensAt, closesAt] = [day.moment(OPENS), day.moment(CLOSES)];
  if (day.isNew(opensAt)) {
    day.plan(opensAt, async () => {
      const isOpen = await day.as(cashier, opensAt, currentShift);
      if (!isOpen) await day.as(cashier, opensAt, (work) => openShift(work, { counter: COUNTER, openingFloat: FLOAT }));
    });
  }
  if (!day.isNew(closesAt) || !day.run.isPast(closesAt)) return;
  day.plan(closesAt, async () => {
    const shift = await day.as(cashier, closesAt, currentShift);
    if (!shift) return;
    const random = new Random(day.run.options.seed, 'shift', day.date);
    const expected = await day.as(cashier, closesAt, (work) => expectedIn(work, shift.id));
    const wrong = random.chance(WRONG) ? random.between(-5, 5) * 100 : 0;
    const declared = { ...expected, CASH: Math.max(0, (expected.CASH ?? 0) + wrong) };
    await day.as(cashier, closesAt, (work) => closeShift(work, shift.id, closing.parse({ declared })));
    const approvedAt = after(closesAt, 5);
    day.plan(approvedAt, async () => {
      await day.as(accountant, approvedAt, (work) => approveShift(work, shift.id, { version: undefined }));
    });
  });
}
