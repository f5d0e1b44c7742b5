/**
 * Proves on a real PostgreSQL, with two processes' worth of the modules hms and queue, that people who work at the same time can't
 * break what must always hold. Prints a table, and ends with 1 if anything was violated. `make prove` runs it.
 * HMS_PROVE_ROUNDS (20) is how often a race of few requests is repeated.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, layout, lineReport, startPlatform } from '@hms/local';
import { People } from './people.ts';
import type { Proof } from './proof.ts';
import { SCENARIOS } from './scenarios.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-prove-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: true, report, only: ['database'] });
process.env.HMS_TEST_STATE = layout(dataDir).state;
const proofs: Proof[] = [];
try {
  for (const scenario of SCENARIOS) {
    const people = await People.start();
    try {
      proofs.push(await report.during(scenario.name, () => scenario(people)));
    } finally {
      await people.end();
    }
  }
} finally {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

const lines = proofs.map(({ scenario, requests, outcomes, violations }) =>
  [scenario, requests, summary(outcomes), violations.length].join(' | '),
);
process.stdout.write(
  `${['| scenario | requests | outcomes | violations |', '| --- | --- | --- | --- |', ...lines.map((line) => `| ${line} |`)].join('\n')}\n`,
);
const violations = proofs.flatMap(({ scenario, violations: found }) => found.map((one) => `${scenario}: ${one}`));
for (const violation of new Set(violations)) process.stdout.write(`${violation}\n`);
process.stdout.write(`${violations.length} violations\n`);
process.exitCode = violations.length === 0 ? 0 : 1;

/** `201: 50, INSUFFICIENT_STOCK: 14` */
function summary(outcomes: readonly (number | string)[]): string {
  return [...Map.groupBy(outcomes, (one) => one)].map(([one, some]) => `${one}: ${some.length}`).join(', ');
}
