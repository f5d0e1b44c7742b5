/** The words on prescriptions and on labels of what is dispensed, by language. */
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
  readonly label: {
    readonly quantity: string;
    readonly batch: string;
    readonly expires: string;
    readonly dispensed: string;
    readonly prescription: string;
    /** Between the parts of the directions. */
    readonly comma: string;
    /** How often, by the plural rule of the number. `{count}` is the number. */
    readonly timesPerDay: Plurals;
    /** For how long. `{days}` is a number with its unit, such as `7 days`. */
    readonly duration: string;
  };
}

type Plurals = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

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
  label: {
    quantity: 'Quantity',
    batch: 'Batch',
    expires: 'Expires',
    dispensed: 'Dispensed',
    prescription: 'Prescription',
    comma: ', ',
    timesPerDay: { one: 'once a day', other: '{count} times a day' },
    duration: 'for {days}',
  },
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
    label: {
      quantity: 'الكمية',
      batch: 'التشغيلة',
      expires: 'تنتهي الصلاحية',
      dispensed: 'صُرف في',
      prescription: 'الوصفة',
      comma: '، ',
      timesPerDay: {
        one: 'مرة واحدة يوميًا',
        two: 'مرتين يوميًا',
        few: '{count} مرات يوميًا',
        other: '{count} مرة يوميًا',
      },
      duration: 'المدة: {days}',
    },
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
    label: {
      quantity: 'मात्रा',
      batch: 'बैच',
      expires: 'समाप्ति',
      dispensed: 'दिया गया',
      prescription: 'नुस्खा',
      comma: ', ',
      timesPerDay: { other: 'दिन में {count} बार' },
      duration: '{days} तक',
    },
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
    label: {
      quantity: 'Jumlah',
      batch: 'Bets',
      expires: 'Kedaluwarsa',
      dispensed: 'Diserahkan',
      prescription: 'Resep',
      comma: ', ',
      timesPerDay: { other: '{count} kali sehari' },
      duration: 'selama {days}',
    },
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
    label: {
      quantity: 'จำนวน',
      batch: 'รุ่นผลิต',
      expires: 'หมดอายุ',
      dispensed: 'จ่ายเมื่อ',
      prescription: 'ใบสั่งยา',
      comma: ' ',
      timesPerDay: { other: 'วันละ {count} ครั้ง' },
      duration: 'นาน {days}',
    },
  },
};

/** @param language BCP 47. A language without words gets English. */
export function words(language: string): Words {
  return wordsIn(language) ?? ENGLISH;
}

/** The language of the words that this language gets. */
export function languageOfWords(language: string): string {
  return wordsIn(language) ? language : 'en';
}

function wordsIn(language: string): Words | undefined {
  return WORDS[language.split('-')[0] ?? ''];
}
