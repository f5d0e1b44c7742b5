import type en from './en.ts';

const words: typeof en = {
  'visit-types': {
    new: 'نوع زيارة جديد',
    search: 'الاسم أو الرمز',
    empty: 'لا توجد أنواع زيارات بعد: مدة كل موعد كما تحددها ساعات العمل.',
    name: 'الاسم',
    code: 'الرمز',
    minutes: 'الدقائق',
    clinicId: 'العيادة',
    clinicIdHelp: 'من دون عيادة يصلح النوع لكل العيادات.',
    confirm: 'حذف نوع الزيارة «{{name}}»؟',
  },
  error: {
    code: {
      VISIT_TYPE_CODE_TAKEN: 'لنوع زيارة آخر هذا الرمز.',
      VISIT_TYPE_INACTIVE: 'نوع الزيارة هذا غير مستخدم. اختر نوعًا آخر.',
      VISIT_TYPE_NOT_FOUND: 'لم يعد نوع الزيارة هذا موجودًا. اختر نوعًا آخر.',
    },
  },
};
export default words;
