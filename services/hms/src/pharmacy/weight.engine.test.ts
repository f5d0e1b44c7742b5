/** Doses by the weight of the patient: who is asked for it, when, and what a reason covers. */
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import {
  aBatch,
  aDrug,
  aPatient,
  aPrescription,
  day,
  dispense,
  dispensed,
  doctor,
  get,
  hms,
  line,
  mary,
  outcome,
  type Prescribed,
  pharmacist,
  post,
  prescribe,
  send,
  unique,
  usePharmacy,
} from './testing.ts';

usePharmacy();

interface Finding {
  readonly finding: string;
  readonly kind: string;
  readonly message: string;
}
const PER_KG = { mgPerUnit: 50, maxDailyMgPerKg: 60 };
const aSyrup = (changes: object = {}) => aDrug({ unit: 'mL', ...PER_KG, ...changes });
/** Of 50 mg each. */
const mL = (drug: { readonly id: string }, dose: number) => line(drug, 30, { dose, timesPerDay: 3 });
const check = async (patient: { readonly id: string }, items: readonly object[], changes: object = {}) =>
  (await post('prescriptions/check', { patientId: patient.id, items, ...changes }, doctor)).data<{
    readonly findings: readonly Finding[];
  }>().findings;
const reasons = (findings: readonly Finding[]) => findings.map(({ finding }) => ({ finding, reason: 'Under watch' }));
const refusal = (answer: Awaited<ReturnType<typeof prescribe>>) => {
  const { findings = [] } = (answer.error?.details ?? {}) as { readonly findings?: readonly Finding[] };
  return [outcome(answer), ...findings.map(({ finding }) => finding.split('/').slice(2).join('/'))];
};
const weighedDaysAgo = ({ id }: Pick<Prescribed, 'id'>, days: number) =>
  hms
    .operator(`${hospitalNames(mary.hospital.prefix).schema}.prescriptions`)
    .where({ id })
    .update({ weighed_on: day(-days) });

describe('a drug', () => {
  it('has both fields of a dose by weight, or neither', async () => {
    const drug = await aSyrup({ mgPerUnit: 0.125 });
    expect(drug).toMatchObject({ mgPerUnit: 0.125, maxDailyMgPerKg: 60 });
    expect(await aDrug()).toMatchObject({ mgPerUnit: null, maxDailyMgPerKg: null });
    const change = (changes: object) => send('PUT', `drugs/${drug.id}`, pharmacist, changes);
    const usual = { code: unique('S'), name: 'S', ingredients: ['s'], form: 'Syrup', unit: 'mL' };
    for (const [missing, answer] of [
      ['maxDailyMgPerKg', await post('drugs', { ...usual, mgPerUnit: 50 })],
      ['mgPerUnit', await post('drugs', { ...usual, maxDailyMgPerKg: 60 })],
      ['mgPerUnit', await change({ mgPerUnit: null })],
      ['maxDailyMgPerKg', await change({ maxDailyMgPerKg: null })],
    ] as const) {
      expect(answer).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_FAILED', details: { fields: [{ field: missing, in: 'body' }] } },
      });
    }
    expect(outcome(await change({ maxDailyMgPerKg: 75 }))).toBe(200);
    expect(outcome(await change({ mgPerUnit: null, maxDailyMgPerKg: null }))).toBe(200);
    expect(outcome(await change({ mgPerUnit: 50 }))).toBe('VALIDATION_FAILED');
    expect(outcome(await change(PER_KG))).toBe(200);
    expect(outcome(await change({ mgPerUnit: 0.0001 }))).toBe('VALIDATION_FAILED');
  });

  it('with only one of them is refused by PostgreSQL too', async () => {
    const { id } = await aDrug();
    const { schema } = hospitalNames(mary.hospital.prefix);
    const half = hms.operator(`${schema}.drugs`).where({ id }).update({ mg_per_unit: 50 });
    await expect(half).rejects.toThrow('drugs_by_weight');
  });
});

