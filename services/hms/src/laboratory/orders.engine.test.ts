import { randomUUID } from 'node:crypto';
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import { createTestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
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
  nurse,
  ORDERS,
  order,
  PATIENTS,
  POTASSIUM,
  panelOf,
  patient,
  person,
  post,
  read,
  resultIds,
  SODIUM,
  step,
  TESTS,
  tech,
  useLaboratory,
} from './testing.ts';

useLaboratory();

let potassium: LabTestWithRanges;
let sodium: LabTestWithRanges;
let count: LabTestWithRanges;

beforeEach(async () => {
  [potassium, sodium, count] = [await activeTest(POTASSIUM), await activeTest(SODIUM), await activeTest(COUNT)];
});

const refused = (status: number, code: string) => ({ status, error: { code } });
const place = (body: object, token = doctor) => post(ORDERS, { patientId: patient.id, ...body }, token);
const specimenStates = ({ specimens }: ShownOrder) => specimens.map(({ status }) => status);
const numbers = async (query: string, token = tech) =>
  (await get(`${ORDERS}?${query}`, token)).data<ShownOrder[]>().map(({ orderNo }) => Number(orderNo.slice(-2)));

describe('an order', () => {
  it('has each test of its panels once, and a numbered specimen for each kind', async () => {
    const [salts, all] = [await panelOf('S', [potassium, sodium]), await panelOf('A', [count, sodium])];
    const placed = await order([potassium], { panelIds: [salts.id, all.id], priority: 'urgent' });
    expect(placed).toMatchObject({
      ...{ orderNo: 'LAB-000001', status: 'ordered', priority: 'urgent', toCollect: 2, isOpen: true },
      patient: { id: patient.id, patientCode: 'HSP-000001', firstName: 'Jane', gender: 'female' },
    });
    expect(placed.items.map(({ code, panelId }) => [code, panelId])).toEqual([
      ...[['K', salts.id] as const, ['NA', salts.id] as const, ['WBC', all.id] as const],
    ]);
    expect(placed.specimens).toMatchObject([
      { accessionNo: 'S-000001', type: 'Serum', status: 'expected' },
      { accessionNo: 'S-000002', type: 'EDTA blood', status: 'expected' },
    ]);
  });

  it('says by when each result is expected', async () => {
    const { createdAt, items } = await order([potassium]);
    expect(Date.parse(items[0]?.dueAt ?? '') - Date.parse(createdAt)).toBe(1440 * 60_000);
  });

  it.each<[{ readonly testIds?: readonly string[] | 'potassium'; readonly [other: string]: unknown }, number, string]>([
    [{}, 422, 'LAB_ORDER_EMPTY'],
    [{ testIds: [randomUUID()] }, 404, 'LAB_TEST_NOT_FOUND'],
    [{ panelIds: [randomUUID()] }, 404, 'LAB_PANEL_NOT_FOUND'],
    [{ testIds: 'potassium', patientId: randomUUID() }, 404, 'PATIENT_NOT_FOUND'],
    [{ testIds: 'potassium', doctorId: randomUUID() }, 422, 'DOCTOR_NOT_ALLOWED'],
  ])('with %j is refused', async (body, status, code) => {
    const testIds = body.testIds === 'potassium' ? [potassium.id] : body.testIds;
    expect(await place({ ...body, ...(testIds ? { testIds } : {}) })).toMatchObject(refused(status, code));
  });

  it('has active tests only, and names the others', async () => {
    await post(`${TESTS}/${sodium.id}/retire`, {}, tech);
    const answer = await place({ testIds: [potassium.id, sodium.id] });
    expect(answer).toMatchObject(refused(409, 'LAB_TEST_NOT_ACTIVE'));
    expect(answer.error.details).toEqual({ tests: [{ id: sodium.id, code: 'NA', status: 'retired' }] });
  });

  it('names the employee who orders: the caller, or another one who may', async () => {
    const hire = async (email: string, role: string) => {
      const body = { firstName: 'Ann', lastName: email, email: `${email}@st-mary.example`, roles: [role] };
      return (await post('/api/hms/employees', body, admin)).data<{ id: string }>().id;
    };
    const [ann, clerk] = [await hire('ann', 'DOCTOR'), await hire('clerk', 'RECEPTION')];
    const sub = randomUUID();
    const { schema } = hospitalNames(mary.hospital.prefix);
    await hms.operator(`${schema}.employees`).where({ id: ann }).update({ account_id: sub });
    const own = await place({ testIds: [potassium.id] }, await person('DOCTOR', sub));
    expect(own.data<ShownOrder>()).toMatchObject({ doctorId: ann, doctor: { id: ann, name: 'Ann ann' } });
    const named = await place({ testIds: [potassium.id], doctorId: ann }, admin);
    expect(named.data<ShownOrder>()).toMatchObject({ doctorId: ann });
    expect(await place({ testIds: [potassium.id], doctorId: clerk })).toMatchObject(refused(422, 'DOCTOR_NOT_ALLOWED'));
    expect(await order([potassium])).toMatchObject({ doctorId: null, doctor: null });
  });

  it('is of one hospital', async () => {
    const placed = await order([potassium]);
    const anne = await createTestHospital(hms.operator, hms.issuer);
    const token = await anne.token(['LAB_TECH', 'DOCTOR', 'NURSE']);
    const itemId = item(placed).id;
    const attempts = [
      get(`${ORDERS}/${placed.id}`, token),
      get(`${ORDERS}/${placed.id}/results`, token),
      get(`${ORDERS}/${placed.id}/report`, token),
      get(`${ORDERS}/${placed.id}/labels`, token),
      step(placed, 'collect', {}, token),
      step(placed, 'results', { results: [{ itemId, value: '5' }] }, token),
      step(placed, 'cancel', { reason: 'None' }, token),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer).toMatchObject(refused(404, 'LAB_ORDER_NOT_FOUND'));
    expect(await get('/api/hms/lab-specimens/S-000001', token)).toMatchObject(refused(404, 'LAB_SPECIMEN_NOT_FOUND'));
    const mixed = post(ORDERS, { patientId: patient.id, testIds: [potassium.id] }, token);
    expect(await mixed).toMatchObject(refused(404, 'PATIENT_NOT_FOUND'));
    expect(await read(placed)).toEqual(placed);
  });

  it('may be made more urgent, until it is verified', async () => {
    const { id, version } = await order([potassium]);
    const put = (body: object) => hms.send('PUT', `${ORDERS}/${id}`, { token: doctor, body });
    expect((await put({ priority: 'stat', version })).data()).toMatchObject({ priority: 'stat', urgency: 0 });
    expect(await put({ priority: 'routine', version })).toMatchObject(refused(409, 'STALE_VERSION'));
    await done({ id }, 'cancel', { reason: 'Wrong patient' }, doctor);
    expect(await put({ priority: 'routine' })).toMatchObject(refused(409, 'INVALID_STATE'));
  });
});

