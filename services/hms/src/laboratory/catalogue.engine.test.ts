import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import { createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import {
  activeTest,
  admin,
  COUNT,
  colleague,
  doctor,
  get,
  hms,
  mary,
  order,
  outcomes,
  PANELS,
  POTASSIUM,
  panelOf,
  post,
  SODIUM,
  TESTS,
  tech,
  useLaboratory,
} from './testing.ts';

useLaboratory();

const create = (body: object, token = tech) => post(TESTS, body, token);
const put = (id: string, body: object, token = tech) => hms.send('PUT', `${TESTS}/${id}`, { token, body });
const remove = (id: string) => hms.send('DELETE', `${TESTS}/${id}`, { token: tech });
const refused = (status: number, code: string) => ({ status, error: { code } });

describe('a test of the catalogue', () => {
  it('is a draft with exact ranges until it is activated, and comes back after it was retired', async () => {
    const created = await create({ ...POTASSIUM, ranges: [{ low: '3.50', high: '5.10' }] });
    expect(created).toMatchObject({ status: 201 });
    const { id, status, ranges } = created.data<LabTestWithRanges>();
    expect(status).toBe('draft');
    const everybody = { sex: 'any', ageUnit: 'days', fromAge: 0, toAge: null, criticalLow: null, criticalHigh: null };
    expect(ranges).toEqual([{ ...everybody, low: '3.50', high: '5.10' }]);
    expect((await get(`${TESTS}/${id}`)).data<LabTestWithRanges>().ranges).toEqual(ranges);
    const steps = ['retire', 'activate', 'activate', 'retire', 'activate'];
    const answers: number[] = [];
    for (const step of steps) answers.push((await post(`${TESTS}/${id}/${step}`, {}, tech)).status);
    expect(answers).toEqual([409, 200, 409, 200, 200]);
  });

  it('has a code of its own, until it is deleted', async () => {
    const { id } = (await create(POTASSIUM)).data<LabTestWithRanges>();
    expect(await create({ ...SODIUM, code: 'k' })).toMatchObject(refused(409, 'LAB_TEST_CODE_TAKEN'));
    expect(await remove(id)).toMatchObject({ status: 200 });
    expect(await create(POTASSIUM)).toMatchObject({ status: 201 });
  });

  it('has no two ranges for one person: both are named', async () => {
    const ranges = [
      { sex: 'female', fromAge: 0, toAge: 366, high: '5' },
      { sex: 'any', fromAge: 365, high: '6' },
    ];
    const answer = await create({ ...POTASSIUM, ranges });
    expect(answer).toMatchObject(refused(422, 'RANGE_OVERLAP'));
    expect(answer.error.message).toContain('female, from 0 to 366 days; any sex, from 365 days');
    expect(answer.error.details).toMatchObject({ ranges, fields: [{ field: 'ranges.1.fromAge', in: 'body' }] });
    const apart = [{ ...ranges[0], toAge: 365 }, ranges[1], { sex: 'male', toAge: 365, high: '5' }];
    const { id } = (await create({ ...POTASSIUM, ranges: apart })).data<LabTestWithRanges>();
    expect(await put(id, { ranges })).toMatchObject(refused(422, 'RANGE_OVERLAP'));
    expect((await get(`${TESTS}/${id}`)).data<LabTestWithRanges>().ranges).toHaveLength(3);
  });

  it.each([
    ["('any', 'days', 0, 10)", "('female', 'days', 9, NULL)"],
    ["('male', 'days', 100, NULL)", "('any', 'days', 99, 101)"],
    ["('female', 'days', 0, 1)", "('female', 'days', 0, 1)"],
    ["('any', 'hours', 0, 48)", "('female', 'days', 1, NULL)"],
    ["('male', 'hours', 6, 24)", "('any', 'hours', 0, 7)"],
  ])('has no two ranges for one person, whoever writes them: %s and %s', async (one, other) => {
    const { id } = (await create({ ...POTASSIUM, ranges: [] })).data<LabTestWithRanges>();
    const table = `${hospitalNames(mary.hospital.prefix).schema}.lab_ranges`;
    const insert = (range: string) =>
      hms.operator.raw(
        `INSERT INTO ${table} (id, test_id, sex, age_unit, from_age, to_age, high)
         SELECT gen_random_uuid(), ?, sex, age_unit, from_age, to_age, 5
         FROM (VALUES ${range}) AS given(sex, age_unit, from_age, to_age)`,
        [id],
      );
    await insert(one.replace('NULL', 'NULL::integer'));
    const conflict = insert(other.replace('NULL', 'NULL::integer'));
    await expect(conflict).rejects.toMatchObject({ constraint: 'lab_ranges_no_overlap' });
  });

  it.each([
    [{ ranges: [{ low: '5', high: '5' }] }, 'ranges.0.high'],
    [{ ranges: [{ fromAge: 3, toAge: 3, high: '5' }] }, 'ranges.0.toAge'],
    [{ ranges: [{ ageUnit: 'hours', high: '5' }] }, 'ranges.0.toAge'],
    [{ ranges: [{ ageUnit: 'hours', toAge: 673, high: '5' }] }, 'ranges.0.toAge'],
    [{ ranges: [{}] }, 'ranges.0.low'],
    [{ valueType: 'text' }, 'unit'],
    [{ valueType: 'coded', unit: null, decimals: null, ranges: [] }, 'options'],
    [{ options: [{ code: 'A', name: 'A' }] }, 'options'],
  ])('with %j is refused, and the field named', async (changes, field) => {
    const answer = await create({ ...POTASSIUM, ...changes });
    expect(answer).toMatchObject(refused(422, 'LAB_TEST_INVALID'));
    expect(answer.error.details).toMatchObject({
      fields: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it('takes numbers as texts only, so that none is rounded', async () => {
    const answer = await create({ ...POTASSIUM, ranges: [{ low: 3.5 }] });
    expect(answer).toMatchObject(refused(400, 'VALIDATION_FAILED'));
  });

  it('that is active keeps what its values mean, and may change its ranges', async () => {
    const { id, version } = await activeTest(POTASSIUM);
    expect(await put(id, { unit: 'mg/dL' })).toMatchObject(refused(409, 'LAB_TEST_FIXED'));
    expect(await put(id, { unit: 'mmol/L', name: 'Potassium in serum' })).toMatchObject({ status: 200 });
    expect(await put(id, { ranges: [{ high: '5' }], version })).toMatchObject(refused(409, 'STALE_VERSION'));
    const changed = await put(id, { ranges: [{ high: '5' }] });
    expect(changed.data<LabTestWithRanges>().ranges).toMatchObject([{ low: null, high: '5' }]);
  });

  it('that was ordered, or is in a panel, is not deleted', async () => {
    const [ordered, inPanel] = [await activeTest(POTASSIUM), await activeTest(SODIUM)];
    await order([ordered]);
    const { id } = await panelOf('P', [inPanel]);
    expect(await remove(ordered.id)).toMatchObject(refused(409, 'LAB_TEST_IN_USE'));
    expect(await remove(inPanel.id)).toMatchObject(refused(409, 'LAB_TEST_IN_USE'));
    await hms.send('DELETE', `${PANELS}/${id}`, { token: tech });
    expect(await remove(inPanel.id)).toMatchObject({ status: 200 });
  });

  it('that is in a panel is not retired, because nobody could order the panel then', async () => {
    const test = await activeTest(POTASSIUM);
    const panel = await panelOf('P', [test]);
    const retire = () => post(`${TESTS}/${test.id}/retire`, {}, tech);
    const answer = await retire();
    expect(answer).toMatchObject(refused(409, 'LAB_TEST_IN_PANEL'));
    expect(answer.error.details).toEqual({ panels: [{ id: panel.id, code: 'P' }] });
    await hms.send('DELETE', `${PANELS}/${panel.id}`, { token: tech });
    expect(await retire()).toMatchObject({ status: 200 });
  });

  it('is shown in orders as it was when it was ordered', async () => {
    const test = await activeTest({ ...POTASSIUM, loinc: '2823-3' });
    const placed = await order([test]);
    await put(test.id, { code: 'CHOL', name: 'Cholesterol', loinc: '2093-3' });
    const shown = (await get(`/api/hms/lab-orders/${placed.id}`, doctor)).data<ShownOrder>();
    expect(shown.items).toMatchObject([{ code: 'K', name: 'Potassium', loinc: '2823-3' }]);
  });

  it('belongs to a department of the hospital, which is not deleted then', async () => {
    const department = await post('/api/hms/departments', { code: 'LAB', name: 'Laboratory' }, admin);
    const { id: departmentId } = department.data<{ id: string }>();
    const { id } = (await create({ ...POTASSIUM, departmentId })).data<LabTestWithRanges>();
    const erase = () => hms.send('DELETE', `/api/hms/departments/${departmentId}`, { token: admin });
    expect(await erase()).toMatchObject(refused(409, 'DEPARTMENT_IN_USE'));
    await remove(id);
    expect(await erase()).toMatchObject({ status: 200 });
    expect(await create({ ...SODIUM, departmentId })).toMatchObject(refused(422, 'INVALID_REFERENCE'));
  });

  it('is of one hospital', async () => {
    const { id } = await activeTest(POTASSIUM);
    const anne = await createTestHospital(hms.operator, hms.issuer);
    const token = await anne.token(['LAB_TECH']);
    expect(await get(`${TESTS}/${id}`, token)).toMatchObject(refused(404, 'LAB_TEST_NOT_FOUND'));
    expect(await put(id, { name: 'Mine' }, token)).toMatchObject(refused(404, 'LAB_TEST_NOT_FOUND'));
    const body = { code: 'P', name: 'P', testIds: [id] };
    expect(await post(PANELS, body, token)).toMatchObject(refused(404, 'LAB_TEST_NOT_FOUND'));
  });

  it('is listed by name, and found by code and state', async () => {
    await create(COUNT);
    await activeTest(SODIUM);
    await activeTest(POTASSIUM);
    const names = async (query: string) =>
      (await get(`${TESTS}?${query}`, doctor)).data<LabTestWithRanges[]>().map(({ code }) => code);
    expect(await names('')).toEqual(['WBC', 'K', 'NA']);
    expect(await names('status=active')).toEqual(['K', 'NA']);
    expect(await names('q=leuko')).toEqual(['WBC']);
    const inPanel = await panelOf('P', [await activeTest({ ...SODIUM, code: 'NA2' })]);
    expect(await names(`panelId=${inPanel.id}`)).toEqual(['NA2']);
  });

  it('gets the ranges of one of two people who change it at once: the other one is told', async () => {
    const { id, version } = await activeTest({ ...POTASSIUM, ranges: [] });
    const change = (high: string, token: string) => put(id, { ranges: [{ high }], version }, token);
    expect(await outcomes([change('5', tech), change('6', colleague)])).toEqual(['STALE_VERSION', 'done']);
  });
});
