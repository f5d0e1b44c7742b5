/**
 * How soon somebody at the reception sees whom they search: from the last key until the row of the patient is shown, with
 * HMS_BENCH_PATIENTS (100,000) patients in the hospital. It is compared with the same search as one request through the
 * gateway, right afterwards. HMS_BENCH_SEARCHES (20) makes it shorter or longer. Then how soon the reception sees who looks
 * like a new patient, and how long the import of a file takes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '@hms/api-client';
import { connect, findHospitalByPrefix, openTenantPool } from '@hms/database';
import { freePorts, layout, lineReport, startPlatform } from '@hms/local';
import { seedHospital } from '@hms/seed';
import { Sealer } from '@hms/service';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { Scene } from '../test/support/browser.ts';
import { obtainChromium } from '../test/support/chromium.ts';
import { api, tokenOf } from '../test/support/gateway.ts';
import { median, type Row, table } from './table.ts';

const PATIENTS = Number(process.env.HMS_BENCH_PATIENTS ?? 100_000);
const SEARCHES = Number(process.env.HMS_BENCH_SEARCHES ?? 20);
const GOAL_MS = 200;
const DUPLICATES_GOAL_MS = 150;
const IMPORTED = 10_000;
const IMPORT_GOAL_S = 60;
/** Between two keys. */
const KEY_MS = 90;

interface Found {
  readonly name: string;
  readonly phone: string;
  readonly code: string;
}
const KINDS = ['name', 'phone', 'code'] as const;

/** In milliseconds since the last key. */
interface Shown {
  /** When the last request began and had its answer. */
  readonly requested: number;
  readonly answered: number;
  /** The frame in which the list is that of the whole text and has the code in a row. */
  readonly shown: number;
}