describe('a specimen', () => {
  it('is collected by a nurse, received, and found by a scan', async () => {
    const placed = await order([potassium, count]);
    const [serum, blood] = placed.specimens;
    const half = await done(placed, 'collect', { specimenIds: [serum?.id] }, nurse);
    expect(half).toMatchObject({ status: 'ordered', toCollect: 1, toReceive: 1, collectedAt: null });
    const all = await done(placed, 'collect', {}, nurse);
    expect(all).toMatchObject({ status: 'collected', toCollect: 0, toReceive: 2 });
    expect(all.collectedAt).toBe(all.specimens[1]?.collectedAt);
    expect(await done(placed, 'receive', { specimenIds: [blood?.id] })).toMatchObject({ status: 'in_progress' });
    const scanned = await get(`/api/hms/lab-specimens/${blood?.accessionNo.toLowerCase()}`);
    expect(scanned.data<ShownOrder>()).toMatchObject({ id: placed.id });
    expect(await step(placed, 'collect')).toMatchObject(refused(409, 'INVALID_STATE'));
    expect(await step(placed, 'receive', { specimenIds: [blood?.id] })).toMatchObject(refused(409, 'INVALID_STATE'));
  });

  it('is not collected in the future, nor a week before', async () => {
    const placed = await order([potassium]);
    const at = (hours: number) => ({ collectedAt: new Date(Date.now() + hours * 3_600_000).toISOString() });
    expect(await step(placed, 'collect', at(1))).toMatchObject(refused(422, 'COLLECTION_TIME_INVALID'));
    expect(await step(placed, 'collect', at(-169))).toMatchObject(refused(422, 'COLLECTION_TIME_INVALID'));
    const earlier = at(-2);
    expect(await done(placed, 'collect', earlier)).toMatchObject(earlier);
  });

  it('that is rejected is collected again under another number, and its results no longer count', async () => {
    const placed = await order([potassium, count]);
    await done(placed, 'collect');
    await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '9.99' }] });
    const [serum] = placed.specimens;
    const rejection = { specimenId: serum?.id, reason: 'Haemolysed' };
    const rejected = await done(placed, 'reject-specimen', rejection);
    expect(rejected).toMatchObject({ status: 'ordered', toCollect: 1, toAcknowledge: 0 });
    expect(rejected.specimens).toMatchObject([
      { accessionNo: 'S-000001', status: 'rejected', rejectReason: 'Haemolysed' },
      { accessionNo: 'S-000002', status: 'collected' },
      { accessionNo: 'S-000003', status: 'expected', type: 'Serum', replacesId: serum?.id },
    ]);
    expect(item(rejected)).toMatchObject({ status: 'ordered', result: null, specimenId: rejected.specimens[2]?.id });
    expect(await step(placed, 'reject-specimen', rejection)).toMatchObject(refused(409, 'INVALID_STATE'));
    await done(placed, 'collect');
    const again = await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '4' }] });
    expect(item(again).result).toMatchObject({ number: 2, value: '4', flag: 'N', supersedesId: null });
    const versions = (await get(`${ORDERS}/${placed.id}/results`)).data<{ value: string }[]>();
    expect(versions.map(({ value }) => value)).toEqual(['9.99', '4']);
  });

  it('with a verified result is not rejected', async () => {
    const placed = await order([potassium, sodium]);
    await done(placed, 'collect');
    const entered = await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '4' }] });
    await done(placed, 'verify', { resultIds: resultIds(entered) }, colleague);
    const answer = await step(placed, 'reject-specimen', { specimenId: placed.specimens[0]?.id, reason: 'Clotted' });
    expect(answer).toMatchObject(refused(409, 'INVALID_STATE'));
  });

  it('of another order is not found', async () => {
    const [one, other] = [await order([potassium]), await order([potassium])];
    const specimenIds = other.specimens.map(({ id }) => id);
    expect(await step(one, 'collect', { specimenIds })).toMatchObject(refused(404, 'LAB_SPECIMEN_NOT_FOUND'));
    expect(specimenStates(await read(other))).toEqual(['expected']);
  });
});

