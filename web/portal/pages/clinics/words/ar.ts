import type en from './en.ts';

const words: typeof en = {
  clinics: {
    new: 'عيادة جديدة',
    search: 'الاسم أو الرمز',
    empty: 'لا توجد عيادات بعد.',
    name: 'الاسم',
    code: 'الرمز',
    departmentId: 'القسم',
    location: 'موقعها',
    slotMinutes: 'دقائق الموعد',
    slotMinutesHelp: 'تقترحها ساعات العمل الجديدة.',
    tokenPrefix: 'الحروف قبل رقم الدور',
    tokenPrefixHelp: 'مع A تكون الأدوار A-001 وA-002 وهكذا.',
    isQueueEnabled: 'يمكن الانتظار هنا من دون موعد',
    confirm: 'حذف العيادة «{{name}}»؟',
  },
  error: {
    code: {
      CLINIC_INACTIVE: 'هذه العيادة غير مستخدمة. اختر عيادة أخرى.',
      CLINIC_CODE_TAKEN: 'لعيادة أخرى هذا الرمز.',
    },
  },
};
export default words;
