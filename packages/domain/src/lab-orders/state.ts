/** What state an order is in, and what is left to do. The only place that decides it. Pure. */
import type { LabOrder, LabSpecimen } from './record.ts';

/** A test of an order, with what is known about its current result. */
export interface ItemFacts {
  readonly specimenId: string;
  readonly isCancelled: boolean;
  readonly result:
    | {
        readonly isVerified: boolean;
        readonly isCorrection: boolean;
        readonly isCritical: boolean;
        readonly isAcknowledged: boolean;
        /** How far it has climbed. */
        readonly escalation: number;
      }
    | undefined;
}

export type SpecimenFacts = Pick<LabSpecimen, 'id' | 'status'>;

export type ItemState = LabOrder['status'];

type OrderState = Pick<
  LabOrder,
  'status' | 'toCollect' | 'toReceive' | 'toResult' | 'toVerify' | 'toAcknowledge' | 'escalation'
>;

/** A correction is shown as an amendment at once, although somebody else has yet to verify it. */
export function itemState({ isCancelled, result }: ItemFacts, specimen: SpecimenFacts | undefined): ItemState {
  if (isCancelled) return 'cancelled';
  if (result) return result.isCorrection ? 'amended' : result.isVerified ? 'verified' : 'resulted';
  if (specimen?.status === 'received') return 'in_progress';
  return specimen?.status === 'collected' ? 'collected' : 'ordered';
}

/**
 * - A specimen is to be collected: `ordered`, also when one was rejected.
 * - All results are verified: `verified`, or `amended` if one of them amends another.
 * - All tests have a result: `resulted`.
 * - The laboratory has a specimen or a result: `in_progress`. Otherwise `collected`.
 */
export function orderState(items: readonly ItemFacts[], specimens: readonly SpecimenFacts[]): OrderState {
  const live = items.filter(({ isCancelled }) => !isCancelled);
  const byId = new Map(specimens.map((specimen) => [specimen.id, specimen]));
  const states = live.map((item) => itemState(item, byId.get(item.specimenId)));
  const results = live.flatMap(({ result }) => (result ? [result] : []));
  const countOf = (status: SpecimenFacts['status']) => specimens.filter((one) => one.status === status).length;
  const unanswered = results.filter(({ isCritical, isAcknowledged }) => isCritical && !isAcknowledged);
  const isDone = (state: ItemState) => state === 'verified' || state === 'amended';
  const left = {
    toCollect: countOf('expected'),
    toReceive: countOf('collected'),
    toResult: states.filter((state) => state === 'collected' || state === 'in_progress').length,
    toVerify: results.filter(({ isVerified }) => !isVerified).length,
    toAcknowledge: unanswered.length,
    escalation: Math.max(0, ...unanswered.map(({ escalation }) => escalation)),
  };
  const status =
    live.length === 0
      ? 'cancelled'
      : states.includes('ordered')
        ? 'ordered'
        : states.every(isDone)
          ? states.includes('amended')
            ? 'amended'
            : 'verified'
          : left.toResult === 0
            ? 'resulted'
            : left.toResult < live.length || states.includes('in_progress')
              ? 'in_progress'
              : 'collected';
  return { status, ...left };
}
