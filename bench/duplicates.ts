/**
 * How well likely duplicates are found: precision and recall for each threshold, on the labelled people of hmsctl seed.
 * Of HMS_BENCH_PATIENTS (20,000) patients, some are registered a second time with the errors that people make. Families,
 * twins and namesakes look alike too, and are different people. For each error, it says how many were found in spite of it
 * at the usual threshold.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { candidatesFor, patients } from '@hms/domain/patients';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { detailsAt, personAt } from '@hms/seed';
import { records, type Work, workFor } from '@hms/service';
import { createTestHospital, startTestModule } from '@hms/service/testing';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { hmsModule } from '../services/hms/src/module.ts';
import { median } from './table.ts';

const PATIENTS = Number(process.env.HMS_BENCH_PATIENTS ?? 20_000);
const SEED = 1;
const THRESHOLDS = [60, 65, 68, 70, 75, 80, 85, 90];
const BATCH = 250;

const people = Array.from({ length: PATIENTS }, (_, number) => {
  return { ...personAt(SEED, number), gender: detailsAt(SEED, number).gender };
});
/** The number of the first record of the same person. */
const personOf = (number: number) => {
  const origin = people[number]?.origin;
  return origin?.kind === 'duplicate' ? origin.of : number;
};

/** What whoever registered somebody again did wrong. */
const errorsOf = (number: number) => {
  const origin = people[number]?.origin;
  return origin?.kind === 'duplicate' ? origin.errors : [];
};

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-duplicates-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const module = await startTestModule({ databaseUrls: platform.state.databaseUrls, define: hmsModule });
try {
  const { hospital } = await createTestHospital(module.operator, module.issuer);
  const settings = { ...DEFAULT_SETTINGS, duplicateThreshold: Math.min(...THRESHOLDS) };
  const inHospital = <T>(work: (work: Work) => Promise<T>) =>
    workFor(module.platform, { ...hospital, settings }, 'bench', work);

  /** The number of each patient by id. */
  const numbers = new Map<string, number>();
  await report.during(`registering ${PATIENTS} patients`, async () => {
    for (let from = 0; from < people.length; from += BATCH) {
      const rows = people.slice(from, from + BATCH).map(({ firstName, lastName, dateOfBirth, phone, gender }) => {
        return { firstName, lastName, dateOfBirth, phone, gender, alerts: [] };
      });
      const inserted = await inHospital((work) => Promise.all(rows.map((row) => records(work, patients).insert(row))));
      for (const [index, { id }] of inserted.entries()) numbers.set(id, from + index);
    }
  });
  const ids = [...numbers.keys()];

  const again = people.flatMap(({ origin }, number) => (origin.kind === 'duplicate' ? [number] : []));
  // As many people who look like somebody else: evenly among all of them.
  const relatives = people.flatMap(({ origin }, number) => (origin.kind === 'relative' ? [number] : []));
  const alike = again.map((_, index) => relatives[Math.floor((index * relatives.length) / again.length)] as number);

  const times: number[] = [];
  /** Each candidate with its score, and whether it is the same person. */
  const candidates: { readonly score: number; readonly isSame: boolean; readonly of: number }[] = [];
  await report.during(`comparing ${2 * again.length} people`, async () => {
    for (const number of [...again, ...alike]) {
      const { firstName, lastName, dateOfBirth, phone, gender } = people[number] as (typeof people)[number];
      const written = { firstName, lastName, dateOfBirth, phone, gender, id: ids[number] as string };
      const start = performance.now();
      const found = await inHospital((work) => candidatesFor(work, written));
      times.push(performance.now() - start);
      for (const { id, similarity } of found) {
        const isSame = personOf(numbers.get(id) ?? Number.NaN) === personOf(number);
        candidates.push({ score: similarity.score, isSame, of: number });
      }
    }
  });

  const asked = new Set(again);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const foundFrom = (threshold: number) =>
    new Set(candidates.flatMap(({ of, score, isSame }) => (isSame && score >= threshold && asked.has(of) ? [of] : [])));
  const lines = THRESHOLDS.map((threshold) => {
    const shown = candidates.filter(({ score }) => score >= threshold);
    const right = shown.filter(({ isSame }) => isSame);
    const found = foundFrom(threshold);
    const each = (shown.length / (2 * again.length)).toFixed(2);
    return `| ${threshold} | ${percent(right.length / shown.length)} | ${percent(found.size / again.length)} | ${each} |`;
  });
  process.stdout.write(
    `${['| threshold | precision | recall | candidates for each person |', '| --- | --- | --- | --- |', ...lines].join('\n')}\n\n`,
  );
  const usual = foundFrom(DEFAULT_SETTINGS.duplicateThreshold);
  const withError = Map.groupBy(
    again.flatMap((number) => errorsOf(number).map((error) => ({ error, isFound: usual.has(number) }))),
    ({ error }) => error,
  );
  const errors = [...withError].map(([error, all]) => {
    const found = all.filter(({ isFound }) => isFound).length;
    return `| ${error} | ${all.length} | ${found} | ${percent(found / all.length)} |`;
  });
  process.stdout.write(
    `${['| error | people | found | recall |', '| --- | --- | --- | --- |', ...errors.sort()].join('\n')}\n\n`,
  );
  process.stdout.write(
    `${again.length} people are registered twice among ${PATIENTS}. ${median(times).toFixed(1)} ms for each comparison (median)\n`,
  );
} finally {
  await module.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
