import { describe, expect, it } from '@jest/globals';
import { type ItemFacts, orderState, type SpecimenFacts } from './state.ts';

const RESULT = { isVerified: false, isCorrection: false, isCritical: false, isAcknowledged: false, escalation: 0 };
const item = (specimenId: string, result?: Partial<typeof RESULT>): ItemFacts => {
  return { specimenId, isCancelled: false, result: result && { ...RESULT, ...result } };
};
const cancelled = (specimenId: string): ItemFacts => ({ ...item(specimenId), isCancelled: true });
const specimen = (id: string, status: SpecimenFacts['status']): SpecimenFacts => ({ id, status });
const VERIFIED = { isVerified: true };

describe('an order', () => {
  it.each([
    ['ordered', [item('a'), item('b')], ['expected', 'expected']],
    ['ordered', [item('a'), item('b')], ['collected', 'expected']],
    ['collected', [item('a'), item('b')], ['collected', 'collected']],
    ['in_progress', [item('a'), item('b')], ['received', 'collected']],
    ['in_progress', [item('a', {}), item('b')], ['received', 'collected']],
    ['ordered', [item('a', VERIFIED), item('b')], ['received', 'expected']],
    ['resulted', [item('a', {}), item('b', VERIFIED)], ['received', 'received']],
    ['verified', [item('a', VERIFIED), item('b', VERIFIED)], ['received', 'received']],
    ['verified', [item('a', VERIFIED), cancelled('b')], ['received', 'cancelled']],
    ['resulted', [item('a', { isCorrection: true }), item('b', {})], ['received', 'received']],
    ['amended', [item('a', { isCorrection: true }), item('b', VERIFIED)], ['received', 'received']],
    ['cancelled', [cancelled('a'), cancelled('b')], ['cancelled', 'cancelled']],
  ] as const)('is %s with %j and %j', (status, items, [first, second]) => {
    expect(orderState(items, [specimen('a', first), specimen('b', second)]).status).toBe(status);
  });

  it('counts what is left to do', () => {
    const critical = { isCritical: true };
    const items = [
      ...[item('a'), item('b'), item('c'), item('c', {}), item('c', { ...critical, ...VERIFIED })],
      ...[item('c', { ...critical, isAcknowledged: true }), item('c', { isCorrection: true }), cancelled('c')],
    ];
    const specimens = [
      ...[specimen('a', 'expected'), specimen('b', 'collected'), specimen('c', 'received')],
      ...[specimen('d', 'rejected'), specimen('e', 'cancelled')],
    ];
    expect(orderState(items, specimens)).toEqual({
      ...{ status: 'ordered', toCollect: 1, toReceive: 1, toResult: 2, toVerify: 3, toAcknowledge: 1 },
      escalation: 0,
    });
  });

  it('has climbed as far as the critical result that waits longest, of those that wait', () => {
    const critical = { isCritical: true };
    const of = (...results: Partial<typeof RESULT>[]) =>
      orderState(
        results.map((result) => item('a', result)),
        [specimen('a', 'received')],
      ).escalation;
    expect(of({ ...critical, escalation: 1 }, { ...critical, escalation: 2 }, critical)).toBe(2);
    expect(of({ ...critical, escalation: 2, isAcknowledged: true }, critical)).toBe(0);
    expect(of({ escalation: 1 })).toBe(0);
  });

  it('with an amendment that nobody has verified is amended, and something is left to do', () => {
    const state = orderState([item('a', { isCorrection: true })], [specimen('a', 'received')]);
    expect(state).toMatchObject({ status: 'amended', toVerify: 1 });
  });
});
