/** Summaries in each script, for tests and measurements. */
import {
  barcode,
  type DispenseLabels,
  type DocumentOptions,
  type InvoiceSheet,
  type LabReport,
  type PatientSummary,
  type PrescriptionSheet,
  qrCode,
  type ReceiptSlip,
  type ReportSheet,
  type SpecimenLabels,
  type VisitorList,
} from '../index.ts';

export interface Sample {
  readonly data: PatientSummary;
  readonly options: DocumentOptions;
}

const code = 'HSP-000123';

/** A summary in English. @param changed what differs from it */
export function sample(
  changed: Partial<PatientSummary> = {},
  branding: Partial<DocumentOptions['branding']> = {},
  language = 'en',
): Sample {
  return {
    data: {
      patientCode: code,
      title: 'Patient summary',
      name: 'Zoë Müller-Øster',
      facts: [
        ['Date of birth', '17 May 1990'],
        ['Phone', '+62 812 3456 7890'],
        ['Family', 'Müller (FAM-000017)'],
      ],
      issued: 'Issued 22 Nov 2026, 23:10 by Dr. Jane Doe',
      barcode: barcode(code),
      qrCode: qrCode(code),
      ...changed,
    },
    options: {
      branding: { hospital: "St. Mary's Hospital", color: '#0b7285', ...branding },
      language,
      createdAt: new Date('2026-11-22T23:10:00Z'),
    },
  };
}

export const SCRIPTS = {
  Latin: sample(),
  Arabic: sample(
    {
      title: 'ملخص المريض',
      name: 'محمد ١٢٣ عبد الله',
      facts: [
        ['تاريخ الميلاد', '١٧ مايو ١٩٩٠'],
        ['الهاتف', '\u2066+62 812 3456 7890\u2069'],
        ['الأسرة', 'عبد الله 42 (FAM-000017)'],
      ],
    },
    { hospital: 'مستشفى سانت ماري' },
    'ar',
  ),
  Thai: sample(
    { title: 'สรุปผู้ป่วย', name: 'สมชาย ใจดี', facts: [['วันเกิด', '17 พฤษภาคม 2533']] },
    { hospital: 'โรงพยาบาลเซนต์แมรี่' },
    'th',
  ),
  Devanagari: sample(
    { title: 'रोगी सारांश', name: 'श्रीमती अनुष्का क्षत्रिय', facts: [['जन्म तिथि', '17 मई 1990']] },
    { hospital: 'सेंट मैरी अस्पताल' },
    'hi',
  ),
  Hebrew: named('שרה לוי־כהן', 'בית חולים', 'he'),
  Bengali: named('শ্রীমতী অনন্যা র‍্যাব', 'হাসপাতাল কক্ষ', 'bn'),
  Tamil: named('ஸ்ரீ கிருஷ்ணன்', 'மருத்துவமனை', 'ta'),
  Sinhala: named('ශ්‍රී ක්‍රිෂාන්ත', 'රෝහල', 'si'),
  Georgian: named('ნინო ბერიძე', 'საავადმყოფო ᲜᲘᲜᲝ', 'ka'),
  Ethiopic: named('አበበ ቢቂላ', 'ሆስፒታል፡ቅዱስ', 'am'),
  Khmer: named('សុខ ស្រីមុំ', 'មន្ទីរពេទ្យ', 'km'),
  Armenian: named('Աննա Հակոբյան', 'Հիվանդանոց', 'hy'),
  Lao: named('ສົມສັກ ນ້ຳ', 'ໂຮງໝໍ', 'lo'),
  Myanmar: named('အောင်ဆန်းစုကြည်', 'ဆေးရုံ', 'my'),
  Telugu: named('శ్రీనివాస్ రెడ్డి', 'ఆసుపత్రి', 'te'),
  Kannada: named('ಕೃಷ್ಣಪ್ಪ ಶ್ರೀ', 'ಆಸ್ಪತ್ರೆ', 'kn'),
  Malayalam: named('ശ്രീകുമാർ നായർ', 'ആശുപത്രി', 'ml'),
  Gujarati: named('શ્રી નરેન્દ્ર', 'હોસ્પિટલ', 'gu'),
  Gurmukhi: named('ਹਰਪ੍ਰੀਤ ਸਿੰਘ', 'ਹਸਪਤਾਲ', 'pa'),
  Oriya: named('ଶ୍ରୀ ନବୀନ', 'ଡାକ୍ତରଖାନା', 'or'),
  Thaana: named('އަޙްމަދު ނަޝީދު', 'ހޮސްޕިޓަލު', 'dv'),
  Tibetan: named('བསྟན་འཛིན་རྒྱ་མཚོ', 'སྨན་ཁང', 'dz'),
  Simplified: named('欧阳骨海', '圣玛丽医院，〇二室', 'zh-CN'),
  Traditional: named('歐陽骨海', '聖瑪麗醫院', 'zh-TW'),
  Japanese: named('山田 ヤマダ ﾀﾛｳ が 骨海', '聖マリア病院', 'ja'),
  Korean: named('김민수 骨海', '성모 병원', 'ko'),
} satisfies Record<string, Sample>;

