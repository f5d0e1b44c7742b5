/**
 * Reports of a hospital with two years and a million payments: how soon the list behind a figure begins, what memory it
 * takes, what a list of patients takes beside it, and how soon a report ends in PostgreSQL that nobody waits for.
 * HMS_BENCH_PAYMENTS (1,000,000) makes it smaller or larger.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@hms/database';
import { freePorts, lineReport, NODE_LIMITS, startPlatform } from '@hms/local';
import { createIssuer, createTestHospital } from '@hms/service/testing';
import { hospitalNames, moduleNamed } from '@hms/tenancy';
import { Servers } from './api/processes.ts';
import { percentile } from './load.ts';
import { type Row, table, timed } from './table.ts';

const PAYMENTS = Number(process.env.HMS_BENCH_PAYMENTS ?? 1_000_000);
const PATIENTS = PAYMENTS / 10;
const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 25);
const ROUNDS = 4;
/** How often somebody opens the list of patients, in milliseconds. */
const PAUSE = 50;
const NEW_LINE = 10;
const YEAR = 'from=2026-01-01&to=2027-01-01';

const id = (letter: string, at = 'n') => `('${letter}0000000-0000-4000-8000-' || lpad((${at})::text, 12, '0'))::uuid`;
const patient = id('a', `n % ${PATIENTS} + 1`);
/** The last moment of a payment is the end of 2026. */
const AT = `timestamptz '2025-01-01 08:00Z' + n * interval '${(730 * 86_400) / PAYMENTS} s'`;
const numbers = (most: number) => `FROM generate_series(1, ${most}) n`;

/** Statements that fill a hospital, run in its schema. Each invoice has two lines and one payment of two parts at most. */
const FILL = [
  `INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
   SELECT ${id('a')}, 'HSP-' || lpad(n::text, 6, '0'), ${id('c')}, 'Ann' || n, 'Doe', '+62812' || (3000000 + n),
     '1990-05-17', 'bench', 'bench' ${numbers(PATIENTS)}`,
  `INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
   SELECT ${id('c')}, 'FAM-' || lpad(n::text, 6, '0'), 'Doe', ${id('a')}, ${id('a')}, 'bench', 'bench' ${numbers(PATIENTS)}`,
  `INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
   SELECT ${id('e')}, ${id('c')}, ${id('a')}, 'self', 'bench', 'bench' ${numbers(PATIENTS)}`,
  `INSERT INTO invoices (id, invoice_no, patient_id, payer_id, currency, prices_include_tax, line_count,
     subtotal, net, total, paid, last_payment, issued_at, status, created_at, created_by, updated_by)
   SELECT ${id('b')}, 'INV-' || extract(year FROM ${AT}) || '-' || lpad(n::text, 7, '0'), ${patient}, ${patient}, 'IDR', false, 2,
     2000, 2000, 2000, 2000, 1, ${AT}, 'paid', ${AT}, 'bench', 'bench' ${numbers(PAYMENTS)}`,
  `INSERT INTO invoice_lines (id, invoice_id, seq, item_group, description, unit_price, quantity, tax_bps,
     line_discount, benefit, invoice_discount, gross, net, tax, total, up_to)
   SELECT gen_random_uuid(), ${id('b')}, seq, CASE seq WHEN 1 THEN 'consultation' ELSE 'laboratory' END, 'Consultation',
     1000, 1, 0, 0, 0, 0, 1000, 1000, 0, 1000, seq * 1000 ${numbers(PAYMENTS)}, generate_series(1, 2) seq`,
  `INSERT INTO payments (id, invoice_id, patient_id, currency, number, kind, amount, paid, refunded, insurer_paid,
     balance_after, part_count, receipt_no, paid_at, received_by, received_by_name)
   SELECT ${id('d')}, ${id('b')}, ${patient}, 'IDR', 1, 'payment', 2000, 2000, 0, 0, 0, 1,
     'RCT-' || extract(year FROM ${AT}) || '-' || lpad(n::text, 7, '0'), ${AT}, 'cashier-' || n % 8, 'Cashier ' || n % 8
   ${numbers(PAYMENTS)}`,
  `INSERT INTO payment_parts (payment_id, position, method, amount, up_to, insured_up_to)
   SELECT ${id('d')}, 1, (ARRAY['CARD', 'TRANSFER', 'MOBILE'])[n % 3 + 1], 2000, 2000, 0 ${numbers(PAYMENTS)}`,
];

