/**
 * Dispensing, compared with a bare server: `twins.ts`. Each prescription has three drugs, and each drug
 * HMS_BENCH_BATCHES (20,000) / 10,000 batches, of which the one that expires first is dispensed.
 */
import { hmsModule } from '../../services/hms/src/module.ts';
import type { Operation } from './recorder.ts';
import { benchTwins } from './twins.ts';

const BATCHES = Number(process.env.HMS_BENCH_BATCHES ?? 20_000);
const DRUGS = 10_000;
const ITEMS = 3;
/** Prescriptions that have no drug in common, so that they can be replayed in any order. */
const RECORDED = Math.floor(DRUGS / ITEMS);

const id = (letter: string, of = 'n') => `('${letter}0000000-0000-4000-8000-' || lpad((${of})::text, 12, '0'))::uuid`;
const by = "'bench', 'bench'";

/** Drugs with their batches, and twice as many prescriptions as are recorded, each of a patient of its own. */
const fill = [
  `
  INSERT INTO drugs (id, code, name, ingredients, form, strength, unit, price, created_by, updated_by)
  SELECT ${id('d')}, 'D' || n, 'Drug ' || n, jsonb_build_array('substance ' || n), 'Tablet', '5 mg', 'tablet', 125, ${by}
  FROM generate_series(0, ${DRUGS - 1}) n`,
  `
  INSERT INTO stock_batches (id, drug_id, batch_no, location, expires_on, on_hand, last_movement, created_by, updated_by)
  SELECT ${id('e')}, ${id('d', `n % ${DRUGS}`)}, 'B' || n, 'Pharmacy', current_date + 100 + n / ${DRUGS}, 1000, 1, ${by}
  FROM generate_series(0, ${BATCHES - 1}) n`,
  `
  INSERT INTO stock_movements (id, batch_id, drug_id, number, kind, quantity, balance, moved_by)
  SELECT ${id('f')}, ${id('e')}, ${id('d', `n % ${DRUGS}`)}, 1, 'received', 1000, 1000, 'bench'
  FROM generate_series(0, ${BATCHES - 1}) n`,
  `
  INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
  SELECT ${id('a')}, 'HSP-' || lpad(n::text, 6, '0'), ${id('c')}, 'Ann' || n, 'Doe', '+62812' || (3000000 + n), '1990-05-17', ${by}
  FROM generate_series(1, ${2 * RECORDED}) n`,
  `
  INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
  SELECT ${id('c')}, 'FAM-' || lpad(n::text, 6, '0'), 'Doe', ${id('a')}, ${id('a')}, ${by}
  FROM generate_series(1, ${2 * RECORDED}) n`,
  `
  INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
  SELECT ${id('d')}, ${id('c')}, ${id('a')}, 'self', ${by} FROM generate_series(1, ${2 * RECORDED}) n`,
  `
  INSERT INTO prescriptions (id, rx_no, patient_id, valid_until, created_by, updated_by)
  SELECT ${id('b')}, 'RX-' || lpad(n::text, 6, '0'), ${id('a')}, current_date + 30, ${by}
  FROM generate_series(1, ${2 * RECORDED}) n`,
  `
  INSERT INTO prescription_items (id, prescription_id, position, drug_id, dose, times_per_day, duration_days, quantity)
  SELECT ${id('9', `n * ${ITEMS} + item`)}, ${id('b')}, item, ${id('d', `n * ${ITEMS} % ${DRUGS - 1} + item - 1`)}, 1, 1, 10, 10
  FROM generate_series(1, ${2 * RECORDED}) n, generate_series(1, ${ITEMS}) item`,
];

const dispenses = (from: number): Operation['requests'] =>
  Array.from({ length: RECORDED }, (_, index) => ({
    path: `/api/hms/prescriptions/${idOf(from + index)}/dispense`,
    body: {},
  }));

await benchTwins({
  ...{ module: 'hms', define: hmsModule, roles: ['PHARMACIST'] },
  ...{ filling: `${BATCHES} batches and ${2 * RECORDED} prescriptions`, fill },
  measurements: [
    {
      operation: {
        ...{ name: 'dispense', title: 'dispense three items', module: 'hms', method: 'POST' },
        requests: dispenses(1),
      },
      fresh: dispenses(RECORDED + 1),
    },
  ],
});

/** The id that a prescription has in both hospitals, by its number. */
function idOf(number: number): string {
  return `b0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
