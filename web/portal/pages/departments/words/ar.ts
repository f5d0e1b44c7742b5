import type en from './en.ts';

const words: typeof en = {
  departments: {
    new: 'قسم جديد',
    search: 'الاسم أو الرمز',
    empty: 'لا توجد أقسام بعد.',
    name: 'الاسم',
    code: 'الرمز',
    parentId: 'جزء من',
    location: 'المكان',
    confirm: 'حذف القسم «{{name}}»؟',
  },
  error: {
    code: {
      DEPARTMENT_CODE_TAKEN: 'لقسم آخر هذا الرمز. اختر رمزًا آخر.',
      DEPARTMENT_CYCLE: 'سيصبح القسم جزءًا من نفسه. اختر قسمًا آخر.',
    },
  },
};
export default words;
