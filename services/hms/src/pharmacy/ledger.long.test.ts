/**
 * Any sequence of steps: the ledger, the batches and the stock of a drug agree after each one, and no unit leaves for a
 * patient that had expired, was held or was recalled.
 */
import { hospitalNames } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aDrug,
  aPatient,
  aPrescription,
  colleague,
  type Dispensed,
  day,
  disagreements,
  dispense,
  hms,
  line,
  mary,
  post,
  send,
  usePharmacy,
} from './testing.ts';

usePharmacy();

interface Kept {
  readonly id: string;
  readonly status: string;
  readonly expires: string;
  readonly onHand: number;
  readonly sum: number;
  readonly movements: number;
  readonly lastMovement: number;
}

/** What must be true of the drug, as far as the accepted steps say it. */
interface Model {
  units: number;
  given: Dispensed[];
}

interface Real {
  readonly drugId: string;
}

const STOCK = (schema: string) => `
  SELECT batch.id, batch.status, to_char(expires_on, 'YYYY-MM-DD') AS expires, on_hand AS "onHand",
    last_movement AS "lastMovement", sum(quantity)::int AS sum, count(*)::int AS movements
  FROM ${schema}.stock_batches batch JOIN ${schema}.stock_movements movement ON batch_id = batch.id
  WHERE batch.drug_id = ? GROUP BY batch.id ORDER BY expires_on, batch.id`;

async function stockOf({ drugId }: Real): Promise<readonly Kept[]> {
  const { schema } = hospitalNames(mary.hospital.prefix);
  return (await hms.operator.raw<{ rows: Kept[] }>(STOCK(schema), [drugId])).rows;
}

const isUsable = ({ status, expires }: Kept) => status === 'active' && expires >= day(0);
const unitsOf = (stock: readonly Kept[]) => stock.reduce((sum, { onHand }) => sum + onHand, 0);

/** How many units the drug has more or fewer after a step, or undefined if it was refused. */
type Outcome = number | undefined;
type Act = (real: Real, before: readonly Kept[], model: Model) => Promise<Outcome>;

/** How often each step was accepted in all sequences. */
const accepted = new Map<string, number>();

class Step implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #text: string;
  readonly #act: Act;

  constructor(name: string, given: unknown, act: Act) {
    this.#name = name;
    this.#text = `${name}(${JSON.stringify(given)})`;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    const before = await stockOf(real);
    const outcome = await this.#act(real, before, model);
    const after = await stockOf(real);
    if (outcome === undefined) expect(after).toEqual(before);
    else accepted.set(this.#name, (accepted.get(this.#name) ?? 0) + 1);
    model.units += outcome ?? 0;
    expect(unitsOf(after)).toBe(model.units);
    for (const { onHand, sum, movements, lastMovement } of after)
      expect({ onHand, movements }).toEqual({ onHand: sum, movements: lastMovement });
  }

  toString(): string {
    return this.#text;
  }
}

/** @returns the change, if the request was accepted. Any refusal is one of the module's own, never a fault. */
async function tried(answer: ReturnType<typeof post>, change: number): Promise<Outcome> {
  const { status, error } = await answer;
  expect([status, error?.code]).toEqual([status, status < 300 ? undefined : expect.any(String)]);
  expect(status).toBeLessThan(500);
  return status < 300 ? change : undefined;
}

const at = (stock: readonly Kept[], index: number) =>
  stock[index % Math.max(stock.length, 1)]?.id ?? crypto.randomUUID();

const LOCATIONS = ['Pharmacy', 'Ward 3'];
const REASON = { reason: 'Any' };
const index = fc.nat(9);
const quantity = fc.integer({ min: 1, max: 12 });
const location = fc.constantFrom(...LOCATIONS);
const batchNo = fc.constantFrom('A', 'B', 'C');
const days = fc.constantFrom(-1, 0, 1, 30);

const ofBatch = (name: string, change: (quantity: number) => number = () => 0) =>
  fc
    .record({ index, quantity, location })
    .map(
      (given) =>
        new Step(name, given, (_, stock) =>
          tried(post(`stock-batches/${at(stock, given.index)}/${name}`, bodyOf(name, given)), change(given.quantity)),
        ),
    );

function bodyOf(
  name: string,
  { quantity, location }: { readonly quantity: number; readonly location: string },
): object {
  switch (name) {
    case 'quarantine':
    case 'release':
    case 'recall':
      return REASON;
    case 'transfer':
      return { quantity, location };
    case 'receive':
      return { quantity };
    default:
      return { quantity, ...REASON };
  }
}

const receiveBatch = fc
  .record({ batchNo, location, days, quantity })
  .map(
    ({ days, ...given }) =>
      new Step('receiveBatch', { days, ...given }, ({ drugId }) =>
        tried(post('stock-batches', { drugId, expiresOn: day(days), ...given }), given.quantity),
      ),
  );

