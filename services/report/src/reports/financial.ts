/** What was charged, collected, and is unpaid. */
import { count, distinct, report, sum } from '../declare.ts';
import { AT, DEPARTMENT, namedIn, PATIENT, PATIENT_FACTS, patientName, SERVICE, words, writtenKey } from './shared.ts';

const INVOICE = { title: words('Invoice', 'الفاتورة'), kind: 'text', sql: 'invoice_no' } as const;
const PAYER_GROUP = { title: words('Payer group', 'فئة الدافع'), key: 'payer_group' } as const;

/**
 * The department of a line is the one that does the laboratory test. Other lines have none.
 * @param line alias of the table invoice_lines
 */
const departmentOf = (line: string) => `
  LEFT JOIN charges charge ON charge.id = ${line}.charge_id AND charge.source_type = 'lab'
  LEFT JOIN lab_order_items test_ordered ON test_ordered.id = charge.source_id
  LEFT JOIN lab_tests test ON test.id = test_ordered.test_id
  LEFT JOIN departments department ON department.id = test.department_id`;

/** The lines of invoices at one of their moments. */
const lines = (moment: 'issued_at' | 'voided_at', sign: 1 | -1) => `
  SELECT line.id || '${sign < 0 ? '-void' : ''}' AS id, invoice.${moment} AS at, ${sign} AS sign,
    'invoice' AS link, invoice.id AS link_id, invoice.id AS invoice_id, invoice.invoice_no, ${writtenKey('invoice.payer_group')} AS payer_group,
    line.item_group, line.description, ${writtenKey('line.tier_name')} AS tier_name,
    test.department_id, department.name AS department_name,
    ${PATIENT_FACTS},
    ${sign} * (line.line_discount + line.benefit + line.invoice_discount) AS discount,
    ${sign} * line.net AS net, ${sign} * line.tax AS tax, ${sign} * line.total AS total
  FROM invoices invoice
  JOIN invoice_lines line ON line.invoice_id = invoice.id
  LEFT JOIN patients patient ON patient.id = invoice.patient_id
  ${departmentOf('line')}
  WHERE invoice.${moment} >= $1 AND invoice.${moment} < $2 AND invoice.issued_at IS NOT NULL`;

export const revenue = report({
  name: 'revenue',
  area: 'financial',
  title: words('Revenue', 'الإيرادات'),
  about: words(
    'What was invoiced, on the day the invoice was issued. A void invoice is subtracted on the day it was voided.',
    'ما تمت فوترته في يوم إصدار الفاتورة. تُطرح الفاتورة الملغاة في يوم إلغائها.',
  ),
  of: 'period',
  facts: () => `${lines('issued_at', 1)} UNION ALL ${lines('voided_at', -1)}`,
  groups: {
    service: SERVICE,
    department: DEPARTMENT,
    payerGroup: PAYER_GROUP,
    tier: { title: words('VIP tier', 'فئة كبار الزوار'), key: 'tier_name' },
  },
  measures: {
    total: sum(words('Invoiced', 'المفوتر'), 'money', 'total'),
    net: sum(words('Without tax', 'دون ضريبة'), 'money', 'net'),
    tax: sum(words('Tax', 'الضريبة'), 'money', 'tax'),
    discount: sum(words('Discounts', 'الخصومات'), 'money', 'discount'),
    invoices: distinct(words('Invoices', 'الفواتير'), 'invoice_id', 'sign > 0'),
    voids: distinct(words('Voided', 'الملغاة'), 'invoice_id', 'sign < 0'),
  },
  columns: {
    at: AT,
    invoiceNo: INVOICE,
    ...PATIENT,
    description: { title: words('What for', 'البيان'), kind: 'text', sql: 'description' },
    discount: { title: words('Discounts', 'الخصومات'), kind: 'money', sql: 'discount' },
    net: { title: words('Without tax', 'دون ضريبة'), kind: 'money', sql: 'net' },
    tax: { title: words('Tax', 'الضريبة'), kind: 'money', sql: 'tax' },
    total: { title: words('Invoiced', 'المفوتر'), kind: 'money', sql: 'total' },
  },
  groupBy: 'day',
});

