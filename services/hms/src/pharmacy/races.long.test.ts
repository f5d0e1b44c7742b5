/** Many people at once, and any order of steps: the ledger, the batches and what patients got always agree. */
import type { Batch } from '@hms/domain/stock';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aBatch,
  aDrug,
  aPatient,
  aPrescription,
  colleague,
  type Dispensed,
  day,
  dispense,
  get,
  hms,
  line,
  mary,
  onHand,
  outcome,
  pharmacist,
  post,
  send,
  usePharmacy,
} from './testing.ts';

usePharmacy();

/** What disagrees in the tables of the hospital. */
async function disagreements(): Promise<readonly unknown[]> {
  const { schema } = hospitalNames(mary.hospital.prefix);
  const { rows } = await hms.operator.raw<{ rows: unknown[] }>(DISAGREEMENTS.replaceAll('@', `${schema}.`));
  return rows;
}

/** Each line of the pharmacy that differs from what the ledger says. */
const DISAGREEMENTS = `
  SELECT 'batch' AS what, batch.id FROM @stock_batches batch
  WHERE on_hand <> (SELECT coalesce(sum(quantity), 0) FROM @stock_movements WHERE batch_id = batch.id) OR on_hand < 0
  UNION ALL
  SELECT 'dispense line', line.id FROM @dispense_lines line
  WHERE quantity <> (SELECT -coalesce(sum(quantity), 0) FROM @stock_movements movement
    WHERE movement.dispense_id = line.dispense_id AND movement.batch_id = line.batch_id AND kind = 'dispensed')
  UNION ALL
  SELECT 'returns', line.id FROM @dispense_lines line LEFT JOIN @stock_batches kept ON kept.returned_from_id = line.batch_id
  WHERE returned <> (SELECT coalesce(sum(quantity), 0) FROM @stock_movements movement
    WHERE movement.dispense_id = line.dispense_id AND movement.batch_id = kept.id AND kind = 'returned')
  UNION ALL
  SELECT 'item', item.id FROM @prescription_items item
  WHERE dispensed <> (SELECT coalesce(sum(quantity), 0) FROM @dispense_lines WHERE item_id = item.id)`;

describe('people at once', () => {
  it('64 pharmacists dispense 50 units, one each: 50 get one, 14 are told, and none is left', async () => {
    const drug = await aDrug();
    const [one, other] = [await aBatch(drug, 20, { expiresOn: day(3) }), await aBatch(drug, 30)];
    const patients = await Promise.all(Array.from({ length: 64 }, () => aPatient()));
    const prescriptions = await Promise.all(patients.map((patient) => aPrescription(patient, [line(drug, 1)])));
    const answers = await Promise.all(prescriptions.map((prescription) => dispense(prescription)));
    const outcomes = Map.groupBy(answers.map(outcome), (one) => one);
    expect([...outcomes].map(([what, some]) => [what, some.length])).toEqual(
      expect.arrayContaining([
        [201, 50],
        ['INSUFFICIENT_STOCK', 14],
      ]),
    );
    expect([await onHand(one), await onHand(other)]).toEqual([0, 0]);
    expect(await disagreements()).toEqual([]);
  }, 120_000);

  it('one prescription is dispensed once by eight pharmacists', async () => {
    const drug = await aDrug();
    const batch = await aBatch(drug, 100);
    const prescription = await aPrescription(await aPatient(), [line(drug, 10)]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => dispense(prescription)));
    expect(answers.map(outcome).sort()).toEqual([201, ...Array(7).fill('INVALID_STATE')]);
    expect(await onHand(batch)).toBe(90);
  });

  it('a recall is before or after each dispense: whoever got units is in the list', async () => {
    const drug = await aDrug();
    const batch = await aBatch(drug, 100);
    const patients = await Promise.all(Array.from({ length: 12 }, () => aPatient()));
    const prescriptions = await Promise.all(patients.map((patient) => aPrescription(patient, [line(drug, 1)])));
    const [recalled, ...answers] = await Promise.all([
      post(`stock-batches/${batch.id}/recall`, { reason: 'Contaminated' }),
      ...prescriptions.map((prescription) => dispense(prescription)),
    ]);
    expect(outcome(recalled)).toBe(200);
    const given = answers.filter(({ status }) => status === 201).map((answer) => answer.data<Dispensed>().id);
    const refused = answers.filter(({ status }) => status !== 201).map(outcome);
    expect(new Set(refused)).toEqual(refused.length > 0 ? new Set(['INSUFFICIENT_STOCK']) : new Set());
    const listed = (await get(`stock-batches/${batch.id}/recipients?limit=100`)).data<{ dispenseId: string }[]>();
    expect(listed.map(({ dispenseId }) => dispenseId).sort()).toEqual(given.sort());
    const late = await aPrescription(await aPatient(), [line(drug, 1)]);
    expect(outcome(await dispense(late))).toBe('INSUFFICIENT_STOCK');
    expect(await onHand(batch)).toBe(100 - given.length);
  });

  it('a recall and a receipt at another location leave no unit that may be dispensed', async () => {
    const drug = await aDrug();
    const batch = await aBatch(drug, 1);
    const more = { drugId: drug.id, batchNo: batch.batchNo, expiresOn: day(9), quantity: 5 };
    const [recalled, ...received] = await Promise.all([
      post(`stock-batches/${batch.id}/recall`, { reason: 'Contaminated' }),
      ...['Ward 1', 'Ward 2', 'Ward 3'].map((location) => post('stock-batches', { ...more, location })),
    ]);
    expect(outcome(recalled)).toBe(200);
    for (const one of received.map(outcome)) expect([201, 'BATCH_RECALLED']).toContain(one);
    const active = (await get(`stock-batches?drugId=${drug.id}&status=active`)).data<Batch[]>();
    expect(active).toEqual([]);
  });

  it('two returns of one line give back no more than was dispensed', async () => {
    const drug = await aDrug();
    await aBatch(drug, 10);
    const done = (await dispense(await aPrescription(await aPatient(), [line(drug, 4)]))).data<Dispensed>();
    const lines = [{ lineId: done.lines[0]?.id, quantity: 3 }];
    const back = () => post(`dispenses/${done.id}/return`, { lines, reason: 'Not needed' });
    const answers = await Promise.all([back(), back(), back()]);
    expect(answers.map(outcome).sort()).toEqual([200, 'RETURN_EXCEEDS_DISPENSED', 'RETURN_EXCEEDS_DISPENSED']);
    expect(await disagreements()).toEqual([]);
  });
});

