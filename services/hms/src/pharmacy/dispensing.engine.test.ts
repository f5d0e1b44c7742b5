/** What leaves the stock for a patient, and what comes back. */
import type { Batch } from '@hms/domain/stock';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import {
  aBatch,
  aDrug,
  admin,
  aPatient,
  aPrescription,
  type Dispensed,
  day,
  dispense,
  dispensed,
  doctor,
  get,
  hms,
  line,
  mary,
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

const expire = ({ id }: Batch) =>
  hms
    .operator(`${hospitalNames(mary.hospital.prefix).schema}.stock_batches`)
    .where({ id })
    .update({ expires_on: day(-1) });
/** Quantity and status of what it charges. */
const charged = async ({ lines }: Dispensed) => {
  const rows = await hms
    .operator(`${hospitalNames(mary.hospital.prefix).schema}.charges`)
    .whereIn(
      'source_id',
      lines.map(({ id }) => id),
    )
    .orderBy('quantity');
  return rows.map(({ quantity, status }) => [quantity, status]);
};
const read = async ({ id }: Pick<Prescribed, 'id'>) => (await get(`prescriptions/${id}`)).data<Prescribed>();

describe('dispensing', () => {
  it('takes from what expires first, and says which batches it passed over and why', async () => {
    const drug = await aDrug({ price: 125 });
    const last = await aBatch(drug, 50, { expiresOn: day(90) });
    const first = await aBatch(drug, 4, { expiresOn: day(3) });
    const [old, kept, recalled] = [await aBatch(drug, 9), await aBatch(drug, 9), await aBatch(drug, 9)];
    await expire(old);
    await post(`stock-batches/${kept.id}/quarantine`, { reason: 'Too warm' });
    await post(`stock-batches/${recalled.id}/recall`, { reason: 'Contaminated' });
    const prescription = await aPrescription(await aPatient(), [line(drug, 10)]);
    const done = await dispensed(prescription);
    expect(done.lines.map(({ batchId, quantity }) => [batchId, quantity])).toEqual([
      [first.id, 4],
      [last.id, 6],
    ]);
    expect(done).toMatchObject({ lines: [{ unitPrice: 125 }, { unitPrice: 125 }] });
    const [allocation] = done.allocation;
    expect(allocation?.taken.map(({ batchId, quantity, why }) => [batchId, quantity, why])).toEqual([
      [first.id, 4, 'expires_first'],
      [last.id, 6, 'rest'],
    ]);
    expect(new Map(allocation?.passedOver.map(({ batchId, why }) => [batchId, why]))).toEqual(
      new Map([
        [old.id, 'expired'],
        [kept.id, 'quarantined'],
        [recalled.id, 'recalled'],
      ]),
    );
    expect([await onHand(first), await onHand(last), await onHand(old)]).toEqual([0, 44, 9]);
    expect(await read(prescription)).toMatchObject({ status: 'dispensed', items: [{ dispensed: 10 }] });
    expect(outcome(await dispense(prescription))).toBe('INVALID_STATE');
  });

  it('gives nothing if there is too little, and names what there is', async () => {
    const [scarce, plenty] = [await aDrug(), await aDrug()];
    const [few, many] = [await aBatch(scarce, 3), await aBatch(plenty, 30)];
    const old = await aBatch(scarce, 9);
    await expire(old);
    const prescription = await aPrescription(await aPatient(), [line(plenty, 10), line(scarce, 10)]);
    expect(await dispense(prescription)).toMatchObject({
      status: 409,
      error: {
        code: 'INSUFFICIENT_STOCK',
        details: {
          drugs: [{ drugId: scarce.id, wanted: 10, available: 3, passedOver: [{ onHand: 9, why: 'expired' }] }],
        },
      },
    });
    expect([await onHand(few), await onHand(many)]).toEqual([3, 30]);

    const part = await dispensed(prescription, { partially: true });
    expect(part.allocation.map(({ missing }) => missing)).toEqual([0, 7]);
    expect(await read(prescription)).toMatchObject({ status: 'partially_dispensed' });
    expect(outcome(await dispense(prescription, { partially: true }))).toBe('INSUFFICIENT_STOCK');
    await aBatch(scarce, 7);
    await dispensed(prescription);
    expect(await read(prescription)).toMatchObject({ status: 'dispensed' });
  });

  it('gives some items in some quantity, and never more than was prescribed', async () => {
    const [one, other] = [await aDrug(), await aDrug()];
    await aBatch(one, 50);
    const prescription = await aPrescription(await aPatient(), [line(one, 10), line(other, 10)]);
    const [item] = prescription.items;
    const give = (quantity: number) => dispense(prescription, { items: [{ itemId: item?.id, quantity }] });
    expect(outcome(await give(4))).toBe(201);
    expect(await give(7)).toMatchObject({
      error: { code: 'PRESCRIPTION_EXHAUSTED', details: { items: [{ itemId: item?.id, wanted: 7, left: 6 }] } },
    });
    expect(outcome(await give(6))).toBe(201);
    expect(outcome(await give(1))).toBe('PRESCRIPTION_EXHAUSTED');
    const foreign = await aPrescription(await aPatient(), [line(one, 1)]);
    const items = [{ itemId: foreign.items[0]?.id }];
    expect(outcome(await dispense(prescription, { items }))).toBe('PRESCRIPTION_ITEM_NOT_FOUND');
  });

  it('answers the same request with one key once, also without a body', async () => {
    const drug = await aDrug();
    const batch = await aBatch(drug, 10);
    const prescription = await aPrescription(await aPatient(), [line(drug, 4)]);
    const again = () =>
      hms.send('POST', `/api/hms/prescriptions/${prescription.id}/dispense`, {
        token: pharmacist,
        headers: { 'Idempotency-Key': prescription.id },
      });
    const answers = await Promise.all([again(), again(), again()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.data<Dispensed>().id)).size).toBe(1);
    expect(await onHand(batch)).toBe(6);
  });

  it('gives an equivalent drug in place of what was prescribed, if the doctor allows it', async () => {
    const ingredients = [unique('paracetamol')];
    const [brand, generic] = [
      await aDrug({ ingredients }),
      await aDrug({ ingredients: [ingredients[0]?.toUpperCase()] }),
    ];
    const stronger = await aDrug({ ingredients, strength: '10 mg' });
    const batch = await aBatch(generic, 10);
    const patient = await aPatient();
    const items = (prescription: Prescribed, drug: { id: string }) => ({
      items: [{ itemId: prescription.items[0]?.id, substitute: { drugId: drug.id, reason: 'Out of stock' } }],
    });
    const strict = await aPrescription(patient, [line(brand, 3, { maySubstitute: false })]);
    expect(outcome(await dispense(strict, items(strict, generic)))).toBe('SUBSTITUTION_NOT_ALLOWED');
    await post(`prescriptions/${strict.id}/cancel`, { reason: 'x' }, doctor);
    const free = await aPrescription(patient, [line(brand, 3)]);
    expect(outcome(await dispense(free, items(free, stronger)))).toBe('SUBSTITUTE_DIFFERS');
    expect(outcome(await dispense(free))).toBe('INSUFFICIENT_STOCK');
    const done = await dispensed(free, items(free, generic));
    expect(done.lines).toEqual([
      expect.objectContaining({
        drugId: generic.id,
        batchId: batch.id,
        quantity: 3,
        substitutionReason: 'Out of stock',
      }),
    ]);
  });

  it('shares one stock between an item and the substitute of another one', async () => {
    const ingredients = [unique('a')];
    const [brand, generic] = [await aDrug({ ingredients }), await aDrug({ ingredients })];
    const [first, second] = [
      await aBatch(generic, 5, { expiresOn: day(5) }),
      await aBatch(generic, 20, { expiresOn: day(9) }),
    ];
    const { findings } = (
      await post(
        'prescriptions/check',
        { patientId: (await aPatient()).id, items: [line(brand, 4), line(generic, 4)] },
        doctor,
      )
    ).data<{ findings: { finding: string }[] }>();
    const overrides = findings.map(({ finding }) => ({ finding, reason: 'Both' }));
    const both = await aPrescription(await aPatient(), [line(brand, 4), line(generic, 4)], { overrides });
    const [one, other] = both.items;
    const substitute = { drugId: generic.id, reason: 'Out of stock' };
    const done = await dispense(both, {
      items: [{ itemId: one?.id, substitute }, { itemId: other?.id }],
      overrides: [{ finding: `duplicate/${generic.id}/${generic.id}/`, reason: 'As prescribed' }],
    });
    expect(outcome(done)).toBe(201);
    expect([await onHand(first), await onHand(second)]).toEqual([0, 17]);
  });

  it('asks the pharmacist for a reason for what was found since it was prescribed', async () => {
    const drug = await aDrug({ ingredients: ['amoxicillin'] });
    await aBatch(drug, 10);
    const patient = await aPatient();
    const prescription = await aPrescription(patient, [line(drug, 5)]);
    const allergies = [{ substance: 'Amoxicillin', severity: 'mild' }];
    await send('PUT', `patients/${patient.id}`, doctor, { allergies });
    const refused = await dispense(prescription);
    expect(refused).toMatchObject({ status: 409, error: { code: 'ALLERGY_CONFLICT' } });
    const { findings } = (refused.error?.details ?? {}) as {
      readonly findings: readonly { readonly finding: string }[];
    };
    const overrides = findings.map(({ finding }) => ({ finding, reason: 'The doctor was called' }));
    const done = await dispensed(prescription, { overrides });
    expect((await read(prescription)).overrides).toEqual([
      expect.objectContaining({ role: 'PHARMACIST', reason: 'The doctor was called', dispenseId: done.id }),
    ]);
  });

  it('does not ask again for what the doctor has accepted', async () => {
    const drug = await aDrug({ maxDailyDose: 1 });
    await aBatch(drug, 10);
    const overrides = [{ finding: `dose/${drug.id}/2/1`, reason: 'Tall' }];
    const prescription = await aPrescription(await aPatient(), [line(drug, 5, { dose: 2 })], { overrides });
    await dispensed(prescription);
  });

  it('asks again if the limit of the drug is lower since', async () => {
    const drug = await aDrug({ maxDailyDose: 3 });
    await aBatch(drug, 10);
    const overrides = [{ finding: `dose/${drug.id}/4/3`, reason: 'Tall' }];
    const prescription = await aPrescription(await aPatient(), [line(drug, 8, { dose: 4 })], { overrides });
    expect(outcome(await send('PUT', `drugs/${drug.id}`, pharmacist, { maxDailyDose: 1 }))).toBe(200);
    expect(outcome(await dispense(prescription))).toBe('DOSE_EXCEEDED');
  });

  it('lists who got a batch with the name of now, also after a merge', async () => {
    const drug = await aDrug();
    const batch = await aBatch(drug, 10);
    const [double, patient] = [await aPatient({ phone: '+353861111111' }), await aPatient({ phone: '+353862222222' })];
    await dispensed(await aPrescription(double, [line(drug, 5)]));
    expect(outcome(await post(`patients/${double.id}/merge`, { intoId: patient.id }, admin))).toBe(200);
    const { patientCode, phone } = (await get(`patients/${patient.id}`, admin)).data<Record<string, string>>();
    expect((await get(`stock-batches/${batch.id}/recipients`, pharmacist)).data()).toEqual([
      expect.objectContaining({ patientId: double.id, patientCode, phone }),
    ]);
  });

  it('gives no drug with other milligrams in a unit in place of what was prescribed', async () => {
    const ofMilligrams = { ingredients: [unique('paracetamol')], unit: 'mL', strength: null, maxDailyMgPerKg: 60 };
    const [syrup, drops] = [
      await aDrug({ ...ofMilligrams, mgPerUnit: 24 }),
      await aDrug({ ...ofMilligrams, mgPerUnit: 100 }),
    ];
    await aBatch(drops, 10);
    const prescription = await aPrescription(await aPatient(), [line(syrup, 10)], { weightKg: 50 });
    const items = [{ itemId: prescription.items[0]?.id, substitute: { drugId: drops.id, reason: 'In stock' } }];
    expect(outcome(await dispense(prescription, { items }))).toBe('SUBSTITUTE_DIFFERS');
    expect((await post(`prescriptions/${prescription.id}/proposal`)).data()).toMatchObject({
      items: [{ substitutes: [] }],
    });
  });

  it('in parts is checked as a whole', async () => {
    const [one, other] = [await aDrug(), await aDrug()];
    await Promise.all([aBatch(one, 10), aBatch(other, 10)]);
    const prescription = await aPrescription(await aPatient(), [line(one, 5), line(other, 5)]);
    const [first, second] = prescription.items.map(({ id: itemId }) => ({ items: [{ itemId }] }));
    await dispensed(prescription, first);
    const pair = { substanceA: one.ingredients[0], substanceB: other.ingredients[0] };
    expect(outcome(await post('drug-interactions', { ...pair, severity: 'severe', effect: 'Bleeding' }))).toBe(201);
    expect(outcome(await dispense(prescription, second))).toBe('INTERACTION_CONFLICT');
  });

  it('does not ask again for what the doctor has accepted, in whatever parts and order', async () => {
    const byWeight = { ingredients: [unique('paracetamol')], unit: 'mL', mgPerUnit: 50, maxDailyMgPerKg: 60 };
    const drugs = [await aDrug(byWeight), await aDrug({ ...byWeight, form: 'Drops' })] as const;
    await Promise.all(drugs.map((drug) => aBatch(drug, 10)));
    const patient = await aPatient();
    const [body, weight] = [drugs.map((drug) => line(drug, 5, { dose: 20 })), { weightKg: 12.5 }];
    const checked = await post('prescriptions/check', { patientId: patient.id, items: body, ...weight }, doctor);
    const overrides = checked
      .data<{ readonly findings: readonly { readonly finding: string }[] }>()
      .findings.map(({ finding }) => ({ finding, reason: 'Under watch' }));
    expect(overrides).toHaveLength(3);
    const prescription = await aPrescription(patient, body, { ...weight, overrides });
    const [first, second] = prescription.items.map(({ id: itemId }) => ({ itemId, quantity: 2 }));
    await dispensed(prescription, { items: [second] });
    await dispensed(prescription, { items: [second, first] });
  });

  it('is listed for the patient, also after a merge', async () => {
    const [drug, patient, survivor] = [await aDrug(), await aPatient(), await aPatient()];
    await aBatch(drug, 5);
    const { id } = await dispensed(await aPrescription(patient, [line(drug, 5)]));
    await post(`patients/${patient.id}/merge`, { intoId: survivor.id }, admin);
    for (const one of [patient, survivor]) {
      expect((await get(`dispenses?patientId=${one.id}`)).data()).toMatchObject([{ id }]);
    }
    expect((await get(`dispenses?patientId=${(await aPatient()).id}`)).data()).toEqual([]);
  });

  it('is refused once it is cancelled, for a deleted drug’s patient of another hospital, and without the role', async () => {
    const drug = await aDrug();
    await aBatch(drug, 10);
    const prescription = await aPrescription(await aPatient(), [line(drug, 5)]);
    expect(outcome(await dispense(prescription, {}, doctor))).toBe('FORBIDDEN');
    expect(outcome(await dispense(prescription, { version: 99 }))).toBe('STALE_VERSION');
    await post(`prescriptions/${prescription.id}/cancel`, { reason: 'x' }, doctor);
    expect(outcome(await dispense(prescription))).toBe('INVALID_STATE');
  });
});