describe('the weight', () => {
  it.each([
    [{ weightKg: 0.19 }, 'weightKg'],
    [{ weightKg: 700.01 }, 'weightKg'],
    [{ weightKg: 12.345 }, 'weightKg'],
    [{ weightKg: '12' }, 'weightKg'],
    [{ weighedOn: '2026-01-01' }, 'weighedOn'],
    [{ weightKg: 12, weighedOn: '2999-01-01' }, 'weighedOn'],
    [{ weightKg: 12, weighedOn: 'today' }, 'weighedOn'],
  ])('%j is refused, with the name of the field', async (changes, field) => {
    const [patient, items] = [await aPatient(), [line(await aDrug(), 1)]];
    for (const path of ['prescriptions', 'prescriptions/check']) {
      expect(await post(path, { patientId: patient.id, items, ...changes }, doctor)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_FAILED', details: { fields: [{ field, in: 'body' }] } },
      });
    }
  });

  it('is kept with its day, which is today if nobody says it', async () => {
    const [patient, drug] = [await aPatient(), await aSyrup()];
    const first = await aPrescription(patient, [mL(drug, 1)], { weightKg: 12.45 });
    expect(first).toMatchObject({ weightKg: 12.45, weighedOn: `${day(0)}T00:00:00.000Z` });
    const changes = { weightKg: 700, weighedOn: day(-30) };
    expect(
      (await get(`prescriptions/${(await aPrescription(await aPatient(), [mL(drug, 1)], changes)).id}`)).data(),
    ).toMatchObject({ weightKg: 700, weighedOn: `${day(-30)}T00:00:00.000Z` });
    expect(await aPrescription(await aPatient(), [line(await aDrug(), 1)])).toMatchObject({
      ...{ weightKg: null, weighedOn: null },
    });
  });
});

describe('a dose by weight', () => {
  it('needs a weight that is at most 30 days old, and is at most the limit', async () => {
    const [patient, drug] = [await aPatient(), await aSyrup()];
    expect(refusal(await prescribe(patient, [mL(drug, 5)]))).toEqual(['WEIGHT_CONFLICT', 'missing/750']);
    const old = { weightKg: 12.5, weighedOn: day(-31) };
    expect(refusal(await prescribe(patient, [mL(drug, 5)], old))).toEqual([
      'WEIGHT_CONFLICT',
      `old/750/12.5/${day(-31)}`,
    ]);
    expect(refusal(await prescribe(patient, [mL(drug, 5.001)], { weightKg: 12.5 }))).toEqual([
      'WEIGHT_CONFLICT',
      'exceeded/750.15/12.5/60',
    ]);
    expect(await check(patient, [mL(drug, 5.001)], { weightKg: 12.5 })).toEqual([
      expect.objectContaining({
        ...{ kind: 'weight', needsReason: true, drugIds: [drug.id] },
        message: `${drug.name}: 750.15 mg a day are more than 750 mg, which are 60 mg for each of 12.5 kg`,
      }),
    ]);
    expect(await check(patient, [mL(drug, 5)], { weightKg: 12.5, weighedOn: day(-30) })).toEqual([]);
    await aPrescription(patient, [mL(drug, 5)], { weightKg: 12.5, weighedOn: day(-30) });
  });

  it('of what the patient gets already counts too, also by another drug', async () => {
    const ingredients = [unique('paracetamol')];
    const [syrup, drops] = [await aSyrup({ ingredients }), await aSyrup({ ingredients, mgPerUnit: 100 })];
    const patient = await aPatient();
    await aPrescription(patient, [mL(drops, 2)], { weightKg: 12.5 });
    expect((await check(patient, [mL(syrup, 1)], { weightKg: 12.5 })).map(({ kind }) => kind)).toEqual(['duplicate']);
    const more = await check(patient, [mL(syrup, 2)], { weightKg: 12.5 });
    expect(more.map(({ kind }) => kind)).toEqual(['duplicate', 'weight']);
  });

  it('is accepted with a reason for this dose and this weight, and the role stays with it', async () => {
    const [patient, drug] = [await aPatient(), await aSyrup()];
    const overrides = reasons(await check(patient, [mL(drug, 6)], { weightKg: 12.5 }));
    for (const [dose, weightKg] of [
      [6.5, 12.5],
      [6, 12],
    ] as const) {
      const answer = await prescribe(patient, [mL(drug, dose)], { weightKg, overrides });
      expect([dose, outcome(answer)]).toEqual([dose, 'WEIGHT_CONFLICT']);
    }
    expect(await aPrescription(patient, [mL(drug, 6)], { weightKg: 12.5, overrides })).toMatchObject({
      overrides: [{ kind: 'weight', reason: 'Under watch', role: 'DOCTOR', dispenseId: null }],
    });
  });

  it('without a weight is accepted for one dose', async () => {
    const [patient, drug] = [await aPatient(), await aSyrup()];
    const overrides = reasons(await check(patient, [mL(drug, 1)]));
    expect(outcome(await prescribe(patient, [mL(drug, 2)], { overrides }))).toBe('WEIGHT_CONFLICT');
    await aPrescription(patient, [mL(drug, 1)], { overrides });
  });

  it('is not asked for by other drugs', async () => {
    expect(await check(await aPatient(), [line(await aDrug({ maxDailyDose: 1 }), 1)])).toEqual([]);
  });
});

