/** What was charged, collected, and is unpaid. */
import { count, distinct, type Group, report, sum } from '../declare.ts';
import { AT, DEPARTMENT, namedIn, PATIENT, PATIENT_FACTS, patientName, SERVICE, words, writtenKey } from './shared.ts';

const INVOICE = { title: words('Invoice', 'الفاتورة'), kind: 'text', sql: 'invoice_no' } as const;
const PAYER_GROUP = { title: words('Payer group', 'فئة الدافع'), key: 'payer_group' } as const;

/**
 * The department of a line is the one that does the laboratory test, or the one of the item of the price list. Other lines
 * have none.
 * @param line alias of the table invoice_lines
 */
const departmentOf = (line: string) => `
  LEFT JOIN charges charge ON charge.id = ${line}.charge_id AND charge.source_type = 'lab'
  LEFT JOIN lab_order_items test_ordered ON test_ordered.id = charge.source_id
  LEFT JOIN lab_tests test ON test.id = test_ordered.test_id
  LEFT JOIN price_items item ON item.id = ${line}.item_id
  LEFT JOIN departments department ON department.id = coalesce(test.department_id, item.department_id)`;

/** The lines of invoices at one of their moments. */
const lines = (moment: 'issued_at' | 'voided_at', sign: 1 | -1) => `
  SELECT line.id || '${sign < 0 ? '-void' : ''}' AS id, invoice.${moment} AS at, ${sign} AS sign,
    'invoice' AS link, invoice.id AS link_id, invoice.id AS invoice_id, invoice.invoice_no, ${writtenKey('invoice.payer_group')} AS payer_group,
    line.item_group, line.description, ${writtenKey('line.tier_name')} AS tier_name,
    department.id AS department_id, department.name AS department_name,
    ${PATIENT_FACTS},
    ${sign} * (line.line_discount + line.benefit + line.invoice_discount) AS discount,
    ${sign} * line.net AS net, ${sign} * line.tax AS tax, ${sign} * line.total AS total
  FROM invoices invoice
  JOIN invoice_lines line ON line.invoice_id = invoice.id
  LEFT JOIN patients patient ON patient.id = invoice.patient_id
  ${departmentOf('line')}
  WHERE invoice.${moment} >= $1 AND invoice.${moment} < $2 AND invoice.issued_at IS NOT NULL`;

/** What credit notes cancel of lines. */
const CREDITS = `
  SELECT credit.credit_note_id || '-' || credit.position AS id, note.issued_at AS at, 0 AS sign,
    'invoice' AS link, invoice.id AS link_id, invoice.id AS invoice_id, note.credit_no AS invoice_no, ${writtenKey('invoice.payer_group')} AS payer_group,
    line.item_group, line.description, ${writtenKey('line.tier_name')} AS tier_name,
    department.id AS department_id, department.name AS department_name,
    ${PATIENT_FACTS},
    -credit.discount AS discount, -credit.net AS net, -credit.tax AS tax, -credit.amount AS total
  FROM credit_notes note
  JOIN credit_note_lines credit ON credit.credit_note_id = note.id
  JOIN invoice_lines line ON line.id = credit.line_id
  JOIN invoices invoice ON invoice.id = note.invoice_id
  LEFT JOIN patients patient ON patient.id = note.patient_id
  ${departmentOf('line')}
  WHERE note.issued_at >= $1 AND note.issued_at < $2`;

