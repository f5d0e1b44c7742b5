/** Drugs, batches, their movements, levels, and counts. */
import type { Batch, StockCount } from '@hms/domain/stock';
import { createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import {
  aBatch,
  aDrug,
  admin,
  colleague,
  day,
  get,
  hms,
  mary,
  onHand,
  outcome,
  pharmacist,
  post,
  send,
  unique,
  usePharmacy,
} from './testing.ts';

usePharmacy();

const OTHER = '0198a5a0-0000-7000-8000-000000000000';

interface Movement {
  readonly number: number;
  readonly kind: string;
  readonly quantity: number;
  readonly balance: number;
}
const movementsOf = async ({ id }: Pick<Batch, 'id'>) =>
  (await get(`stock-batches/${id}/movements`))
    .data<Movement[]>()
    .map(({ kind, quantity, balance }) => [kind, quantity, balance]);

describe('a drug', () => {
  it('has a code of its own, in whatever letters', async () => {
    const drug = await aDrug();
    const copy = { code: drug.code.toLowerCase(), name: 'Copy', ingredients: ['x'], form: 'Tablet', unit: 'tablet' };
    expect(outcome(await post('drugs', copy))).toBe('DRUG_CODE_TAKEN');
  });

  it.each([
    [{ ingredients: [] }, 'ingredients'],
    [{ ingredients: ['Aspirin', 'aspirin'] }, 'ingredients'],
    [{ maxDailyDose: 0 }, 'maxDailyDose'],
    [{ maxDailyDose: 1.2345 }, 'maxDailyDose'],
    [{ reorderLevel: -1 }, 'reorderLevel'],
    [{ taxBps: 10_001 }, 'taxBps'],
    [{ price: 1.5 }, 'price'],
  ])('refuses %j', async (changes, field) => {
    const usual = { code: unique('D'), name: 'Drug', ingredients: ['x'], form: 'Tablet', unit: 'tablet' };
    const answer = await post('drugs', { ...usual, ...changes });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(JSON.stringify(answer.error?.details)).toContain(field);
  });

  it('can be deleted until it is in stock or prescribed', async () => {
    const [unused, stocked] = [await aDrug(), await aDrug()];
    await aBatch(stocked, 1);
    expect(outcome(await send('DELETE', `drugs/${unused.id}`, pharmacist))).toBe(200);
    expect(outcome(await send('DELETE', `drugs/${stocked.id}`, pharmacist))).toBe('DRUG_IN_USE');
  });

  it('that is inactive is not received', async () => {
    const drug = await aDrug();
    expect(outcome(await post(`drugs/${drug.id}/deactivate`))).toBe(200);
    expect(outcome(await post(`drugs/${drug.id}/deactivate`))).toBe('INVALID_STATE');
    const batch = { drugId: drug.id, batchNo: 'B1', expiresOn: day(9), quantity: 1 };
    expect(outcome(await post('stock-batches', batch))).toBe('DRUG_INACTIVE');
    expect(outcome(await post(`drugs/${drug.id}/activate`))).toBe(200);
    expect(outcome(await post('stock-batches', batch))).toBe(201);
  });
});

describe('an interaction', () => {
  it('is of two substances, whichever comes first and however they are spelled', async () => {
    const [a, b] = [unique('Épha'), unique('Beta')];
    const interaction = { substanceA: a, substanceB: b, severity: 'severe', effect: 'Bleeding' };
    expect(outcome(await post('drug-interactions', interaction))).toBe(201);
    const turned = { ...interaction, substanceA: b.toUpperCase(), substanceB: a.replace('É', 'e') };
    expect(outcome(await post('drug-interactions', turned))).toBe('INTERACTION_EXISTS');
    expect(outcome(await post('drug-interactions', { ...interaction, substanceB: a.toLowerCase() }))).toBe(
      'SUBSTANCES_ARE_SAME',
    );
  });
});

describe('a batch', () => {
  it('has movements that explain what is on hand', async () => {
    const batch = await aBatch(await aDrug(), 10);
    const step = (name: string, body: object) => post(`stock-batches/${batch.id}/${name}`, body);
    expect(outcome(await step('receive', { quantity: 5 }))).toBe(200);
    expect(outcome(await step('adjust', { quantity: -2, reason: 'Broken' }))).toBe(200);
    expect(outcome(await step('discard', { quantity: 3, reason: 'Wet' }))).toBe(200);
    expect(await step('discard', { quantity: 11, reason: 'Wet' })).toMatchObject({
      status: 409,
      error: { code: 'INSUFFICIENT_STOCK', details: { batches: [{ id: batch.id, onHand: 10 }] } },
    });
    expect(outcome(await step('adjust', { quantity: 0, reason: 'Nothing' }))).toBe('VALIDATION_FAILED');
    expect(await movementsOf(batch)).toEqual([
      ['discarded', -3, 10],
      ['adjusted', -2, 13],
      ['received', 5, 15],
      ['received', 10, 10],
    ]);
    expect(await onHand(batch)).toBe(10);
  });

  it('is one number at one location', async () => {
    const drug = await aDrug();
    const { batchNo } = await aBatch(drug, 1);
    const same = { drugId: drug.id, batchNo: batchNo.toLowerCase(), expiresOn: day(9), quantity: 1 };
    expect(outcome(await post('stock-batches', same))).toBe('BATCH_EXISTS');
    expect(outcome(await post('stock-batches', { ...same, location: 'Ward 3' }))).toBe(201);
  });

  it('moves to another location, and keeps its last day and its state', async () => {
    const batch = await aBatch(await aDrug(), 10);
    const move = (quantity: number, location: string, of = batch.id) =>
      post(`stock-batches/${of}/transfer`, { quantity, location, reason: 'For the night' });
    const partAt = async (location: string) => {
      const query = new URLSearchParams({ drugId: batch.drugId, location });
      return (await send('GET', `stock-batches?${query}`, pharmacist)).data<Batch[]>()[0] as Batch;
    };
    expect((await move(4, 'Ward 3')).data()).toMatchObject({ id: batch.id, onHand: 6, location: 'Pharmacy' });
    const ward = await partAt('Ward 3');
    expect(ward).toMatchObject({ onHand: 4, status: 'active', expiresOn: batch.expiresOn, batchNo: batch.batchNo });
    expect(outcome(await move(6, 'ward 3'))).toBe(200);
    expect(outcome(await move(1, 'Ward 3'))).toBe('INSUFFICIENT_STOCK');
    expect(outcome(await move(1, 'Ward 4'))).toBe('INSUFFICIENT_STOCK');
    expect(await partAt('Ward 4')).toBeUndefined();
    expect(outcome(await move(1, 'WARD 3', ward.id))).toBe('SAME_LOCATION');
    expect(outcome(await move(0, 'Ward 4', ward.id))).toBe('VALIDATION_FAILED');
    expect(await movementsOf(ward)).toEqual([
      ['transferred', 6, 10],
      ['transferred', 4, 4],
    ]);
    const [out] = (await send('GET', `stock-batches/${batch.id}/movements`, pharmacist)).data<object[]>();
    expect(out).toMatchObject({ quantity: -6, otherLocation: 'Ward 3', reason: 'For the night' });
    expect(outcome(await post(`stock-batches/${ward.id}/quarantine`, { reason: 'Fridge failed' }))).toBe(200);
    expect(outcome(await move(1, 'Store', ward.id))).toBe(200);
    expect(await partAt('Store')).toMatchObject({ onHand: 1, status: 'quarantined', statusReason: 'Fridge failed' });
    expect(await move(1, 'Pharmacy', ward.id)).toMatchObject({
      status: 409,
      error: {
        code: 'BATCH_DIFFERS',
        details: { batches: [{ id: batch.id, location: 'Pharmacy', status: 'active' }] },
      },
    });
    expect(outcome(await post(`stock-batches/${batch.id}/recall`, { reason: 'Contaminated' }))).toBe(200);
    expect(outcome(await move(1, 'Store', ward.id))).toBe('BATCH_RECALLED');
    expect([await onHand(batch), await onHand(ward)]).toEqual([0, 9]);
  });

  it('that moves both ways at once loses nothing, and no request waits for the other for ever', async () => {
    const batch = await aBatch(await aDrug(), 40);
    const at = async (location: string) => {
      const query = new URLSearchParams({ drugId: batch.drugId, location });
      return (await send('GET', `stock-batches?${query}`, pharmacist)).data<Batch[]>()[0] as Batch;
    };
    expect(outcome(await post(`stock-batches/${batch.id}/transfer`, { quantity: 20, location: 'Ward 3' }))).toBe(200);
    const ward = await at('Ward 3');
    const moves = Array.from({ length: 16 }, (_, n) =>
      n % 2 === 0
        ? post(`stock-batches/${batch.id}/transfer`, { quantity: 3, location: 'Ward 3' })
        : post(`stock-batches/${ward.id}/transfer`, { quantity: 2, location: 'Pharmacy' }),
    );
    const outcomes = new Set((await Promise.all(moves)).map(outcome));
    outcomes.delete('INSUFFICIENT_STOCK');
    expect([...outcomes]).toEqual([200]);
    expect(Number(await onHand(batch)) + Number(await onHand(ward))).toBe(40);
  });

  it('that has expired is not received, and today is the last day', async () => {
    const drug = await aDrug();
    const batch = { drugId: drug.id, batchNo: 'B', expiresOn: day(-1), quantity: 1 };
    expect(outcome(await post('stock-batches', batch))).toBe('EXPIRY_IN_PAST');
    expect(outcome(await post('stock-batches', { ...batch, expiresOn: day(0) }))).toBe(201);
  });

  it('that has expired gets no later day', async () => {
    const batch = await aBatch(await aDrug(), 1);
    const correct = (changes: object) => send('PUT', `stock-batches/${batch.id}`, pharmacist, changes);
    expect(outcome(await correct({ expiresOn: day(200) }))).toBe(200);
    expect(outcome(await correct({ expiresOn: day(-1) }))).toBe(200);
    expect(outcome(await correct({ expiresOn: day(1) }))).toBe('BATCH_EXPIRED');
    expect(outcome(await correct({ location: 'Store' }))).toBe(200);
  });

  it('has a limit of units', async () => {
    const { id } = await aBatch(await aDrug(), 1_000_000_000);
    expect(outcome(await post(`stock-batches/${id}/receive`, { quantity: 1 }))).toBe('STOCK_TOO_LARGE');
    expect(outcome(await post(`stock-batches/${id}/adjust`, { quantity: 1, reason: 'More' }))).toBe('STOCK_TOO_LARGE');
  });

  it('of an unknown drug, or of another hospital’s, is refused', async () => {
    const other = await createTestHospital(hms.operator, hms.issuer);
    const token = await other.token(['PHARMACIST']);
    const foreign = await aBatch(await aDrug(), 5);
    const batch = { batchNo: 'B', expiresOn: day(9), quantity: 1 };
    expect(outcome(await post('stock-batches', { ...batch, drugId: OTHER }))).toBe('DRUG_NOT_FOUND');
    expect(outcome(await post('stock-batches', { ...batch, drugId: foreign.drugId }, token))).toBe('DRUG_NOT_FOUND');
    for (const step of ['receive', 'adjust', 'discard', 'quarantine', 'release', 'recall']) {
      const answer = await post(`stock-batches/${foreign.id}/${step}`, { quantity: 1, reason: 'x' }, token);
      expect([step, outcome(answer)]).toEqual([step, 'STOCK_BATCH_NOT_FOUND']);
    }
    expect(await onHand(foreign)).toBe(5);
  });

  it('is corrected, but not after a recall, which goes by the number', async () => {
    const batch = await aBatch(await aDrug(), 1);
    const change = (body: object) => send('PUT', `stock-batches/${batch.id}`, pharmacist, body);
    expect(await change({ expiresOn: day(20), location: 'Ward 1' })).toMatchObject({ status: 200 });
    expect(outcome(await change({ expiresOn: day(21), version: 1 }))).toBe('STALE_VERSION');
    await post(`stock-batches/${batch.id}/recall`, { reason: 'Contaminated' });
    expect(outcome(await change({ batchNo: 'another' }))).toBe('BATCH_RECALLED');
  });

  it('gets no number that is recalled', async () => {
    const drug = await aDrug();
    const recalled = await aBatch(drug, 5, { batchNo: 'B-1' });
    const misread = await aBatch(drug, 5, { batchNo: 'B-l', location: 'Ward' });
    await post(`stock-batches/${recalled.id}/recall`, { reason: 'Contaminated' });
    const correct = (changes: object) => send('PUT', `stock-batches/${misread.id}`, pharmacist, changes);
    expect(outcome(await correct({ batchNo: 'b-1' }))).toBe('BATCH_RECALLED');
    expect(outcome(await correct({ batchNo: 'B-2', location: 'Ward 2' }))).toBe(200);
  });

  it('that is recalled is recalled at every location, and never comes back', async () => {
    const drug = await aDrug();
    const here = await aBatch(drug, 3);
    const there = await aBatch(drug, 4, { batchNo: here.batchNo.toLowerCase(), location: 'Ward 3' });
    const recalled = await post(`stock-batches/${there.id}/recall`, { reason: 'Contaminated' });
    expect(recalled.data<Batch[]>().map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [here.id, 'recalled'],
        [there.id, 'recalled'],
      ]),
    );
    const step = async (name: string) =>
      outcome(await post(`stock-batches/${here.id}/${name}`, { quantity: 1, reason: 'x' }));
    expect([await step('recall'), await step('release'), await step('quarantine')]).toEqual(
      Array(3).fill('INVALID_STATE'),
    );
    expect([await step('receive'), await step('adjust')]).toEqual(Array(2).fill('BATCH_RECALLED'));
    const again = { drugId: drug.id, batchNo: here.batchNo, location: 'Ward 4', expiresOn: day(9), quantity: 1 };
    expect(outcome(await post('stock-batches', again))).toBe('BATCH_RECALLED');
    expect(await step('discard')).toBe(200);
  });

  it('is found by drug, number, location, state and expiry', async () => {
    const drug = await aDrug();
    const [soon, later] = [await aBatch(drug, 1, { expiresOn: day(3) }), await aBatch(drug, 1, { location: 'Ward 3' })];
    await post(`stock-batches/${later.id}/quarantine`, { reason: 'Too warm' });
    const found = async (query: string) =>
      (await get(`stock-batches?drugId=${drug.id}&${query}`)).data<Batch[]>().map(({ id }) => id);
    expect(await found('')).toEqual([soon.id, later.id]);
    expect(await found(`expiringBefore=${day(4)}`)).toEqual([soon.id]);
    expect(await found('location=Ward 3')).toEqual([later.id]);
    expect(await found('status=quarantined')).toEqual([later.id]);
    expect(await found(`batchNo=${soon.batchNo.toLowerCase()}`)).toEqual([soon.id]);
    expect(await found(`q=${soon.batchNo}`)).toEqual([soon.id]);
    await post(`stock-batches/${soon.id}/discard`, { quantity: 1, reason: 'Expired' });
    expect(await found('inStock=true')).toEqual([later.id]);
  });

  it('can’t have another balance than its ledger, whatever code writes', async () => {
    const batch = await aBatch(await aDrug(), 10);
    const { schema } = hospitalNames(mary.hospital.prefix);
    const table = () => hms.operator(`${schema}.stock_batches`).where({ id: batch.id });
    await expect(table().update({ on_hand: 9 })).rejects.toThrow('stock_batches_last_movement');
    await expect(table().update({ on_hand: -1 })).rejects.toThrow('stock_batches_on_hand');
    const movement = {
      batch_id: batch.id,
      drug_id: batch.drugId,
      number: 2,
      kind: 'adjusted',
      reason: 'x',
      moved_by: 'x',
    };
    const movements = hms.operator(`${schema}.stock_movements`);
    await expect(movements.insert({ ...movement, id: OTHER, quantity: 5, balance: 16 })).rejects.toThrow(
      'stock_movements_chain',
    );
  });
});