describe('a cancellation', () => {
  it('ends an order with its specimens', async () => {
    const placed = await order([potassium, count]);
    await done(placed, 'collect', { specimenIds: [placed.specimens[0]?.id] });
    const cancelled = await done(placed, 'cancel', { reason: 'Ordered twice' }, doctor);
    expect(cancelled).toMatchObject({ status: 'cancelled', isOpen: false, cancelReason: 'Ordered twice' });
    expect(cancelled.cancelledAt).not.toBeNull();
    expect(specimenStates(cancelled)).toEqual(['cancelled', 'cancelled']);
    expect(await step(placed, 'cancel', { reason: 'Again' }, doctor)).toMatchObject(refused(409, 'INVALID_STATE'));
    expect(await step(placed, 'collect')).toMatchObject(refused(409, 'INVALID_STATE'));
  });

  it('of one test leaves the others, and is refused once it has a result', async () => {
    const placed = await order([potassium, sodium, count]);
    await done(placed, 'collect');
    await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '4' }] });
    const cancel = (code: string) => ({ itemIds: [item(placed, code).id], reason: 'Not needed' });
    expect(await step(placed, 'cancel', cancel('K'), doctor)).toMatchObject(refused(409, 'INVALID_STATE'));
    const left = await done(placed, 'cancel', cancel('NA'), doctor);
    expect(left).toMatchObject({ status: 'in_progress', toResult: 1 });
    expect(specimenStates(left)).toEqual(['received', 'collected']);
    expect(left.cancelReason).toBeNull();
    expect(await done(placed, 'cancel', cancel('WBC'), doctor)).toMatchObject({
      ...{ status: 'resulted', toVerify: 1, cancelReason: null },
    });
    const unknown = { itemIds: [randomUUID()], reason: 'Not needed' };
    expect(await step(placed, 'cancel', unknown, doctor)).toMatchObject(refused(404, 'LAB_ITEM_NOT_FOUND'));
  });
});