describe('dispensing', () => {
  const findingsOf = async ({ id }: Prescribed, body: object = {}) =>
    (await post(`prescriptions/${id}/proposal`, body)).data<{ readonly findings: readonly Finding[] }>().findings;

  it('asks for a reason once if the weight has become old', async () => {
    const [patient, drug] = [await aPatient(), await aSyrup()];
    await aBatch(drug, 30);
    const written = await aPrescription(patient, [mL(drug, 5)], { weightKg: 12.5 });
    await weighedDaysAgo(written, 30);
    expect(await findingsOf(written)).toEqual([]);
    await weighedDaysAgo(written, 31);
    const findings = await findingsOf(written);
    expect(findings).toMatchObject([{ kind: 'weight', details: { problem: 'old', weightKg: 12.5 } }]);
    expect(outcome(await dispense(written))).toBe('WEIGHT_CONFLICT');
    const items = [{ itemId: written.items[0]?.id, quantity: 10 }];
    const { id } = await dispensed(written, { items, overrides: reasons(findings) });
    // Accepted already.
    await dispensed(written);
    expect((await get(`prescriptions/${written.id}`)).data()).toMatchObject({
      status: 'dispensed',
      overrides: [{ kind: 'weight', reason: 'Under watch', role: 'PHARMACIST', dispenseId: id }],
    });
  });

  it('asks for nothing that the doctor has accepted', async () => {
    const [patient, drug] = [await aPatient(), await aSyrup()];
    await aBatch(drug, 30);
    const old = { weightKg: 12.5, weighedOn: day(-40) };
    const findings = await check(patient, [mL(drug, 6)], old);
    expect(findings).toHaveLength(2);
    const written = await aPrescription(patient, [mL(drug, 6)], { ...old, overrides: reasons(findings) });
    await dispensed(written);
  });

  it('checks a substitute by its own fields', async () => {
    const ingredients = [unique('paracetamol')];
    const [plain, limited] = [await aDrug({ ingredients, unit: 'mL' }), await aSyrup({ ingredients })];
    await aBatch(limited, 60);
    const substituted = ({ items: [item] }: Prescribed) => ({
      items: [{ itemId: item?.id, quantity: 1, substitute: { drugId: limited.id, reason: 'In stock' } }],
    });
    const unweighed = await aPrescription(await aPatient(), [mL(plain, 5)]);
    expect(refusal(await dispense(unweighed, substituted(unweighed)))).toEqual(['WEIGHT_CONFLICT', 'missing/750']);
    const weighed = await aPrescription(await aPatient(), [mL(plain, 5)], { weightKg: 12.5 });
    await dispensed(weighed, substituted(weighed));
  });
});
