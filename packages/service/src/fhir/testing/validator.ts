/** For tests: HAPI's validator of FHIR R4. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findJava } from '@hms/local';
import { $ } from 'zx';
import { tool } from '../../../../../test/support/tools.ts';

const CHECK = path.join(import.meta.dirname, 'FhirCheck.java');

/**
 * Validates resources. Takes a minute.
 * @param texts JSON by any name.
 * @returns the errors of each by its name, an empty text if it is valid.
 */
export async function fhirProblems(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { binary: java } = await findJava();
  const folder = mkdtempSync(path.join(tmpdir(), 'hms-test-fhir-'));
  try {
    const names = Object.keys(texts);
    for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
    const { stdout } = await $({ quiet: true, cwd: folder })`${java} -cp ${tool('fhirValidator')} ${CHECK} ${names}`;
    const lines = stdout.trimEnd().split('\n');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