/** One step on the stock of a drug, by numbers that choose batches and quantities. */
const step = fc.record({
  kind: fc.constantFrom(
    ...(['receive', 'discard', 'adjust', 'quarantine', 'release', 'expire', 'dispense', 'return', 'count'] as const),
  ),
  which: fc.nat(5),
  quantity: fc.integer({ min: 1, max: 12 }),
});

describe('any order of steps', () => {
  it('keeps the ledger, and dispenses no unit that is expired or quarantined', async () => {
    const runs = Number(process.env.FUZZ_TIMES ?? 1) * 4;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const drug = await aDrug();
        const own = [await aBatch(drug, 5, { expiresOn: day(2) }), await aBatch(drug, 8, { expiresOn: day(40) })];
        const given: Dispensed[] = [];
        for (const { kind, which, quantity } of steps) {
          const stock = (await get(`stock-batches?drugId=${drug.id}&limit=100`)).data<Batch[]>();
          const batch = stock[which % stock.length] as Batch;
          const act = (name: string, body: object) =>
            post(`stock-batches/${batch.id}/${name}`, { reason: 'x', ...body });
          if (kind === 'dispense') {
            const usable = stock.filter(
              ({ status, expiresOn }) => status === 'active' && expiresOn.slice(0, 10) >= day(0),
            );
            const prescription = await aPrescription(await aPatient(), [line(drug, quantity)]);
            const answer = await dispense(prescription);
            const isEnough = usable.reduce((sum, { onHand: units }) => sum + units, 0) >= quantity;
            expect(outcome(answer)).toBe(isEnough ? 201 : 'INSUFFICIENT_STOCK');
            if (!isEnough) continue;
            const done = answer.data<Dispensed>();
            given.push(done);
            for (const { batchId } of done.lines) expect(usable.map(({ id }) => id)).toContain(batchId);
          } else if (kind === 'return') {
            const done = given[which % Math.max(1, given.length)];
            const [first] = done?.lines ?? [];
            if (done)
              await post(`dispenses/${done.id}/return`, { lines: [{ lineId: first?.id, quantity }], reason: 'x' });
          } else if (kind === 'expire') {
            const { schema } = hospitalNames(mary.hospital.prefix);
            await hms
              .operator(`${schema}.stock_batches`)
              .where({ id: own[which % 2]?.id })
              .update({ expires_on: day(-1) });
          } else if (kind === 'count') {
            const { id } = (await post('stock-counts')).data<{ id: string }>();
            await send('PUT', `stock-counts/${id}/lines`, pharmacist, {
              lines: [{ batchId: batch.id, counted: quantity }],
            });
            await post(`stock-counts/${id}/submit`);
            await post(`stock-counts/${id}/approve`, {}, colleague);
          } else {
            await act(kind, { quantity: kind === 'adjust' && which % 2 === 0 ? -quantity : quantity });
          }
        }
        expect(await disagreements()).toEqual([]);
      }),
      { numRuns: runs, ...(process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}) },
    );
  }, 300_000);
});
