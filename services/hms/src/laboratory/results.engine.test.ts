import { randomUUID } from 'node:crypto';
import { updateHospital } from '@hms/database';
import type { ShownOrder, ShownResult } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import { DEFAULT_SETTINGS, hospitalNames } from '@hms/tenancy';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activeTest,
  admin,
  COUNT,
  colleague,
  doctor,
  done,
  get,
  hms,
  item,
  JANE,
  mary,
  ORDERS,
  order,
  PATIENTS,
  POTASSIUM,
  patient,
  person,
  post,
  read,
  resulted,
  resultIds,
  SODIUM,
  step,
  TESTS,
  tech,
  useLaboratory,
  verified,
} from './testing.ts';

useLaboratory();

let potassium: LabTestWithRanges;
beforeEach(async () => {
  potassium = await activeTest(POTASSIUM);
});

const refused = (status: number, code: string) => ({ status, error: { code } });
const enter = (placed: ShownOrder, value: string, more: object = {}, token = tech) =>
  step(placed, 'results', { results: [{ itemId: item(placed).id, value, ...more }] }, token);
const verify = (placed: ShownOrder, token = colleague) =>
  step(placed, 'verify', { resultIds: resultIds(placed) }, token);
const amend = (placed: ShownOrder, value: string, token = tech) =>
  step(placed, 'amend', { resultId: resultIds(placed)[0], value, reason: 'Typing error' }, token);
const versions = async ({ id }: ShownOrder) => (await get(`${ORDERS}/${id}/results`)).data<ShownResult[]>();
const collected = async (changes: object = {}) => {
  const placed = await order([potassium], changes);
  return done(placed, 'collect');
};
/** A hospital in which people verify what they entered themselves. */
const trustEverybody = async () => {
  const settings = { ...DEFAULT_SETTINGS, requireSecondVerifier: false };
  await updateHospital(hms.operator, mary.hospital.prefix, { settings });
  // The module reads the registry again for the next token.
  hms.platform.registry.forget(mary.hospital);
};