/** A summary with the same texts in regular and in bold glyphs. */
function named(name: string, hospital: string, language: string): Sample {
  return sample({ name, facts: [[name, `${name} ${hospital}`]] }, { hospital }, language);
}

const orderNo = 'LAB-000123';
const isolated = (text: string) => `\u2066${text}\u2069`;
const ARABIC = { ...SCRIPTS.Arabic.options };

/** Reports of the laboratory. */
export const REPORTS: Readonly<Record<string, { readonly data: LabReport; readonly options: DocumentOptions }>> = {
  Latin: {
    options: sample().options,
    data: {
      ...{ orderNo, barcode: barcode(orderNo), title: 'Laboratory report', name: 'Zoë Müller-Øster' },
      notice: 'Amended report. It replaces all earlier reports of this order.',
      facts: [
        ['Patient', isolated(code)],
        ['Date of birth', 'May 17, 1990'],
        ['Ordered by', 'Jane Doe'],
        ['Ordered', 'Nov 24, 2026, 8:00 AM'],
        ['Collected', 'Nov 24, 2026, 8:20 AM'],
      ],
      columns: ['Test', 'Result', 'Unit', 'Reference range'],
      rows: [
        {
          ...{ test: 'Potassium', value: isolated('7.00'), unit: isolated('mmol/L'), range: isolated('3.5 – 5.1') },
          ...{ flag: 'HH', critical: true, notes: ['Corrected Nov 24, 2026, 9:12 AM: Typing error (formerly 4.70)'] },
        },
        {
          ...{ test: 'Sodium', value: isolated('140'), unit: isolated('mmol/L'), range: isolated('135 – 145') },
          ...{ flag: '', critical: false, notes: [] },
        },
        {
          ...{ test: 'Troponin T, high sensitivity', value: isolated('<0.01'), unit: isolated('ng/mL'), range: '' },
          ...{ flag: '', critical: false, notes: ['No reference range for this patient'] },
        },
        {
          ...{ test: 'HIV antibodies', value: 'Reactive', unit: '', range: '' },
          ...{ flag: 'A', critical: false, notes: [] },
        },
      ],
      legend: 'HH: critically high | A: abnormal',
      issued: 'Issued Nov 24, 2026, 9:15 AM | revision 2',
    },
  },
  Arabic: {
    options: ARABIC,
    data: {
      ...{ orderNo, barcode: barcode(orderNo), title: 'تقرير المختبر', name: 'محمد عبد الله' },
      notice: 'تقرير معدّل، يحل محل جميع التقارير السابقة لهذا الطلب.',
      facts: [
        ['المريض', isolated(code)],
        ['تاريخ الميلاد', '١٧ مايو ١٩٩٠'],
      ],
      columns: ['الفحص', 'النتيجة', 'الوحدة', 'المدى المرجعي'],
      rows: [
        {
          ...{ test: 'البوتاسيوم', value: isolated('<0.01'), unit: isolated('mmol/L'), range: isolated('3.5 – 5.1') },
          ...{ flag: 'LL', critical: true, notes: ['صُححت ٢٤ نوفمبر: خطأ مطبعي'] },
        },
        {
          ...{ test: 'الصوديوم', value: isolated('140'), unit: isolated('mmol/L'), range: isolated('135 – 145') },
          ...{ flag: '', critical: false, notes: [] },
        },
      ],
      legend: 'LL: منخفض بشكل حرج',
      issued: 'صدر في ٢٤ نوفمبر ٢٠٢٦',
    },
  },
  Thai: {
    options: SCRIPTS.Thai.options,
    data: {
      ...{ orderNo, barcode: barcode(orderNo), title: 'รายงานผลทางห้องปฏิบัติการ', name: 'สมชาย ใจดี', notice: '' },
      facts: [
        ['ผู้ป่วย', isolated(code)],
        ['วันเกิด', '17 พฤษภาคม 2533'],
      ],
      columns: ['รายการตรวจ', 'ผลตรวจ', 'หน่วย', 'ค่าอ้างอิง'],
      rows: [
        {
          ...{ test: 'โพแทสเซียม', value: isolated('>1000'), unit: isolated('mmol/L'), range: isolated('3.5 – 5.1') },
          ...{ flag: 'HH', critical: true, notes: ['แก้ไขเมื่อ 24 พฤศจิกายน 2569: พิมพ์ผิด'] },
        },
      ],
      legend: 'HH: สูงวิกฤต',
      issued: 'ออกเมื่อ 24 พฤศจิกายน 2569',
    },
  },
};