describe('the levels', () => {
  it('count what may be dispensed today, and say what has to be ordered', async () => {
    const drug = await aDrug({ reorderLevel: 10 });
    await aBatch(drug, 4, { expiresOn: day(5) });
    await aBatch(drug, 5, { expiresOn: day(50) });
    const kept = await aBatch(drug, 6);
    await post(`stock-batches/${kept.id}/quarantine`, { reason: 'Too warm' });
    const old = await aBatch(drug, 7);
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms
      .operator(`${schema}.stock_batches`)
      .where({ id: old.id })
      .update({ expires_on: day(-1) });
    const level = async (more = '') => (await get(`drug-levels?drugId=${drug.id}${more}`)).data<object[]>();
    expect(await level()).toEqual([
      expect.objectContaining({
        ...{ available: 9, expired: 7, quarantined: 6, recalled: 0, reorderLevel: 10 },
        ...{ isBelowReorderLevel: true, nextExpiry: `${day(5)}T00:00:00.000Z` },
      }),
    ]);
    expect(await level('&belowReorderLevel=true')).toHaveLength(1);
    await post(`stock-batches/${kept.id}/release`, { reason: 'It was not' });
    expect(await level('&belowReorderLevel=true')).toHaveLength(0);
    expect(await level()).toEqual([expect.objectContaining({ available: 15, isBelowReorderLevel: false })]);
  });

  it('of a drug that was never received are zero', async () => {
    const drug = await aDrug({ reorderLevel: 1 });
    const [level] = (await get(`drug-levels?q=${drug.name}`)).data<object[]>();
    expect(level).toMatchObject({ drugId: drug.id, available: 0, isBelowReorderLevel: true, nextExpiry: null });
  });
});