describe('a result', () => {
  it('is entered for some tests or all, and flagged', async () => {
    const count = await activeTest(COUNT);
    const placed = await order([potassium, await activeTest(SODIUM), count]);
    await done(placed, 'collect');
    const results = [
      { itemId: item(placed, 'K').id, value: '5.11', note: 'Slightly haemolysed' },
      { itemId: item(placed, 'WBC').id, value: '>1000' },
    ];
    const some = await done(placed, 'results', { results });
    expect(some).toMatchObject({ status: 'in_progress', toResult: 1, toVerify: 2, toAcknowledge: 1, toReceive: 0 });
    expect(item(some, 'K').result).toMatchObject({
      ...{ number: 1, status: 'preliminary', value: '5.11', unit: 'mmol/L', flag: 'H', isCritical: false },
      ...{ note: 'Slightly haemolysed', source: 'manual', verifiedBy: null },
    });
    expect(item(some, 'WBC').result).toMatchObject({ value: '>1000', flag: 'HH', isCritical: true });
    const rest = { results: [{ itemId: item(placed, 'NA').id, value: '140' }] };
    expect(await done(placed, 'results', rest)).toMatchObject({ status: 'resulted', toResult: 0 });
  });

  it('keeps the range as it was, and who it was for', async () => {
    const first = await resulted('5', potassium);
    await hms.send('PUT', `${TESTS}/${potassium.id}`, { token: tech, body: { ranges: [{ high: '4' }] } });
    const second = await resulted('5', potassium);
    expect(item(await read(first)).result).toMatchObject({
      flag: 'N',
      range: { low: '3.5', high: '5.1', criticalLow: '2.5', criticalHigh: '6.5', subject: { sex: 'female' } },
    });
    expect(item(second).result).toMatchObject({ flag: 'H', range: { low: null, high: '4' } });
  });

  it.each([
    // In Jakarta, it is June 15 already.
    ['2026-06-14T17:30:00Z', 1, 'N'],
    ['2026-06-14T16:30:00Z', 0, 'H'],
  ])('of a specimen of %s is judged by the age at the collection, in days of the hospital', async (at, age, flag) => {
    const { schema } = hospitalNames(mary.hospital.prefix);
    const ranges = [
      { toAge: 1, high: '4' },
      { fromAge: 1, high: '6' },
    ];
    const test = await activeTest({ ...POTASSIUM, code: 'B', ranges });
    const baby = { ...JANE, dateOfBirth: '2026-06-14' };
    const { id } = (await post(PATIENTS, baby, doctor)).data<Patient>();
    const placed = await order([test], { patientId: id });
    await done(placed, 'collect');
    await hms.operator(`${schema}.lab_specimens`).where({ order_id: placed.id }).update({ collected_at: at });
    const results = [{ itemId: item(placed, 'B').id, value: '5' }];
    const { result } = item(await done(placed, 'results', { results }), 'B');
    expect(result).toMatchObject({ flag, range: { subject: { ageDays: age } } });
  });

  const HOURS = [
    { ageUnit: 'hours', toAge: 6, high: '4' },
    { ageUnit: 'hours', fromAge: 6, toAge: 24, high: '5' },
    { fromAge: 1, high: '6' },
  ];
  it.each([
    // Born at 10:00 in Jakarta, which is 03:00 UTC.
    ['10:00', '2026-06-14T08:59:00Z', 5, { high: '4', flag: 'H' }],
    ['10:00', '2026-06-14T09:00:00Z', 6, { high: '5', flag: 'N' }],
    ['10:00', '2026-06-15T02:59:00Z', 23, { high: '5', flag: 'N' }],
    ['10:00', '2026-06-15T03:00:00Z', 24, { high: '6', flag: 'N' }],
    [null, '2026-06-14T08:59:00Z', null, undefined],
    [null, '2026-06-15T03:00:00Z', null, { high: '6', flag: 'N' }],
  ])('of a newborn of %s and a specimen of %s is judged after %s hours', async (timeOfBirth, at, ageHours, range) => {
    const test = await activeTest({ ...POTASSIUM, code: 'B', ranges: HOURS });
    const baby = { ...JANE, dateOfBirth: '2026-06-14', timeOfBirth };
    const { id } = (await post(PATIENTS, baby, doctor)).data<Patient>();
    const placed = await order([test], { patientId: id });
    await done(placed, 'collect');
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms.operator(`${schema}.lab_specimens`).where({ order_id: placed.id }).update({ collected_at: at });
    const results = [{ itemId: item(placed, 'B').id, value: '5' }];
    const { result } = item(await done(placed, 'results', { results }), 'B');
    expect(result).toMatchObject(
      range === undefined
        ? { flag: null, unflagged: 'no_range', range: null }
        : { flag: range.flag, range: { high: range.high, subject: { ageHours } } },
    );
  });

  it('without a range for the patient has no flag, and says so', async () => {
    const test = await activeTest({ ...POTASSIUM, code: 'M', ranges: [{ sex: 'male', high: '4' }] });
    const placed = await resulted('9', test);
    expect(item(placed, 'M').result).toMatchObject({
      flag: null,
      unflagged: 'no_range',
      isCritical: false,
      range: null,
    });
  });

  it('of the wrong type is refused with its field, and nothing is stored', async () => {
    const placed = await order([potassium, await activeTest(SODIUM)]);
    await done(placed, 'collect');
    const results = [
      { itemId: item(placed, 'K').id, value: '4' },
      { itemId: item(placed, 'NA').id, value: '1,5' },
    ];
    const answer = await step(placed, 'results', { results });
    expect(answer).toMatchObject(refused(422, 'RESULT_TYPE_MISMATCH'));
    expect(answer.error.details).toMatchObject({ fields: [{ field: 'results.1.value' }] });
    expect(await versions(placed)).toEqual([]);
    expect(await enter(placed, '4.123')).toMatchObject(refused(422, 'RESULT_TYPE_MISMATCH'));
  });

  it('needs a collected specimen, and a test of the order', async () => {
    const placed = await order([potassium]);
    expect(await enter(placed, '4')).toMatchObject(refused(409, 'INVALID_STATE'));
    const results = [{ itemId: randomUUID(), value: '4' }];
    expect(await step(placed, 'results', { results })).toMatchObject(refused(404, 'LAB_ITEM_NOT_FOUND'));
  });

  it('is entered again before its verification, and the old version is kept', async () => {
    const first = await resulted('4', potassium);
    const [replaces] = resultIds(first);
    expect(await enter(first, '4.4')).toMatchObject(refused(409, 'LAB_RESULT_CHANGED'));
    const second = await enter(first, '4.5', { replaces }, colleague);
    expect(item(second.data<ShownOrder>()).result).toMatchObject({ number: 2, supersedesId: replaces, value: '4.5' });
    expect(await enter(first, '4.6', { replaces })).toMatchObject(refused(409, 'LAB_RESULT_CHANGED'));
    expect((await versions(first)).map(({ number, value }) => [number, value])).toEqual([
      ...[[1, '4'] as const, [2, '4.5'] as const],
    ]);
  });

  it('shows the names of those who entered and verified it', async () => {
    const body = { firstName: 'Ben', lastName: 'Lee', email: 'ben@st-mary.example', roles: ['LAB_TECH'] };
    const { id } = (await post('/api/hms/employees', body, admin)).data<{ id: string }>();
    const sub = randomUUID();
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms.operator(`${schema}.employees`).where({ id }).update({ account_id: sub });
    const placed = await collected();
    const entered = await enter(placed, '4', {}, await person('LAB_TECH', sub));
    expect(item(entered.data<ShownOrder>()).result?.enteredBy).toEqual({ id: sub, name: 'Ben Lee' });
  });

  it('can not be changed or deleted by anybody who is the hospital', async () => {
    const placed = await verified('7', potassium);
    const [id] = resultIds(placed);
    for (const table of ['lab_results', 'lab_verifications', 'lab_acknowledgements', 'issued_files']) {
      for (const statement of [`UPDATE ${table} SET hospital_id = hospital_id`, `DELETE FROM ${table}`]) {
        const attempt = hms.platform.tenants.inTenant(mary.hospital, (trx) => trx.query(statement));
        await expect(attempt).rejects.toMatchObject({ code: '42501' });
      }
    }
    expect(resultIds(await read(placed))).toEqual([id]);
  });
});

