/** The words on reports and labels of the laboratory, by language. */
import type { ShownOrder, ShownResult } from '@hms/domain/lab-orders';

interface Words {
  readonly title: string;
  readonly amendedTitle: string;
  readonly patientCode: string;
  /** What the patient was called at the time of the order. */
  readonly formerName: string;
  readonly dateOfBirth: string;
  readonly gender: string;
  readonly doctor: string;
  readonly ordered: string;
  readonly collected: string;
  readonly verified: string;
  readonly note: string;
  readonly columns: { readonly test: string; readonly result: string; readonly unit: string; readonly range: string };
  readonly flags: Readonly<Record<Exclude<NonNullable<ShownResult['flag']>, 'N'>, string>>;
  readonly noRange: string;
  readonly uncertain: string;
  /** Before the reason of an amendment. */
  readonly corrected: string;
  readonly formerly: string;
  readonly revision: string;
  readonly issued: string;
  readonly priorities: Readonly<Record<Exclude<ShownOrder['priority'], 'routine'>, string>>;
}

const ENGLISH: Words = {
  title: 'Laboratory report',
  amendedTitle: 'Amended report. It replaces all earlier reports of this order.',
  patientCode: 'Patient',
  formerName: 'Name when ordered',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  doctor: 'Ordered by',
  ordered: 'Ordered',
  collected: 'Collected',
  verified: 'Verified',
  note: 'Clinical note',
  columns: { test: 'Test', result: 'Result', unit: 'Unit', range: 'Reference range' },
  flags: { LL: 'critically low', L: 'low', H: 'high', HH: 'critically high', A: 'abnormal' },
  noRange: 'No reference range for this patient',
  uncertain: 'Beyond what was measured: not flagged',
  corrected: 'Corrected',
  formerly: 'formerly',
  revision: 'revision',
  issued: 'Issued',
  priorities: { stat: 'STAT', urgent: 'URGENT' },
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  ar: {
    title: 'تقرير المختبر',
    amendedTitle: 'تقرير معدّل، يحل محل جميع التقارير السابقة لهذا الطلب.',
    patientCode: 'المريض',
    formerName: 'الاسم عند الطلب',
    dateOfBirth: 'تاريخ الميلاد',
    gender: 'الجنس',
    doctor: 'الطبيب الطالب',
    ordered: 'وقت الطلب',
    collected: 'وقت أخذ العينة',
    verified: 'وقت الاعتماد',
    note: 'ملاحظة سريرية',
    columns: { test: 'الفحص', result: 'النتيجة', unit: 'الوحدة', range: 'المدى المرجعي' },
    flags: { LL: 'منخفض بشكل حرج', L: 'منخفض', H: 'مرتفع', HH: 'مرتفع بشكل حرج', A: 'غير طبيعي' },
    noRange: 'لا يوجد مدى مرجعي لهذا المريض',
    uncertain: 'خارج نطاق القياس: بلا تصنيف',
    corrected: 'صُححت',
    formerly: 'سابقًا',
    revision: 'المراجعة',
    issued: 'صدر في',
    priorities: { stat: 'فوري', urgent: 'عاجل' },
  },
  hi: {
    title: 'प्रयोगशाला रिपोर्ट',
    amendedTitle: 'संशोधित रिपोर्ट। यह इस आदेश की सभी पिछली रिपोर्टों का स्थान लेती है।',
    patientCode: 'रोगी',
    formerName: 'आदेश के समय नाम',
    dateOfBirth: 'जन्म तिथि',
    gender: 'लिंग',
    doctor: 'आदेशकर्ता',
    ordered: 'आदेश',
    collected: 'नमूना लिया गया',
    verified: 'सत्यापित',
    note: 'नैदानिक टिप्पणी',
    columns: { test: 'जाँच', result: 'परिणाम', unit: 'इकाई', range: 'संदर्भ सीमा' },
    flags: { LL: 'गंभीर रूप से कम', L: 'कम', H: 'अधिक', HH: 'गंभीर रूप से अधिक', A: 'असामान्य' },
    noRange: 'इस रोगी के लिए कोई संदर्भ सीमा नहीं',
    uncertain: 'माप सीमा से बाहर: चिह्नित नहीं',
    corrected: 'संशोधित',
    formerly: 'पहले',
    revision: 'संस्करण',
    issued: 'जारी',
    priorities: { stat: 'तत्काल', urgent: 'अति आवश्यक' },
  },
  id: {
    title: 'Laporan laboratorium',
    amendedTitle: 'Laporan perubahan. Laporan ini menggantikan semua laporan sebelumnya untuk permintaan ini.',
    patientCode: 'Pasien',
    formerName: 'Nama saat pemesanan',
    dateOfBirth: 'Tanggal lahir',
    gender: 'Jenis kelamin',
    doctor: 'Dokter peminta',
    ordered: 'Diminta',
    collected: 'Sampel diambil',
    verified: 'Diverifikasi',
    note: 'Catatan klinis',
    columns: { test: 'Pemeriksaan', result: 'Hasil', unit: 'Satuan', range: 'Nilai rujukan' },
    flags: { LL: 'sangat rendah (kritis)', L: 'rendah', H: 'tinggi', HH: 'sangat tinggi (kritis)', A: 'abnormal' },
    noRange: 'Tidak ada nilai rujukan untuk pasien ini',
    uncertain: 'Di luar batas pengukuran: tanpa tanda',
    corrected: 'Dikoreksi',
    formerly: 'sebelumnya',
    revision: 'revisi',
    issued: 'Diterbitkan',
    priorities: { stat: 'CITO', urgent: 'SEGERA' },
  },
  th: {
    title: 'รายงานผลทางห้องปฏิบัติการ',
    amendedTitle: 'รายงานฉบับแก้ไข ใช้แทนรายงานก่อนหน้าทั้งหมดของคำสั่งนี้',
    patientCode: 'ผู้ป่วย',
    formerName: 'ชื่อ ณ เวลาสั่งตรวจ',
    dateOfBirth: 'วันเกิด',
    gender: 'เพศ',
    doctor: 'แพทย์ผู้สั่ง',
    ordered: 'สั่งเมื่อ',
    collected: 'เก็บตัวอย่างเมื่อ',
    verified: 'รับรองผลเมื่อ',
    note: 'บันทึกทางคลินิก',
    columns: { test: 'รายการตรวจ', result: 'ผล', unit: 'หน่วย', range: 'ค่าอ้างอิง' },
    flags: { LL: 'ต่ำวิกฤต', L: 'ต่ำ', H: 'สูง', HH: 'สูงวิกฤต', A: 'ผิดปกติ' },
    noRange: 'ไม่มีค่าอ้างอิงสำหรับผู้ป่วยรายนี้',
    uncertain: 'เกินช่วงการวัด: ไม่ระบุสถานะ',
    corrected: 'แก้ไข',
    formerly: 'เดิม',
    revision: 'ฉบับที่',
    issued: 'ออกเมื่อ',
    priorities: { stat: 'ด่วนที่สุด', urgent: 'ด่วน' },
  },
};

/** @param language BCP 47. A language without words gets English. */
export function words(language: string): Words {
  return WORDS[language.split('-')[0] ?? ''] ?? ENGLISH;
}
