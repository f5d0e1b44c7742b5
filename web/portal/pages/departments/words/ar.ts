import type en from './en.ts';

const words: typeof en = {
  departments: {
    new: 'قسم جديد',
    search: 'الاسم أو الرمز',
    empty: 'لا توجد أقسام بعد.',
    name: 'الاسم',
    code: 'الرمز',
    location: 'المكان',
    confirm: 'حذف القسم «{{name}}»؟',
  },
  error: {
    code: {
      DEPARTMENT_CODE_TAKEN: 'لقسم آخر هذا الرمز. اختر رمزًا آخر.',
      DEPARTMENT_IN_USE:
        'يتبع هذا القسمَ موظفون أو عيادات أو فحوص مختبر أو أقسام أخرى. اختر لها قسمًا آخر أولًا، أو أوقف استخدامه مؤقتًا.',
    },
  },
};
export default words;