const label = (accessionNo: string, type: string, time: string, mark: string) => {
  return { accessionNo, barcode: barcode(accessionNo), type, time, mark };
};

/** Labels for specimens. */
export const LABELS: Readonly<Record<string, { readonly data: SpecimenLabels; readonly options: DocumentOptions }>> = {
  Latin: {
    options: sample().options,
    data: {
      ...{ orderNo, name: 'Zoë Müller-Øster', facts: `${code} | May 17, 1990` },
      labels: [
        label('S-000123', 'Serum', 'Collected: 11/24/26, 8:20 AM', 'STAT'),
        label('S-000124', 'EDTA blood', 'Collected: ________', ''),
      ],
    },
  },
  Arabic: {
    options: ARABIC,
    data: {
      ...{ orderNo, name: 'محمد عبد الله', facts: `${isolated(code)} | ١٧ مايو ١٩٩٠` },
      labels: [label('S-000123', 'مصل', 'وقت أخذ العينة: ________', 'فوري')],
    },
  },
};

const rxNo = 'RX-000123';

/** Prescriptions. */
export const PRESCRIPTIONS: Readonly<
  Record<string, { readonly data: PrescriptionSheet; readonly options: DocumentOptions }>
> = {
  Latin: {
    options: sample().options,
    data: {
      ...{ rxNo, barcode: barcode(rxNo), title: 'Prescription', name: 'Zoë Müller-Øster' },
      facts: [
        ['Patient', isolated(code)],
        ['Date of birth', 'May 17, 1990'],
        ['Prescribed by', 'Jane Doe'],
        ['Valid until', 'December 24, 2026'],
      ],
      columns: ['Drug', 'Dose', 'Times a day', 'For', 'Quantity'],
      rows: [
        {
          ...{ drug: 'Amoxicillin 500 mg', dose: '1 capsule', timesPerDay: '3', duration: '7 days' },
          ...{ quantity: '21 capsule', notes: ['After meals', 'No substitute'] },
        },
        {
          ...{ drug: 'Prednisolone 5 mg', dose: '0.5 tablet', timesPerDay: '1', duration: '10 days' },
          ...{ quantity: '5 tablet', notes: [] },
        },
      ],
      signature: 'Signature',
      issued: 'Prescribed Nov 24, 2026, 9:15 AM',
    },
  },
  Arabic: {
    options: ARABIC,
    data: {
      ...{ rxNo, barcode: barcode(rxNo), title: 'وصفة طبية', name: 'محمد عبد الله' },
      facts: [
        ['المريض', isolated(code)],
        ['تاريخ الميلاد', '١٧ مايو ١٩٩٠'],
      ],
      columns: ['الدواء', 'الجرعة', 'مرات في اليوم', 'المدة', 'الكمية'],
      rows: [
        {
          ...{ drug: 'أموكسيسيلين 500 mg', dose: '١ كبسولة', timesPerDay: '٣', duration: '٧ أيام' },
          ...{ quantity: '٢١ كبسولة', notes: ['بعد الأكل'] },
        },
      ],
      signature: 'التوقيع',
      issued: 'وُصفت في ٢٤ نوفمبر ٢٠٢٦',
    },
  },
};