describe('a verification', () => {
  it('is by another person than the one who entered the result', async () => {
    const placed = await resulted('4', potassium);
    expect(await verify(placed, tech)).toMatchObject(refused(403, 'SAME_PERSON_VERIFY'));
    expect(item(await read(placed)).result).toMatchObject({ status: 'preliminary' });
    const after = (await verify(placed, doctor)).data<ShownOrder>();
    expect(after).toMatchObject({ status: 'verified', toVerify: 0, isOpen: false });
    expect(item(after).result).toMatchObject({ status: 'final', verifiedAt: after.verifiedAt });
  });

  it('by the same person is refused by PostgreSQL too', async () => {
    const [id] = resultIds(await resulted('4', potassium));
    const { schema } = hospitalNames(mary.hospital.prefix);
    const insert = hms.operator.raw(
      `INSERT INTO ${schema}.lab_verifications (result_id, order_id, entered_by, verified_by, is_alone)
       SELECT id, order_id, entered_by, entered_by, false FROM ${schema}.lab_results WHERE id = ?`,
      [id ?? ''],
    );
    await expect(insert).rejects.toMatchObject({ constraint: 'lab_verifications_by_another' });
  });

  it('is by the same person where the hospital allows it', async () => {
    const placed = await resulted('4', potassium);
    await trustEverybody();
    expect(await verify(placed, tech)).toMatchObject({ status: 200 });
  });

  it('is of the version that the person has seen, once', async () => {
    const seen = await resulted('4', potassium);
    await enter(seen, '9', { replaces: resultIds(seen)[0] });
    expect(await verify(seen)).toMatchObject(refused(409, 'LAB_RESULT_CHANGED'));
    const now = await read(seen);
    expect(await verify(now)).toMatchObject({ status: 200 });
    expect(await verify(now)).toMatchObject(refused(409, 'LAB_RESULT_CHANGED'));
    const unknown = { resultIds: [randomUUID()] };
    expect(await step(now, 'verify', unknown, colleague)).toMatchObject(refused(404, 'LAB_RESULT_NOT_FOUND'));
  });

  it('of some results leaves the others, which can still be entered again', async () => {
    const placed = await order([potassium, await activeTest(SODIUM)]);
    await done(placed, 'collect');
    const results = placed.items.map(({ id }) => ({ itemId: id, value: '5' }));
    const entered = await done(placed, 'results', { results });
    const [first, second] = resultIds(entered);
    const half = await done(placed, 'verify', { resultIds: [first] }, colleague);
    expect(half).toMatchObject({ status: 'resulted', toVerify: 1, verifiedAt: null });
    const again = (code: string, replaces: string | undefined) =>
      step(placed, 'results', { results: [{ itemId: item(placed, code).id, value: '6', replaces }] });
    expect(await again('K', first)).toMatchObject(refused(409, 'INVALID_STATE'));
    expect(await again('NA', second)).toMatchObject({ status: 200 });
  });
});

