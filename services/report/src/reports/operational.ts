/** How well the house runs: waiting, no-shows, the use of slots, visitors, and the stock of the pharmacy. */
import { readSessions } from '@hms/domain/appointments';
import { count, percentile, ratio, report, share, sum } from '../declare.ts';
import {
  AT,
  CLINIC,
  DOCTOR,
  employeeName,
  minutesBetween,
  namedIn,
  PATIENT,
  PATIENT_FACTS,
  VISIT_TYPE,
  words,
  writtenKey,
} from './shared.ts';

const CLINIC_NAME = { title: words('Clinic', 'العيادة'), kind: 'text', sql: 'clinic_name' } as const;
const DOCTOR_NAME = { title: words('Doctor', 'الطبيب'), kind: 'text', sql: 'doctor_name' } as const;

export const waitTimes = report({
  name: 'wait-times',
  area: 'operational',
  title: words('Waiting times', 'أوقات الانتظار'),
  about: words(
    'Minutes from when somebody came to a clinic until they were first called there.',
    'الدقائق من حضور الشخص إلى العيادة حتى أول نداء له فيها.',
  ),
  of: 'period',
  facts: () => `
    SELECT wait.entry_id || '-' || wait.clinic_id || '-' || extract(epoch FROM wait.queued_at) AS id, wait.queued_at AS at,
      CASE WHEN patient.id IS NOT NULL THEN 'patient' END AS link, patient.id AS link_id, entry.label,
      wait.clinic_id, clinic.name AS clinic_name, entry.priority::text AS priority,
      ${PATIENT_FACTS},
      ${minutesBetween('wait.queued_at', 'wait.called_at')} AS minutes, wait.estimate_p80
    FROM queue_waits wait
    JOIN queue_entries entry ON entry.id = wait.entry_id
    JOIN clinics clinic ON clinic.id = wait.clinic_id
    LEFT JOIN patients patient ON patient.id = entry.patient_id
    WHERE wait.queued_at >= $1 AND wait.queued_at < $2`,
  groups: {
    clinic: CLINIC,
    priority: {
      title: words('Priority', 'الأولوية'),
      key: 'priority',
      labels: { 0: words('Usual', 'عادية'), 1: words('Raised', 'مرتفعة'), 2: words('Highest', 'قصوى') },
    },
  },
  measures: {
    median: percentile(words('Minutes, median', 'الدقائق (الوسيط)'), 'minutes', 0.5, 'minutes'),
    p90: percentile(words('Minutes, nine of ten', 'الدقائق (تسعة من عشرة)'), 'minutes', 0.9, 'minutes'),
    asTold: share(words('Within what they were told', 'ضمن المدة المبلَّغة'), 'minutes <= estimate_p80'),
    people: count(words('Waits', 'مرات الانتظار')),
    long: count(words('Longer than an hour', 'أكثر من ساعة'), 'minutes > 60'),
  },
  columns: {
    at: { ...AT, title: words('Came', 'حضر') },
    token: { title: words('Token', 'الرقم'), kind: 'text', sql: 'label' },
    ...PATIENT,
    clinic: CLINIC_NAME,
    minutes: { title: words('Minutes', 'الدقائق'), kind: 'minutes', sql: 'round(minutes, 1)::float8' },
    told: { title: words('Told', 'المبلَّغ'), kind: 'minutes', sql: 'estimate_p80' },
  },
  groupBy: 'clinic',
});

export const noShow = report({
  name: 'no-show',
  area: 'operational',
  title: words('No-shows', 'عدم الحضور'),
  about: words(
    'Appointments by the day for which they were, and whether the patient came. Rescheduled ones count at their new time.',
    'المواعيد حسب يومها وهل حضر المريض. تُحسب المواعيد المؤجلة في وقتها الجديد.',
  ),
  of: 'period',
  facts: () => `
    SELECT appointment.id, appointment.starts_at AS at, 'appointment' AS link, appointment.id AS link_id,
      appointment.appointment_no, appointment.status,
      appointment.clinic_id, clinic.name AS clinic_name, appointment.doctor_id, ${employeeName('doctor')} AS doctor_name,
      appointment.visit_type_id, visit_type.name AS visit_type_name,
      ${PATIENT_FACTS}
    FROM appointments appointment
    JOIN clinics clinic ON clinic.id = appointment.clinic_id
    JOIN employees doctor ON doctor.id = appointment.doctor_id
    LEFT JOIN visit_types visit_type ON visit_type.id = appointment.visit_type_id
    LEFT JOIN patients patient ON patient.id = appointment.patient_id
    WHERE appointment.starts_at >= $1 AND appointment.starts_at < $2 AND appointment.deleted_at IS NULL
      AND appointment.status NOT IN ('held', 'offered', 'rescheduled')`,
  groups: {
    clinic: CLINIC,
    doctor: DOCTOR,
    visitType: VISIT_TYPE,
  },
  measures: {
    noShowShare: share(words('No-shows, share', 'نسبة عدم الحضور'), "status = 'no_show'", "status <> 'cancelled'"),
    noShows: count(words('No-shows', 'عدم الحضور'), "status = 'no_show'"),
    appointments: count(words('Appointments', 'المواعيد'), "status <> 'cancelled'"),
    cancelled: count(words('Cancelled', 'الملغاة'), "status = 'cancelled'"),
  },
  columns: {
    at: AT,
    appointmentNo: { title: words('Appointment', 'الموعد'), kind: 'text', sql: 'appointment_no' },
    ...PATIENT,
    clinic: CLINIC_NAME,
    doctor: DOCTOR_NAME,
  },
  groupBy: 'day',
});