/** Labels for what was dispensed: usual ones, and the longest texts, which need another label. */
export const DISPENSE_LABELS: Readonly<
  Record<string, { readonly data: DispenseLabels; readonly options: DocumentOptions }>
> = {
  Latin: {
    options: sample().options,
    data: {
      ...{ dispenseNo: 'DSP-000123', name: 'Zoë Müller-Øster', patientCode: code, phone: '+35315550100' },
      labels: [
        {
          drug: 'Amoxicillin 500 mg, Capsule',
          directions: '1 capsule, 3 times a day, for 7 days',
          instructions: 'After meals',
          facts: [
            ['Quantity', '21 capsule'],
            ['Batch', isolated('B-2041')],
            ['Expires', '31 Dec 2027'],
            ['Dispensed', '24 Nov 2026'],
            ['Prescription', isolated(rxNo)],
          ],
        },
        {
          drug: 'Amoxicillin and clavulanic acid 875 mg/125 mg, Film-coated tablet',
          directions: '1 tablet, 3 times a day, for 7 days',
          instructions: 'After meals. '.repeat(14),
          facts: [
            ['Quantity', '21 tablet'],
            ['Batch', isolated('B-2041')],
            ['Expires', '31 Dec 2027'],
            ['Dispensed', '24 Nov 2026'],
            ['Prescription', isolated(rxNo)],
          ],
        },
        longestLabel('Swallow it whole with a glass of water. '),
      ],
    },
  },
  Arabic: {
    options: ARABIC,
    data: {
      ...{ dispenseNo: 'DSP-000123', name: 'محمد عبد الله', patientCode: code, phone: '' },
      labels: [
        {
          drug: `أموكسيسيلين ${isolated('500 mg')}، كبسولة`,
          directions: '\u20681 capsule\u2069، 3 مرات يوميًا، المدة: 7 أيام',
          instructions: 'بعد الأكل',
          facts: [
            ['الكمية', '21 كبسولة'],
            ['التشغيلة', isolated('B-2041')],
            ['تنتهي', '31 ديسمبر 2027'],
            ['صُرف في', '24 نوفمبر 2026'],
            ['الوصفة', isolated(rxNo)],
          ],
        },
        longestLabel('ابتلعها كاملة مع كوب من الماء. '),
      ],
    },
  },
  Thai: {
    options: SCRIPTS.Thai.options,
    data: {
      ...{ dispenseNo: 'DSP-000123', name: 'สมชาย ใจดี', patientCode: code, phone: '' },
      labels: [longestLabel('กลืนยาทั้งเม็ดพร้อมน้ำหนึ่งแก้ว ')],
    },
  },
  Japanese: {
    options: SCRIPTS.Japanese.options,
    data: {
      ...{ dispenseNo: 'DSP-000123', name: '山田太郎'.repeat(20), patientCode: code, phone: '+81312345678' },
      labels: [longestLabel('食後に水で飲んでください。')],
    },
  },
};

/** @param sentence repeated as often as instructions may be long. */
function longestLabel(sentence: string): DispenseLabels['labels'][number] {
  const long = (letters: number) => sentence.repeat(30).slice(0, letters);
  return {
    drug: `${long(100)} ${isolated('x'.repeat(40))}, ${long(40)}`,
    directions: `0.125 ${long(20)}, 3 times a day, for 366 days`,
    instructions: `${long(296)} END`,
    facts: [
      ['Quantity', `1000000 ${long(20)}`],
      ['Batch', isolated('B'.repeat(40))],
      ['Expires', '31 Dec 2027'],
      ['Dispensed', '24 Nov 2026'],
      ['Prescription', isolated(rxNo)],
    ],
  };
}

