/** Ids of another hospital in every path, query and body of the laboratory: they name nothing here, and change nothing there. */
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { Patient } from '@hms/domain/patients';
import { createTestHospital, type TestAnswer, type TestHospital } from '@hms/service/testing';
import { beforeEach, expect, it } from '@jest/globals';
import { catalogueRoutes } from './catalogue.routes.ts';
import { labOrderRoutes } from './orders.routes.ts';
import {
  activeTest,
  admin,
  doctor,
  done,
  get,
  hms,
  item,
  JANE,
  mary,
  ORDERS,
  order,
  PANELS,
  PATIENTS,
  POTASSIUM,
  panelOf,
  patient,
  post,
  resultIds,
  SODIUM,
  step,
  TESTS,
  tech,
  useLaboratory,
  verified,
} from './testing.ts';

useLaboratory();

const EVERYBODY = ['ADMIN', 'DOCTOR', 'NURSE', 'LAB_TECH'];
const CRITICAL = '9';
const TABLES = ['lab_tests', 'lab_ranges', 'lab_panels', 'lab_orders', 'lab_order_items', 'lab_specimens'];
const RESULTS = ['lab_results', 'patients', 'departments', 'employees'];

/** What the other hospital has. */
interface Theirs {
  readonly of: TestHospital;
  readonly order: ShownOrder;
  readonly testId: string;
  readonly panelId: string;
  readonly departmentId: string;
  readonly doctorId: string;
}
let theirs: Theirs;
/** What can be ordered here. */
let own: string;

beforeEach(async () => {
  own = (await activeTest(SODIUM)).id;
  const of = await createTestHospital(hms.operator, hms.issuer);
  const token = await of.token(EVERYBODY);
  const made = async <Made>(path: string, body: object): Promise<Made> => {
    const answer = await post(path, body, token);
    expect([path, answer.error]).toEqual([path, undefined]);
    return answer.data<Made>();
  };
  type WithId = { readonly id: string };
  const { id: patientId } = await made<Patient>(PATIENTS, JANE);
  const { id: testId } = await made<WithId>(TESTS, POTASSIUM);
  await made(`${TESTS}/${testId}/activate`, {});
  const { id: panelId } = await made<WithId>(PANELS, { code: 'P', name: 'Panel', testIds: [testId] });
  const { id: departmentId } = await made<WithId>('/api/hms/departments', { code: 'LAB', name: 'Laboratory' });
  const ada = { firstName: 'Ada', lastName: 'Byrne', email: 'ada@example.org', roles: ['DOCTOR'] };
  const { id: doctorId } = await made<WithId>('/api/hms/employees', ada);
  const placed = await made<ShownOrder>(ORDERS, { patientId, testIds: [testId] });
  await made(`${ORDERS}/${placed.id}/collect`, {});
  const results = [{ itemId: item(placed).id, value: CRITICAL }];
  const entered = await made<ShownOrder>(`${ORDERS}/${placed.id}/results`, { results });
  theirs = { of, order: entered, testId, panelId, departmentId, doctorId };
}, 60_000);

/** Every row of a hospital that these requests could change. */
const rowsOf = ({ hospital }: TestHospital) =>
  hms.platform.tenants.inTenant(hospital, async (trx) =>
    Object.fromEntries(
      await Promise.all(
        [...TABLES, ...RESULTS].map(async (table) => [
          table,
          await trx.query(`SELECT to_jsonb(one)::text AS row FROM ${table} one ORDER BY 1`),
        ]),
      ),
    ),
  );

const outcomeOf = ({ status, error }: TestAnswer) => `${status} ${error?.code}`;
/** A body that would be right, for the routes that need one. */
const BODIES: Readonly<Record<string, () => object>> = {
  updateLabTest: () => ({ name: 'Changed' }),
  updateLabPanel: () => ({ name: 'Changed' }),
  updateLabOrder: () => ({ priority: 'stat' }),
  cancelLabOrder: () => ({ reason: 'None' }),
  rejectLabSpecimen: () => ({ specimenId: theirs.order.specimens[0]?.id, reason: 'Clotted' }),
  enterLabResults: () => ({ results: [{ itemId: item(theirs.order).id, value: '5' }] }),
  verifyLabResults: () => ({ resultIds: resultIds(theirs.order) }),
  acknowledgeLabResults: () => ({ resultIds: resultIds(theirs.order) }),
  amendLabResult: () => ({ resultId: resultIds(theirs.order)[0], value: '5', reason: 'None' }),
  judgeLabValues: () => ({ values: [{ itemId: item(theirs.order).id, value: '5' }] }),
};

it('name nothing in the paths of any route', async () => {
  const before = await rowsOf(theirs.of);
  const more = ['report', 'labels'].map((name) => ({
    method: 'GET',
    path: `${ORDERS}/:id/${name}`,
    operationId: name,
  }));
  const routes = [...catalogueRoutes, ...labOrderRoutes, ...more].filter(({ path }) => path.includes('/:'));
  expect(routes.length).toBeGreaterThan(20);
  const token = await mary.token(EVERYBODY);
  for (const { method, path, operationId = '' } of routes) {
    const id = path.startsWith(TESTS)
      ? theirs.testId
      : path.startsWith(PANELS)
        ? theirs.panelId
        : path.startsWith(PATIENTS)
          ? theirs.order.patientId
          : theirs.order.id;
    const number = theirs.order.specimens[0]?.accessionNo ?? '';
    const query = path.startsWith(PATIENTS) ? `?testId=${own}` : '';
    const at = path.replace(':id', id).replace(':accessionNo', number) + query;
    const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[operationId]?.() ?? {});
    const answer = await hms.send(method, at, { token, ...(body && { body }) });
    expect([operationId, outcomeOf(answer)]).toEqual([operationId, expect.stringMatching(/^404 [A-Z_]+_NOT_FOUND$/)]);
  }
  expect(await rowsOf(theirs.of)).toEqual(before);
});