/** One fact is the work of a doctor in a clinic on a day, without pauses. */
export const slotUse = report({
  name: 'slot-use',
  area: 'operational',
  title: words('Use of slots', 'استخدام المواعيد'),
  about: words(
    'Places that doctors had by their working hours, and how many of them were taken. Cancelled and moved appointments free their place.',
    'الأماكن المتاحة حسب ساعات عمل الأطباء وعدد المشغول منها. المواعيد الملغاة والمنقولة تحرر أماكنها.',
  ),
  of: 'period',
  input: readSessions,
  facts: () => `
    SELECT work.id, work.begin AS at, 'doctor-day' AS link, work.doctor_id AS link_id,
      NULL::uuid AS patient_id, work.clinic_id, clinic.name AS clinic_name,
      work.doctor_id, ${employeeName('doctor')} AS doctor_name, work.places,
      (
        SELECT count(*) FROM appointments appointment
        WHERE appointment.doctor_id = work.doctor_id AND appointment.clinic_id = work.clinic_id
          AND appointment.starts_at >= work.begin AND appointment.starts_at < work."end"
          AND appointment.status NOT IN ('held', 'offered', 'cancelled', 'rescheduled')
          AND appointment.deleted_at IS NULL
      ) AS taken
    FROM jsonb_to_recordset($4::jsonb)
      AS work (id text, doctor_id uuid, clinic_id uuid, begin timestamptz, "end" timestamptz, places integer)
    JOIN clinics clinic ON clinic.id = work.clinic_id
    JOIN employees doctor ON doctor.id = work.doctor_id
    WHERE work.begin >= $1 AND work.begin < $2`,
  groups: { doctor: DOCTOR, clinic: CLINIC },
  measures: {
    use: ratio(words('Taken, share', 'نسبة المشغول'), 'taken', 'places'),
    taken: sum(words('Taken', 'المشغول'), 'count', 'taken'),
    places: sum(words('Places', 'الأماكن'), 'count', 'places'),
  },
  columns: {
    at: { ...AT, title: words('From', 'من') },
    doctor: DOCTOR_NAME,
    clinic: CLINIC_NAME,
    places: { title: words('Places', 'الأماكن'), kind: 'count', sql: 'places' },
    taken: { title: words('Taken', 'المشغول'), kind: 'count', sql: 'taken' },
  },
  groupBy: 'doctor',
});

export const visitors = report({
  name: 'visitors',
  area: 'operational',
  title: words('Visitors', 'الزوار'),
  about: words('Passes for visitors, by when they were issued.', 'تصاريح الزوار حسب وقت إصدارها.'),
  of: 'period',
  facts: () => `
    SELECT pass.id, pass.created_at AS at, 'visitor' AS link, pass.id AS link_id, pass.pass_no, pass.name AS visitor_name,
      pass.status, ${writtenKey('pass.place')} AS place, pass.checked_in_at,
      ${PATIENT_FACTS},
      ${minutesBetween('pass.checked_in_at', 'pass.checked_out_at')} AS minutes
    FROM visitors pass
    LEFT JOIN patients patient ON patient.id = pass.patient_id
    WHERE pass.created_at >= $1 AND pass.created_at < $2 AND pass.deleted_at IS NULL`,
  groups: {
    place: { title: words('Place', 'المكان'), key: 'place' },
    status: {
      title: words('State', 'الحالة'),
      key: 'status',
      labels: {
        expected: words('Expected', 'متوقع'),
        checked_in: words('Inside', 'في الداخل'),
        checked_out: words('Left', 'غادر'),
        denied: words('Turned away', 'مُنع'),
        expired: words('Expired', 'منتهٍ'),
      },
    },
  },
  measures: {
    passes: count(words('Passes', 'التصاريح')),
    came: count(words('Came in', 'دخلوا'), 'checked_in_at IS NOT NULL'),
    denied: count(words('Turned away', 'مُنعوا'), "status = 'denied'"),
    minutes: percentile(words('Minutes inside, median', 'دقائق البقاء (الوسيط)'), 'minutes', 0.5, 'minutes'),
  },
  columns: {
    at: { ...AT, title: words('Issued', 'وقت الإصدار') },
    passNo: { title: words('Pass', 'التصريح'), kind: 'text', sql: 'pass_no' },
    visitor: { title: words('Visitor', 'الزائر'), kind: 'text', sql: 'visitor_name' },
    ...PATIENT,
    minutes: { title: words('Minutes inside', 'دقائق البقاء'), kind: 'minutes', sql: 'round(minutes, 1)::float8' },
  },
  groupBy: 'day',
});

