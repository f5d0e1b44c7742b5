/**
 * How far the current results have been verified, for programs of others. Each rule is here twice: for what is shown, and
 * in SQL for what is searched. An amendment that nobody has verified counts as unverified.
 */
import type { ShownItem, ShownResult } from './record.ts';

export type ResultReview = 'unverified' | 'verified' | 'amended';
/** `none`: there is no result. */
export type ItemReview = ResultReview | 'cancelled' | 'none';
/** `partly`: some results are verified, but not all tests have a verified one. */
export type OrderReview = ItemReview | 'partly';

export function reviewOfItem({ status, result }: Pick<ShownItem, 'status' | 'result'>): ItemReview {
  if (status === 'cancelled') return 'cancelled';
  return result ? reviewOfResult(result) : 'none';
}

export function reviewOfResult({ status, verifiedAt }: Pick<ShownResult, 'status' | 'verifiedAt'>): ResultReview {
  if (verifiedAt === null) return 'unverified';
  return status === 'corrected' ? 'amended' : 'verified';
}

/** Of the tests that are not cancelled. */
export function reviewOfOrder(items: readonly Pick<ShownItem, 'status' | 'result'>[]): OrderReview {
  const live = items.map(reviewOfItem).filter((review) => review !== 'cancelled');
  const verified = live.filter((review) => review === 'verified' || review === 'amended');
  if (live.length === 0) return 'cancelled';
  if (verified.length === 0) return live.includes('unverified') ? 'unverified' : 'none';
  if (verified.length < live.length) return 'partly';
  return verified.includes('amended') ? 'amended' : 'verified';
}

/** When the last of the current results was verified, or null: none is. */
export function lastVerifiedAt(items: readonly Pick<ShownItem, 'result'>[]): string | null {
  return (
    items
      .flatMap(({ result }) => result?.verifiedAt ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}

/** `reviewOfItem` over rows `item` of the table of items. */
export const ITEM_REVIEW = `(
  SELECT CASE
    WHEN item.cancelled_at IS NOT NULL THEN 'cancelled'
    WHEN item.result_id IS NULL THEN 'none'
    WHEN NOT EXISTS (SELECT FROM lab_verifications v WHERE v.result_id = item.result_id) THEN 'unverified'
    WHEN (SELECT is_correction FROM lab_results WHERE id = item.result_id) THEN 'amended'
    ELSE 'verified' END)`;

/** `reviewOfOrder` over rows of the table of orders. */
export const ORDER_REVIEW = `(
  SELECT CASE
    WHEN count(*) = 0 THEN 'cancelled'
    WHEN bool_and(review IN ('none', 'unverified')) THEN
      CASE WHEN bool_or(review = 'unverified') THEN 'unverified' ELSE 'none' END
    WHEN bool_or(review IN ('none', 'unverified')) THEN 'partly'
    WHEN bool_or(review = 'amended') THEN 'amended'
    ELSE 'verified' END
  FROM (SELECT ${ITEM_REVIEW} AS review FROM lab_order_items item WHERE item.order_id = lab_orders.id) AS of_items
  WHERE review <> 'cancelled')`;

/** `lastVerifiedAt` over rows of the table of orders. */
export const LAST_VERIFIED_AT = `(
  SELECT max(v.verified_at) FROM lab_order_items item JOIN lab_verifications v ON v.result_id = item.result_id
  WHERE item.order_id = lab_orders.id)`;
