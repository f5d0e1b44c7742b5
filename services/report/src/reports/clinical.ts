/** How much was treated and tested, and by whom. */
import { count, percentile, report, share } from '../declare.ts';
import {
  AGE,
  AT,
  ageBand,
  CLINIC,
  DEPARTMENT,
  DOCTOR,
  employeeName,
  GENDER,
  minutesBetween,
  namedIn,
  PATIENT,
  PATIENT_FACTS,
  VISIT_TYPE,
  words,
} from './shared.ts';

const TOKEN = { title: words('Token', 'الرقم'), kind: 'text', sql: 'label' } as const;
const ORDER = { title: words('Order', 'الطلب'), kind: 'text', sql: 'order_no' } as const;
const TEST = {
  ...{ title: words('Test', 'الفحص'), key: 'test_id', label: 'test_name' },
  named: namedIn('lab_tests'),
} as const;
const TEST_NAME = { title: words('Test', 'الفحص'), kind: 'text', sql: 'test_name' } as const;
const PRIORITY = {
  title: words('Priority', 'الأولوية'),
  key: 'priority',
  labels: { stat: words('Emergency', 'طارئ'), urgent: words('Urgent', 'عاجل'), routine: words('Routine', 'روتيني') },
};

/** Everybody who took a token counts once a day. Merged patients are one person. */
export const census = report({
  name: 'census',
  area: 'clinical',
  title: words('Census', 'تعداد المرضى'),
  about: words(
    'Patients who were in the hospital. Each counts once a day, whatever clinics they visited.',
    'المرضى الذين حضروا إلى المستشفى. يُحسب كل منهم مرة في اليوم مهما زار من عيادات.',
  ),
  of: 'period',
  facts: () => `
    SELECT DISTINCT ON (coalesce(patient.survivor_id, patient.id, entry.id), (entry.joined_at AT TIME ZONE $3)::date)
      entry.id, entry.joined_at AS at, entry.label,
      CASE WHEN patient.id IS NOT NULL THEN 'patient' END AS link, patient.id AS link_id,
      ${PATIENT_FACTS},
      coalesce(patient.gender, 'unknown') AS gender,
      ${ageBand('patient.date_of_birth', '(entry.joined_at AT TIME ZONE $3)::date')} AS age_band,
      coalesce(
        (patient.created_at AT TIME ZONE $3)::date = (entry.joined_at AT TIME ZONE $3)::date, false
      ) AS is_new
    FROM queue_entries entry
    LEFT JOIN patients own ON own.id = entry.patient_id
    LEFT JOIN patients patient ON patient.id = coalesce(own.survivor_id, own.id)
    WHERE entry.joined_at >= $1 AND entry.joined_at < $2 AND entry.deleted_at IS NULL
    ORDER BY coalesce(patient.survivor_id, patient.id, entry.id), (entry.joined_at AT TIME ZONE $3)::date, entry.joined_at, entry.id`,
  groups: { gender: GENDER, age: AGE },
  measures: {
    patients: count(words('Patients', 'المرضى')),
    newPatients: count(words('New patients', 'المرضى الجدد'), 'is_new'),
    newShare: share(words('New patients, share', 'نسبة المرضى الجدد'), 'is_new'),
  },
  columns: { at: { ...AT, title: words('Came', 'حضر') }, ...PATIENT, token: TOKEN },
  groupBy: 'day',
});