describe('a critical result', () => {
  it('is to be acknowledged from its entry on, and never keeps anybody from verifying it', async () => {
    const placed = await resulted('2.4', potassium);
    expect(placed).toMatchObject({ toAcknowledge: 1, toVerify: 1 });
    const after = (await verify(placed)).data<ShownOrder>();
    expect(after).toMatchObject({ status: 'verified', toAcknowledge: 1, isOpen: true });
    const body = { resultIds: resultIds(after) };
    expect(await step(placed, 'acknowledge', body, tech)).toMatchObject(refused(403, 'FORBIDDEN'));
    const seen = await done(placed, 'acknowledge', body, doctor);
    expect(seen).toMatchObject({ toAcknowledge: 0, isOpen: false });
    const { acknowledgedAt, acknowledgedBy } = item(seen).result ?? {};
    expect(Date.parse(acknowledgedAt ?? '')).toBeGreaterThan(Date.parse(placed.createdAt));
    const repeated = await done(placed, 'acknowledge', body, await person('DOCTOR'));
    expect(item(repeated).result).toMatchObject({ acknowledgedAt, acknowledgedBy });
  });

  it('that is entered or amended again is to be acknowledged again', async () => {
    const placed = await resulted('2.4', potassium);
    await done(placed, 'acknowledge', { resultIds: resultIds(placed) }, doctor);
    const again = await enter(placed, '2.3', { replaces: resultIds(placed)[0] });
    expect(again.data<ShownOrder>()).toMatchObject({ toAcknowledge: 1 });
    const old = { resultIds: resultIds(placed) };
    expect(await step(placed, 'acknowledge', old, doctor)).toMatchObject(refused(409, 'LAB_RESULT_CHANGED'));
  });

  it('is the only kind that is acknowledged', async () => {
    const placed = await resulted('4', potassium);
    const answer = await step(placed, 'acknowledge', { resultIds: resultIds(placed) }, doctor);
    expect(answer).toMatchObject(refused(409, 'LAB_RESULT_NOT_CRITICAL'));
  });
});

