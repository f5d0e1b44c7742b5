/**
 * Invoices and payments, compared with a bare server: `twins.ts`. HMS_BENCH_INVOICES (8,000) makes it shorter or longer.
 */
import { paymentModule } from '../../services/payment/src/module.ts';
import type { Operation } from './recorder.ts';
import { benchTwins } from './twins.ts';

const INVOICES = Number(process.env.HMS_BENCH_INVOICES ?? 8_000);
const VARIANTS = 40;
const PATH = '/api/payment/invoices';

const id = (letter: string, at = 'n') => `('${letter}0000000-0000-4000-8000-' || lpad((${at})::text, 12, '0'))::uuid`;

/** Issued invoices of two lines, each of a patient of its own. */
const fill = [
  `CREATE TEMP TABLE numbers ON COMMIT DROP AS SELECT n FROM generate_series(1, ${INVOICES}) n`,
  `
  INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
  SELECT ${id('a')}, 'HSP-' || lpad(n::text, 6, '0'), ${id('c')}, 'Ann' || n, 'Doe', '+62812' || (3000000 + n), '1990-05-17', 'bench', 'bench'
  FROM numbers`,
  `
  INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by)
  SELECT ${id('c')}, 'FAM-' || lpad(n::text, 6, '0'), 'Doe', ${id('a')}, ${id('a')}, 'bench', 'bench' FROM numbers`,
  `
  INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by)
  SELECT ${id('d')}, ${id('c')}, ${id('a')}, 'self', 'bench', 'bench' FROM numbers`,
  `
  INSERT INTO invoices (id, invoice_no, patient_id, payer_id, family_id, currency, prices_include_tax, line_count,
    subtotal, net, total, issued_at, status, created_at, created_by, updated_by)
  SELECT ${id('b')}, 'INV-2026-' || lpad(n::text, 6, '0'), ${id('a')}, ${id('a')}, ${id('c')}, 'IDR', false, 2,
    2000, 2000, 2000, now(), 'issued', now() - n * interval '1 minute', 'bench', 'bench'
  FROM numbers`,
  `
  INSERT INTO invoice_lines (id, invoice_id, seq, item_group, description, unit_price, quantity, tax_bps,
    line_discount, benefit, invoice_discount, gross, net, tax, total, up_to)
  SELECT gen_random_uuid(), ${id('b')}, seq, 'other', 'Consultation', 1000, 1, 0, 0, 0, 0, 1000, 1000, 0, 1000, seq * 1000
  FROM numbers, generate_series(1, 2) seq`,
  `INSERT INTO counters (series, period, value) VALUES ('invoice', '2026', ${INVOICES})`,
];

const half = INVOICES / 2;
const pays = (from: number): Operation['requests'] =>
  Array.from({ length: half }, (_, index) => ({ path: `${PATH}/${idOf('invoice', from + index)}/pay`, body: {} }));

await benchTwins({
  ...{ module: 'payment', define: paymentModule, roles: ['CASHIER'] },
  ...{ filling: `${INVOICES} invoices`, fill },
  measurements: [
    {
      operation: {
        ...{ name: 'list', title: 'invoices, page 1', module: 'payment', method: 'GET' },
        requests: [{ path: PATH }],
      },
    },
    {
      operation: {
        ...{ name: 'create', title: 'create: an invoice of two lines', module: 'payment', method: 'POST' },
        requests: Array.from({ length: VARIANTS }, (_, index) => ({
          path: PATH,
          body: {
            patientId: idOf('patient', index + 1),
            lines: [1200, 4999].map((unitPrice) => ({ description: 'Consultation', unitPrice, taxBps: 1900 })),
          },
        })),
      },
    },
    {
      operation: {
        ...{ name: 'pay', title: 'pay an invoice', module: 'payment', method: 'POST' },
        requests: pays(1),
      },
      fresh: pays(half + 1),
    },
  ],
});

/** The id that a record has in both hospitals, by its number. */
function idOf(record: string, number: number): string {
  return `${record === 'patient' ? 'a' : 'b'}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
