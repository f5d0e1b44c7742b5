/** The words on a summary, by language. */
interface Words {
  readonly title: string;
  readonly dateOfBirth: string;
  readonly phone: string;
  readonly email: string;
  readonly family: string;
  readonly registered: string;
  readonly issued: string;
}

const ENGLISH: Words = {
  title: 'Patient summary',
  dateOfBirth: 'Date of birth',
  phone: 'Phone',
  email: 'E-mail',
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
    family: 'العائلة',
    registered: 'تاريخ التسجيل',
    issued: 'صدر في',
  },
  hi: {
    title: 'रोगी सारांश',
    dateOfBirth: 'जन्म तिथि',
    phone: 'फ़ोन',
    email: 'ई-मेल',
    family: 'परिवार',
    registered: 'पंजीकरण',
    issued: 'जारी',
  },
  id: {
    title: 'Ringkasan pasien',
    dateOfBirth: 'Tanggal lahir',
    phone: 'Telepon',
    email: 'Surel',
    family: 'Keluarga',
    registered: 'Terdaftar',
    issued: 'Diterbitkan',
  },
  th: {
    title: 'สรุปข้อมูลผู้ป่วย',
    dateOfBirth: 'วันเกิด',
    phone: 'โทรศัพท์',
    email: 'อีเมล',
    family: 'ครอบครัว',
    registered: 'ลงทะเบียน',
    issued: 'ออกเมื่อ',
  },
};

/** @param language BCP 47. A language without words gets English. */
export function words(language: string): Words {
  return WORDS[language.split('-')[0] ?? ''] ?? ENGLISH;
}
