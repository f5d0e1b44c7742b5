import type en from './en.ts';

const words: typeof en = {
  notices: {
    new: 'إعلان جديد',
    search: 'النص',
    empty: 'لا توجد إعلانات بعد. تعرضها الشاشات بجانب الطوابير.',
    text: 'النص',
    validFrom: 'اليوم الأول',
    validTo: 'اليوم الأخير',
    confirm: 'حذف الإعلان «{{name}}»؟',
  },
  error: {
    code: {
      NOTICE_DAYS: 'لا يكون اليوم الأخير قبل الأول.',
    },
  },
};
export default words;