export const visits = report({
  name: 'visits',
  area: 'clinical',
  title: words('Visits', 'الزيارات'),
  about: words('Everybody who took a token, and how the visit ended.', 'كل من أخذ رقمًا، وكيف انتهت زيارته.'),
  of: 'period',
  facts: () => `
    SELECT entry.id, entry.joined_at AS at, entry.label, entry.status, entry.clinic_id, clinic.name AS clinic_name,
      appointment.doctor_id, ${employeeName('doctor')} AS doctor_name,
      appointment.visit_type_id, visit_type.name AS visit_type_name, entry.appointment_id,
      CASE WHEN patient.id IS NOT NULL THEN 'patient' END AS link, patient.id AS link_id,
      ${PATIENT_FACTS},
      CASE WHEN entry.status = 'done' THEN ${minutesBetween('entry.started_at', 'entry.ended_at')} END AS minutes
    FROM queue_entries entry
    JOIN clinics clinic ON clinic.id = entry.clinic_id
    LEFT JOIN appointments appointment ON appointment.id = entry.appointment_id
    LEFT JOIN employees doctor ON doctor.id = appointment.doctor_id
    LEFT JOIN visit_types visit_type ON visit_type.id = appointment.visit_type_id
    LEFT JOIN patients patient ON patient.id = entry.patient_id
    WHERE entry.joined_at >= $1 AND entry.joined_at < $2 AND entry.deleted_at IS NULL`,
  groups: {
    clinic: CLINIC,
    doctor: DOCTOR,
    visitType: VISIT_TYPE,
  },
  measures: {
    visits: count(words('Visits', 'الزيارات')),
    seen: count(words('Seen', 'تمت معاينتهم'), "status = 'done'"),
    left: count(words('Left unseen', 'غادروا دون معاينة'), "status IN ('no_show', 'cancelled')"),
    walkIns: count(words('Without an appointment', 'دون موعد'), 'appointment_id IS NULL'),
    minutes: percentile(words('Minutes with the doctor, median', 'دقائق المعاينة (الوسيط)'), 'minutes', 0.5, 'minutes'),
  },
  columns: {
    at: { ...AT, title: words('Came', 'حضر') },
    token: TOKEN,
    ...PATIENT,
    clinic: { title: words('Clinic', 'العيادة'), kind: 'text', sql: 'clinic_name' },
    doctor: { title: words('Doctor', 'الطبيب'), kind: 'text', sql: 'doctor_name' },
    minutes: {
      title: words('Minutes with the doctor', 'دقائق المعاينة'),
      kind: 'minutes',
      sql: 'round(minutes, 1)::float8',
    },
  },
  groupBy: 'day',
});

export const labTurnaround = report({
  name: 'lab-turnaround',
  area: 'clinical',
  title: words('Laboratory turnaround', 'زمن إنجاز المختبر'),
  about: words(
    'Tests that were ordered in the period, and the minutes from the order to the verified result.',
    'الفحوص المطلوبة في الفترة، والدقائق من الطلب حتى النتيجة المعتمدة.',
  ),
  of: 'period',
  facts: () => `
    SELECT *, minutes <= expected AS is_on_time FROM (
      SELECT item.id, ordered.created_at AS at, 'lab-order' AS link, ordered.id AS link_id, ordered.order_no,
        ordered.priority, item.test_id, item.name AS test_name,
        test.department_id, department.name AS department_name, test.turnaround_minutes AS expected,
        ${PATIENT_FACTS},
        ${minutesBetween('ordered.created_at', 'item.verified_at')} AS minutes
      FROM lab_orders ordered
      JOIN lab_order_items item ON item.order_id = ordered.id
      JOIN lab_tests test ON test.id = item.test_id
      LEFT JOIN departments department ON department.id = test.department_id
      LEFT JOIN patients patient ON patient.id = ordered.patient_id
      WHERE ordered.created_at >= $1 AND ordered.created_at < $2
        AND item.cancelled_at IS NULL AND ordered.deleted_at IS NULL
    ) AS timed_tests`,
  groups: { test: TEST, priority: PRIORITY, department: DEPARTMENT },
  measures: {
    median: percentile(words('Minutes, median', 'الدقائق (الوسيط)'), 'minutes', 0.5, 'minutes'),
    p90: percentile(words('Minutes, nine of ten', 'الدقائق (تسعة من عشرة)'), 'minutes', 0.9, 'minutes'),
    onTime: share(words('On time', 'في الوقت المحدد'), 'is_on_time', 'minutes IS NOT NULL'),
    tests: count(words('Tests ordered', 'الفحوص المطلوبة')),
    verified: count(words('Verified', 'المعتمدة'), 'minutes IS NOT NULL'),
    late: count(words('Late', 'المتأخرة'), 'NOT is_on_time'),
  },
  columns: {
    at: { ...AT, title: words('Ordered', 'وقت الطلب') },
    orderNo: ORDER,
    ...PATIENT,
    test: TEST_NAME,
    minutes: { title: words('Minutes', 'الدقائق'), kind: 'minutes', sql: 'round(minutes, 1)::float8' },
    expected: { title: words('Expected', 'المتوقع'), kind: 'minutes', sql: 'expected' },
  },
  groupBy: 'test',
});

