/**
 * The ledger of the stock. Each change of what a batch has on hand is a movement, which PostgreSQL chains to the former
 * one: the balance can't differ from the sum of the movements.
 */
import { build } from '@hms/database';
import { newId, Problem, records, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { namesOfAccounts } from '../employees/people.ts';
import { type Batch, batches, INSUFFICIENT_STOCK, MOST_UNITS, type MOVEMENT_KINDS, STOCK_TOO_LARGE } from './record.ts';

export interface Movement {
  readonly kind: (typeof MOVEMENT_KINDS)[number];
  /** Units. What leaves the batch is negative. */
  readonly quantity: number;
  readonly reason?: string | undefined;
  readonly dispenseId?: string;
  readonly countId?: string;
  /** Where transferred units come from, or go to. */
  readonly otherBatchId?: string;
}

/** Moves units into or out of a locked batch. @throws Problem INSUFFICIENT_STOCK if fewer are on hand, STOCK_TOO_LARGE. */
export async function move(work: Work, batch: Batch, movement: Movement): Promise<Batch> {
  const [number, balance] = [batch.lastMovement + 1, batch.onHand + movement.quantity];
  if (balance < 0) {
    const { id, batchNo, onHand } = batch;
    throw new Problem(INSUFFICIENT_STOCK, { details: { batches: [{ id, batchNo, onHand }] } });
  }
  if (balance > MOST_UNITS) {
    throw new Problem(STOCK_TOO_LARGE, { details: { onHand: batch.onHand, most: MOST_UNITS } });
  }
  const [after] = await Promise.all([
    records(work, batches).update(batch, { onHand: balance, lastMovement: number }),
    insert(work, batch, number, balance, movement),
  ]);
  return after;
}

/** Creates a batch with its first units. */
export async function createBatch(
  work: Work,
  values: Pick<Batch, 'drugId' | 'batchNo' | 'location' | 'expiresOn'> &
    Partial<Pick<Batch, 'returnedFromId' | 'statusReason' | 'status'>> & {
      readonly costPrice?: number | null | undefined;
    },
  movement: Movement,
): Promise<Batch> {
  const id = newId();
  const onHand = movement.quantity;
  const created = await records(work, batches).insert({ ...values, onHand, lastMovement: 1 }, id);
  await insert(work, created, 1, onHand, movement);
  return created;
}

function insert(
  work: Work,
  { id, drugId }: Pick<Batch, 'id' | 'drugId'>,
  number: number,
  balance: number,
  { kind, quantity, reason, dispenseId, countId, otherBatchId }: Movement,
): Promise<unknown> {
  const values = [id, drugId, number, kind, quantity, balance, reason, dispenseId, countId, otherBatchId];
  return work.trx.query(INSERT, [newId(), ...values.map((value) => value ?? null), work.caller.sub]);
}

// A transaction that began earlier may have waited for the batch: its movement comes after the former one all the same.
const INSERT = `
  INSERT INTO stock_movements
    (id, batch_id, drug_id, number, kind, quantity, balance, reason, dispense_id, count_id, other_batch_id, moved_by, moved_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    greatest(moment(), (SELECT moved_at FROM stock_movements WHERE batch_id = $2 AND number = $4 - 1)))`;

/** The movements of a batch, latest first. */
export async function movementsOf(
  work: Work,
  batchId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
) {
  const [[counted], rows] = await Promise.all([
    work.trx.query<{ total: number }>('SELECT count(*) AS total FROM stock_movements WHERE batch_id = $1', [batchId]),
    work.trx.query<MovementRow>(MOVEMENTS, [batchId, limit, (page - 1) * limit]),
  ]);
  const names = await namesOfAccounts(
    work,
    rows.map(({ movedBy }) => movedBy),
  );
  const data = rows.map(({ movedAt, ...row }) => {
    return { ...row, movedAt: movedAt.toISOString(), movedByName: names.get(row.movedBy) ?? null };
  });
  return { data, meta: { page, limit, total: counted?.total ?? 0 } };
}

/** What patients brought back, for a join with dispenses. */
export function returnedUnits(): Knex.QueryBuilder {
  return build.from('stock_movements').select('dispense_id', 'moved_at').where({ kind: 'returned' });
}

interface MovementRow extends Omit<Required<Movement>, 'reason' | 'dispenseId' | 'countId' | 'otherBatchId'> {
  readonly number: number;
  readonly balance: number;
  readonly reason: string | null;
  readonly dispenseId: string | null;
  readonly countId: string | null;
  readonly otherLocation: string | null;
  readonly movedBy: string;
  readonly movedAt: Date;
}

const MOVEMENTS = `
  SELECT number, kind, quantity, balance, reason, dispense_id AS "dispenseId", count_id AS "countId",
    (SELECT location FROM stock_batches WHERE id = other_batch_id) AS "otherLocation",
    moved_by AS "movedBy", moved_at AS "movedAt"
  FROM stock_movements WHERE batch_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3`;
