import type en from './en.ts';

const words: typeof en & {
  interactions: Record<`importRows_${'zero' | 'two' | 'few' | 'many'}`, string>;
} = {
  interactions: {
    new: 'تداخل جديد',
    search: 'ابحث بالمادة',
    empty: 'لا توجد تداخلات بعد.',
    substanceA: 'المادة',
    substanceB: 'المادة الأخرى',
    severity: 'الشدة',
    severityChoices: { minor: 'طفيف', moderate: 'متوسط', severe: 'شديد' },
    effect: 'ما قد يحدث وما يجب فعله',
    import: 'استيراد من ملف',
    all: 'كل التداخلات',
    importHow:
      'اختر ملف CSV فيه الأعمدة substance وother substance وseverity (قيمتها minor أو moderate أو severe) وeffect. تعرض الصفحة أولًا ما سيحدث لكل سطر. تبقى الأزواج الموجودة كما هي، وتبيّن الصفحة أين يختلف الملف عنها. يمكن إرسال الملف مرة أخرى.',
    importWould: 'الأسطر: {{total}}. ستُستورد: {{imported}}، موجودة: {{existing}}، خاطئة: {{wrong}}. لم يُحفظ شيء بعد.',
    importDone: 'الأسطر: {{total}}. استُوردت: {{imported}}، موجودة: {{existing}}، خاطئة: {{wrong}}.',
    importRows_zero: 'لا شيء للاستيراد',
    importRows_one: 'استيراد تداخل واحد',
    importRows_two: 'استيراد تداخلين',
    importRows_few: 'استيراد {{count}} تداخلات',
    importRows_many: 'استيراد {{count}} تداخلًا',
    importRows_other: 'استيراد {{count}} تداخل',
    differences: 'أزواج موجودة تختلف عن الملف ولا تُغيَّر',
    confirm: 'حذف التداخل «{{name}}»؟',
  },
  error: {
    code: {
      INTERACTION_EXISTS: 'يوجد تداخل بين هاتين المادتين من قبل.',
      SUBSTANCES_ARE_SAME: 'التداخل يكون بين مادتين مختلفتين.',
    },
  },
};
export default words;