export const stockExpiry = report({
  name: 'stock-expiry',
  area: 'pharmacy',
  title: words('Stock and expiry', 'المخزون والصلاحية'),
  about: words(
    'What was in stock at the end of the period, at its cost, by when it expires.',
    'المخزون في نهاية الفترة بسعر التكلفة، حسب موعد انتهاء صلاحيته.',
  ),
  of: 'moment',
  facts: () => `
    SELECT *, CASE WHEN days < 0 THEN 'expired' WHEN days <= 30 THEN '0-30' WHEN days <= 90 THEN '31-90'
      WHEN days <= 180 THEN '91-180' ELSE '180+' END AS expiry
    FROM (
      SELECT batch.id, batch.created_at AS at, 'stock-batch' AS link, batch.id AS link_id, batch.batch_no,
        NULL::uuid AS patient_id, batch.drug_id, drug.name AS drug_name, ${writtenKey('batch.location')} AS location, batch.status, batch.expires_on,
        batch.expires_on - ($2::timestamptz AT TIME ZONE $3)::date AS days,
        last.balance AS units, last.balance * batch.cost_price AS value, batch.cost_price IS NULL AS is_without_cost
      FROM stock_batches batch
      JOIN drugs drug ON drug.id = batch.drug_id
      JOIN LATERAL (
        SELECT balance FROM stock_movements WHERE batch_id = batch.id AND moved_at < $2 ORDER BY number DESC LIMIT 1
      ) last ON last.balance > 0
    ) AS at_that_time`,
  groups: {
    expiry: {
      title: words('Expires', 'انتهاء الصلاحية'),
      key: 'expiry',
      labels: {
        expired: words('Expired', 'منتهي الصلاحية'),
        '0-30': words('Within 30 days', 'خلال 30 يومًا'),
        '31-90': words('31 to 90 days', '31 إلى 90 يومًا'),
        '91-180': words('91 to 180 days', '91 إلى 180 يومًا'),
        '180+': words('Later', 'لاحقًا'),
      },
    },
    drug: {
      ...{ title: words('Drug', 'الدواء'), key: 'drug_id', label: 'drug_name' },
      named: namedIn('drugs'),
    },
    location: { title: words('Location', 'الموقع'), key: 'location' },
    status: {
      title: words('State', 'الحالة'),
      key: 'status',
      labels: {
        active: words('Active', 'نشط'),
        quarantined: words('Quarantined', 'محجور'),
        recalled: words('Recalled', 'مسحوب'),
      },
    },
  },
  measures: {
    value: sum(words('Value at cost', 'القيمة بالتكلفة'), 'money', 'value'),
    expired: sum(words('Expired, at cost', 'قيمة المنتهي'), 'money', 'value', "expiry = 'expired'"),
    soon: sum(
      words('Expires within 90 days, at cost', 'ينتهي خلال 90 يومًا'),
      'money',
      'value',
      "expiry IN ('0-30', '31-90')",
    ),
    batches: count(words('Batches', 'التشغيلات')),
    units: sum(words('Units', 'الوحدات'), 'count', 'units'),
    withoutCost: count(words('Batches without a cost', 'تشغيلات دون تكلفة'), 'is_without_cost'),
  },
  columns: {
    at: { ...AT, title: words('Received', 'وقت الاستلام') },
    drug: { title: words('Drug', 'الدواء'), kind: 'text', sql: 'drug_name' },
    batchNo: { title: words('Batch', 'التشغيلة'), kind: 'text', sql: 'batch_no' },
    location: { title: words('Location', 'الموقع'), kind: 'text', sql: 'location' },
    expiresOn: { title: words('Expires', 'انتهاء الصلاحية'), kind: 'day', sql: 'expires_on' },
    units: { title: words('Units', 'الوحدات'), kind: 'count', sql: 'units' },
    value: { title: words('Value at cost', 'القيمة بالتكلفة'), kind: 'money', sql: 'value' },
  },
  groupBy: 'expiry',
});
