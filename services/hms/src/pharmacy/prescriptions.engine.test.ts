/** What speaks against a prescription, who may accept it, and how it ends. */
import { createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
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
  hms,
  line,
  mary,
  outcome,
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
  readonly needsReason: boolean;
}
const check = async (patient: { readonly id: string }, items: readonly object[]) =>
  (await post('prescriptions/check', { patientId: patient.id, items }, doctor)).data<{
    readonly allergiesKnown: boolean;
    readonly findings: readonly Finding[];
  }>();
const reasons = (findings: readonly Finding[]) =>
  findings.filter(({ needsReason }) => needsReason).map(({ finding }) => ({ finding, reason: 'No alternative' }));

describe('a prescription that repeats another', () => {
  it('names it, and does not take its accepted findings over', async () => {
    const drug = await aDrug({ ingredients: [unique('salt')], maxDailyDose: 2 });
    const patient = await aPatient();
    const high = [line(drug, 10, { timesPerDay: 3 })];
    const { findings } = await check(patient, high);
    const earlier = await aPrescription(patient, high, { overrides: reasons(findings) });
    await post(`prescriptions/${earlier.id}/cancel`, { reason: 'Stopped', version: earlier.version }, doctor);
    expect(await prescribe(patient, high, { repeatOfId: earlier.id })).toMatchObject({
      status: 409,
      error: { code: 'DOSE_EXCEEDED' },
    });
    const repeat = await aPrescription(patient, high, { repeatOfId: earlier.id, overrides: reasons(findings) });
    expect(repeat).toMatchObject({ repeatOfId: earlier.id, repeatOfNo: earlier.rxNo });
    expect((await get(`prescriptions/${earlier.id}`, doctor)).data()).toMatchObject({
      repeatOfId: null,
      repeatOfNo: null,
    });
  });

  it('shows which drugs may be prescribed again', async () => {
    const [kept, gone] = [await aDrug({ mgPerUnit: 5, maxDailyMgPerKg: 60 }), await aDrug()];
    const patient = await aPatient();
    const { id } = await aPrescription(patient, [line(kept, 10), line(gone, 10)], { weightKg: 70 });
    await post(`drugs/${gone.id}/deactivate`, { version: gone.version }, admin);
    expect((await get(`prescriptions/${id}`, doctor)).data()).toMatchObject({
      items: [
        { drugStatus: 'active', isByWeight: true },
        { drugStatus: 'inactive', isByWeight: false },
      ],
    });
    expect(await prescribe(patient, [line(gone, 10)], { repeatOfId: id })).toMatchObject({
      status: 409,
      error: { code: 'DRUG_INACTIVE', details: { drugs: [{ id: gone.id }] } },
    });
  });

  it('is of the same patient, also after a merge', async () => {
    const drug = await aDrug();
    const [patient, double, other] = [await aPatient(), await aPatient(), await aPatient()];
    const { id } = await aPrescription(double, [line(drug, 10, { durationDays: 1 })]);
    expect(await prescribe(other, [line(await aDrug(), 10)], { repeatOfId: id })).toMatchObject({
      status: 422,
      error: { code: 'REPEAT_OF_OTHER_PATIENT' },
    });
    const merged = await post(`patients/${double.id}/merge`, { intoId: patient.id, version: double.version }, admin);
    expect(outcome(merged)).toBe(200);
    expect(await aPrescription(patient, [line(await aDrug(), 10)], { repeatOfId: id })).toMatchObject({
      repeatOfId: id,
    });
  });

  it.each([
    ['nobody knows', '0190d2ab-0000-7000-8000-000000000000', 404, 'PRESCRIPTION_NOT_FOUND'],
    ['is no id', 'RX-1', 400, 'VALIDATION_FAILED'],
  ])('is refused if %s it', async (_, repeatOfId, status, code) => {
    expect(await prescribe(await aPatient(), [line(await aDrug(), 10)], { repeatOfId })).toMatchObject({
      status,
      error: { code },
    });
  });
});

