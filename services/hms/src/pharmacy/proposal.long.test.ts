/** What the pages show before anything is taken, and the names that they show. */
import type { Drug } from '@hms/domain/drugs';
import { describe, expect, it } from '@jest/globals';
import {
  aBatch,
  aDrug,
  admin,
  aPatient,
  aPrescription,
  day,
  dispense,
  dispensed,
  doctor,
  get,
  line,
  onHand,
  outcome,
  type Prescribed,
  pharmacist,
  post,
  send,
  unique,
  usePharmacy,
} from './testing.ts';

usePharmacy();

interface Proposal {
  readonly items: readonly {
    readonly itemId: string;
    readonly drugId: string;
    readonly taken: readonly { readonly batchId: string; readonly quantity: number; readonly why: string }[];
    readonly passedOver: readonly { readonly batchId: string; readonly why: string }[];
    readonly missing: number;
    readonly substitutes: readonly { readonly drugId: string; readonly available: number }[];
  }[];
  readonly findings: readonly { readonly finding: string; readonly kind: string }[];
  readonly mayOverride: boolean;
}

const propose = (prescription: Pick<Prescribed, 'id'>, body: object = {}, token = pharmacist) =>
  post(`prescriptions/${prescription.id}/proposal`, body, token);
const proposed = async (prescription: Pick<Prescribed, 'id'>, body: object = {}) =>
  (await propose(prescription, body)).data<Proposal>();
const like = ({ ingredients, form, strength, unit }: Drug) => ({ ingredients, form, strength, unit });

describe('a proposal', () => {
  it('is what dispensing then takes, and takes nothing itself', async () => {
    const drug = await aDrug();
    const [last, first] = [await aBatch(drug, 50), await aBatch(drug, 4, { expiresOn: day(30) })];
    const kept = await aBatch(drug, 9);
    await post(`stock-batches/${kept.id}/quarantine`, { reason: 'Too warm' });
    const prescription = await aPrescription(await aPatient(), [line(drug, 10)]);
    const { items, findings } = await proposed(prescription);
    expect(findings).toEqual([]);
    expect(items).toMatchObject([{ missing: 0, passedOver: [{ batchId: kept.id, why: 'quarantined' }] }]);
    expect([await onHand(first), await onHand(last)]).toEqual([4, 50]);
    const { allocation } = await dispensed(prescription);
    expect(items.map(({ substitutes: _, ...rest }) => rest)).toEqual(allocation);
    expect(outcome(await propose(prescription))).toBe('INVALID_STATE');
  });

  it('says what is missing, and which drugs may be given in place of it', async () => {
    const drug = await aDrug();
    const same = await aDrug(like(drug));
    // Not in stock.
    await aDrug(like(drug));
    const other = await aDrug({ ...like(drug), strength: '10 mg' });
    await aBatch(drug, 3);
    for (const one of [same, other]) await aBatch(one, 20);
    const prescription = await aPrescription(await aPatient(), [line(drug, 10)]);
    const [item] = (await proposed(prescription)).items;
    expect(item).toMatchObject({ missing: 7, substitutes: [{ drugId: same.id, available: 20 }] });

    const itemId = item?.itemId;
    const instead = { items: [{ itemId, substitute: { drugId: same.id, reason: 'Out of stock' } }] };
    expect((await proposed(prescription, instead)).items).toMatchObject([{ drugId: same.id, missing: 0 }]);
    const excluded = await aPrescription(await aPatient(), [line(drug, 10, { maySubstitute: false })]);
    expect((await proposed(excluded)).items).toMatchObject([{ missing: 7, substitutes: [] }]);
  });

  it('names what was found since, until somebody has accepted it', async () => {
    const drug = await aDrug();
    await aBatch(drug, 20);
    const patient = await aPatient();
    const prescription = await aPrescription(patient, [line(drug, 10)]);
    const allergies = [{ substance: drug.ingredients[0], severity: 'severe' }];
    await send('PUT', `patients/${patient.id}`, doctor, { allergies });
    const { findings, mayOverride } = await proposed(prescription);
    expect([findings.map(({ kind }) => kind), mayOverride]).toEqual([['allergy'], true]);
    expect(outcome(await dispense(prescription))).toBe('ALLERGY_CONFLICT');
    const [found] = findings;
    const [item] = prescription.items;
    await dispensed(prescription, {
      items: [{ itemId: item?.id, quantity: 4 }],
      overrides: [{ finding: found?.finding, reason: 'Tolerated before' }],
    });
    expect(await proposed(prescription)).toMatchObject({ findings: [] });
  });

  it('is for those who may dispense', async () => {
    const drug = await aDrug();
    const prescription = await aPrescription(await aPatient(), [line(drug, 1)]);
    expect(outcome(await propose(prescription, {}, doctor))).toBe('FORBIDDEN');
    expect(outcome(await propose(prescription, {}, admin))).toBe('FORBIDDEN');
  });
});

describe('lists', () => {
  it('of batches have the drug, and are found by it', async () => {
    const drug = await aDrug({ name: unique('Findable') });
    const batch = await aBatch(drug, 5);
    const found = (await get(`stock-batches?q=${drug.name}`)).data();
    expect(found).toMatchObject([{ id: batch.id, drugName: drug.name, drugCode: drug.code, unit: 'tablet' }]);
    expect((await get(`stock-batches/${batch.id}`)).data()).toMatchObject({ drugName: drug.name });
  });

  it('of prescriptions of a patient have those of a merged patient', async () => {
    const drug = await aDrug();
    const [kept, merged] = [await aPatient(), await aPatient()];
    const first = await aPrescription(merged, [line(drug, 1)]);
    const ids = async (id: string) =>
      (await get(`prescriptions?patientId=${id}`)).data<readonly Prescribed[]>().map((one) => one.id);
    expect(await ids(kept.id)).toEqual([]);
    const merge = await post(`patients/${merged.id}/merge`, { intoId: kept.id, version: merged.version }, admin);
    expect(outcome(merge)).toBe(200);
    expect([await ids(kept.id), await ids(merged.id)]).toEqual([[first.id], [first.id]]);
  });

  it('of checks say whether the caller may accept what is found', async () => {
    const drug = await aDrug();
    const body = { patientId: (await aPatient()).id, items: [line(drug, 1)] };
    expect((await post('prescriptions/check', body, doctor)).data()).toMatchObject({ mayOverride: true });
  });
});