describe('a return', () => {
  const giveBack = ({ id }: Dispensed, lines: object[], more: object = {}) =>
    post(`dispenses/${id}/return`, { lines, reason: 'Not needed', ...more });

  it('goes into quarantine, and becomes stock again only when somebody releases it', async () => {
    const drug = await aDrug();
    const batch = await aBatch(drug, 10);
    const patient = await aPatient();
    const prescription = await aPrescription(patient, [line(drug, 6)]);
    const done = await dispensed(prescription);
    const [given] = done.lines;
    expect(await giveBack(done, [{ lineId: given?.id, quantity: 2 }])).toMatchObject({ data: expect.anything() });
    expect(await giveBack(done, [{ lineId: given?.id, quantity: 5 }])).toMatchObject({
      error: { code: 'RETURN_EXCEEDS_DISPENSED', details: { lines: [{ lineId: given?.id, left: 4 }] } },
    });
    const back = await giveBack(done, [{ lineId: given?.id, quantity: 4 }]);
    expect(back.data<Dispensed>()).toMatchObject({ status: 'returned', lines: [{ returned: 6 }] });
    // Each time that something was brought back.
    const events = (await get(`patients/${patient.id}/timeline?kind=prescription.returned`)).data<object[]>();
    const details = { dispenseNo: done.dispenseNo, prescriptionId: prescription.id };
    expect(events).toMatchObject([{ recordId: done.id, details }, { details }]);

    const stock = (await get(`stock-batches?drugId=${drug.id}`)).data<Batch[]>();
    const returned = stock.find(({ returnedFromId }) => returnedFromId === batch.id);
    expect(returned).toMatchObject({ status: 'quarantined', onHand: 6, batchNo: batch.batchNo });
    expect(await onHand(batch)).toBe(4);
    const another = await aPrescription(await aPatient(), [line(drug, 5)]);
    expect(outcome(await dispense(another))).toBe('INSUFFICIENT_STOCK');
    expect(outcome(await post(`stock-batches/${returned?.id}/receive`, { quantity: 1 }))).toBe('BATCH_RETURNED');
    expect(await post(`stock-batches/${returned?.id}/release`, { reason: 'Sealed' })).toMatchObject({ status: 200 });
    expect([await onHand(batch), await onHand(returned as Batch)]).toEqual([10, 0]);
    expect(outcome(await dispense(another))).toBe(201);
    // What was given and came back is not given again.
    expect(await read(prescription)).toMatchObject({ status: 'dispensed' });
  });

  it('leaves what is kept to be paid for, in each of its lines', async () => {
    const [drug, free] = [await aDrug({ price: 125 }), await aDrug()];
    await aBatch(drug, 4, { expiresOn: day(30) });
    await aBatch(drug, 10, { expiresOn: day(90) });
    await aBatch(free, 10);
    const done = await dispensed(await aPrescription(await aPatient(), [line(drug, 10), line(free, 3)]));
    expect(await charged(done)).toEqual([
      [4, 'open'],
      [6, 'open'],
    ]);
    const lines = done.lines
      .filter(({ drugId }) => drugId === drug.id)
      .map(({ id: lineId }) => ({ lineId, quantity: 4 }));
    expect((await giveBack(done, lines)).status).toBe(200);
    expect(await charged(done)).toEqual([
      [2, 'open'],
      [4, 'cancelled'],
    ]);
  });

  it('of two batches and a dispense of the same drug do not block each other', async () => {
    const drug = await aDrug();
    await aBatch(drug, 5, { expiresOn: day(10) });
    await aBatch(drug, 50, { expiresOn: day(20) });
    const given = await dispensed(await aPrescription(await aPatient(), [line(drug, 10)]));
    const takeBack = () =>
      post(`dispenses/${given.id}/return`, {
        lines: given.lines.map(({ id: lineId }) => ({ lineId, quantity: 1 })),
        reason: 'Rash',
      });
    expect(outcome(await takeBack())).toBe(200);
    const others = await Promise.all(
      Array.from({ length: 8 }, async () => aPrescription(await aPatient(), [line(drug, 1)])),
    );
    const answers = await Promise.all(
      others.flatMap((other, index) => (index % 2 === 0 ? [dispense(other), takeBack()] : [dispense(other)])),
    );
    expect(answers.map(outcome).toSorted()).toEqual([...Array(4).fill(200), ...Array(8).fill(201)]);
  });

  it('of a line of another dispense is refused', async () => {
    const drug = await aDrug();
    await aBatch(drug, 10);
    const one = await dispensed(await aPrescription(await aPatient(), [line(drug, 2)]));
    const other = await dispensed(await aPrescription(await aPatient(), [line(drug, 2)]));
    const lines = [{ lineId: other.lines[0]?.id, quantity: 1 }];
    expect(outcome(await giveBack(one, lines))).toBe('DISPENSE_LINE_NOT_FOUND');
  });
});

