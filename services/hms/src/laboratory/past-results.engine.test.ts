/** The results of one test for a patient over time. */

import type { pastResult } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import { newId } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, expect, it } from '@jest/globals';
import type { z } from 'zod';
import {
  activeTest,
  admin,
  colleague,
  doctor,
  done,
  get,
  hms,
  JANE,
  order,
  PATIENTS,
  POTASSIUM,
  patient,
  post,
  read,
  resulted,
  resultIds,
  SODIUM,
  tech,
  useLaboratory,
  verified,
} from './testing.ts';

type PastResult = z.output<typeof pastResult>;

useLaboratory();

let potassium: LabTestWithRanges;
beforeEach(async () => {
  potassium = await activeTest(POTASSIUM);
});

const past = (testId = potassium.id, patientId = patient.id, token = doctor, more = '') =>
  get(`${PATIENTS}/${patientId}/lab-results?testId=${testId}${more}`, token);
const values = async (...parameters: Parameters<typeof past>) =>
  (await past(...parameters)).data<PastResult[]>().map(({ value }) => value);

it('are those of this test and patient, the specimen that was collected last first', async () => {
  await verified('4.10', potassium);
  await resulted('7.1', potassium);
  await verified('140', await activeTest(SODIUM));
  // Entered later, and collected earlier.
  const placed = await order([potassium]);
  await done(placed, 'collect', { collectedAt: new Date(Date.now() - 86_400_000).toISOString() });
  await done(placed, 'results', { results: placed.items.map(({ id }) => ({ itemId: id, value: '<2.0' })) });
  const answer = await past();
  expect(answer.meta).toEqual({ page: 1, limit: 20, total: 3 });
  expect(answer.data<PastResult[]>()).toMatchObject([
    { value: '7.1', number: 7.1, flag: 'HH', isCritical: true, status: 'preliminary', unit: 'mmol/L' },
    { value: '4.10', number: 4.1, flag: 'N', status: 'final', range: { low: '3.5', high: '5.1' } },
    { value: '<2.0', number: null, flag: 'LL', orderNo: placed.orderNo, status: 'preliminary' },
  ]);
  expect(await values(potassium.id, patient.id, doctor, '&limit=1&page=2')).toEqual(['4.10']);
});

it('are the current versions: neither a former one, nor one of a rejected specimen', async () => {
  const placed = await verified('4.10', potassium);
  const [resultId] = resultIds(placed);
  await done(placed, 'amend', { resultId, value: '4.40', reason: 'Typing error' });
  const rejected = await resulted('9.9', potassium);
  const [specimen] = rejected.specimens;
  await done(rejected, 'reject-specimen', { specimenId: specimen?.id, reason: 'Clotted' });
  expect((await past()).data<PastResult[]>()).toMatchObject([{ value: '4.40', status: 'corrected' }]);
  await done(await read(placed), 'verify', { resultIds: resultIds(await read(placed)) }, colleague);
  expect(await values()).toEqual(['4.40']);
});

it('are those of a merged patient too, through either', async () => {
  await verified('4.10', potassium);
  const body = { ...JANE, phone: '+6281234567899' };
  const other = (await post(PATIENTS, body, doctor)).data<Patient>();
  await post(`${PATIENTS}/${patient.id}/merge`, { intoId: other.id }, admin);
  expect(await values(potassium.id, other.id)).toEqual(['4.10']);
  expect(await values(potassium.id, patient.id)).toEqual(['4.10']);
});

it('are only of the hospital, of a known test and a known patient', async () => {
  await verified('4.10', potassium);
  const other = await createTestHospital(hms.operator, hms.issuer);
  expect((await past(potassium.id, patient.id, await other.token(['DOCTOR']))).error.code).toBe('PATIENT_NOT_FOUND');
  expect((await past(newId())).error.code).toBe('LAB_TEST_NOT_FOUND');
  expect((await past(potassium.id, newId())).error.code).toBe('PATIENT_NOT_FOUND');
  expect((await get(`${PATIENTS}/${patient.id}/lab-results`, tech)).error.code).toBe('VALIDATION_FAILED');
});
