/** Ids of another hospital in every path, query and body of the pharmacy: they name nothing here, and change nothing there. */
import type { Drug } from '@hms/domain/drugs';
import type { Patient } from '@hms/domain/patients';
import type { Batch } from '@hms/domain/stock';
import { createTestHospital, type TestHospital } from '@hms/service/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { drugRoutes } from './catalogue.routes.ts';
import { dispenseRoutes, prescriptionRoutes } from './prescriptions.routes.ts';
import { countRoutes, stockRoutes } from './stock.routes.ts';
import {
  aBatch,
  aDrug,
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
  outcome,
  type Prescribed,
  pharmacist,
  post,
  prescribe,
  send,
  usePharmacy,
} from './testing.ts';

usePharmacy();

const EVERYBODY = ['ADMIN', 'DOCTOR', 'PHARMACIST'];
const TABLES = [
  ...['drugs', 'drug_interactions', 'stock_batches', 'stock_movements', 'stock_counts', 'stock_count_lines'],
  ...['prescriptions', 'prescription_items', 'prescription_overrides', 'dispenses', 'dispense_lines', 'charges'],
  ...['patients', 'employees'],
];
const REASON = { reason: 'Any' };

/** What the other hospital has. */
interface Theirs {
  readonly of: TestHospital;
  readonly drug: Drug;
  readonly interactionId: string;
  readonly batch: Batch;
  readonly countId: string;
  readonly patientId: string;
  readonly doctorId: string;
  readonly prescription: Prescribed;
  readonly dispense: Dispensed;
}
let theirs: Theirs;

beforeAll(async () => {
  const of = await createTestHospital(hms.operator, hms.issuer);
  const token = await of.token(EVERYBODY);
  const made = async <Made>(path: string, body: object): Promise<Made> => {
    const answer = await post(path, body, token);
    expect([path, answer.error]).toEqual([path, undefined]);
    return answer.data<Made>();
  };
  type WithId = { readonly id: string };
  const amoxicillin = {
    code: 'AMOX',
    name: 'Amoxicillin',
    ingredients: ['amoxicillin'],
    form: 'Tablet',
    unit: 'tablet',
  };
  const drug = await made<Drug>('drugs', amoxicillin);
  const pair = { substanceA: 'amoxicillin', substanceB: 'warfarin', severity: 'severe', effect: 'Bleeding' };
  const { id: interactionId } = await made<WithId>('drug-interactions', pair);
  const received = { drugId: drug.id, batchNo: 'B-1', expiresOn: day(99), quantity: 50 };
  const batch = await made<Batch>('stock-batches', received);
  const { id: countId } = await made<WithId>('stock-counts', {});
  await send('PUT', `stock-counts/${countId}/lines`, token, { lines: [{ batchId: batch.id, counted: 40 }] });
  const person = { firstName: 'Jane', lastName: 'Doe', phone: '+353861234567', dateOfBirth: '1990-05-17' };
  const { id: patientId } = await made<Patient>('patients', person);
  const ada = { firstName: 'Ada', lastName: 'Byrne', email: 'ada@example.org', roles: ['DOCTOR'] };
  const { id: doctorId } = await made<WithId>('employees', ada);
  const prescription = await made<Prescribed>('prescriptions', { patientId, items: [line(drug, 10)] });
  const items = [{ itemId: prescription.items[0]?.id, quantity: 4 }];
  const given = await made<Dispensed>(`prescriptions/${prescription.id}/dispense`, { items });
  theirs = { of, drug, interactionId, batch, countId, patientId, doctorId, prescription, dispense: given };
}, 60_000);

/** Every row of a hospital that these requests could change. The PDF of a prescription may be issued meanwhile. */
const rowsOf = ({ hospital }: TestHospital) =>
  hms.platform.tenants.inTenant(hospital, async (trx) =>
    Object.fromEntries(
      await Promise.all(
        TABLES.map(async (table) => [
          table,
          await trx.query(
            `SELECT (to_jsonb(one) - 'updated_at' - 'version')::text AS row FROM ${table} one ORDER BY 1`,
          ),
        ]),
      ),
    ),
  );

/** A body that would be right, for the routes that need one. */
const BODIES: Readonly<Record<string, () => object>> = {
  updateDrug: () => ({ name: 'Changed' }),
  updateDrugInteraction: () => ({ effect: 'Changed' }),
  updateStockBatch: () => ({ location: 'Store' }),
  receiveStockBatch: () => ({ quantity: 1 }),
  adjustStockBatch: () => ({ quantity: 1, ...REASON }),
  transferStockBatch: () => ({ quantity: 1, location: 'Ward 3' }),
  discardStockBatch: () => ({ quantity: 1, ...REASON }),
  updateStockCount: () => ({ note: 'Changed' }),
  recordStockCount: () => ({ lines: [{ batchId: theirs.batch.id, counted: 1 }] }),
  updatePrescription: () => ({ notes: 'Changed' }),
  returnDispense: () => ({ lines: [{ lineId: theirs.dispense.lines[0]?.id, quantity: 1 }], ...REASON }),
};
/** The id in a path, by its first part. */
const IDS: Readonly<Record<string, () => string>> = {
  drugs: () => theirs.drug.id,
  'drug-interactions': () => theirs.interactionId,
  'stock-batches': () => theirs.batch.id,
  'stock-counts': () => theirs.countId,
  prescriptions: () => theirs.prescription.id,
  dispenses: () => theirs.dispense.id,
};

