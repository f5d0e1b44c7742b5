/**
 * Proves on the running platform that people who work at the same time can't break what must always hold. Each request goes
 * through the gateway, from an account of the person's own. The hospital is new, and its manifest raises the limits of
 * requests. Prints a table, and ends with 1 if anything was violated. `make prove` runs it.
 * HMS_PROVE_ROUNDS (20) is how often a race of few requests is repeated. HMS_PROVE_ONLY has texts of the names of scenarios, with commas between them.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATA_DIR, lineReport, livingState, PROJECT } from '@hms/local';
import { People } from './people.ts';
import type { Proof } from './proof.ts';
import { SCENARIOS } from './scenarios.ts';

const ONLY = (process.env.HMS_PROVE_ONLY ?? '').split(',');
const state = livingState(DATA_DIR);
if (state?.phase !== 'running') {
  process.stderr.write('No platform runs on this machine: start it with make up.\n');
  process.exit(1);
}
const hospital = `prove-${randomBytes(3).toString('hex')}`;
const manifest = readFileSync(path.join(import.meta.dirname, 'hospital.yaml'), 'utf8');
hmsctl(['apply', '--wait', '-f', '-'], manifest.replaceAll('name: prove', `name: ${hospital}`));
const people = new People(state, hospital, (setting) =>
  hmsctl(
    ['apply', '--wait', '-f', '-'],
    manifest
      .replaceAll('name: prove', `name: ${hospital}`)
      .replace('    country: IE', `    country: IE\n    ${setting}`),
  ),
);
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const proofs: Proof[] = [];
try {
  for (const scenario of SCENARIOS) {
    if (!ONLY.some((text) => scenario.name.includes(text))) continue;
    proofs.push(await report.during(scenario.name, () => scenario(people)));
  }
} finally {
  await people.end();
}

const lines = proofs.map(({ scenario, requests, outcomes, violations }) =>
  [scenario, requests, summary(outcomes), violations.length].join(' | '),
);
process.stdout.write(
  `${['| scenario | requests | outcomes | violations |', '| --- | --- | --- | --- |', ...lines.map((line) => `| ${line} |`)].join('\n')}\n`,
);
if (people.repetitions > 0)
  process.stdout.write(`${people.repetitions} requests were answered with 503 and sent again after Retry-After\n`);
const violations = proofs.flatMap(({ scenario, violations: found }) => found.map((one) => `${scenario}: ${one}`));
for (const violation of new Set(violations)) process.stdout.write(`${violation}\n`);
process.stdout.write(`${violations.length} violations\n`);
if (violations.length === 0) hmsctl(['delete', '--confirm', '--wait', hospital]);
else {
  process.stdout.write(`Hospital ${hospital} is kept. Afterwards: bin/hmsctl hospital delete ${hospital} --confirm\n`);
  process.exitCode = 1;
}

/** What it prints is progress: the output is the table alone. */
function hmsctl(args: readonly string[], input = ''): void {
  execFileSync(path.join(PROJECT, 'bin', 'hmsctl'), ['hospital', ...args], { input, stdio: ['pipe', 2, 2] });
}

/** `201: 50, INSUFFICIENT_STOCK: 14` */
function summary(outcomes: readonly (number | string)[]): string {
  return [...Map.groupBy(outcomes, (one) => one)].map(([one, some]) => `${one}: ${some.length}`).join(', ');
}
