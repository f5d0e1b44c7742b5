/** Every type of resource, validated by HAPI's validator. */
import { fhirProblems } from '@hms/service/fhir/testing';
import { expect, it } from '@jest/globals';
import { admin, PATIENTS, patient, post } from '../laboratory/testing.ts';
import { busy, fhir, TYPES, useBusyHospital } from './testing.ts';

useBusyHospital();

it('is valid FHIR R4, and the check refuses what is not', async () => {
  await post(`${PATIENTS}/${busy.other.id}/merge`, { intoId: patient.id }, admin);
  const texts: Record<string, string> = { wrong: '{"resourceType": "Observation", "status": "nonsense"}' };
  for (const type of TYPES) {
    const { text, type: contentType } = await fhir(type);
    expect(contentType).toBe('application/fhir+json');
    texts[type] = text;
  }
  texts.Slot = (await fhir(`Slot?schedule=${busy.schedule.id}`)).text;
  texts.metadata = (await fhir('metadata')).text;
  texts.refused = (await fhir('Patient?birthdate=yesterday')).text;
  expect(await fhirProblems(texts)).toEqual({
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, ''])),
    wrong: expect.stringContaining('nonsense'),
  });
}, 180_000);
