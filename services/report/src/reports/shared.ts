/** Parts of several reports. */
import { type Column, type Group, NO_KEY, type Words } from '../declare.ts';

export const words = (en: string, ar: string): Words => ({ en, ar });

/** What a patient is called: by the parts of the name that are known, or by the code. @param alias of the table patients */
export function patientName(alias: string): string {
  return `coalesce(nullif(concat_ws(' ', ${alias}.first_name, ${alias}.last_name), ''), ${alias}.patient_code)`;
}

/** Of a fact about a patient, whose table has the alias `patient`. */
export const PATIENT_FACTS = `patient.id AS patient_id, patient.patient_code, ${patientName('patient')} AS patient_name`;

/** @param alias of the table employees */
export function employeeName(alias: string): string {
  return `nullif(concat_ws(' ', ${alias}.first_name, ${alias}.last_name), '')`;
}

/** Minutes from one moment to another. */
export function minutesBetween(from: string, to: string): string {
  return `extract(epoch FROM ${to} - ${from}) / 60.0`;
}

export const AT: Column = { title: words('Time', 'الوقت'), kind: 'moment', sql: 'at' };
export const PATIENT: Readonly<Record<'patientCode' | 'patientName', Column>> = {
  patientCode: { title: words('Patient number', 'رقم المريض'), kind: 'text', sql: 'patient_code' },
  patientName: { title: words('Patient', 'المريض'), kind: 'text', sql: 'patient_name' },
};

/** What the record is called whose id is `$1`. @param name SQL, in which `one` is the record */
export function namedIn(table: string, name = 'one.name'): string {
  const id = "CASE WHEN $1::text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN $1::text::uuid END";
  return `SELECT ${name} AS name FROM ${table} one WHERE one.id = ${id}`;
}

/** A column with what people have written, as a key. Parameters call those without one `none`. */
export function writtenKey(column: string): string {
  return `nullif(${column}, '${NO_KEY}')`;
}

export const DOCTOR: Group = {
  ...{ title: words('Doctor', 'الطبيب'), key: 'doctor_id', label: 'doctor_name' },
  named: namedIn('employees', employeeName('one')),
};
export const CLINIC: Group = {
  ...{ title: words('Clinic', 'العيادة'), key: 'clinic_id', label: 'clinic_name' },
  named: namedIn('clinics'),
};
export const DEPARTMENT: Group = {
  ...{ title: words('Department', 'القسم'), key: 'department_id', label: 'department_name' },
  named: namedIn('departments'),
};
/** The type of visit for which an appointment is. */
export const VISIT_TYPE: Group = {
  ...{ title: words('Type of visit', 'نوع الزيارة'), key: 'visit_type_id', label: 'visit_type_name' },
  named: namedIn('visit_types'),
};

export const SERVICE: Group = {
  title: words('Service', 'الخدمة'),
  key: 'item_group',
  labels: {
    consultation: words('Consultation', 'استشارة'),
    laboratory: words('Laboratory', 'المختبر'),
    pharmacy: words('Pharmacy', 'الصيدلية'),
    other: words('Other', 'أخرى'),
  },
};

export const GENDER: Group = {
  title: words('Sex', 'الجنس'),
  key: 'gender',
  labels: {
    female: words('Female', 'أنثى'),
    male: words('Male', 'ذكر'),
    other: words('Other', 'آخر'),
    unknown: words('Unknown', 'غير معروف'),
  },
};

/** @see `ageBand` */
export const AGE: Group = {
  title: words('Age', 'العمر'),
  key: 'age_band',
  labels: {
    '0-4': words('0 to 4', '0 إلى 4'),
    '5-17': words('5 to 17', '5 إلى 17'),
    '18-39': words('18 to 39', '18 إلى 39'),
    '40-64': words('40 to 64', '40 إلى 64'),
    '65+': words('65 and older', '65 فأكثر'),
  },
};

/** The key of `AGE` on a day. Null if the date of birth is not known. */
export function ageBand(born: string, day: string): string {
  const years = `extract(year FROM age(${day}, ${born}))`;
  return `CASE
    WHEN ${born} IS NULL THEN NULL
    WHEN ${years} < 5 THEN '0-4' WHEN ${years} < 18 THEN '5-17' WHEN ${years} < 40 THEN '18-39'
    WHEN ${years} < 65 THEN '40-64' ELSE '65+'
  END`;
}
