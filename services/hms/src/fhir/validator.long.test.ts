/** Every type of resource, validated by HAPI's validator. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findJava } from '@hms/local';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { $ } from 'zx';
import { tool } from '../../../../test/support/tools.ts';
import { admin, PATIENTS, patient, post } from '../laboratory/testing.ts';
import { busy, fhir, TYPES, useBusyHospital } from './testing.ts';

const CHECK = path.join(import.meta.dirname, 'testing', 'FhirCheck.java');

useBusyHospital();

const folder = mkdtempSync(path.join(tmpdir(), 'hms-test-fhir-'));
let java: string;
beforeAll(async () => {
  ({ binary: java } = await findJava());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is valid FHIR R4, and the check refuses what is not', async () => {
  await post(`${PATIENTS}/${busy.other.id}/merge`, { intoId: patient.id }, admin);
  const files: Record<string, string> = { wrong: '{"resourceType": "Observation", "status": "nonsense"}' };
  for (const type of TYPES) {
    const { text, type: contentType } = await fhir(type);
    expect(contentType).toBe('application/fhir+json');
    files[type] = text;
  }
  files.Slot = (await fhir(`Slot?schedule=${busy.schedule.id}`)).text;
  files.metadata = (await fhir('metadata')).text;
  files.refused = (await fhir('Patient?birthdate=yesterday')).text;
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.json`), text);
  const names = Object.keys(files).map((name) => `${name}.json`);
  const { stdout } = await $({ quiet: true, cwd: folder })`${java} -cp ${tool('fhirValidator')} ${CHECK} ${names}`;
  const problems = Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  expect(problems).toEqual({
    ...Object.fromEntries(names.map((name) => [name, ''])),
    'wrong.json': expect.stringContaining('nonsense'),
  });
}, 180_000);
