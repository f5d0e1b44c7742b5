/** The tests and the specimens of orders, as they are stored. */
import { records, type Work } from '@hms/service';
import { type LabOrder, type LabSpecimen, labSpecimens, type ShownResult } from './record.ts';
import type { ItemFacts } from './state.ts';

/** A result without the names of people. */
export type StoredResult = Omit<ShownResult, 'status' | 'enteredBy' | 'verifiedBy' | 'acknowledgedBy'> & {
  readonly isCorrection: boolean;
  readonly enteredBy: string;
  readonly verifiedBy: string | null;
  readonly acknowledgedBy: string | null;
};

export interface Item {
  readonly id: string;
  readonly testId: string;
  /** What the catalogue said of the test when it was ordered. */
  readonly code: string;
  readonly name: string;
  readonly loinc: string | null;
  readonly panelId: string | null;
  readonly specimenId: string;
  readonly resultedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly cancelReason: string | null;
  /** Number of the last version, also of a rejected specimen. 0: there is none. */
  readonly lastNumber: number;
  /** The current version. */
  readonly result: StoredResult | null;
  /**
   * The first of the critical versions in a row that nobody had acknowledged when the current one was entered: since then
   * a doctor has to answer. Null if the current version is not critical.
   */
  readonly firstCriticalId: string | null;
  /** How far the current version has climbed, as `escalation` of an order. */
  readonly escalation: number;
}

export interface Parts {
  readonly items: readonly Item[];
  readonly specimens: readonly LabSpecimen[];
}

/** The parts of each order. */
export async function partsOf(work: Work, orderIds: readonly string[]): Promise<ReadonlyMap<string, Parts>> {
  if (orderIds.length === 0) return new Map();
  const [items, ids] = await Promise.all([
    work.trx.query<ItemRow>(ITEMS, [orderIds]),
    work.trx.query<{ id: string }>('SELECT id FROM lab_specimens WHERE order_id = ANY($1)', [orderIds]),
  ]);
  const specimens = await records(work, labSpecimens).byIds(ids.map(({ id }) => id));
  const itemsBy = Map.groupBy(items, ({ order_id }) => order_id);
  const specimensBy = Map.groupBy(
    specimens.toSorted((one, other) => (one.accessionNo < other.accessionNo ? -1 : 1)),
    ({ orderId }) => orderId,
  );
  return new Map(
    orderIds.map((id) => [id, { items: (itemsBy.get(id) ?? []).map(toItem), specimens: specimensBy.get(id) ?? [] }]),
  );
}

export async function partsOfOne(work: Work, { id }: Pick<LabOrder, 'id'>): Promise<Parts> {
  return (await partsOf(work, [id])).get(id) ?? { items: [], specimens: [] };
}

/** Every version of every result of an order, the oldest first. */
export async function versionsOf({ trx }: Work, orderId: string): Promise<readonly StoredResult[]> {
  const rows = await trx.query<ResultRow>(VERSIONS, [orderId]);
  return rows.flatMap((row) => toResult(row) ?? []);
}

/** What of an item decides about the state of its order. */
export function factsOf({ specimenId, cancelledAt, result, escalation }: Item): ItemFacts {
  return {
    specimenId,
    isCancelled: cancelledAt !== null,
    result: result
      ? {
          isVerified: result.verifiedAt !== null,
          isCorrection: result.isCorrection,
          isCritical: result.isCritical,
          isAcknowledged: result.acknowledgedAt !== null,
          escalation,
        }
      : undefined,
  };
}

const RESULT = `
  r.id AS result_id, r.item_id AS result_item_id, r.number, r.value, r.unit, r.flag, r.unflagged, r.is_critical, r.range,
  r.is_correction, r.reason, r.note, r.source, r.measured_at, r.entered_by, r.created_at AS entered_at, r.supersedes_id,
  v.verified_by, v.verified_at AS result_verified_at, a.acknowledged_by, a.acknowledged_at`;
const SIGNATURES = `
  LEFT JOIN lab_verifications v ON v.result_id = r.id LEFT JOIN lab_acknowledgements a ON a.result_id = r.id`;

const ITEMS = `
  SELECT item.id, item.order_id, item.test_id, item.code, item.name, item.loinc, item.panel_id, item.specimen_id,
    item.resulted_at, item.verified_at, item.cancelled_at, item.cancel_reason, item.first_critical_id, item.escalation,
    COALESCE((SELECT max(number) FROM lab_results WHERE item_id = item.id), 0) AS last_number, ${RESULT}
  FROM lab_order_items item LEFT JOIN lab_results r ON r.id = item.result_id ${SIGNATURES}
  WHERE item.order_id = ANY($1) ORDER BY item.order_id, item.position`;

const VERSIONS = `
  SELECT ${RESULT} FROM lab_results r ${SIGNATURES} WHERE r.order_id = $1 ORDER BY r.created_at, r.item_id, r.number`;

interface ResultRow {
  readonly result_id: string | null;
  readonly result_item_id: string;
  readonly number: number;
  readonly value: string;
  readonly unit: string | null;
  readonly flag: StoredResult['flag'];
  readonly unflagged: StoredResult['unflagged'];
  readonly is_critical: boolean;
  readonly range: StoredResult['range'];
  readonly is_correction: boolean;
  readonly reason: string | null;
  readonly note: string | null;
  readonly source: StoredResult['source'];
  readonly measured_at: Date | null;
  readonly entered_by: string;
  readonly entered_at: Date;
  readonly supersedes_id: string | null;
  readonly verified_by: string | null;
  readonly result_verified_at: Date | null;
  readonly acknowledged_by: string | null;
  readonly acknowledged_at: Date | null;
}

interface ItemRow extends ResultRow {
  readonly id: string;
  readonly order_id: string;
  readonly test_id: string;
  readonly code: string;
  readonly name: string;
  readonly loinc: string | null;
  readonly panel_id: string | null;
  readonly specimen_id: string;
  readonly resulted_at: Date | null;
  readonly verified_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly cancel_reason: string | null;
  readonly first_critical_id: string | null;
  readonly escalation: number;
  readonly last_number: number;
}

function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    testId: row.test_id,
    code: row.code,
    name: row.name,
    loinc: row.loinc,
    panelId: row.panel_id,
    specimenId: row.specimen_id,
    resultedAt: row.resulted_at,
    verifiedAt: row.verified_at,
    cancelledAt: row.cancelled_at,
    cancelReason: row.cancel_reason,
    lastNumber: row.last_number,
    result: toResult(row),
    firstCriticalId: row.first_critical_id,
    escalation: row.escalation,
  };
}

function toResult(row: ResultRow): StoredResult | null {
  if (row.result_id === null) return null;
  return {
    id: row.result_id,
    itemId: row.result_item_id,
    number: row.number,
    value: row.value,
    unit: row.unit,
    flag: row.flag,
    unflagged: row.unflagged,
    isCritical: row.is_critical,
    range: row.range,
    isCorrection: row.is_correction,
    reason: row.reason,
    note: row.note,
    source: row.source,
    measuredAt: row.measured_at?.toISOString() ?? null,
    enteredBy: row.entered_by,
    enteredAt: row.entered_at.toISOString(),
    verifiedBy: row.verified_by,
    verifiedAt: row.result_verified_at?.toISOString() ?? null,
    acknowledgedBy: row.acknowledged_by,
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
    supersedesId: row.supersedes_id,
  };
}
