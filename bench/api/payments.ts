/**
 * Invoices and payments, compared with a bare server that verifies the same token and runs the same statements
 * (`replay.ts`), without the gateway, on one PostgreSQL. The statements are recorded from a module in this process. Both
 * get the same load alternately. HMS_BENCH_INVOICES (8,000), HMS_BENCH_SECONDS (2) and HMS_BENCH_ROUNDS (7) make it
 * shorter or longer.
 *
 * An invoice is paid once, so payments are replayed in a twin of the hospital: `twins.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@hms/database';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { createIssuer, createTestHospital, startTestModule, type TestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { paymentModule } from '../../services/payment/src/module.ts';
import { table } from '../table.ts';
import { Servers } from './processes.ts';
import { type Operation, recordStatements } from './recorder.ts';
import { measureTwins } from './twins.ts';

const INVOICES = Number(process.env.HMS_BENCH_INVOICES ?? 8_000);
const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 7);
const VARIANTS = 40;
const PATH = '/api/payment/invoices';

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-payments-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const { databaseUrls } = platform.state;
const issuer = await createIssuer();
const module = await startTestModule({ databaseUrls, define: paymentModule, identity: issuer });
const processes = new Servers(platform.state, issuer);
const operator = connect(databaseUrls.operator);
try {
  const [own, twin] = [await createTestHospital(operator, issuer), await createTestHospital(operator, issuer)];
  await report.during(`writing ${INVOICES} invoices`, async () => {
    await fill(own);
    await fill(twin);
    await operator.raw('ANALYZE');
  });
  const tokens = {
    own: await own.token(['CASHIER'], { expiresIn: 7200 }),
    peer: await twin.token(['CASHIER'], { expiresIn: 7200 }),
  };
  const half = INVOICES / 2;
  const pays = (from: number) =>
    Array.from({ length: half }, (_, index) => ({ path: `${PATH}/${idOf('invoice', from + index)}/pay`, body: {} }));
  const list: Operation<'payment'> = {
    ...{ name: 'list', title: 'invoices, page 1', module: 'payment', method: 'GET' },
    requests: [{ path: PATH }],
  };
  const create: Operation<'payment'> = {
    ...{ name: 'create', title: 'create: an invoice of two lines', module: 'payment', method: 'POST' },
    requests: Array.from({ length: VARIANTS }, (_, index) => ({
      path: PATH,
      body: {
        patientId: idOf('patient', index + 1),
        lines: [1200, 4999].map((unitPrice) => ({ description: 'Consultation', unitPrice, taxBps: 1900 })),
      },
    })),
  };
  const pay: Operation<'payment'> = {
    ...{ name: 'pay', title: 'pay an invoice', module: 'payment', method: 'POST' },
    requests: pays(1),
  };
  const options = { token: tokens.own, hospital: own.hospital };
  const recordings = await report.during('recording the statements', async () => ({
    ...(await recordStatements([list, create], { payment: module }, { ...options, variants: VARIANTS })),
    ...(await recordStatements([pay], { payment: module }, { ...options, variants: half })),
  }));
  const file = path.join(dataDir, 'recordings.json');
  writeFileSync(file, JSON.stringify(recordings));
  await module.close();
  const servers = { own: await processes.module('payment'), peer: await processes.peer('replay.ts', [file]) };
  const twins = { servers, tokens, seconds: SECONDS, rounds: ROUNDS };
  const rows = [
    ...(await measureTwins(list, twins)),
    ...(await measureTwins(create, twins)),
    ...(await measureTwins(pay, twins, pays(half + 1))),
  ];
  process.stdout.write(`${table(rows)}\n`);
} finally {
  processes.stop();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The id that a record has in both hospitals, by its number. */
function idOf(record: string, number: number): string {
  return `${record === 'patient' ? 'a' : 'b'}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Issued invoices of two lines, each of a patient of its own. */
async function fill({ hospital }: TestHospital): Promise<void> {
  const id = (letter: string, at = 'n') => `('${letter}0000000-0000-4000-8000-' || lpad((${at})::text, 12, '0'))::uuid`;
  await operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(hospital.prefix).schema}, extensions`);
    await trx.raw(`CREATE TEMP TABLE numbers ON COMMIT DROP AS SELECT n FROM generate_series(1, ${INVOICES}) n`);
    await trx.raw(`
      INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
      SELECT ${id('a')}, 'HSP-' || lpad(n::text, 6, '0'), ${id('c')}, 'Ann' || n, 'Doe', '+62812' || (3000000 + n), '1990-05-17', 'bench', 'bench'
      FROM numbers`);
    await trx.raw(`
      INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
      SELECT ${id('c')}, 'FAM-' || lpad(n::text, 6, '0'), 'Doe', ${id('a')}, ${id('a')}, 'bench', 'bench' FROM numbers`);
    await trx.raw(`
      INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
      SELECT ${id('d')}, ${id('c')}, ${id('a')}, 'self', 'bench', 'bench' FROM numbers`);
    await trx.raw(`
      INSERT INTO invoices (id, invoice_no, patient_id, payer_id, family_id, currency, prices_include_tax, line_count,
        subtotal, net, total, issued_at, status, created_at, created_by, updated_by)
      SELECT ${id('b')}, 'INV-2026-' || lpad(n::text, 6, '0'), ${id('a')}, ${id('a')}, ${id('c')}, 'IDR', false, 2,
        2000, 2000, 2000, now(), 'issued', now() - n * interval '1 minute', 'bench', 'bench'
      FROM numbers`);
    await trx.raw(`
      INSERT INTO invoice_lines (id, invoice_id, seq, item_group, description, unit_price, quantity, tax_bps,
        line_discount, benefit, invoice_discount, gross, net, tax, total, up_to)
      SELECT gen_random_uuid(), ${id('b')}, seq, 'other', 'Consultation', 1000, 1, 0, 0, 0, 0, 1000, 1000, 0, 1000, seq * 1000
      FROM numbers, generate_series(1, 2) seq`);
    await trx.raw(`INSERT INTO counters (series, period, value) VALUES ('invoice', '2026', ${INVOICES})`);
  });
}