it('a cancellation of tests one after another keeps each reason, and the order has the last one', async () => {
  const placed = await order([potassium, sodium]);
  const cancel = (code: string, reason: string) =>
    done(placed, 'cancel', { itemIds: [item(placed, code).id], reason }, doctor);
  expect(await cancel('K', 'Done elsewhere')).toMatchObject({ status: 'ordered', cancelReason: null });
  expect(await cancel('NA', 'Patient leaves')).toMatchObject({ status: 'cancelled', cancelReason: 'Patient leaves' });
  const { items } = await read(placed);
  expect(items.map(({ code, cancelReason }) => [code, cancelReason])).toEqual([
    ['K', 'Done elsewhere'],
    ['NA', 'Patient leaves'],
  ]);
});

describe('the worklist', () => {
  it('has the most urgent first, then the oldest', async () => {
    for (const priority of ['routine', 'stat', 'urgent', 'stat']) await order([potassium], { priority });
    expect(await numbers('')).toEqual([2, 4, 3, 1]);
    expect(await numbers('sort=-createdAt')).toEqual([4, 3, 2, 1]);
    expect(await numbers('priority=stat')).toEqual([2, 4]);
  });

  it('is what each person has to do', async () => {
    await order([potassium]);
    const second = await order([potassium, count]);
    const [third, fourth] = [await order([potassium]), await order([potassium])];
    await done(second, 'collect', { specimenIds: [second.specimens[0]?.id] });
    await done(third, 'collect');
    await done(third, 'results', { results: [{ itemId: item(third).id, value: '9' }] });
    await done(fourth, 'cancel', { reason: 'None' }, doctor);
    const lists = ['collect', 'receive', 'result', 'verify', 'acknowledge'];
    expect(await Promise.all(lists.map((todo) => numbers(`todo=${todo}`)))).toEqual([[1, 2], [2], [2], [3], [3]]);
    expect(await numbers('isOpen=false')).toEqual([4]);
    expect(await numbers('status=cancelled')).toEqual([4]);
  });

  it('finds an order by its number, a specimen, a patient, a test and a department', async () => {
    const body = { code: 'HAEM', name: 'Haematology' };
    const { id: departmentId } = (await post('/api/hms/departments', body, admin)).data<{ id: string }>();
    await hms.send('PUT', `${TESTS}/${count.id}`, { token: tech, body: { departmentId } });
    const other = { ...JANE, firstName: 'Siobhán', lastName: 'Quinn', phone: '+353861234567' };
    const siobhan = (await post(PATIENTS, other, doctor)).data<Patient>();
    await order([potassium]);
    await order([count], { patientId: siobhan.id });
    expect(await numbers('q=lab-000002')).toEqual([2]);
    expect(await numbers('q=S-000001')).toEqual([1]);
    expect(await numbers('q=siobhan')).toEqual([2]);
    expect(await numbers(`q=${patient.patientCode}`)).toEqual([1]);
    expect(await numbers(`patientId=${siobhan.id}`)).toEqual([2]);
    expect(await numbers(`testId=${potassium.id}`)).toEqual([1]);
    expect(await numbers(`departmentId=${departmentId}`)).toEqual([2]);
  });

  it('says in the log which patients it has shown', async () => {
    await order([potassium]);
    await numbers('', colleague);
    const log = await get(`${PATIENTS}/${patient.id}/access`, admin);
    const shown = log.data<{ action: string; record: string; details: { reason?: string } }[]>();
    expect(shown.map(({ action, record, details }) => [action, record, details?.reason])).toContainEqual([
      ...['list', 'patients', 'lab orders'],
    ]);
  });
});