const LATIN = SCRIPTS.Latin.options;
const VERIFY = 'https://st-mary.example/verify';
const VERIFIED = ['Check that it is genuine:', VERIFY] as const;
const VERIFIED_IN_ARABIC = ['للتحقق من صحتها:', isolated(VERIFY)] as const;

/** Invoices, with a discount and two rates of tax. */
export const INVOICES: Readonly<Record<string, { readonly data: InvoiceSheet; readonly options: DocumentOptions }>> = {
  Latin: {
    data: {
      ...{ invoiceNo: 'INV-2026-000123', title: 'Invoice', name: 'Zoë Müller-Øster', notes: 'Thank you.' },
      seller: ['Tax number IE1234567T'],
      facts: [
        ['Patient', 'Zoë Müller-Øster (HSP-000123)'],
        ['Date', '26 November 2026'],
        ['Due date', '26 December 2026'],
      ],
      columns: ['Description', 'Quantity', 'Price', 'Tax', 'Amount'],
      rows: [
        { description: 'Consultation', notes: ['Discount: −€10.00'], cells: ['1', '€60.00', '23 %', '€50.00'] },
        { description: 'Potassium, Sodium', notes: [], cells: ['2', '€12.50', '0 %', '€25.00'] },
      ],
      sums: [
        { label: 'Subtotal', value: '€85.00', strong: false },
        { label: 'Discount', value: '−€10.00', strong: false },
        { label: '23 % tax on €50.00', value: '€11.50', strong: false },
        { label: 'Total', value: '€86.50', strong: true },
      ],
      ...{ issued: 'Issued 26 Nov 2026, 10:15', verify: VERIFIED, barcode: barcode('INV-2026-000123') },
      qrCode: qrCode(VERIFY),
    },
    options: LATIN,
  },
  Arabic: {
    data: {
      ...{ invoiceNo: 'INV-2026-000124', title: 'فاتورة', name: 'محمد عبد الله', notes: '' },
      seller: [],
      facts: [
        ['المريض', `محمد عبد الله (${isolated('HSP-000124')})`],
        ['التاريخ', '26 نوفمبر 2026'],
      ],
      columns: ['الوصف', 'الكمية', 'السعر', 'الضريبة', 'المبلغ'],
      rows: [
        {
          description: 'استشارة',
          notes: [],
          cells: ['1', `${isolated('60.00')} د.إ`, '5%', `${isolated('60.00')} د.إ`],
        },
      ],
      sums: [{ label: 'الإجمالي', value: `${isolated('63.00')} د.إ`, strong: true }],
      ...{ issued: 'صدرت في 26 نوفمبر 2026', verify: VERIFIED_IN_ARABIC, barcode: barcode('INV-2026-000124') },
      qrCode: qrCode(VERIFY),
    },
    options: ARABIC,
  },
};

/** Receipts: an original with change, and a copy. */
export const RECEIPTS: Readonly<Record<string, { readonly data: ReceiptSlip; readonly options: DocumentOptions }>> = {
  Latin: {
    data: {
      ...{ receiptNo: 'RCT-2026-000123', title: 'Receipt', copy: '' },
      seller: ['12 Harbour Street', 'Galway', 'Tax number IE1234567T'],
      facts: [
        ['Receipt', 'RCT-2026-000123'],
        ['Invoice', 'INV-2026-000123'],
        ['Patient', 'Zoë Müller-Øster'],
        ['Date', '26 Nov 2026, 10:17'],
        ['Cashier', 'Carla Quinn'],
      ],
      sums: [
        { label: 'Paid', value: '€86.50', strong: true },
        { label: 'Cash', value: '€86.50', strong: false },
        { label: 'Tendered', value: '€100.00', strong: false },
        { label: 'Change', value: '€13.50', strong: false },
        { label: 'Balance due', value: '€0.00', strong: false },
      ],
      ...{ verify: VERIFIED, qrCode: qrCode(VERIFY) },
    },
    options: LATIN,
  },
  Arabic: {
    data: {
      ...{ receiptNo: 'RCT-2026-000124', title: 'إيصال', copy: `نسخة 1 · ${isolated('26/11/2026')} · كارلا` },
      seller: ['شارع الميناء 12', 'دبي'],
      facts: [
        ['الإيصال', isolated('RCT-2026-000124')],
        ['الفاتورة', isolated('INV-2026-000124')],
      ],
      sums: [{ label: 'المدفوع', value: `${isolated('63.00')} د.إ`, strong: true }],
      ...{ verify: VERIFIED_IN_ARABIC, qrCode: qrCode(VERIFY) },
    },
    options: ARABIC,
  },
};