export const revenue = report({
  name: 'revenue',
  area: 'financial',
  title: words('Revenue', 'الإيرادات'),
  about: words(
    'What was invoiced, on the day the invoice was issued. A void invoice and a credit note are subtracted on their own day.',
    'ما تمت فوترته في يوم إصدار الفاتورة. تُطرح الفاتورة الملغاة والإشعار الدائن كلٌّ في يومه.',
  ),
  of: 'period',
  facts: () => [lines('issued_at', 1), lines('voided_at', -1), CREDITS].join(' UNION ALL '),
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
    credits: distinct(words('Credit notes', 'الإشعارات الدائنة'), 'invoice_no', 'sign = 0'),
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

/** What of a line is paid when so much of its invoice is. It adds up over the lines, and over payments and refunds. */
const paidOf = (paid: string) => `
  round(${paid}::numeric * line.up_to / invoice.total) - round(${paid}::numeric * line.before / invoice.total)`;

/** What comes in counts, and what goes back is subtracted. */
const SIGN = "CASE payment.kind WHEN 'payment' THEN 1 ELSE -1 END";
const PAID_BEFORE = '(payment.paid_before - payment.refunded_before)';

const METHOD: Group = {
  title: words('Method', 'الطريقة'),
  key: 'method',
  labels: {
    CASH: words('Cash', 'نقدًا'),
    CARD: words('Card', 'بطاقة'),
    TRANSFER: words('Transfer', 'تحويل'),
    MOBILE: words('Mobile', 'الهاتف'),
    INSURANCE: words('Insurance', 'تأمين'),
    ADVANCE: words('Deposit', 'عربون'),
  },
};
const SHIFT: Group = {
  ...{ title: words('Shift', 'الوردية'), key: 'shift_id', label: 'shift_name' },
  named: namedIn('shifts', "one.shift_no || ' · ' || one.counter"),
};
const CASHIER: Group = {
  ...{ title: words('Cashier', 'أمين الصندوق'), key: 'received_by', label: 'received_by_name' },
  named: 'SELECT received_by_name AS name FROM payments WHERE received_by = $1 ORDER BY paid_at DESC LIMIT 1',
};

export const collections = report({
  name: 'collections',
  area: 'financial',
  title: words('Collections', 'التحصيلات'),
  about: words(
    'What was paid, when it was paid, without what went back then. Deposits count when they are received. By service and department, each payment is divided among the lines of its invoice.',
    'ما تم دفعه وقت دفعه، بعد طرح ما أُعيد في وقته. يُحسب العربون عند استلامه. حسب الخدمة والقسم، تُوزَّع كل دفعة على بنود فاتورتها.',
  ),
  of: 'period',
  facts: ({ uses }) => {
    const isDivided = uses('service') || uses('department');
    const amount = isDivided
      ? `CASE WHEN line.seq IS NULL THEN ${SIGN} * part.amount
           ELSE (${paidOf(`(${PAID_BEFORE} + ${SIGN} * part.up_to)`)} - (${paidOf(`(${PAID_BEFORE} + ${SIGN} * part.before)`)}))::bigint END`
      : `${SIGN} * part.amount`;
    return `
      SELECT payment.id || '-' || part.position${isDivided ? " || '-' || coalesce(line.seq, 1)" : ''} AS id, payment.paid_at AS at,
        CASE WHEN payment.invoice_id IS NOT NULL THEN 'invoice' ELSE 'patient' END AS link,
        coalesce(payment.invoice_id, payment.patient_id) AS link_id, payment.id AS payment_id, payment.kind, payment.receipt_no,
        payment.shift_id, shift.shift_no || ' · ' || shift.counter AS shift_name,
        invoice.invoice_no, ${writtenKey('invoice.payer_group')} AS payer_group, part.method, part.reference,
        payment.received_by, coalesce(payment.received_by_name, payment.received_by) AS received_by_name,
        ${isDivided ? 'line.item_group, department.id AS department_id, department.name AS department_name,' : ''}
        ${PATIENT_FACTS},
        ${amount} AS amount,
        CASE payment.kind WHEN 'payment' THEN 0 ELSE -(${amount}) END AS returned,
        ${SIGN} * ${isDivided ? 'CASE WHEN coalesce(line.seq, 1) = 1 THEN part.rounding ELSE 0 END' : 'part.rounding'} AS rounding
      FROM payments payment
      JOIN payment_parts part ON part.payment_id = payment.id
      LEFT JOIN invoices invoice ON invoice.id = payment.invoice_id
      LEFT JOIN shifts shift ON shift.id = payment.shift_id
      LEFT JOIN patients patient ON patient.id = payment.patient_id
      ${isDivided ? `LEFT JOIN invoice_lines line ON line.invoice_id = invoice.id ${departmentOf('line')}` : ''}
      WHERE payment.paid_at >= $1 AND payment.paid_at < $2 AND part.method <> 'ADVANCE'`;
  },
  groups: {
    method: METHOD,
    shift: SHIFT,
    cashier: CASHIER,
    service: SERVICE,
    department: DEPARTMENT,
    payerGroup: PAYER_GROUP,
  },
  measures: {
    amount: sum(words('Collected', 'المحصّل'), 'money', 'amount'),
    payments: distinct(words('Payments', 'الدفعات'), 'payment_id', "kind = 'payment'"),
    returned: sum(words('Went back', 'المعاد'), 'money', 'returned', "kind <> 'payment'"),
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
    returned: { title: words('Went back', 'المعاد'), kind: 'money', sql: 'returned' },
    rounding: { title: words('Rounding of cash', 'تقريب النقد'), kind: 'money', sql: 'rounding' },
  },
  groupBy: 'day',
});

export const refunds = report({
  name: 'refunds',
  area: 'financial',
  title: words('Refunds', 'الاستردادات'),
  about: words(
    'What went back, on the day it went back: refunds, and payments that were taken back in their shift.',
    'ما أُعيد في يوم إعادته: الاستردادات، والدفعات التي تم التراجع عنها في ورديتها.',
  ),
  of: 'period',
  facts: () => `
    SELECT payment.id, payment.paid_at AS at,
      CASE WHEN payment.invoice_id IS NOT NULL THEN 'invoice' ELSE 'patient' END AS link,
      coalesce(payment.invoice_id, payment.patient_id) AS link_id, payment.kind, payment.receipt_no, invoice.invoice_no,
      refund.refund_no, note.credit_no, payment.reason, payment.received_by,
      coalesce(payment.received_by_name, payment.received_by) AS received_by_name,
      refund.requested_by_name, refund.decided_by, refund.decided_by_name, payment.shift_id,
      shift.shift_no || ' · ' || shift.counter AS shift_name,
      (SELECT CASE count(DISTINCT method) WHEN 1 THEN min(method) END FROM payment_parts WHERE payment_id = payment.id) AS method,
      ${PATIENT_FACTS},
      payment.amount, coalesce(note.amount, 0) AS credited
    FROM payments payment
    LEFT JOIN refunds refund ON refund.payment_id = payment.id
    LEFT JOIN credit_notes note ON note.refund_id = refund.id
    LEFT JOIN invoices invoice ON invoice.id = payment.invoice_id
    LEFT JOIN shifts shift ON shift.id = payment.shift_id
    LEFT JOIN patients patient ON patient.id = payment.patient_id
    WHERE payment.kind <> 'payment' AND payment.paid_at >= $1 AND payment.paid_at < $2`,
  groups: {
    kind: {
      title: words('Kind', 'النوع'),
      key: 'kind',
      labels: { refund: words('Refund', 'استرداد'), void: words('Taken back', 'تراجع') },
    },
    method: METHOD,
    shift: SHIFT,
    cashier: CASHIER,
    approver: {
      ...{ title: words('Approved by', 'وافق عليه'), key: 'decided_by', label: 'decided_by_name' },
      named: 'SELECT decided_by_name AS name FROM refunds WHERE decided_by = $1 ORDER BY decided_at DESC LIMIT 1',
    },
  },
  measures: {
    amount: sum(words('Went back', 'المعاد'), 'money', 'amount'),
    refunds: count(words('Refunds', 'الاستردادات')),
    credited: sum(words('Cancelled of invoices', 'الملغى من الفواتير'), 'money', 'credited'),
  },
  columns: {
    at: AT,
    receiptNo: { title: words('Receipt', 'الإيصال'), kind: 'text', sql: 'receipt_no' },
    refundNo: { title: words('Refund', 'الاسترداد'), kind: 'text', sql: 'refund_no' },
    invoiceNo: INVOICE,
    creditNo: { title: words('Credit note', 'الإشعار الدائن'), kind: 'text', sql: 'credit_no' },
    ...PATIENT,
    reason: { title: words('Reason', 'السبب'), kind: 'text', sql: 'reason' },
    requestedBy: { title: words('Requested by', 'طلبه'), kind: 'text', sql: 'requested_by_name' },
    approvedBy: { title: words('Approved by', 'وافق عليه'), kind: 'text', sql: 'decided_by_name' },
    cashier: { title: words('Cashier', 'أمين الصندوق'), kind: 'text', sql: 'received_by_name' },
    amount: { title: words('Went back', 'المعاد'), kind: 'money', sql: 'amount' },
    credited: { title: words('Cancelled of invoices', 'الملغى من الفواتير'), kind: 'money', sql: 'credited' },
  },
  groupBy: 'day',
});

export const shiftVariance = report({
  name: 'shift-variance',
  area: 'financial',
  title: words('Shift differences', 'فروق الورديات'),
  about: words(
    'What cashiers counted more or less than the ledger says, on the day the shift was opened.',
    'ما زاد أو نقص عند عدّ الصندوق عما في الدفتر، في يوم فتح الوردية.',
  ),
  of: 'period',
  facts: () => `
    SELECT shift.id, shift.opened_at AS at, 'shift' AS link, shift.id AS link_id, NULL::uuid AS patient_id,
      shift.shift_no, shift.counter, shift.cashier, shift.cashier_name, shift.status, shift.closed_at, shift.difference,
      greatest(shift.difference, 0) AS more, greatest(-shift.difference, 0) AS missing, shift.decided_by_name
    FROM shifts shift
    WHERE shift.opened_at >= $1 AND shift.opened_at < $2 AND shift.closed_at IS NOT NULL`,
  groups: {
    cashier: {
      ...{ title: words('Cashier', 'أمين الصندوق'), key: 'cashier', label: 'cashier_name' },
      named: 'SELECT cashier_name AS name FROM shifts WHERE cashier = $1 ORDER BY opened_at DESC LIMIT 1',
    },
    counter: { title: words('Counter', 'الشباك'), key: 'counter' },
    status: {
      title: words('State', 'الحالة'),
      key: 'status',
      labels: {
        closed: words('To be approved', 'تنتظر الاعتماد'),
        disputed: words('To be counted again', 'تُعدّ من جديد'),
        approved: words('Approved', 'معتمدة'),
      },
    },
  },
  measures: {
    difference: sum(words('Difference', 'الفرق'), 'money', 'difference'),
    missing: sum(words('Missing', 'النقص'), 'money', 'missing'),
    more: sum(words('Too much', 'الزيادة'), 'money', 'more'),
    shifts: count(words('Shifts', 'الورديات')),
    wrong: count(words('Shifts with a difference', 'ورديات فيها فرق'), 'difference <> 0'),
  },
  columns: {
    at: { ...AT, title: words('Opened', 'فُتحت') },
    shiftNo: { title: words('Shift', 'الوردية'), kind: 'text', sql: 'shift_no' },
    counter: { title: words('Counter', 'الشباك'), kind: 'text', sql: 'counter' },
    cashier: { title: words('Cashier', 'أمين الصندوق'), kind: 'text', sql: 'cashier_name' },
    closedAt: { title: words('Closed', 'أُغلقت'), kind: 'moment', sql: 'closed_at' },
    approvedBy: { title: words('Decided by', 'القرار'), kind: 'text', sql: 'decided_by_name' },
    difference: { title: words('Difference', 'الفرق'), kind: 'money', sql: 'difference' },
    missing: { title: words('Missing', 'النقص'), kind: 'money', sql: 'missing' },
    more: { title: words('Too much', 'الزيادة'), kind: 'money', sql: 'more' },
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
  // What is paid and credited by then is what the last entries before say. Patient and insurer each owe their own part.
  facts: () => `
    SELECT *, CASE WHEN age <= 30 THEN '0-30' WHEN age <= 60 THEN '31-60' WHEN age <= 90 THEN '61-90' ELSE '90+' END AS age_band
    FROM (
      SELECT invoice.id || '-' || part.debtor AS id, invoice.id AS invoice_id, invoice.issued_at AS at, 'invoice' AS link,
        invoice.id AS link_id, invoice.invoice_no, part.debtor, part.balance,
        CASE part.debtor WHEN 'patient' THEN invoice.payer_id END AS payer_id,
        CASE part.debtor WHEN 'patient' THEN ${patientName('payer')} END AS payer_name,
        CASE part.debtor WHEN 'insurer' THEN ${writtenKey('invoice.insurer')} END AS insurer,
        ${writtenKey('invoice.payer_group')} AS payer_group, invoice.due_on,
        ${PATIENT_FACTS},
        ($2::timestamptz AT TIME ZONE $3)::date - (invoice.issued_at AT TIME ZONE $3)::date AS age,
        coalesce(invoice.due_on < ($2::timestamptz AT TIME ZONE $3)::date, false) AS is_overdue
      FROM invoices invoice
      LEFT JOIN LATERAL (
        SELECT paid - refunded AS paid, insurer_paid FROM payments
        WHERE account_id = invoice.id AND paid_at < $2 ORDER BY number DESC LIMIT 1
      ) last ON true
      LEFT JOIN LATERAL (
        SELECT credited, credited_insured FROM credit_notes
        WHERE invoice_id = invoice.id AND issued_at < $2 ORDER BY number DESC LIMIT 1
      ) credit ON true
      CROSS JOIN LATERAL (
        SELECT invoice.total - coalesce(credit.credited, 0) - coalesce(last.paid, 0) AS balance,
          invoice.insured - invoice.declined - coalesce(credit.credited_insured, 0) - coalesce(last.insurer_paid, 0) AS insurer
      ) owed
      CROSS JOIN LATERAL (VALUES ('patient', owed.balance - owed.insurer), ('insurer', owed.insurer)) AS part (debtor, balance)
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
    debtor: {
      title: words('Owed by', 'على من'),
      key: 'debtor',
      labels: { patient: words('Patient', 'المريض'), insurer: words('Insurer', 'شركة التأمين') },
    },
    insurer: { title: words('Insurer', 'شركة التأمين'), key: 'insurer' },
    payerGroup: PAYER_GROUP,
  },
  measures: {
    balance: sum(words('Unpaid', 'غير المدفوع'), 'money', 'balance'),
    invoices: distinct(words('Invoices', 'الفواتير'), 'invoice_id'),
    overdue: sum(words('Overdue', 'المتأخر'), 'money', 'balance', 'is_overdue'),
  },
  columns: {
    at: { ...AT, title: words('Issued', 'صدرت') },
    invoiceNo: INVOICE,
    ...PATIENT,
    payer: { title: words('Payer', 'الدافع'), kind: 'text', sql: 'payer_name' },
    insurer: { title: words('Insurer', 'شركة التأمين'), kind: 'text', sql: 'insurer' },
    dueOn: { title: words('Due', 'الاستحقاق'), kind: 'day', sql: 'due_on' },
    balance: { title: words('Unpaid', 'غير المدفوع'), kind: 'money', sql: 'balance' },
  },
  groupBy: 'age',
});