describe('the checks', () => {
  it('find an allergy by an ingredient, its group and its plural', async () => {
    const drug = await aDrug({ name: 'Amoxil', ingredients: ['amoxicillin'], allergyGroups: ['Penicillins'] });
    const allergies = [
      { substance: 'Penicillin', severity: 'severe' },
      { substance: 'Nuts', severity: 'mild' },
    ];
    const patient = await aPatient({ allergies });
    const { allergiesKnown, findings } = await check(patient, [line(drug, 10)]);
    expect({ allergiesKnown, findings }).toEqual({
      allergiesKnown: true,
      findings: [
        expect.objectContaining({
          ...{ kind: 'allergy', needsReason: true, drugIds: [drug.id] },
          message: 'Amoxil: the patient is allergic to Penicillin (severe)',
        }),
      ],
    });
    expect(await prescribe(patient, [line(drug, 10)])).toMatchObject({
      status: 409,
      error: { code: 'ALLERGY_CONFLICT', details: { findings: [{ kind: 'allergy' }] } },
    });
    const { overrides } = await aPrescription(patient, [line(drug, 10)], { overrides: reasons(findings) });
    expect(overrides).toEqual([expect.objectContaining({ kind: 'allergy', reason: 'No alternative', role: 'DOCTOR' })]);
  });

  it('say when nobody has asked about allergies', async () => {
    expect(await check(await aPatient(), [line(await aDrug(), 1)])).toEqual({
      allergiesKnown: false,
      findings: [],
      mayOverride: true,
    });
  });

  it('find interactions within a prescription and with what the patient takes', async () => {
    const [a, b, c] = [unique('alpha'), unique('beta'), unique('gamma')];
    const drugs = [
      await aDrug({ ingredients: [a] }),
      await aDrug({ ingredients: [b] }),
      await aDrug({ ingredients: [c] }),
    ];
    const [first, second, third] = drugs as [(typeof drugs)[0], (typeof drugs)[0], (typeof drugs)[0]];
    await post('drug-interactions', { substanceA: b, substanceB: a, severity: 'severe', effect: 'Bleeding' });
    await post('drug-interactions', { substanceA: a, substanceB: c, severity: 'minor', effect: 'Drowsiness' });
    const patient = await aPatient();
    const together = await check(patient, [line(first, 1), line(second, 1), line(third, 1)]);
    expect(together.findings.map(({ kind, needsReason }) => [kind, needsReason])).toEqual([
      ['interaction', true],
      ['interaction', false],
    ]);
    await aPrescription(patient, [line(first, 1)]);
    expect(outcome(await prescribe(patient, [line(second, 1)]))).toBe('INTERACTION_CONFLICT');
    expect(outcome(await prescribe(patient, [line(third, 1)]))).toBe(201);
    expect(outcome(await prescribe(await aPatient(), [line(second, 1)]))).toBe(201);
  });

  it('find an ingredient that the patient gets already, but not what was cancelled', async () => {
    const ingredient = unique('ibuprofen');
    const [one, other] = [
      await aDrug({ ingredients: [ingredient] }),
      await aDrug({ ingredients: [ingredient.toUpperCase()] }),
    ];
    const patient = await aPatient();
    const first = await aPrescription(patient, [line(one, 1)]);
    expect(await prescribe(patient, [line(other, 1)])).toMatchObject({
      error: {
        code: 'DUPLICATE_MEDICATION',
        details: { findings: [{ kind: 'duplicate', details: { rxNo: first.rxNo } }] },
      },
    });
    await post(`prescriptions/${first.id}/cancel`, { reason: 'Changed' }, doctor);
    expect(outcome(await prescribe(patient, [line(other, 1)]))).toBe(201);
  });

  it('find what was dispensed late until its days are over', async () => {
    const [drug, patient] = [await aDrug(), await aPatient()];
    await aBatch(drug, 10);
    const late = await aPrescription(patient, [line(drug, 10)]);
    const { schema } = hospitalNames(mary.hospital.prefix);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const kinds = async () => (await check(patient, [line(drug, 1)])).findings.map(({ kind }) => kind);
    await hms
      .operator(`${schema}.prescriptions`)
      .where({ id: late.id })
      .update({ created_at: daysAgo(20) });
    expect(await kinds()).toEqual([]);
    const { id } = await dispensed(late);
    expect(await kinds()).toEqual(['duplicate']);
    await hms
      .operator(`${schema}.dispenses`)
      .where({ id })
      .update({ created_at: daysAgo(11) });
    expect(await kinds()).toEqual([]);
  });

  it('take no dose of more than three decimals, however small', async () => {
    const [patient, drug] = [await aPatient(), await aDrug()];
    for (const dose of [1e-7, 5e-324, 2.0000001, 0.0004]) {
      expect([dose, outcome(await prescribe(patient, [line(drug, 1, { dose })]))]).toEqual([dose, 'VALIDATION_FAILED']);
    }
    expect(outcome(await prescribe(patient, [line(drug, 1, { dose: 0.001 })]))).toBe(201);
  });

  it('find a daily dose that is too high, exactly, also together with another prescription', async () => {
    const drug = await aDrug({ maxDailyDose: 0.9 });
    const three = line(drug, 1, { dose: 0.3, timesPerDay: 3 });
    const patient = await aPatient();
    expect((await check(patient, [three])).findings).toEqual([]);
    expect(outcome(await prescribe(patient, [line(drug, 1, { dose: 0.301, timesPerDay: 3 })]))).toBe('DOSE_EXCEEDED');
    await aPrescription(patient, [three]);
    const { findings } = await check(patient, [line(drug, 1, { dose: 0.1 })]);
    expect(findings.map(({ kind }) => kind)).toEqual(['duplicate', 'dose']);
    expect(findings[1]).toMatchObject({ details: { dailyDose: 1, maxDailyDose: 0.9 } });
  });

  it('find what a merged record says of allergies, until it is separated', async () => {
    const drug = await aDrug({ name: 'Amoxil', ingredients: ['amoxicillin'], allergyGroups: ['Penicillins'] });
    const patient = await aPatient();
    const alias = await aPatient({ allergies: [{ substance: 'Penicillin', severity: 'severe' }] });
    await aBatch(drug, 100);
    const written = await aPrescription(patient, [line(drug, 10)]);
    expect(outcome(await post(`patients/${alias.id}/merge`, { intoId: patient.id }, admin))).toBe(200);
    expect(await check(patient, [line(drug, 10)])).toMatchObject({
      allergiesKnown: true,
      findings: expect.arrayContaining([expect.objectContaining({ kind: 'allergy' })]),
    });
    expect(outcome(await prescribe(patient, [line(drug, 10)]))).toBe('ALLERGY_CONFLICT');
    // The one from before the merge is checked when the drug is given.
    expect(outcome(await post(`prescriptions/${written.id}/dispense`, {}, pharmacist))).toBe('ALLERGY_CONFLICT');
    expect(outcome(await post(`patients/${alias.id}/unmerge`, {}, admin))).toBe(200);
    expect((await check(patient, [line(drug, 10)])).findings.map(({ kind }) => kind)).not.toContain('allergy');
  });

  it('know what was prescribed to a patient who was merged', async () => {
    const drug = await aDrug();
    const [patient, alias] = [await aPatient(), await aPatient()];
    await aPrescription(alias, [line(drug, 1)]);
    expect(outcome(await post(`patients/${alias.id}/merge`, { intoId: patient.id }, admin))).toBe(200);
    expect(outcome(await prescribe(patient, [line(drug, 1)]))).toBe('DUPLICATE_MEDICATION');
  });

  it('see the prescription that another doctor writes at the same moment', async () => {
    const drug = await aDrug();
    const patient = await aPatient();
    const answers = await Promise.all(Array.from({ length: 8 }, () => prescribe(patient, [line(drug, 1)])));
    expect(answers.map(outcome).sort()).toEqual([201, ...Array(7).fill('DUPLICATE_MEDICATION')]);
  });

  it('do not take a reason for another finding', async () => {
    const drug = await aDrug({ maxDailyDose: 1 });
    const patient = await aPatient();
    const overrides = [{ finding: `dose/${drug.id}/1.5/1`, reason: 'Low weight' }];
    expect(outcome(await prescribe(patient, [line(drug, 1, { dose: 2 })], { overrides }))).toBe('DOSE_EXCEEDED');
    expect(outcome(await prescribe(patient, [line(drug, 1, { dose: 1.5 })], { overrides }))).toBe(201);
  });

  it('are not overridden in a hospital that withholds the permission', async () => {
    const drug = await aDrug({ maxDailyDose: 1 });
    const owner = await mary.token(['OWNER']);
    const withhold = (withheld: readonly string[]) => send('PUT', 'roles/DOCTOR', owner, { withheld });
    expect(await withhold(['prescriptions.override'])).toMatchObject({ status: 200 });
    const overrides = [{ finding: `dose/${drug.id}/2/1`, reason: 'Tall' }];
    const answer = await prescribe(await aPatient(), [line(drug, 1, { dose: 2 })], { overrides });
    await withhold([]);
    expect(outcome(answer)).toBe('OVERRIDE_NOT_ALLOWED');
  });
});

