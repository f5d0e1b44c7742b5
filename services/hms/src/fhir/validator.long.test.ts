/** Every type of resource of this module, validated by HAPI's validator. */
import { fhirProblems } from '@hms/service/fhir/testing';
import { expect, it } from '@jest/globals';
import { admin, doctor, PATIENTS, patient, post } from '../laboratory/testing.ts';
import { busy, created, fhir, TYPES, useBusyHospital } from './testing.ts';

useBusyHospital();

it('is valid FHIR R4, and the check refuses what is not', async () => {
  await post(`${PATIENTS}/${busy.other.id}/merge`, { intoId: patient.id }, admin);
  const newborn = { firstName: null, lastName: null, phone: null, unknown: ['firstName', 'lastName', 'phone'] };
  await created(PATIENTS, { ...newborn, dateOfBirth: '2026-06-14', timeOfBirth: '23:30' }, doctor);
  const texts: Record<string, string> = { wrong: '{"resourceType": "Observation", "status": "nonsense"}' };
  for (const type of TYPES) {
    const { text, type: contentType } = await fhir(type);
    expect(contentType).toBe('application/fhir+json');
    texts[type] = text;
  }
  texts.metadata = (await fhir('metadata')).text;
  texts.refused = (await fhir('Patient?birthdate=yesterday')).text;
  expect(texts.Patient).toContain('"valueDateTime":"2026-06-14T23:30:00+07:00"');
  expect(await fhirProblems(texts)).toEqual({
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, ''])),
    wrong: expect.stringContaining('nonsense'),
  });
}, 180_000);
