/** The words on prescriptions, by language. */
interface Words {
  readonly title: string;
  readonly patientCode: string;
  readonly dateOfBirth: string;
  readonly gender: string;
  readonly weight: string;
  readonly comma: string;
  readonly doctor: string;
  readonly validUntil: string;
  /** Drug, dose, times a day, duration, quantity. */
  readonly columns: readonly [string, string, string, string, string];
  readonly noSubstitute: string;
  readonly signature: string;
  readonly prescribed: string;
}

const ENGLISH: Words = {
  title: 'Prescription',
  patientCode: 'Patient',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  weight: 'Weight',
  comma: ', ',
  doctor: 'Prescribed by',
  validUntil: 'Valid until',
  columns: ['Drug', 'Dose', 'Times a day', 'Duration', 'Quantity'],
  noSubstitute: 'No substitute',
  signature: 'Signature',
  prescribed: 'Prescribed',
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  ar: {
    title: 'وصفة طبية',
    patientCode: 'المريض',
    dateOfBirth: 'تاريخ الميلاد',
    gender: 'الجنس',
    weight: 'الوزن',
    comma: '، ',
    doctor: 'الطبيب الواصف',
    validUntil: 'صالحة حتى',
    columns: ['الدواء', 'الجرعة', 'مرات في اليوم', 'المدة', 'الكمية'],
    noSubstitute: 'بلا بديل',
    signature: 'التوقيع',
    prescribed: 'وُصفت في',
  },
  hi: {
    title: 'नुस्खा',
    patientCode: 'रोगी',
    dateOfBirth: 'जन्म तिथि',
    gender: 'लिंग',
    weight: 'वज़न',
    comma: ', ',
    doctor: 'लिखने वाले',
    validUntil: 'मान्य तिथि तक',
    columns: ['दवा', 'खुराक', 'दिन में बार', 'अवधि', 'मात्रा'],
    noSubstitute: 'कोई विकल्प नहीं',
    signature: 'हस्ताक्षर',
    prescribed: 'लिखा गया',
  },
  id: {
    title: 'Resep',
    patientCode: 'Pasien',
    dateOfBirth: 'Tanggal lahir',
    gender: 'Jenis kelamin',
    weight: 'Berat badan',
    comma: ', ',
    doctor: 'Ditulis oleh',
    validUntil: 'Berlaku sampai',
    columns: ['Obat', 'Dosis', 'Kali sehari', 'Lama', 'Jumlah'],
    noSubstitute: 'Tidak boleh diganti',
    signature: 'Tanda tangan',
    prescribed: 'Ditulis',
  },
  th: {
    title: 'ใบสั่งยา',
    patientCode: 'ผู้ป่วย',
    dateOfBirth: 'วันเกิด',
    gender: 'เพศ',
    weight: 'น้ำหนัก',
    comma: ', ',
    doctor: 'แพทย์ผู้สั่ง',
    validUntil: 'ใช้ได้ถึง',
    columns: ['ยา', 'ขนาด', 'ครั้งต่อวัน', 'ระยะเวลา', 'จำนวน'],
    noSubstitute: 'ห้ามใช้ยาทดแทน',
    signature: 'ลายมือชื่อ',
    prescribed: 'สั่งเมื่อ',
  },
};

/** @param language BCP 47. A language without words gets English. */
export function words(language: string): Words {
  return WORDS[language.split('-')[0] ?? ''] ?? ENGLISH;
}