describe('a prescription', () => {
  it('has as many units as are taken, rounded up, unless it says otherwise', async () => {
    const [one, other] = [await aDrug(), await aDrug()];
    const half = { dose: 0.5, timesPerDay: 3, durationDays: 5 };
    const { items } = await aPrescription(await aPatient(), [
      { drugId: one.id, ...half },
      { drugId: other.id, ...half, quantity: 10 },
    ]);
    expect(items.map(({ quantity, dispensed }) => [quantity, dispensed])).toEqual([
      [8, 0],
      [10, 0],
    ]);
  });

  it.each([
    [{ dose: 0 }, 'dose'],
    [{ dose: '1' }, 'dose'],
    [{ timesPerDay: 25 }, 'timesPerDay'],
    [{ durationDays: 0 }, 'durationDays'],
    [{ quantity: 1.5 }, 'quantity'],
    [{ drugId: 'x' }, 'drugId'],
  ])('refuses %j', async (changes, field) => {
    const answer = await prescribe(await aPatient(), [{ ...line(await aDrug(), 1), ...changes }]);
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
    expect(JSON.stringify(answer.error?.details)).toContain(`items.0.${field}`);
  });

  it('has at most a million units of a drug, also if nobody says how many', async () => {
    const { id: drugId } = await aDrug();
    const item = { drugId, dose: 10_000, timesPerDay: 10, durationDays: 10 };
    await aPrescription(await aPatient(), [item]);
    expect(await prescribe(await aPatient(), [{ ...item, durationDays: 11 }])).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', details: { fields: [{ field: 'items.0.quantity', in: 'body' }] } },
    });
  });

  it('names unknown, foreign, inactive and repeated drugs', async () => {
    const other = await createTestHospital(hms.operator, hms.issuer);
    const token = await other.token(['PHARMACIST']);
    const usual = { code: 'X', name: 'X', ingredients: ['x'], form: 'Tablet', unit: 'tablet' };
    const foreign = (await post('drugs', usual, token)).data<{ id: string }>();
    const inactive = await aDrug();
    await post(`drugs/${inactive.id}/deactivate`);
    const patient = await aPatient();
    expect(outcome(await prescribe(patient, [line(foreign, 1)]))).toBe('DRUG_NOT_FOUND');
    expect(outcome(await prescribe(patient, [line(inactive, 1)]))).toBe('DRUG_INACTIVE');
    const drug = await aDrug();
    expect(outcome(await prescribe(patient, [line(drug, 1), line(drug, 2)]))).toBe('VALIDATION_FAILED');
    expect(outcome(await prescribe({ id: foreign.id }, [line(drug, 1)]))).toBe('PATIENT_NOT_FOUND');
  });

  it('keeps the patient from being deleted until it is cancelled, and is in the timeline', async () => {
    const patient = await aPatient();
    const { id, rxNo } = await aPrescription(patient, [line(await aDrug(), 1)]);
    expect(await send('DELETE', `patients/${patient.id}`, admin)).toMatchObject({
      status: 409,
      error: { code: 'PATIENT_HAS_OPEN_ITEMS', details: { items: [{ record: 'prescriptions', id, name: rxNo }] } },
    });
    const events = (await get(`patients/${patient.id}/timeline`, doctor)).data<object[]>();
    expect(events).toContainEqual(expect.objectContaining({ kind: 'prescription.written', details: { rxNo } }));
    expect(outcome(await post(`prescriptions/${id}/cancel`, {}, doctor))).toBe('VALIDATION_FAILED');
    expect(outcome(await post(`prescriptions/${id}/cancel`, { reason: 'Wrong patient' }, doctor))).toBe(200);
    expect(outcome(await post(`prescriptions/${id}/cancel`, { reason: 'Again' }, doctor))).toBe('INVALID_STATE');
    expect(outcome(await send('DELETE', `patients/${patient.id}`, admin))).toBe(200);
  });

  it('is found by number, patient and what is open', async () => {
    const drug = await aDrug();
    const patient = await aPatient();
    const [open, cancelled] = [
      await aPrescription(patient, [line(drug, 1)]),
      await aPrescription(patient, [line(await aDrug(), 1)]),
    ];
    await post(`prescriptions/${cancelled.id}/cancel`, { reason: 'x' }, doctor);
    const found = async (query: string) =>
      (await get(`prescriptions?${query}`)).data<{ id: string }[]>().map(({ id }) => id);
    expect(await found(`patientId=${patient.id}&open=true`)).toEqual([open.id]);
    expect(await found(`q=${open.rxNo}`)).toEqual([open.id]);
    expect(await found(`q=${patient.lastName}&sort=createdAt`)).toEqual([open.id, cancelled.id]);
    expect(await found(`patientId=${patient.id}&status=cancelled`)).toEqual([cancelled.id]);
  });

  it('is valid for a month unless it says otherwise, and not after that', async () => {
    const drug = await aDrug();
    await aBatch(drug, 5);
    const patient = await aPatient();
    expect(outcome(await prescribe(patient, [line(drug, 1)], { validUntil: day(-1) }))).toBe('VALIDATION_FAILED');
    expect(outcome(await prescribe(patient, [line(drug, 1)], { validUntil: day(400) }))).toBe('VALIDATION_FAILED');
    const prescription = await aPrescription(patient, [line(drug, 1)]);
    expect(prescription).toMatchObject({ validUntil: `${day(30)}T00:00:00.000Z` });
    const { schema } = hospitalNames(mary.hospital.prefix);
    const rows = hms.operator(`${schema}.prescriptions`).where({ id: prescription.id });
    await rows.update({ valid_until: day(-1) });
    expect(outcome(await dispense(prescription, {}, pharmacist))).toBe('PRESCRIPTION_EXPIRED');
  });
});