const lose = fc
  .record({ index, quantity })
  .map(
    (given) =>
      new Step('lose', given, (_, stock) =>
        tried(
          post(`stock-batches/${at(stock, given.index)}/adjust`, { quantity: -given.quantity, ...REASON }),
          -given.quantity,
        ),
      ),
  );

/** Its day was wrong: that is how a batch expires here. */
const correctDay = fc
  .record({ index, days })
  .map(
    (given) =>
      new Step('correctDay', given, (_, stock) =>
        tried(send('PUT', `stock-batches/${at(stock, given.index)}`, colleague, { expiresOn: day(given.days) }), 0),
      ),
  );

const give = fc.record({ quantity, partially: fc.boolean() }).map(
  ({ quantity, partially }) =>
    new Step('give', { quantity, partially }, async ({ drugId }, stock, model) => {
      const prescription = await aPrescription(await aPatient(), [line({ id: drugId }, quantity)]);
      const answer = await dispense(prescription, { partially });
      const usable = stock.filter(isUsable);
      const there = unitsOf(usable);
      if (answer.status >= 400) {
        expect(answer.error.code).toBe('INSUFFICIENT_STOCK');
        expect(there).toBeLessThan(partially ? 1 : quantity);
        return undefined;
      }
      const done = answer.data<Dispensed>();
      model.given.push(done);
      const given = new Map(done.lines.map((one) => [one.batchId, one.quantity]));
      // The batches that expire first are empty before another one is touched.
      let left = Math.min(quantity, there);
      const expected = new Map<string, number>();
      for (const { id, onHand } of usable) {
        const taken = Math.min(left, onHand);
        if (taken > 0) expected.set(id, taken);
        left -= taken;
      }
      expect(given).toEqual(expected);
      return -Math.min(quantity, there);
    }),
);

const bringBack = fc.record({ index, quantity }).map(
  (given) =>
    new Step('bringBack', given, async (_, __, { given: all }) => {
      const dispensed = all[given.index % Math.max(all.length, 1)];
      const lines = [{ lineId: dispensed?.lines[0]?.id, quantity: given.quantity }];
      if (dispensed === undefined) return undefined;
      return tried(post(`dispenses/${dispensed.id}/return`, { lines, ...REASON }), given.quantity);
    }),
);

const count = fc.record({ index, counted: fc.nat(20), left: quantity }).map(
  (given) =>
    new Step('count', given, async (_, stock) => {
      const batch = stock[given.index % Math.max(stock.length, 1)];
      if (batch === undefined) return undefined;
      const { id } = (await post('stock-counts', {})).data<{ id: string }>();
      const lines = [{ batchId: batch.id, counted: given.counted }];
      expect((await send('PUT', `stock-counts/${id}/lines`, colleague, { lines })).status).toBe(200);
      // What leaves between the counting and the approval is no difference.
      const gone = await tried(
        post(`stock-batches/${batch.id}/discard`, { quantity: given.left, ...REASON }),
        -given.left,
      );
      expect((await post(`stock-counts/${id}/submit`, {}, colleague)).status).toBe(200);
      const approved = await tried(post(`stock-counts/${id}/approve`), given.counted - batch.onHand);
      return gone === undefined && approved === undefined ? undefined : (gone ?? 0) + (approved ?? 0);
    }),
);

const STEPS = [
  ...[receiveBatch, give, bringBack, count, lose, correctDay, ofBatch('receive', (units) => units)],
  ...[ofBatch('adjust', (units) => units), ofBatch('discard', (units) => -units)],
  ...[ofBatch('transfer'), ofBatch('quarantine'), ofBatch('release'), ofBatch('recall')],
  // More of what fills the stock and empties it.
  ...[receiveBatch, receiveBatch, give, give, bringBack],
];

it('keeps the ledger, the batches and the stock the same, and gives only what may be given', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(STEPS, { maxCommands: 60, size: 'max' }), async (steps) => {
      const { id: drugId } = await aDrug();
      await fc.asyncModelRun(() => ({ model: { units: 0, given: [] }, real: { drugId } }), steps);
      expect(await disagreements()).toEqual([]);
    }),
    { numRuns: 60 * Number(process.env.FUZZ_TIMES ?? 1), endOnFailure: true },
  );
  // Each step was accepted, so that each was tried for real.
  expect([...accepted.keys()].sort()).toEqual(
    [
      ...['adjust', 'bringBack', 'correctDay', 'count', 'discard', 'give', 'lose', 'quarantine', 'recall'],
      ...['receive', 'receiveBatch', 'release', 'transfer'],
    ].sort(),
  );
}, 300_000);
