/**
 * Dispensing, compared with a bare server that verifies the same token and runs the same statements (`replay.ts`),
 * without the gateway, on one PostgreSQL. The statements are recorded from a module in this process. Both get the same
 * load alternately. Each prescription has three drugs, and each drug HMS_BENCH_BATCHES (20,000) / 10,000 batches, of which
 * the one that expires first is dispensed. HMS_BENCH_SECONDS (2) and HMS_BENCH_ROUNDS (7) make it shorter or longer.
 *
 * A prescription is dispensed once, so what is recorded is replayed in a twin of the hospital: `twins.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@hms/database';
import { freePorts, lineReport, startPlatform } from '@hms/local';
import { createIssuer, createTestHospital, startTestModule, type TestHospital } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { hmsModule } from '../../services/hms/src/module.ts';
import { table } from '../table.ts';
import { Servers } from './processes.ts';
import { type Operation, recordStatements } from './recorder.ts';
import { measureTwins } from './twins.ts';

const BATCHES = Number(process.env.HMS_BENCH_BATCHES ?? 20_000);
const SECONDS = Number(process.env.HMS_BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 7);
const DRUGS = 10_000;
const ITEMS = 3;
/** Prescriptions that have no drug in common, so that they can be replayed in any order. */
const RECORDED = Math.floor(DRUGS / ITEMS);

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-dispensing-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report, only: ['database'] });
const { databaseUrls } = platform.state;
const issuer = await createIssuer();
const module = await startTestModule({ databaseUrls, define: hmsModule, identity: issuer });
const processes = new Servers(platform.state, issuer);
const operator = connect(databaseUrls.operator);
try {
  const [own, twin] = [await createTestHospital(operator, issuer), await createTestHospital(operator, issuer)];
  await report.during(`writing ${BATCHES} batches and ${2 * RECORDED} prescriptions`, async () => {
    await fill(own);
    await fill(twin);
    await operator.raw('VACUUM ANALYZE');
  });
  const tokens = {
    own: await own.token(['PHARMACIST'], { expiresIn: 7200 }),
    peer: await twin.token(['PHARMACIST'], { expiresIn: 7200 }),
  };
  const dispenses = (from: number): Operation['requests'] =>
    Array.from({ length: RECORDED }, (_, index) => ({
      path: `/api/hms/prescriptions/${idOf(from + index)}/dispense`,
      body: {},
    }));
  const dispense: Operation<'hms'> = {
    ...{ name: 'dispense', title: 'dispense three items', module: 'hms', method: 'POST' },
    requests: dispenses(1),
  };
  const recordings = await report.during('recording the statements', () =>
    recordStatements([dispense], { hms: module }, { token: tokens.own, hospital: own.hospital, variants: RECORDED }),
  );
  const file = path.join(dataDir, 'recordings.json');
  writeFileSync(file, JSON.stringify(recordings));
  await module.close();
  const servers = { own: await processes.module('hms'), peer: await processes.peer('replay.ts', [file]) };
  const twins = { servers, tokens, seconds: SECONDS, rounds: ROUNDS };
  process.stdout.write(`${table(await measureTwins(dispense, twins, dispenses(RECORDED + 1)))}\n`);
} finally {
  processes.stop();
  await operator.destroy();
  await issuer.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The id that a prescription has in both hospitals, by its number. */
function idOf(number: number): string {
  return `b0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Drugs with their batches, and twice as many prescriptions as are recorded, each of a patient of its own. */
async function fill({ hospital }: TestHospital): Promise<void> {
  const id = (letter: string, of = 'n') => `('${letter}0000000-0000-4000-8000-' || lpad((${of})::text, 12, '0'))::uuid`;
  const by = "'bench', 'bench'";
  await operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(hospital.prefix).schema}, extensions`);
    await trx.raw(`
      INSERT INTO drugs (id, code, name, ingredients, form, strength, unit, price, created_by, updated_by)
      SELECT ${id('d')}, 'D' || n, 'Drug ' || n, jsonb_build_array('substance ' || n), 'Tablet', '5 mg', 'tablet', 125, ${by}
      FROM generate_series(0, ${DRUGS - 1}) n`);
    await trx.raw(`
      INSERT INTO stock_batches (id, drug_id, batch_no, location, expires_on, on_hand, last_movement, created_by, updated_by)
      SELECT ${id('e')}, ${id('d', `n % ${DRUGS}`)}, 'B' || n, 'Pharmacy', current_date + 100 + n / ${DRUGS}, 1000, 1, ${by}
      FROM generate_series(0, ${BATCHES - 1}) n`);
    await trx.raw(`
      INSERT INTO stock_movements (id, batch_id, drug_id, number, kind, quantity, balance, moved_by)
      SELECT ${id('f')}, ${id('e')}, ${id('d', `n % ${DRUGS}`)}, 1, 'received', 1000, 1000, 'bench'
      FROM generate_series(0, ${BATCHES - 1}) n`);
    await trx.raw(`
      INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
      SELECT ${id('a')}, 'HSP-' || lpad(n::text, 6, '0'), ${id('c')}, 'Ann' || n, 'Doe', '+62812' || (3000000 + n), '1990-05-17', ${by}
      FROM generate_series(1, ${2 * RECORDED}) n`);
    await trx.raw(`
      INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
      SELECT ${id('c')}, 'FAM-' || lpad(n::text, 6, '0'), 'Doe', ${id('a')}, ${id('a')}, ${by}
      FROM generate_series(1, ${2 * RECORDED}) n`);
    await trx.raw(`
      INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
      SELECT ${id('d')}, ${id('c')}, ${id('a')}, 'self', ${by} FROM generate_series(1, ${2 * RECORDED}) n`);
    await trx.raw(`
      INSERT INTO prescriptions (id, rx_no, patient_id, valid_until, created_by, updated_by)
      SELECT ${id('b')}, 'RX-' || lpad(n::text, 6, '0'), ${id('a')}, current_date + 30, ${by}
      FROM generate_series(1, ${2 * RECORDED}) n`);
    await trx.raw(`
      INSERT INTO prescription_items (id, prescription_id, position, drug_id, dose, times_per_day, duration_days, quantity)
      SELECT ${id('9', `n * ${ITEMS} + item`)}, ${id('b')}, item, ${id('d', `n * ${ITEMS} % ${DRUGS - 1} + item - 1`)}, 1, 1, 10, 10
      FROM generate_series(1, ${2 * RECORDED}) n, generate_series(1, ${ITEMS}) item`);
  });
}