/** `watch` begins, and `shown` resolves with `Shown`. */
const WATCH = `
  let lastKey = Infinity;
  let wanted = {};
  addEventListener('input', () => { lastKey = performance.now(); }, true);
  window.watch = (code, text) => {
    wanted = { code, text };
    lastKey = Infinity;
    performance.clearResourceTimings();
  };
  const isShown = () =>
    decodeURIComponent(location.search.replaceAll('+', ' ')).includes(wanted.text) &&
    [...document.querySelectorAll('main [aria-live=polite].hms-hidden')].some((status) => status.textContent !== '') &&
    [...document.querySelectorAll('tbody tr')].some((row) => row.textContent.includes(wanted.code));
  window.shown = async () => {
    while (!isShown()) {
      if (performance.now() - lastKey > 10000) throw new Error('not found: ' + JSON.stringify(wanted) + document.querySelector('main').innerText.slice(0, 500));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/patients?'));
    const { startTime, responseEnd } = requests.at(-1) ?? {};
    return { requested: startTime - lastKey, answered: responseEnd - lastKey, shown: performance.now() - lastKey };
  };
`;

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-reception-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
await obtainChromium(report);
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report });
process.env.HMS_TEST_STATE = layout(dataDir).state;
const { databaseUrls } = platform.state;
const db = connect(databaseUrls.operator, { poolSize: 1 });
const tenants = openTenantPool(databaseUrls.app, { poolSize: 2, prepared: true });
let scene: Scene | undefined;
try {
  // Nobody searches without a pause, as this does.
  scene = await Scene.start("St. Mary's Hospital", {
    gateway: { rateLimits: { hms: { minute: 60_000, hour: 1_000_000 } } },
  });
  await seed(scene.prefix);
  process.stdout.write(
    `${table([...(await measure(scene)), ...(await duplicates(scene)), ...(await importOf(scene))])}\n`,
  );
} finally {
  await scene?.stop();
  await Promise.all([db.destroy(), tenants.end()]);
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function seed(prefix: string): Promise<void> {
  const hospital = await findHospitalByPrefix(db, prefix);
  if (!hospital) throw new Error(`there is no hospital ${prefix}`);
  const app = connect(databaseUrls.app, { poolSize: 1 });
  // As `hmsctl seed` does.
  const sealer = new Sealer({ db: app, tenants, log: pino({ level: 'warn' }, process.stderr), delay: 5_000 });
  await seedHospital({
    ...{ tenants, hospital, sealer, now: new Date(), patience: 120_000 },
    ...{ patients: PATIENTS, days: 1, seed: 1, documentDays: 0 },
    part: (doing, work) => report.during(doing, work),
  });
  // Else the modules and PostgreSQL would do it during the first searches.
  await report.during('sealing the audit log, and VACUUM', async () => {
    await sealer.end();
    await app.destroy();
    await db.raw('VACUUM (ANALYZE)');
  });
}

async function measure(scene: Scene): Promise<readonly Row[]> {
  const page = await scene.loggedIn('RECEPTION');
  await page.addInitScript(WATCH);
  await page.goto(`${scene.origin}/patients`);
  const token = await tokenOf(scene.prefix, 'RECEPTION');
  const schema = `h_${scene.prefix.replaceAll('-', '_')}`;
  // Whose name is on one page of the list, in whatever order its words are.
  const { rows } = await db.raw<{ rows: Found[] }>(
    `SELECT min(first_name || ' ' || last_name) AS name, min(phone) AS phone, min(patient_code) AS code
     FROM ${schema}.patients GROUP BY (
       SELECT string_agg(word, ' ' ORDER BY word) FROM string_to_table(lower(first_name || ' ' || last_name), ' ') AS word
     ) HAVING count(*) = 1 ORDER BY md5(min(id::text)) LIMIT ${SEARCHES * KINDS.length}`,
  );
  const result: Row[] = [];
  for (const [number, kind] of KINDS.entries()) {
    const searches: Shown[] = [];
    const answered: number[] = [];
    await report.during(`${SEARCHES} searches by ${kind}`, async () => {
      for (const found of rows.slice(number * SEARCHES, (number + 1) * SEARCHES)) {
        searches.push(await search(page, found[kind], found.code));
        const start = performance.now();
        await dataOf(api(token).GET('/api/hms/patients', { params: { query: { q: found[kind], limit: 20 } } }));
        answered.push(performance.now() - start);
      }
    });
    const shown = searches.map((one) => one.shown);
    report.note(`the slowest by ${kind}: ${slowest(searches)}`);
    const measurement = `search by ${kind}: shown after`;
    const goal = { baseline: 'goal', baselineValue: GOAL_MS, unit: 'ms' };
    result.push(
      { measurement, value: median(shown), baseline: 'the request', baselineValue: median(answered), unit: 'ms' },
      { measurement: `${measurement}, slowest of ${SEARCHES}`, value: Math.max(...shown), ...goal },
    );
  }
  return result;
}

/** Registers people who are registered already: the answer names who looks like them. */
async function duplicates(scene: Scene): Promise<readonly Row[]> {
  const token = await tokenOf(scene.prefix, 'RECEPTION');
  const schema = `h_${scene.prefix.replaceAll('-', '_')}`;
  const { rows } = await db.raw<{
    rows: { firstName: string; lastName: string; phone: string; dateOfBirth: string }[];
  }>(
    `SELECT first_name AS "firstName", last_name AS "lastName", phone, date_of_birth::text AS "dateOfBirth"
     FROM ${schema}.patients WHERE unknown = '{}' ORDER BY md5(id::text) LIMIT ${5 * SEARCHES}`,
  );
  const answered: number[] = [];
  await report.during(`${rows.length} registrations of people who look like others`, async () => {
    for (const person of rows) {
      const start = performance.now();
      const { response } = await api(token).POST('/api/hms/patients', { body: { ...person, rejectDuplicates: true } });
      if (response.status !== 409) throw new Error(`nobody looks like ${JSON.stringify(person)}`);
      answered.push(performance.now() - start);
    }
  });
  const goal = { baseline: 'goal', baselineValue: DUPLICATES_GOAL_MS, unit: 'ms' };
  return [
    { measurement: 'who looks like a new patient', value: median(answered), ...goal },
    { measurement: `the same, slowest of ${rows.length}`, value: Math.max(...answered), ...goal },
  ];
}

/** From the upload of a file until everybody in it is registered. */
async function importOf(scene: Scene): Promise<readonly Row[]> {
  const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
  const rows = Array.from(
    { length: IMPORTED },
    (_, at) => `Ana ${at},Silva,+35186${1_000_000 + at},${1940 + (at % 70)}-02-28`,
  );
  const csv = ['firstName,lastName,phone,dateOfBirth', ...rows].join('\n');
  const start = performance.now();
  await report.during(`an import of ${IMPORTED} patients`, async () => {
    const body = { fileName: 'patients.csv', content: Buffer.from(csv).toString('base64') };
    const { id } = await dataOf(admin.POST('/api/hms/patient-imports', { body }));
    const params = { path: { id } };
    await dataOf(admin.POST('/api/hms/patient-imports/{id}/start', { params }));
    for (;;) {
      const { status, imported } = await dataOf(admin.GET('/api/hms/patient-imports/{id}', { params }));
      if (status === 'completed' && imported === IMPORTED) return;
      if (status === 'completed') throw new Error(`only ${imported} were imported`);
      await sleep(250);
    }
  });
  const value = (performance.now() - start) / 1000;
  const goal = { baseline: 'goal', baselineValue: IMPORT_GOAL_S, unit: 's' };
  return [{ measurement: `an import of ${IMPORTED} patients`, value, ...goal }];
}

/** Where the time of the slowest searches went. */
function slowest(searches: readonly Shown[]): string {
  const parts = searches
    .toSorted((one, other) => other.shown - one.shown)
    .slice(0, 5)
    .map(({ requested, answered, shown }) => [requested, answered, shown].map(Math.round).join(', '));
  return `requested, answered and shown after ${parts.join(' ms; ')} ms`;
}

/** Types a text, and waits until the patient is in the list. */
async function search(page: Page, text: string, code: string): Promise<Shown> {
  const field = page.getByRole('searchbox');
  await field.fill('');
  await sleep(500);
  await field.focus();
  await page.evaluate(`watch(${JSON.stringify(code)}, ${JSON.stringify(text)})`);
  await page.keyboard.type(text, { delay: KEY_MS });
  return page.evaluate('shown()');
}
