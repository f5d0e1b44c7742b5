/** A hospital in which something of each type of FHIR has happened, for the tests. */
import { TASKS_SCHEMA } from '@hms/database';
import { type FhirAnswer, readFhir } from '@hms/service/fhir/testing';
import { beforeEach, expect } from '@jest/globals';
import type { Bundle, FhirResource } from 'fhir/r4.js';
import {
  activeTest,
  admin,
  doctor,
  done,
  hms,
  item,
  mary,
  order,
  PATIENTS,
  POTASSIUM,
  person,
  post,
  useLaboratory,
  verified,
} from '../laboratory/testing.ts';

const FHIR = '/api/hms/fhir/R4';
export const TYPES = [
  ...['Patient', 'Practitioner', 'Organization', 'Location', 'ServiceRequest', 'Specimen'],
  ...['Observation', 'DiagnosticReport', 'MedicationRequest', 'MedicationDispense'],
];
const POTASSIUM_LOINC = { ...POTASSIUM, loinc: '2823-3' };
const BLOOD_GROUP = {
  ...{ code: 'ABO', name: 'Blood group', specimenType: 'EDTA blood', valueType: 'coded' },
  options: [{ code: 'A', name: 'Group A' }],
};
const SMEAR = { code: 'SMEAR', name: 'Smear', specimenType: 'EDTA blood', valueType: 'text' };

/** @param at path and query after the base, or a whole link. */
export async function fhir<Body = Bundle<FhirResource>>(at: string, token = doctor): Promise<FhirAnswer<Body>> {
  const own = at.startsWith('http') ? at.slice(at.indexOf('/api/')) : `${FHIR}/${at}`;
  return readFhir<Body>(`${hms.url}${own}`, token);
}

export async function found(at: string, token = doctor): Promise<FhirResource[]> {
  const { status, body } = await fhir(at, token);
  expect([at, status, body.resourceType]).toEqual([at, 200, 'Bundle']);
  return (body.entry ?? []).flatMap(({ resource }) => resource ?? []);
}
export const ids = async (at: string) => (await found(at)).map(({ id }) => id);

export async function created<T extends object>(path: string, body: object, token: string): Promise<T> {
  const answer = await post(path, body, token);
  expect([path, answer.status, answer.error]).toEqual([path, 201, undefined]);
  return answer.data<T>();
}

export interface WithId {
  readonly id: string;
}

/** A hospital in which something of each type has happened. */
async function busyHospital() {
  const pharmacist = await person('PHARMACIST');
  const department = await created<WithId>('/api/hms/departments', { code: 'LAB', name: 'Laboratory' }, admin);
  const clinic = await created<WithId>(
    '/api/hms/clinics',
    { code: 'ENT', name: 'Ear, nose and throat', departmentId: department.id, location: 'Ground floor' },
    admin,
  );
  for (const firstName of ['Ada', 'Bea']) await created('/api/hms/employees', employee(firstName), admin);
  const room = await created<WithId>('/api/hms/rooms', { code: 'ENT-1', name: 'Room 1', clinicId: clinic.id }, admin);
  const address = { street: '1 Main St', city: 'Dublin', postalCode: 'D02', country: 'IE' };
  const other = await created<WithId & { readonly version: number }>(
    PATIENTS,
    { firstName: 'José', lastName: 'O’Connor', phone: '+353861234567', dateOfBirth: '2000-02-29', address },
    doctor,
  );
  const tests = await Promise.all([POTASSIUM_LOINC, BLOOD_GROUP, SMEAR].map(activeTest));
  const [potassium, group, smear] = tests as readonly WithId[] as [WithId, WithId, WithId];
  const final = await verified('4.10', potassium);
  const orderAll = await order([potassium, group, smear], { clinicalNote: 'Tired', priority: 'stat' });
  await done(orderAll, 'collect');
  const entered = await done(orderAll, 'results', {
    results: [
      { itemId: item(orderAll).id, value: '<4' },
      { itemId: item(orderAll, 'ABO').id, value: 'A' },
      { itemId: item(orderAll, 'SMEAR').id, value: 'No abnormal cells' },
    ],
  });
  const placed = await done(await order([smear]), 'collect');
  const clotted = { specimenId: placed.specimens[0]?.id, reason: 'Clotted' };
  const rejected = await done(placed, 'reject-specimen', clotted);
  const drug = await created<WithId>(
    '/api/hms/drugs',
    {
      code: 'AMOX',
      name: 'Amoxicillin',
      ingredients: ['amoxicillin'],
      form: 'Tablet',
      strength: '500 mg',
      unit: 'tablet',
    },
    pharmacist,
  );
  await created(
    '/api/hms/stock-batches',
    { drugId: drug.id, batchNo: 'B-1', expiresOn: '2099-12-31', quantity: 100 },
    pharmacist,
  );
  const items = [{ drugId: drug.id, dose: 0.5, timesPerDay: 3, durationDays: 7, instructions: 'After meals' }];
  const prescription = await created<WithId & { readonly items: readonly WithId[] }>(
    '/api/hms/prescriptions',
    { patientId: other.id, items },
    doctor,
  );
  const dispense = await created<WithId & { readonly lines: readonly WithId[] }>(
    `/api/hms/prescriptions/${prescription.id}/dispense`,
    {},
    pharmacist,
  );
  return { department, clinic, room, other, final, entered, rejected, potassium, smear, drug, prescription, dispense };
}

export let busy: Awaited<ReturnType<typeof busyHospital>>;

/** Each test has a hospital of its own, which is `busy`. */
export function useBusyHospital(): void {
  useLaboratory();
  beforeEach(async () => {
    busy = await busyHospital();
  });
}

function employee(firstName: string) {
  const email = `${firstName.toLowerCase()}@example.org`;
  return { firstName, lastName: 'Byrne', email, phone: '+353861112223', licenseNo: 'MD-1', roles: ['NURSE'] };
}

/** Takes back the hospital's tasks that wait. @returns true if none is running. */
export async function tasksEnd(): Promise<true | undefined> {
  const ofHospital = `FROM ${TASKS_SCHEMA}._private_jobs WHERE payload->>'hospital' = ?`;
  await hms.operator.raw(`DELETE ${ofHospital} AND locked_at IS NULL`, [mary.hospital.id]);
  const { rowCount } = await hms.operator.raw(`SELECT ${ofHospital}`, [mary.hospital.id]);
  return rowCount === 0 || undefined;
}
