import type en from './en.ts';

const words: typeof en = {
  interactions: {
    new: 'تداخل جديد',
    search: 'ابحث بالمادة',
    empty: 'لا توجد تداخلات بعد.',
    substanceA: 'المادة',
    substanceB: 'المادة الأخرى',
    severity: 'الشدة',
    severityChoices: { minor: 'طفيف', moderate: 'متوسط', severe: 'شديد' },
    effect: 'ما قد يحدث وما يجب فعله',
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