describe('a patient', () => {
  const erase = () => hms.send('DELETE', `${PATIENTS}/${patient.id}`, { token: admin });

  it('is not deleted while orders are open, which are named', async () => {
    const placed = await order([potassium]);
    const answer = await erase();
    expect(answer).toMatchObject(refused(409, 'PATIENT_HAS_OPEN_ITEMS'));
    expect(answer.error.details).toEqual({ items: [{ record: 'lab_orders', id: placed.id, name: 'LAB-000001' }] });
    await done(placed, 'cancel', { reason: 'Leaves' }, doctor);
    expect(await erase()).toMatchObject({ status: 200 });
    expect(await place({ testIds: [potassium.id] })).toMatchObject(refused(404, 'PATIENT_NOT_FOUND'));
  });

  it('is not deleted while a critical result was seen by no doctor', async () => {
    const placed = await order([potassium]);
    await done(placed, 'collect');
    const entered = await done(placed, 'results', { results: [{ itemId: item(placed).id, value: '7' }] });
    await done(placed, 'verify', { resultIds: resultIds(entered) }, colleague);
    expect(await erase()).toMatchObject(refused(409, 'PATIENT_HAS_OPEN_ITEMS'));
    await done(placed, 'acknowledge', { resultIds: resultIds(entered) }, doctor);
    expect(await erase()).toMatchObject({ status: 200 });
  });

  it('has the steps of orders on the timeline', async () => {
    const [one, other] = [await order([potassium]), await order([sodium])];
    await done(other, 'cancel', { reason: 'Ordered twice' }, doctor);
    await done(one, 'collect');
    const entered = await done(one, 'results', { results: [{ itemId: item(one).id, value: '4' }] });
    const verified = await done(one, 'verify', { resultIds: resultIds(entered) }, colleague);
    const [resultId] = resultIds(verified);
    await done(one, 'amend', { resultId, value: '4.1', reason: 'Typing error' });
    const answer = await get(`${PATIENTS}/${patient.id}/timeline`);
    const events = answer.data<{ kind: string; recordId: string; details: { orderNo?: string } }[]>();
    const ofLab = events
      .filter(({ kind }) => kind.startsWith('lab.'))
      .map(({ kind, details }) => [kind, details.orderNo]);
    expect(ofLab.sort()).toEqual([
      ...[['lab.amended', one.orderNo] as const, ['lab.cancelled', other.orderNo] as const],
      ...[['lab.collected', one.orderNo] as const, ['lab.ordered', one.orderNo] as const],
      ...[['lab.ordered', other.orderNo] as const, ['lab.verified', one.orderNo] as const],
    ]);
  });

  it('who was merged has orders through the survivor, and new ones are the survivor’s', async () => {
    const before = await order([potassium]);
    const survivor = (await post(PATIENTS, { ...JANE, gender: 'male' }, doctor)).data<Patient>();
    await post(`${PATIENTS}/${patient.id}/merge`, { intoId: survivor.id }, admin);
    const after = await order([potassium]);
    expect(after).toMatchObject({ patientId: survivor.id });
    expect(await read(before)).toMatchObject({ patientId: patient.id, patient: { id: survivor.id, gender: 'male' } });
    expect(await numbers(`patientId=${survivor.id}`)).toEqual([1, 2]);
    expect(await numbers(`patientId=${patient.id}`)).toEqual([1, 2]);
    expect(await numbers(`q=${survivor.patientCode}`)).toEqual([1, 2]);
    expect(await numbers(`q=${patient.patientCode}`)).toEqual([1, 2]);
  });
});