describe('a count', () => {
  const aCount = async () => (await post('stock-counts')).data<StockCount>();
  const record = ({ id }: StockCount, lines: object[]) =>
    send('PUT', `stock-counts/${id}/lines`, pharmacist, { lines });
  const act = (step: string, { id }: StockCount, token = colleague, body: object = {}) =>
    post(`stock-counts/${id}/${step}`, body, token);

  it('corrects the stock by the differences when somebody else approves it', async () => {
    const drug = await aDrug();
    const [short, right] = [await aBatch(drug, 10), await aBatch(drug, 3)];
    const count = await aCount();
    expect(outcome(await act('submit', count))).toBe('COUNT_EMPTY');
    await record(count, [
      { batchId: short.id, counted: 8 },
      { batchId: right.id, counted: 3 },
    ]);
    expect(outcome(await act('approve', count))).toBe('INVALID_STATE');
    expect(outcome(await act('submit', count, pharmacist))).toBe(200);
    expect(outcome(await act('approve', count, pharmacist))).toBe('SAME_PERSON_APPROVAL');
    // Somebody takes some meanwhile.
    await post(`stock-batches/${short.id}/adjust`, { quantity: -1, reason: 'Broken' });
    expect(await act('approve', count)).toMatchObject({ status: 200 });
    expect([await onHand(short), await onHand(right)]).toEqual([7, 3]);
    expect((await movementsOf(short))[0]).toEqual(['counted', -2, 7]);
    expect(await movementsOf(right)).toHaveLength(1);
    expect(outcome(await act('approve', count))).toBe('INVALID_STATE');
    expect(outcome(await record(count, [{ batchId: short.id, counted: 1 }]))).toBe('INVALID_STATE');
    const lines = (await get(`stock-counts/${count.id}/lines`)).data<object[]>();
    expect(lines).toContainEqual(
      expect.objectContaining({ batchId: short.id, expected: 10, counted: 8, difference: -2 }),
    );
  });

  it('that is approved twice at once corrects the stock once', async () => {
    const batch = await aBatch(await aDrug(), 10);
    const count = await aCount();
    await record(count, [{ batchId: batch.id, counted: 4 }]);
    await act('submit', count, pharmacist);
    const answers = await Promise.all([act('approve', count), act('approve', count, admin), act('approve', count)]);
    expect(answers.map(outcome).sort()).toEqual([200, 'INVALID_STATE', 'INVALID_STATE']);
    expect(await onHand(batch)).toBe(4);
  });

  it('that is rejected changes nothing', async () => {
    const batch = await aBatch(await aDrug(), 10);
    const count = await aCount();
    await record(count, [{ batchId: batch.id, counted: 0 }]);
    await act('submit', count, pharmacist);
    expect(await act('reject', count, colleague, { reason: 'Counted the wrong shelf' })).toMatchObject({ status: 200 });
    expect(await onHand(batch)).toBe(10);
  });

  it('of an unknown batch is refused', async () => {
    expect(outcome(await record(await aCount(), [{ batchId: OTHER, counted: 1 }]))).toBe('STOCK_BATCH_NOT_FOUND');
  });
});
