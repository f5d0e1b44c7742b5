/** The words on a summary, by language. */
import type { Patient, SEVERITIES } from '@hms/domain/patients';

interface Words {
  readonly title: string;
  readonly dateOfBirth: string;
  readonly phone: string;
  /** Instead of a day of birth, or of a phone number. */
  readonly unknown: string;
  readonly email: string;
  readonly gender: string;
  readonly genders: Readonly<Record<NonNullable<Patient['gender']>, string>>;
  readonly bloodGroup: string;
  readonly address: string;
  readonly allergies: string;
  readonly noAllergies: string;
  readonly allergiesNotAsked: string;
  readonly severities: Readonly<Record<(typeof SEVERITIES)[number], string>>;
  readonly alerts: string;
  readonly family: string;
  readonly registered: string;
  readonly issued: string;
}

const ENGLISH: Words = {
  title: 'Patient summary',
  dateOfBirth: 'Date of birth',
  phone: 'Phone',
  email: 'E-mail',
  gender: 'Gender',
  genders: { female: 'Female', male: 'Male', other: 'Other', unknown: 'Unknown' },
  bloodGroup: 'Blood group',
  address: 'Address',
  allergies: 'Allergies',
  noAllergies: 'None known',
  allergiesNotAsked: 'Not asked',
  unknown: 'Not known',
  severities: { mild: 'mild', moderate: 'moderate', severe: 'severe' },
  alerts: 'Alerts',
  family: 'Family',
  registered: 'Registered',
  issued: 'Issued',
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  ar: {
    title: 'ملخص المريض',
    dateOfBirth: 'تاريخ الميلاد',
    phone: 'الهاتف',
    email: 'البريد الإلكتروني',
    gender: 'الجنس',
    genders: { female: 'أنثى', male: 'ذكر', other: 'آخر', unknown: 'غير معروف' },
    bloodGroup: 'فصيلة الدم',
    address: 'العنوان',
    allergies: 'الحساسية',
    noAllergies: 'لا توجد حساسية معروفة',
    allergiesNotAsked: 'لم يُسأل عنها',
    unknown: 'غير معروف',
    severities: { mild: 'خفيفة', moderate: 'متوسطة', severe: 'شديدة' },
    alerts: 'تنبيهات',
    family: 'العائلة',
    registered: 'تاريخ التسجيل',
    issued: 'صدر في',
  },
  hi: {
    title: 'रोगी सारांश',
    dateOfBirth: 'जन्म तिथि',
    phone: 'फ़ोन',
    email: 'ई-मेल',
    gender: 'लिंग',
    genders: { female: 'महिला', male: 'पुरुष', other: 'अन्य', unknown: 'अज्ञात' },
    bloodGroup: 'रक्त समूह',
    address: 'पता',
    allergies: 'एलर्जी',
    noAllergies: 'कोई ज्ञात नहीं',
    allergiesNotAsked: 'पूछा नहीं गया',
    unknown: 'ज्ञात नहीं',
    severities: { mild: 'हल्की', moderate: 'मध्यम', severe: 'गंभीर' },
    alerts: 'चेतावनियाँ',
    family: 'परिवार',
    registered: 'पंजीकरण',
    issued: 'जारी',
  },
  id: {
    title: 'Ringkasan pasien',
    dateOfBirth: 'Tanggal lahir',
    phone: 'Telepon',
    email: 'Surel',
    gender: 'Jenis kelamin',
    genders: { female: 'Perempuan', male: 'Laki-laki', other: 'Lainnya', unknown: 'Tidak diketahui' },
    bloodGroup: 'Golongan darah',
    address: 'Alamat',
    allergies: 'Alergi',
    noAllergies: 'Tidak ada yang diketahui',
    allergiesNotAsked: 'Belum ditanyakan',
    unknown: 'Tidak diketahui',
    severities: { mild: 'ringan', moderate: 'sedang', severe: 'berat' },
    alerts: 'Peringatan',
    family: 'Keluarga',
    registered: 'Terdaftar',
    issued: 'Diterbitkan',
  },
  th: {
    title: 'สรุปข้อมูลผู้ป่วย',
    dateOfBirth: 'วันเกิด',
    phone: 'โทรศัพท์',
    email: 'อีเมล',
    gender: 'เพศ',
    genders: { female: 'หญิง', male: 'ชาย', other: 'อื่น ๆ', unknown: 'ไม่ทราบ' },
    bloodGroup: 'หมู่เลือด',
    address: 'ที่อยู่',
    allergies: 'การแพ้',
    noAllergies: 'ไม่พบประวัติการแพ้',
    allergiesNotAsked: 'ยังไม่ได้สอบถาม',
    unknown: 'ไม่ทราบ',
    severities: { mild: 'เล็กน้อย', moderate: 'ปานกลาง', severe: 'รุนแรง' },
    alerts: 'ข้อควรระวัง',
    family: 'ครอบครัว',
    registered: 'ลงทะเบียน',
    issued: 'ออกเมื่อ',
  },
};

/** @param language BCP 47. A language without words gets English. */
export function words(language: string): Words {
  return WORDS[language.split('-')[0] ?? ''] ?? ENGLISH;
}