it('name nothing in bodies and queries', async () => {
  const potassium = await activeTest(POTASSIUM);
  const panel = await panelOf('S', [potassium]);
  const [ordered, collected] = [await order([potassium]), await order([potassium])];
  await done(collected, 'collect');
  const final = await verified(CRITICAL, potassium);
  const [result] = resultIds(theirs.order);
  const [itemId, specimenId] = [item(theirs.order).id, theirs.order.specimens[0]?.id];
  const before = [await rowsOf(theirs.of), await rowsOf(mary)];
  const send = (method: string, path: string, body: object, token = tech) => hms.send(method, path, { token, body });
  const place = (body: object) => post(ORDERS, { patientId: patient.id, testIds: [own], ...body }, doctor);
  const requests: readonly (readonly [string, string, Promise<TestAnswer>])[] = [
    ['the patient of an order', '404 PATIENT_NOT_FOUND', place({ patientId: theirs.order.patientId })],
    [
      'the doctor of an order',
      '422 DOCTOR_NOT_ALLOWED',
      post(ORDERS, { patientId: patient.id, testIds: [own], doctorId: theirs.doctorId }, admin),
    ],
    ['a test of an order', '404 LAB_TEST_NOT_FOUND', place({ testIds: [own, theirs.testId] })],
    ['a panel of an order', '404 LAB_PANEL_NOT_FOUND', place({ panelIds: [theirs.panelId] })],
    [
      'a test of a new panel',
      '404 LAB_TEST_NOT_FOUND',
      post(PANELS, { code: 'X', name: 'X', testIds: [theirs.testId] }, tech),
    ],
    ['a test of a panel', '404 LAB_TEST_NOT_FOUND', send('PUT', `${PANELS}/${panel.id}`, { testIds: [theirs.testId] })],
    [
      'the department of a new test',
      '422 INVALID_REFERENCE',
      post(TESTS, { ...POTASSIUM, code: 'X', departmentId: theirs.departmentId }, tech),
    ],
    [
      'the department of a test',
      '422 INVALID_REFERENCE',
      send('PUT', `${TESTS}/${own}`, { departmentId: theirs.departmentId }),
    ],
    [
      'an item to cancel',
      '404 LAB_ITEM_NOT_FOUND',
      step(ordered, 'cancel', { reason: 'None', itemIds: [itemId] }, doctor),
    ],
    ['a specimen to collect', '404 LAB_SPECIMEN_NOT_FOUND', step(ordered, 'collect', { specimenIds: [specimenId] })],
    ['a specimen to receive', '404 LAB_SPECIMEN_NOT_FOUND', step(collected, 'receive', { specimenIds: [specimenId] })],
    [
      'a specimen to reject',
      '404 LAB_SPECIMEN_NOT_FOUND',
      step(collected, 'reject-specimen', { specimenId, reason: 'Clotted' }),
    ],
    [
      'an item with a result',
      '404 LAB_ITEM_NOT_FOUND',
      step(collected, 'results', { results: [{ itemId, value: '5' }] }),
    ],
    [
      'a result to replace',
      '404 LAB_RESULT_NOT_FOUND',
      step(collected, 'results', { results: [{ itemId: item(collected).id, value: '5', replaces: result }] }),
    ],
    ['a result to verify', '404 LAB_RESULT_NOT_FOUND', step(final, 'verify', { resultIds: [result] })],
    [
      'a result to acknowledge',
      '404 LAB_RESULT_NOT_FOUND',
      step(final, 'acknowledge', { resultIds: [result] }, doctor),
    ],
    [
      'a result to amend',
      '404 LAB_RESULT_NOT_FOUND',
      step(final, 'amend', { resultId: result, value: '5', reason: 'None' }),
    ],
    ['an item to judge', '404 LAB_ITEM_NOT_FOUND', step(collected, 'judge', { values: [{ itemId, value: '5' }] })],
    [
      'a specimen whose label is printed',
      '404 LAB_SPECIMEN_NOT_FOUND',
      get(`${ORDERS}/${collected.id}/labels?specimenId=${specimenId}`),
    ],
    [
      'a test whose results are read',
      '404 LAB_TEST_NOT_FOUND',
      get(`${PATIENTS}/${patient.id}/lab-results?testId=${theirs.testId}`),
    ],
  ];
  const answers: [string, string][] = [];
  for (const [name, , answer] of requests) answers.push([name, outcomeOf(await answer)]);
  expect(answers).toEqual(requests.map(([name, expected]) => [name, expected]));
  const after = [await rowsOf(theirs.of), await rowsOf(mary)];
  // The report of what is verified may be issued meanwhile.
  for (const rows of [...before, ...after]) delete rows.lab_orders;
  expect(after).toEqual(before);
});