describe('a recall', () => {
  it('lists who received the batch, from any location, and recalls what comes back', async () => {
    const drug = await aDrug();
    const here = await aBatch(drug, 2, { expiresOn: day(5) });
    const there = await aBatch(drug, 9, { batchNo: here.batchNo, location: 'Ward 3', expiresOn: day(6) });
    await aBatch(drug, 9, { expiresOn: day(90) });
    const patients = [await aPatient(), await aPatient()];
    const given: Dispensed[] = [];
    for (const patient of patients) given.push(await dispensed(await aPrescription(patient, [line(drug, 4)])));
    await dispensed(await aPrescription(await aPatient(), [line(drug, 3)]));
    const unaffected = await dispensed(await aPrescription(await aPatient(), [line(drug, 4)]));
    expect(outcome(await post(`stock-batches/${there.id}/recall`, { reason: 'Contaminated' }))).toBe(200);

    const answer = await get(`stock-batches/${here.id}/recipients?limit=10`);
    const found = answer.data<{ patientId: string; quantity: number; phone: string; dispenseId: string }[]>();
    expect(answer.meta?.total).toBe(4);
    expect(new Set(found.map(({ patientId }) => patientId))).toContain(patients[0]?.id);
    expect(found.map(({ quantity }) => quantity).reduce((sum, one) => sum + one)).toBe(11);
    expect(found.every(({ phone }) => phone === '+353861234567')).toBe(true);
    expect(found.map(({ dispenseId }) => dispenseId)).not.toContain(unaffected.id);
    const looked = (await get(`patients/${patients[0]?.id}/access`, admin)).data<object[]>();
    expect(looked).toContainEqual(
      expect.objectContaining({ action: 'list', details: expect.objectContaining({ reason: 'recall' }) }),
    );

    const [first] = given;
    const lines = [{ lineId: first?.lines[0]?.id, quantity: 1 }];
    await post(`dispenses/${first?.id}/return`, { lines, reason: 'Recalled' });
    const [back] = (await get(`stock-batches?drugId=${drug.id}&status=recalled&sort=-createdAt`)).data<Batch[]>();
    expect(back).toMatchObject({ status: 'recalled', onHand: 1 });
    expect(outcome(await post(`stock-batches/${back?.id}/release`, { reason: 'x' }))).toBe('BATCH_RECALLED');
  });
});
