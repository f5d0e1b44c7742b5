import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activeTest,
  doctor,
  done,
  get,
  item,
  JANE,
  mary,
  nurse,
  ORDERS,
  order,
  PATIENTS,
  POTASSIUM,
  patient,
  post,
  resulted,
  SODIUM,
  step,
  tech,
  useLaboratory,
  verified,
} from './testing.ts';

useLaboratory();

const RANGES = [
  { sex: 'female', low: '3.5', high: '5.1', criticalHigh: '6.5' },
  { sex: 'male', low: '3.7', high: '5.3' },
];

let potassium: LabTestWithRanges;
let sodium: LabTestWithRanges;
beforeEach(async () => {
  potassium = await activeTest({ ...POTASSIUM, ranges: RANGES });
  sodium = await activeTest({ ...SODIUM, ranges: [] });
});

describe('the counts', () => {
  it('say how many orders wait for each kind of work', async () => {
    const counts = async (token = tech) => (await get(`${ORDERS}/counts`, token)).data();
    expect(await counts()).toEqual({ collect: 0, receive: 0, result: 0, verify: 0, acknowledge: 0, escalated: 0 });
    await order([potassium, sodium]);
    await order([potassium]);
    await done(await order([potassium]), 'collect');
    await resulted('7', potassium);
    await verified('4', potassium);
    const expected = { collect: 2, receive: 1, result: 1, verify: 1, acknowledge: 1, escalated: 0 };
    expect(await counts()).toEqual(expected);
    expect(await counts(nurse)).toEqual(expected);
  });
});

describe('what values are compared with', () => {
  const compare = async ({ id }: { readonly id: string }) => (await get(`${ORDERS}/${id}/comparison`)).data();

  it('is the range for the patient, and the last verified result before', async () => {
    const first = await verified('5.2', potassium);
    await verified('4.9', potassium);
    // A result that nobody has verified, and one of somebody else, do not count.
    await resulted('6', potassium);
    const other = (
      await post(PATIENTS, { ...JANE, firstName: 'Joan', phone: '+6281234567891' }, doctor)
    ).data<Patient>();
    const hers = await order([potassium], { patientId: other.id });
    const now = await order([potassium, sodium]);
    expect(await compare(now)).toEqual({
      needsSecondVerifier: true,
      items: [
        {
          itemId: item(now).id,
          range: expect.objectContaining({ sex: 'female', low: '3.5', criticalHigh: '6.5', criticalLow: null }),
          previous: expect.objectContaining({ orderNo: 'LAB-000002', value: '4.9', unit: 'mmol/L', flag: 'N' }),
        },
        { itemId: item(now, 'NA').id, range: null, previous: null },
      ],
    });
    expect(await compare(hers)).toMatchObject({ items: [{ previous: null }] });
    // What was collected later is no previous result.
    expect(await compare(first)).toMatchObject({ items: [{ previous: null }] });
  });

  it('is found for the survivor of merged patients, and needs an order', async () => {
    await verified('4.9', potassium);
    const other = (
      await post(PATIENTS, { ...JANE, firstName: 'Joan', phone: '+6281234567891' }, doctor)
    ).data<Patient>();
    const merge = { intoId: other.id, version: patient.version };
    const merged = await post(`${PATIENTS}/${patient.id}/merge`, merge, await mary.token(['ADMIN']));
    expect([merged.status, merged.error]).toEqual([200, undefined]);
    const now = await order([potassium], { patientId: other.id });
    expect(await compare(now)).toMatchObject({ items: [{ previous: { value: '4.9' } }] });
    expect(await get(`${ORDERS}/${patient.id}/comparison`)).toMatchObject({ status: 404 });
  });
});

describe('a value that is typed', () => {
  it('is flagged as it will be flagged, and nothing is stored', async () => {
    const placed = await order([potassium, sodium]);
    const [k, na] = [item(placed).id, item(placed, 'NA').id];
    const judged = async (value: string, itemId = k) => {
      const answer = await step(placed, 'judge', { values: [{ itemId, value }] });
      expect(answer.status).toBe(200);
      return answer.data<unknown[]>()[0];
    };
    expect(await judged('4.4')).toEqual({ itemId: k, flag: 'N', unflagged: null, isCritical: false, problem: null });
    expect(await judged('6.6')).toMatchObject({ flag: 'HH', isCritical: true });
    expect(await judged('140', na)).toMatchObject({ flag: null, unflagged: 'no_range' });
    expect(await judged('a lot')).toMatchObject({ flag: null, problem: expect.stringContaining('must be a number') });
    expect((await get(`${ORDERS}/${placed.id}/results`)).data()).toEqual([]);
    const unknown = await step(placed, 'judge', { values: [{ itemId: placed.id, value: '1' }] });
    expect(unknown).toMatchObject({ status: 404, error: { code: 'LAB_ITEM_NOT_FOUND' } });
    const refused = await step(placed, 'judge', { values: [{ itemId: k, value: '1' }] }, nurse);
    expect(refused).toMatchObject({ status: 403 });
  });
});
