/** Every type of resource of this module, validated by HAPI's validator. */
import { fhirProblems } from '@hms/service/fhir/testing';
import { expect, it } from '@jest/globals';
import { busy, fhir, TYPES, useBusyHospital } from './testing.ts';

useBusyHospital();

it('is valid FHIR R4, and the check refuses what is not', async () => {
  const texts: Record<string, string> = { wrong: '{"resourceType": "Appointment", "status": "nonsense"}' };
  for (const path of [...TYPES, `Slot?schedule=${busy.schedule.id}`, 'metadata', 'Appointment?date=yesterday']) {
    const { text, type } = await fhir(path);
    expect([path, type]).toEqual([path, 'application/fhir+json']);
    texts[path.replaceAll(/\W/g, '-')] = text;
  }
  expect(await fhirProblems(texts)).toEqual({
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, ''])),
    wrong: expect.stringContaining('nonsense'),
  });
}, 180_000);