export const labResults = report({
  name: 'lab-results',
  area: 'clinical',
  title: words('Results out of range', 'نتائج خارج المدى'),
  about: words(
    'Results of the laboratory as they are now, by when they were entered. A corrected result counts as its correction.',
    'نتائج المختبر بحالتها الحالية حسب وقت إدخالها. تُحسب النتيجة المصححة بقيمتها المصححة.',
  ),
  of: 'period',
  facts: () => `
    SELECT result.id, result.created_at AS at, 'lab-order' AS link, result.order_id AS link_id, ordered.order_no,
      item.test_id, item.name AS test_name, result.value, result.unit, result.flag, result.is_critical,
      ordered.doctor_id, ${employeeName('doctor')} AS doctor_name,
      ${PATIENT_FACTS},
      result.flag IN ('LL', 'L', 'H', 'HH', 'A') AS is_out
    FROM lab_results result
    JOIN lab_order_items item ON item.id = result.item_id AND item.result_id = result.id
    JOIN lab_orders ordered ON ordered.id = result.order_id
    LEFT JOIN employees doctor ON doctor.id = ordered.doctor_id
    LEFT JOIN patients patient ON patient.id = result.patient_id
    WHERE result.created_at >= $1 AND result.created_at < $2`,
  groups: {
    test: TEST,
    flag: {
      title: words('Flag', 'المؤشر'),
      key: 'flag',
      labels: {
        LL: words('Critically low', 'منخفض حرج'),
        L: words('Low', 'منخفض'),
        N: words('Normal', 'طبيعي'),
        H: words('High', 'مرتفع'),
        HH: words('Critically high', 'مرتفع حرج'),
        A: words('Abnormal', 'غير طبيعي'),
      },
    },
    doctor: DOCTOR,
  },
  measures: {
    out: count(words('Out of range', 'خارج المدى'), 'is_out'),
    critical: count(words('Critical', 'الحرجة'), 'is_critical'),
    results: count(words('Results', 'النتائج')),
    outShare: share(words('Out of range, share', 'نسبة خارج المدى'), 'is_out', 'flag IS NOT NULL'),
  },
  columns: {
    at: { ...AT, title: words('Entered', 'وقت الإدخال') },
    orderNo: ORDER,
    ...PATIENT,
    test: TEST_NAME,
    value: { title: words('Value', 'القيمة'), kind: 'text', sql: 'value' },
    unit: { title: words('Unit', 'الوحدة'), kind: 'text', sql: 'unit' },
    flag: { title: words('Flag', 'المؤشر'), kind: 'text', sql: 'flag' },
  },
  groupBy: 'test',
});

/** What doctors did, each kind from its own table. @param moment its column @param where further conditions */
const activity = (kind: string, table: string, link: string, number: string, moment: string, where: string) => `
  SELECT '${kind}-' || done.id AS id, done.${moment} AS at, '${kind}' AS kind, '${link}' AS link, done.id AS link_id,
    done.${number} AS number, done.doctor_id, ${employeeName('doctor')} AS doctor_name,
    ${PATIENT_FACTS}
  FROM ${table} done
  LEFT JOIN employees doctor ON doctor.id = done.doctor_id
  LEFT JOIN patients patient ON patient.id = done.patient_id
  WHERE done.${moment} >= $1 AND done.${moment} < $2 AND done.deleted_at IS NULL AND ${where}`;

export const doctorActivity = report({
  name: 'doctor-activity',
  area: 'clinical',
  title: words('Activity of doctors', 'نشاط الأطباء'),
  about: words(
    'Appointments that were completed, and laboratory orders and prescriptions that were not cancelled.',
    'المواعيد المكتملة، وطلبات المختبر والوصفات التي لم تُلغَ.',
  ),
  of: 'period',
  facts: () =>
    [
      activity(
        'appointment',
        'appointments',
        'appointment',
        'appointment_no',
        'starts_at',
        "done.status = 'completed'",
      ),
      activity('lab-order', 'lab_orders', 'lab-order', 'order_no', 'created_at', "done.status <> 'cancelled'"),
      activity('prescription', 'prescriptions', 'prescription', 'rx_no', 'created_at', "done.status <> 'cancelled'"),
    ].join(' UNION ALL '),
  groups: {
    doctor: DOCTOR,
    kind: {
      title: words('Kind', 'النوع'),
      key: 'kind',
      labels: {
        appointment: words('Appointment', 'موعد'),
        'lab-order': words('Laboratory order', 'طلب مختبر'),
        prescription: words('Prescription', 'وصفة'),
      },
    },
  },
  measures: {
    appointments: count(words('Appointments', 'المواعيد'), "kind = 'appointment'"),
    labOrders: count(words('Laboratory orders', 'طلبات المختبر'), "kind = 'lab-order'"),
    prescriptions: count(words('Prescriptions', 'الوصفات'), "kind = 'prescription'"),
  },
  columns: {
    at: AT,
    number: { title: words('Number', 'الرقم'), kind: 'text', sql: 'number' },
    ...PATIENT,
    doctor: { title: words('Doctor', 'الطبيب'), kind: 'text', sql: 'doctor_name' },
  },
  groupBy: 'doctor',
});