/** Lists of visitors, in each direction of writing. */
export const VISITOR_LISTS: Readonly<
  Record<string, { readonly data: VisitorList; readonly options: DocumentOptions }>
> = {
  Latin: {
    options: sample().options,
    data: {
      ...{ title: 'Visitors inside', count: '2', columns: ['Visitor', 'Place and patient', 'Since'] },
      rows: [
        {
          ...{ visitor: 'Zoë Müller-Øster', notes: [`${isolated('VIS-000017')} · ${isolated('+62 812 3456 7890')}`] },
          ...{ place: 'Ward 3, room 12', patient: 'Karl Müller', since: '9:15 AM' },
        },
        { visitor: 'Ann Doe', notes: [isolated('VIS-000018')], place: '', patient: 'John Doe', since: '10:02 AM' },
      ],
      issued: 'Nov 24, 2026, 10:15 AM',
    },
  },
  Arabic: {
    options: ARABIC,
    data: {
      ...{ title: 'الزوار في الداخل', count: '١', columns: ['الزائر', 'المكان والمريض', 'منذ'] },
      rows: [
        {
          ...{ visitor: 'فاطمة عبد الله', notes: [isolated('VIS-000017')] },
          ...{ place: 'الجناح 3', patient: 'محمد عبد الله', since: '٩:١٥ ص' },
        },
      ],
      issued: '٢٤ نوفمبر ٢٠٢٦',
    },
  },
};

export const FIGURES: Readonly<Record<string, { readonly data: ReportSheet; readonly options: DocumentOptions }>> = {
  Latin: {
    options: sample().options,
    data: {
      ...{ title: 'Collections', about: 'What was paid, when it was paid.' },
      facts: [
        ['Period', '1 – 30 November 2026'],
        ['Compared with', '1 – 31 October 2026'],
      ],
      figures: [
        { label: 'Collected', value: isolated('€12,345.60'), change: '▲ 12 % (before: €11,020.00)' },
        { label: 'Payments', value: '420', change: '' },
      ],
      chart: {
        ...{ form: 'bars', caption: 'Collected. The outline is the period before' },
        rows: [
          { label: 'Cash', value: isolated('€10,000.00'), part: 1, before: 0.8 },
          { label: 'Card', value: isolated('€2,345.60'), part: 0.23, before: null },
        ],
      },
      columns: ['Method', 'Collected', 'Payments'],
      rows: [
        ['Cash', isolated('€10,000.00'), '300'],
        ['Card', isolated('€2,345.60'), '120'],
      ],
      total: ['Total', isolated('€12,345.60'), '420'],
      issued: 'Nov 24, 2026, 10:15 AM',
    },
  },
  Arabic: {
    options: ARABIC,
    data: {
      ...{ title: 'التحصيلات', about: 'ما تم دفعه وقت دفعه.' },
      facts: [['الفترة', '١ – ٣٠ نوفمبر ٢٠٢٦']],
      figures: [{ label: 'المحصّل', value: isolated('١٢٬٣٤٥٫٦٠ €'), change: '' }],
      chart: {
        ...{ form: 'columns', caption: 'المحصّل' },
        rows: Array.from({ length: 30 }, (_, index) => ({
          ...{ label: `11-${index + 1}`, value: String(index), part: index / 29, before: (29 - index) / 29 },
        })),
      },
      columns: ['اليوم', 'المحصّل'],
      rows: [['١ نوفمبر', '١٢']],
      total: ['المجموع', '١٢'],
      issued: '٢٤ نوفمبر ٢٠٢٦',
    },
  },
};