/** What of a line is paid when so much of its invoice is. It adds up over the lines, and over the payments. */
const paidOf = (paid: string) => `
  round(${paid}::numeric * line.up_to / invoice.total) - round(${paid}::numeric * line.before / invoice.total)`;

export const collections = report({
  name: 'collections',
  area: 'financial',
  title: words('Collections', 'التحصيلات'),
  about: words(
    'What was paid, when it was paid. By service and department, each payment is divided among the lines of its invoice.',
    'ما تم دفعه وقت دفعه. حسب الخدمة والقسم، تُوزَّع كل دفعة على بنود فاتورتها.',
  ),
  of: 'period',
  facts: ({ uses }) => {
    const isDivided = uses('service') || uses('department');
    return `
      SELECT payment.id || '-' || part.position${isDivided ? " || '-' || line.seq" : ''} AS id, payment.paid_at AS at,
        'invoice' AS link, payment.invoice_id AS link_id, payment.id AS payment_id, payment.receipt_no,
        invoice.invoice_no, ${writtenKey('invoice.payer_group')} AS payer_group, part.method, part.reference,
        payment.received_by, coalesce(payment.received_by_name, payment.received_by) AS received_by_name,
        ${isDivided ? 'line.item_group, test.department_id, department.name AS department_name,' : ''}
        ${PATIENT_FACTS},
        ${
          isDivided
            ? `(${paidOf('(payment.before + part.up_to)')} - (${paidOf('(payment.before + part.before)')}))::bigint`
            : 'part.amount'
        } AS amount,
        ${isDivided ? 'CASE WHEN line.seq = 1 THEN part.rounding ELSE 0 END' : 'part.rounding'} AS rounding
      FROM payments payment
      JOIN payment_parts part ON part.payment_id = payment.id
      JOIN invoices invoice ON invoice.id = payment.invoice_id
      LEFT JOIN patients patient ON patient.id = payment.patient_id
      ${isDivided ? `JOIN invoice_lines line ON line.invoice_id = invoice.id ${departmentOf('line')}` : ''}
      WHERE payment.paid_at >= $1 AND payment.paid_at < $2`;
  },
  groups: {
    method: {
      title: words('Method', 'الطريقة'),
      key: 'method',
      labels: {
        CASH: words('Cash', 'نقدًا'),
        CARD: words('Card', 'بطاقة'),
        TRANSFER: words('Transfer', 'تحويل'),
        MOBILE: words('Mobile', 'الهاتف'),
        INSURANCE: words('Insurance', 'تأمين'),
        ADVANCE: words('Advance', 'دفعة مقدمة'),
      },
    },
    cashier: {
      ...{ title: words('Cashier', 'أمين الصندوق'), key: 'received_by', label: 'received_by_name' },
      named: 'SELECT received_by_name AS name FROM payments WHERE received_by = $1 ORDER BY paid_at DESC LIMIT 1',
    },
    service: SERVICE,
    department: DEPARTMENT,
    payerGroup: PAYER_GROUP,
  },
  measures: {
    amount: sum(words('Collected', 'المحصّل'), 'money', 'amount'),
    payments: distinct(words('Payments', 'الدفعات'), 'payment_id'),
    rounding: sum(words('Rounding of cash', 'تقريب النقد'), 'money', 'rounding'),
  },
  columns: {
    at: AT,
    receiptNo: { title: words('Receipt', 'الإيصال'), kind: 'text', sql: 'receipt_no' },
    invoiceNo: INVOICE,
    ...PATIENT,
    method: { title: words('Method', 'الطريقة'), kind: 'text', sql: 'method' },
    reference: { title: words('Reference', 'المرجع'), kind: 'text', sql: 'reference' },
    cashier: { title: words('Cashier', 'أمين الصندوق'), kind: 'text', sql: 'received_by_name' },
    amount: { title: words('Collected', 'المحصّل'), kind: 'money', sql: 'amount' },
    rounding: { title: words('Rounding of cash', 'تقريب النقد'), kind: 'money', sql: 'rounding' },
  },
  groupBy: 'day',
});