it('name nothing in the paths of any route', async () => {
  const before = await rowsOf(theirs.of);
  const papers = ['prescriptions/:id/pdf', 'dispenses/:id/labels'].map((path) => ({
    method: 'GET',
    path: `/api/hms/${path}`,
    operationId: path,
  }));
  const all = [...drugRoutes, ...stockRoutes, ...countRoutes, ...prescriptionRoutes, ...dispenseRoutes, ...papers];
  const routes = all.filter(({ path }) => path.includes('/:'));
  expect(routes.length).toBeGreaterThan(30);
  const token = await mary.token(EVERYBODY);
  for (const { method, path, operationId = '' } of routes) {
    const [record = ''] = path.replace('/api/hms/', '').split('/');
    const at = path.replace('/api/hms/', '').replace(':id', IDS[record]?.() ?? '');
    const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[operationId]?.() ?? REASON);
    const { status, error } = await send(method, at, token, body);
    expect([operationId, status, error?.code]).toEqual([operationId, 404, expect.stringMatching(/_NOT_FOUND$/)]);
  }
  expect(await rowsOf(theirs.of)).toEqual(before);
});

it('name nothing in bodies and queries', async () => {
  const drug = await aDrug();
  const batch = await aBatch(drug, 50);
  const patient = await aPatient();
  const open = await aPrescription(patient, [line(drug, 10)]);
  const given = await dispensed(await aPrescription(await aPatient(), [line(drug, 4)]));
  const count = (await post('stock-counts')).data<{ id: string }>();
  const admin = await mary.token(['ADMIN', 'DOCTOR']);
  const received = { batchNo: 'X', expiresOn: day(9), quantity: 1 };
  const item = open.items[0]?.id;
  const before = [await rowsOf(theirs.of), await rowsOf(mary)];
  const requests: readonly (readonly [string, string, ReturnType<typeof post>])[] = [
    ['the drug of a batch', 'DRUG_NOT_FOUND', post('stock-batches', { ...received, drugId: theirs.drug.id })],
    ['the patient of a prescription', 'PATIENT_NOT_FOUND', prescribe({ id: theirs.patientId }, [line(drug, 1)])],
    ['the drug of a prescription', 'DRUG_NOT_FOUND', prescribe(patient, [line(theirs.drug, 1)])],
    [
      'the doctor of a prescription',
      'DOCTOR_NOT_ALLOWED',
      post('prescriptions', { patientId: patient.id, doctorId: theirs.doctorId, items: [line(drug, 1)] }, admin),
    ],
    [
      'the prescription that another repeats',
      'PRESCRIPTION_NOT_FOUND',
      prescribe(patient, [line(drug, 1)], { repeatOfId: theirs.prescription.id }),
    ],
    [
      'the patient of a check',
      'PATIENT_NOT_FOUND',
      post('prescriptions/check', { patientId: theirs.patientId, items: [line(drug, 1)] }, doctor),
    ],
    [
      'the drug of a check',
      'DRUG_NOT_FOUND',
      post('prescriptions/check', { patientId: patient.id, items: [line(theirs.drug, 1)] }, doctor),
    ],
    [
      'an item to dispense',
      'PRESCRIPTION_ITEM_NOT_FOUND',
      dispense(open, { items: [{ itemId: theirs.prescription.items[0]?.id }] }),
    ],
    [
      'a substitute',
      'DRUG_NOT_FOUND',
      dispense(open, { items: [{ itemId: item, substitute: { drugId: theirs.drug.id, reason: 'None' } }] }),
    ],
    [
      'an item of a proposal',
      'PRESCRIPTION_ITEM_NOT_FOUND',
      post(`prescriptions/${open.id}/proposal`, { items: [{ itemId: theirs.prescription.items[0]?.id }] }),
    ],
    [
      'a line that comes back',
      'DISPENSE_LINE_NOT_FOUND',
      post(`dispenses/${given.id}/return`, {
        lines: [{ lineId: theirs.dispense.lines[0]?.id, quantity: 1 }],
        ...REASON,
      }),
    ],
    [
      'a batch that is counted',
      'STOCK_BATCH_NOT_FOUND',
      send('PUT', `stock-counts/${count.id}/lines`, pharmacist, { lines: [{ batchId: theirs.batch.id, counted: 1 }] }),
    ],
  ];
  const answers: [string, number | string][] = [];
  for (const [name, , answer] of requests) answers.push([name, outcome(await answer)]);
  expect(answers).toEqual(requests.map(([name, expected]) => [name, expected]));
  for (const query of [`stock-batches?drugId=${theirs.drug.id}`, `drug-levels?drugId=${theirs.drug.id}`])
    expect([query, (await get(query)).data()]).toEqual([query, []]);
  for (const query of ['prescriptions', 'dispenses'])
    expect([query, (await get(`${query}?patientId=${theirs.patientId}`)).data()]).toEqual([query, []]);
  expect([await rowsOf(theirs.of), await rowsOf(mary)]).toEqual(before);
  expect((await get(`stock-batches/${batch.id}`)).data<Batch>().onHand).toBe(46);
});
