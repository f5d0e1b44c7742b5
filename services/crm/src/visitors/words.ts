/** The words on passes and lists of visitors, by language. */
interface Words {
  readonly visitor: string;
  readonly until: string;
  readonly inside: string;
  /** The visitor, where they are, and since when. */
  readonly columns: readonly [string, string, string];
}

const ENGLISH: Words = {
  visitor: 'Visitor',
  until: 'Until',
  inside: 'Visitors inside',
  columns: ['Visitor', 'Place and patient', 'Since'],
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  ar: { visitor: 'زائر', until: 'حتى', inside: 'الزوار في الداخل', columns: ['الزائر', 'المكان والمريض', 'منذ'] },
  hi: { visitor: 'आगंतुक', until: 'तक', inside: 'अंदर मौजूद आगंतुक', columns: ['आगंतुक', 'स्थान और मरीज़', 'कब से'] },
  id: {
    ...{ visitor: 'Pengunjung', until: 'Sampai', inside: 'Pengunjung di dalam' },
    columns: ['Pengunjung', 'Tempat dan pasien', 'Sejak'],
  },
  th: {
    ...{ visitor: 'ผู้มาเยี่ยม', until: 'ถึง', inside: 'ผู้มาเยี่ยมที่อยู่ภายใน' },
    columns: ['ผู้มาเยี่ยม', 'สถานที่และผู้ป่วย', 'ตั้งแต่'],
  },
};

/** @param language BCP 47 tag. In another language than these, the words are English. */
export function wordsOf(language: string): Words {
  return WORDS[language.split('-')[0] ?? ''] ?? ENGLISH;
}