export const outstanding = report({
  name: 'outstanding',
  area: 'financial',
  title: words('Outstanding', 'المستحقات'),
  about: words(
    'What was issued and not yet paid at the end of the period, by the age of the invoice.',
    'ما صدر ولم يُدفع حتى نهاية الفترة، حسب عمر الفاتورة.',
  ),
  of: 'moment',
  // What is paid by then is what the last payment before says.
  facts: () => `
    SELECT *, CASE WHEN age <= 30 THEN '0-30' WHEN age <= 60 THEN '31-60' WHEN age <= 90 THEN '61-90' ELSE '90+' END AS age_band
    FROM (
      SELECT invoice.id, invoice.issued_at AS at, 'invoice' AS link, invoice.id AS link_id, invoice.invoice_no,
        invoice.payer_id, ${patientName('payer')} AS payer_name, ${writtenKey('invoice.payer_group')} AS payer_group,
        invoice.due_on,
        ${PATIENT_FACTS},
        invoice.total, coalesce(last.paid, 0) AS paid, invoice.total - coalesce(last.paid, 0) AS balance,
        ($2::timestamptz AT TIME ZONE $3)::date - (invoice.issued_at AT TIME ZONE $3)::date AS age,
        coalesce(invoice.due_on < ($2::timestamptz AT TIME ZONE $3)::date, false) AS is_overdue
      FROM invoices invoice
      LEFT JOIN LATERAL (
        SELECT paid FROM payments WHERE invoice_id = invoice.id AND paid_at < $2 ORDER BY number DESC LIMIT 1
      ) last ON true
      LEFT JOIN patients patient ON patient.id = invoice.patient_id
      LEFT JOIN patients payer ON payer.id = invoice.payer_id
      WHERE invoice.issued_at < $2 AND (invoice.voided_at IS NULL OR invoice.voided_at >= $2)
    ) AS at_that_time
    WHERE balance > 0`,
  groups: {
    age: {
      title: words('Age', 'العمر'),
      key: 'age_band',
      labels: {
        '0-30': words('Up to 30 days', 'حتى 30 يومًا'),
        '31-60': words('31 to 60 days', '31 إلى 60 يومًا'),
        '61-90': words('61 to 90 days', '61 إلى 90 يومًا'),
        '90+': words('More than 90 days', 'أكثر من 90 يومًا'),
      },
    },
    payer: {
      ...{ title: words('Payer', 'الدافع'), key: 'payer_id', label: 'payer_name' },
      named: namedIn('patients', patientName('one')),
    },
    payerGroup: PAYER_GROUP,
  },
  measures: {
    balance: sum(words('Unpaid', 'غير المدفوع'), 'money', 'balance'),
    invoices: count(words('Invoices', 'الفواتير')),
    overdue: sum(words('Overdue', 'المتأخر'), 'money', 'balance', 'is_overdue'),
  },
  columns: {
    at: { ...AT, title: words('Issued', 'صدرت') },
    invoiceNo: INVOICE,
    ...PATIENT,
    payer: { title: words('Payer', 'الدافع'), kind: 'text', sql: 'payer_name' },
    dueOn: { title: words('Due', 'الاستحقاق'), kind: 'day', sql: 'due_on' },
    total: { title: words('Invoiced', 'المفوتر'), kind: 'money', sql: 'total' },
    paid: { title: words('Paid', 'المدفوع'), kind: 'money', sql: 'paid' },
    balance: { title: words('Unpaid', 'غير المدفوع'), kind: 'money', sql: 'balance' },
  },
  groupBy: 'age',
});