const sorted = (times: readonly number[]) => [...times].sort((one, other) => one - other);

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-reports-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const { databaseUrls } = platform.state;
const issuer = await createIssuer();
const processes = new Servers(platform.state, issuer);
const operator = connect(databaseUrls.operator, { statementTimeoutMs: 3_600_000 });
const rows: Row[] = [];
try {
  const own = await createTestHospital(operator, issuer);
  const { schema } = hospitalNames(own.hospital.prefix);
  await report.during(`writing ${PAYMENTS} payments`, async () => {
    await operator.transaction(async (trx) => {
      await trx.raw(`SET LOCAL search_path TO ${schema}, extensions`);
      for (const statement of FILL) await trx.raw(statement);
    });
    await operator.raw('VACUUM ANALYZE');
  });
  const servers = {
    hms: await processes.module('hms', NODE_LIMITS),
    report: await processes.module('report', [...NODE_LIMITS, ...moduleNamed('report').nodeOptions]),
  };
  const headers = { Authorization: `Bearer ${await own.token(['OWNER'], { expiresIn: 7200 })}` };
  const get = (name: 'hms' | 'report', path: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${servers[name].port}/api/${name}/${path}`, { headers, ...(signal ? { signal } : {}) });

  await report.during('the list behind a figure as CSV', () => measureCsv());
  await report.during('a list of patients beside reports', () => measureBeside());
  await report.during('reports for which nobody waits', () => measureCancelled());

  /** Of the module, in MB. */
  function memory(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${servers.report.pid}/status`, 'utf8'))?.[1]) / 1024;
  }

  /** Reads all payments of a year. `samples` is the memory of the module, after each piece. */
  async function readCsv() {
    const begin = performance.now();
    const answer = await get('report', `collections/records?${YEAR}&format=csv`);
    let [first, bytes, lines] = [0, 0, 0];
    const samples: number[] = [];
    for await (const piece of answer.body ?? []) {
      first ||= performance.now() - begin;
      bytes += piece.length;
      for (const byte of piece) if (byte === NEW_LINE) lines++;
      samples.push(memory());
    }
    return { first, bytes, rows: lines - 1, samples, seconds: (performance.now() - begin) / 1000 };
  }

  /** All payments of a year, beside the same statement by PostgreSQL alone, with the memory of the module. */
  async function measureCsv(): Promise<void> {
    await (await get('report', 'collections?from=2026-01-01&to=2026-01-02')).text();
    const before = memory();
    const { first, bytes, rows: lines, samples, seconds } = await readCsv();
    const half = samples.length / 2;
    const most = (some: readonly number[]) => some.reduce((one, other) => Math.max(one, other), 0);
    const copied = await timed(() =>
      operator.raw(`
      SELECT count(*), sum(length(row::text)) FROM (
        SELECT payment.*, part.*, invoice.invoice_no, patient.patient_code, patient.first_name, patient.last_name
        FROM ${schema}.payments payment
        JOIN ${schema}.payment_parts part ON part.payment_id = payment.id
        JOIN ${schema}.invoices invoice ON invoice.id = payment.invoice_id
        LEFT JOIN ${schema}.patients patient ON patient.id = payment.patient_id
        WHERE payment.paid_at >= '2026-01-01' AND payment.paid_at < '2027-01-01'
        ORDER BY payment.paid_at, payment.id
      ) AS row`),
    );
    process.stderr.write(`${lines} rows, ${(bytes / 1024 / 1024).toFixed(0)} MB\n`);
    rows.push(
      { measurement: 'CSV of a year: first byte', value: first, baseline: 'goal', baselineValue: 1000, unit: 'ms' },
      {
        ...{ measurement: 'CSV of a year', value: seconds, unit: 's' },
        ...{ baseline: 'PostgreSQL reads the same', baselineValue: copied },
      },
      {
        ...{
          measurement: 'memory of the module: most during the second half',
          value: most(samples.slice(half)),
          unit: 'MB',
        },
        ...{ baseline: 'the first half', baselineValue: most(samples.slice(0, half)) },
      },
      {
        ...{ measurement: 'memory of the module: most', value: most(samples), unit: 'MB' },
        ...{ baseline: 'before', baselineValue: before },
      },
    );
  }

  /** One look at the list of patients every now and then, for some seconds. */
  async function patients(): Promise<readonly number[]> {
    const times: number[] = [];
    for (const end = Date.now() + SECONDS * 1000; Date.now() < end; await delay(PAUSE)) {
      const begin = performance.now();
      await (await get('hms', 'patients')).text();
      times.push(performance.now() - begin);
    }
    return times;
  }

  /** Somebody else, in another process: what they read must not hold up this one. */
  function readAgainAndAgain(path: string): { stop(): void } {
    const url = `http://127.0.0.1:${servers.report.port}/api/report/${path}`;
    const header = `Authorization: ${headers.Authorization}`;
    const start = () => {
      const child = spawn(
        'curl',
        ['--fail', '--silent', '--show-error', '--output', '/dev/null', '--header', header, url],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      child.once('close', (code, signal) => {
        if (signal !== null) return;
        if (code !== 0) throw new Error(`curl ended with ${code}`);
        reading = start();
      });
      return child;
    };
    let reading = start();
    return { stop: () => reading.kill() };
  }

  /** Alone and beside a report that runs again and again, in turns, so that whatever else the machine does hits both. */
  async function measureBeside(): Promise<void> {
    await patients();
    for (const [title, path] of [
      ['CSV of a year', `collections/records?${YEAR}&format=csv`],
      ['collections of a year by department', `collections?${YEAR}&groupBy=department`],
    ] as const) {
      const [alone, beside]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        alone.push(...(await patients()));
        const other = readAgainAndAgain(path);
        await delay(1000);
        beside.push(...(await patients()));
        other.stop();
        await delay(1000);
      }
      for (const part of [0.5, 0.99])
        rows.push({
          measurement: `patients beside ${title}: p${part * 100}`,
          value: percentile(sorted(beside), part),
          baseline: 'alone',
          baselineValue: percentile(sorted(alone), part),
          unit: 'ms',
        });
    }
  }

  /** The heaviest reports, whose client leaves while PostgreSQL computes. */
  async function measureCancelled(): Promise<void> {
    const active = async () => {
      const { rows } = await operator.raw<{ rows: readonly object[] }>(
        `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = ? AND c.relname = 'payments' AND l.pid <> pg_backend_pid()`,
        [schema],
      );
      return rows.length > 0;
    };
    for (const path of [
      `collections?${YEAR}&groupBy=department,day`,
      `collections/records?${YEAR}&format=csv&department=none`,
    ]) {
      const leaving = new AbortController();
      const asked = get('report', path, leaving.signal).catch(() => undefined);
      while (!(await active())) await delay(5);
      await delay(300);
      leaving.abort();
      const begin = performance.now();
      while (await active()) await delay(5);
      const ended = performance.now() - begin;
      await asked;
      rows.push({
        measurement: `${path.split('?')[0]}: ends after its client has left`,
        value: ended,
        baseline: 'goal',
        baselineValue: 1000,
        unit: 'ms',
      });
    }
  }
  process.stdout.write(`${table(rows)}\n`);
} finally {
  processes.stop();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
