/** Many people at once: the ledger, the batches and what patients got always agree. */
import type { Batch } from '@hms/domain/stock';
import { describe, expect, it } from '@jest/globals';
import {
  aBatch,
  aDrug,
  aPatient,
  aPrescription,
  type Dispensed,
  day,
  disagreements,
  dispense,
  get,
  line,
  onHand,
  outcome,
  post,
  usePharmacy,
} from './testing.ts';

usePharmacy();

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