describe('an amendment', () => {
  it('is a new version with a reason, which another person verifies, and the old one is kept', async () => {
    const before = await verified('4', potassium);
    const amended = (await amend(before, '7')).data<ShownOrder>();
    expect(amended).toMatchObject({ status: 'amended', revision: 2, toVerify: 1, toAcknowledge: 1, isOpen: true });
    expect(amended.verifiedAt).toBe(before.verifiedAt);
    expect(item(amended)).toMatchObject({
      status: 'amended',
      result: { number: 2, status: 'corrected', value: '7', flag: 'HH', reason: 'Typing error', verifiedAt: null },
    });
    expect(await verify(amended, tech)).toMatchObject(refused(403, 'SAME_PERSON_VERIFY'));
    const after = (await verify(amended)).data<ShownOrder>();
    expect(after).toMatchObject({ status: 'amended', toVerify: 0 });
    const [old, current] = await versions(before);
    expect(old).toMatchObject({ value: '4', status: 'final', number: 1 });
    expect(old?.verifiedAt).toBe(before.verifiedAt);
    expect(current).toMatchObject({ value: '7', status: 'corrected', supersedesId: old?.id });
  });

  it('is verified with its entry where the hospital allows it', async () => {
    const before = await verified('4', potassium);
    await trustEverybody();
    const amended = (await amend(before, '4.4')).data<ShownOrder>();
    expect(amended).toMatchObject({ status: 'amended', toVerify: 0 });
    expect(item(amended).result?.verifiedAt).not.toBeNull();
  });

  it('is of a verified result, with a reason and a value of its type', async () => {
    const placed = await resulted('4', potassium);
    expect(await amend(placed, '5')).toMatchObject(refused(409, 'INVALID_STATE'));
    const after = (await verify(placed)).data<ShownOrder>();
    const body = { resultId: resultIds(after)[0], value: '5' };
    expect(await step(after, 'amend', body)).toMatchObject(refused(400, 'VALIDATION_FAILED'));
    expect(await amend(after, 'high')).toMatchObject(refused(422, 'RESULT_TYPE_MISMATCH'));
    expect(await amend(after, '5')).toMatchObject({ status: 200 });
    expect(await amend(after, '6')).toMatchObject(refused(409, 'LAB_RESULT_CHANGED'));
  });

  it('keeps the note unless it names another one, and changes something', async () => {
    const placed = await collected();
    const entered = (await enter(placed, '4.75', { note: 'Slightly haemolysed' })).data<ShownOrder>();
    const before = (await verify(entered)).data<ShownOrder>();
    const to = (one: ShownOrder, body: object) =>
      step(one, 'amend', { resultId: resultIds(one)[0], reason: 'Typing error', ...body });
    for (const body of [{ value: '4.75' }, { value: ' +4.75', note: 'Slightly haemolysed' }]) {
      expect(await to(before, body)).toMatchObject({
        ...{ status: 422, error: { code: 'LAB_RESULT_UNCHANGED', details: { fields: [{ field: 'value' }] } } },
      });
    }
    expect(await read(before)).toMatchObject({ revision: 1, status: 'verified' });
    const other = (await to(before, { value: '4.76' })).data<ShownOrder>();
    expect(item(other).result).toMatchObject({ value: '4.76', note: 'Slightly haemolysed' });
    const without = (await to(other, { value: '4.76', note: null })).data<ShownOrder>();
    expect(item(without).result).toMatchObject({ value: '4.76', note: null });
    expect(await to(without, { value: '4.76', note: null })).toMatchObject(refused(422, 'LAB_RESULT_UNCHANGED'));
    expect(await to(without, { value: '4.760' })).toMatchObject(refused(422, 'RESULT_TYPE_MISMATCH'));
    expect(await to(without, { value: '4.7' })).toMatchObject({ status: 200 });
  });

  it('can be made after the patient was deleted', async () => {
    const placed = await verified('4', potassium);
    await hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: admin });
    expect(await amend(placed, '4.2')).toMatchObject({ status: 200 });
  });
});
