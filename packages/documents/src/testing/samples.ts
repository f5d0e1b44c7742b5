/** Summaries in each script, for tests and measurements. */
import { barcode, type DocumentOptions, type PatientSummary, qrCode } from '../index.ts';

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
} satisfies Record<string, Sample>;
